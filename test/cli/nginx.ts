import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { freePort } from '../free-port.mjs'
import { frontSecret, until, watch } from './proxy-command.ts'

/** Directories that nginx requires even if it does not use them. */
const temporary = ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * Starts nginx with a configuration file of the documentation, in which only addresses and paths are replaced. Returns
 * its address with a trailing slash. nginx writes to `folder`, an empty directory. `endAll()` stops it.
 */
export async function startNginx(
  file: string,
  folder: string,
  replacements: Readonly<Record<string, string>>,
): Promise<string> {
  const port = await freePort()
  const front = join(folder, 'front.conf')
  // If root starts nginx, its workers run as another user.
  chmodSync(folder, 0o755)
  for (const name of temporary) mkdirSync(join(folder, name))
  writeFileSync(front, `proxy_set_header x-routeslip-front "${frontSecret}";\n`)

  const all = {
    'listen 80;': `listen 127.0.0.1:${port};`,
    '/etc/nginx/routeslip-front.conf': front,
    ...replacements,
  }
  const server = Object.entries(all).reduce(
    (text, [from, to]) => {
      assert.equal(text.split(from).length, 2, `${file} contains ${from} exactly once`)
      return text.replace(from, to)
    },
    readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'),
  )
  const main = join(folder, 'nginx.conf')
  writeFileSync(
    main,
    `daemon off;
pid ${join(folder, 'pid')};
error_log stderr;
events {}
http {
  access_log off;
${temporary.map((name) => `  ${name === 'body' ? 'client_body' : name}_temp_path ${join(folder, name)};`).join('\n')}
${server}
}
`,
  )
  const { child, errors } = watch(
    spawn(nginxPath(), ['-p', folder, '-c', main, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] }),
    // SIGKILL would leave the workers running.
    'SIGTERM',
  )
  const url = `http://127.0.0.1:${port}/`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited: ${errors()}`)
    return await fetch(url).then(
      () => true,
      () => false,
    )
  })
  return url
}

function nginxPath(): string {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = [process.env['NGINX'] ?? '', ...places.map((place) => join(place, 'nginx'))].find(
    (path) => path !== '' && existsSync(path),
  )
  assert.ok(found, 'These tests require nginx. Install it, or set NGINX to its path.')
  return found
}
