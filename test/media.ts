import { executeServerCommand } from '@web/test-runner-commands'

/** The media features of the page in a browser test. Missing ones have the value of an ordinary browser window. */
export interface EmulatedMedia {
  readonly media?: 'screen' | 'print'
  readonly colorScheme?: 'light' | 'dark'
  readonly forcedColors?: 'none' | 'active'
  readonly reducedMotion?: 'no-preference' | 'reduce'
}

const defaults = {
  media: 'screen',
  colorScheme: 'light',
  forcedColors: 'none',
  reducedMotion: 'no-preference',
} as const

let isEmulating = false
let current: Mocha.Runnable | undefined

beforeEach(function () {
  current = this.currentTest
})

/**
 * Emulates media until the test ends. Throws if the page does not match them. Skips the test in WebKitGTK, which cannot. (The command of the same name in
 * `@web/test-runner-commands` ignores `forcedColors` in Chrome.)
 */
export async function emulateMedia(media: EmulatedMedia): Promise<void> {
  await apply({ ...defaults, ...media })
}

afterEach(async () => {
  if (isEmulating) await apply(defaults)
  isEmulating = false
})

async function apply(all: Required<EmulatedMedia>): Promise<void> {
  const isPossible = await executeServerCommand('emulate-media-features', all)
  if (!isPossible) current?.skip()
  isEmulating = true
  const query =
    `${all.media} and (prefers-color-scheme: ${all.colorScheme}) and (forced-colors: ${all.forcedColors}) and ` +
    `(prefers-reduced-motion: ${all.reducedMotion})`
  if (!matchMedia(query).matches) throw new Error(`The page does not match ${query}`)
}
