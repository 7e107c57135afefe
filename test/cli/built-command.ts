import { fileURLToPath } from 'node:url'

/**
 * Path of the command `routeslip` as it is published, without the time that tsx takes at each start. What uses it needs a
 * build.
 */
export const builtCommand = fileURLToPath(new URL('../../server/lib/cli/main.js', import.meta.url))
