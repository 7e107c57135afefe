import { createReadStream, statSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import mime from 'mime'
import { isThisMachine } from '../proxy/identity/dev-persona.ts'
import { ConfigError } from './config/config-error.ts'

/** The scripts of the elements. The package contains them; in a clone, the build writes them. */
const scripts = fileURLToPath(new URL('../../dist/', import.meta.url))

/**
 * Serves the files of a folder for development, and the scripts of the elements unless it has files of the same names. A page of
 * another site could make its host name lead to this machine, so only requests to a name of this machine count. Names that begin
 * with a dot are left out. Throws `ConfigError` if there is no such folder.
 */
export function servePages(folder: string): RequestListener {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ConfigError(`--pages is ${JSON.stringify(folder)}, which is not a folder. Use the path of one.`)
  }
  return ({ url = '', headers }, outgoing) => {
    const address = `http://${headers.host ?? ''}${url}`
    const asked = URL.canParse(address) ? new URL(address) : undefined
    const file = asked && (fileOf(folder, asked) ?? fileOf(scripts, asked))
    if (file === undefined) {
      outgoing.writeHead(404).end('There is no such page.\n')
      return
    }
    // A developer changes the files all the time.
    outgoing.writeHead(200, { 'Content-Type': typeOf(file), 'Cache-Control': 'no-store' })
    createReadStream(file)
      .on('error', () => outgoing.destroy())
      .pipe(outgoing)
  }
}

/** Returns the path of an existing file. The URL has resolved all dot segments, also encoded ones. Names are ASCII. */
function fileOf(folder: string, { hostname, pathname }: URL): string | undefined {
  // Encoded characters other than a blank could hide a slash or a dot.
  if (!isThisMachine(hostname) || /\/\.|\\|%(?!20)/.test(pathname)) return undefined
  const path = join(folder, pathname.replaceAll('%20', ' '))
  const file = path.endsWith('/') ? join(path, 'index.html') : path
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined
}

function typeOf(file: string): string {
  const type = mime.getType(file) ?? 'application/octet-stream'
  return /^text\/|javascript|json/.test(type) ? `${type}; charset=utf-8` : type
}
