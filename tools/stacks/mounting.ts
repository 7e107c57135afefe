// The recipes of docs/proxy.md for servers of other frameworks, with the frameworks themselves.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../test/free-port.mjs'
import { serveEmulator } from '../../src/cli/emulator/emulator.ts'
import { sendRequest, until } from '../../test/cli/proxy-command.ts'
import { parseDocument } from '../../test/docs/documents.ts'
import { pack } from '../../test/package/packed.ts'
import { people } from '../../test/proxy/mount.ts'

const packages = ['express@5', 'fastify@5', 'koa@3', 'hono@4', '@hono/node-server@2']
const server = new URL('../../server/lib/proxy/', import.meta.url)
const text = readFileSync(new URL('../../docs/proxy.md', import.meta.url), 'utf8')
const recipes = parseDocument('docs/proxy.md', text).blocks.filter(({ language }) => language === 'mjs')

describe('the recipes of docs/proxy.md', () => {
  const children: ChildProcess[] = []
  let folder: string
  let emulator: Awaited<ReturnType<typeof serveEmulator>>

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'routeslip-mounting-'))
    emulator = await serveEmulator({ port: 0 })
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
      cwd: folder,
    })
  })
  after(async () => {
    for (const child of children) child.kill()
    await emulator?.close()
    rmSync(folder, { recursive: true })
  })

  /** Returns the source of the proxy of the README. `modules`: names of its modules. */
  function proxySource(modules: { readonly proxy: string; readonly node: string }): string {
    const services = emulator.services.url
    return `
import { createProxy } from '${modules.proxy}'
import { createListener, nodeRuntime } from '${modules.node}'
const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
const proxy = createProxy({
  env: 'test',
  forms: [6025],
  services: {
    workflow: { baseUrl: '${services}wf', ...credentials },
    storage: { baseUrl: '${services}fs/test', objectOrigins: ['${new URL(services).origin}'], ...credentials },
  },
  identity: { identify: () => ({ univid: '${people.initiator}' }) },
  runtime: nodeRuntime(),
})`
  }

  /** Runs a program of Node, and returns the address of the site that it serves. */
  async function serve(name: string, port: number, args: readonly string[], cwd = folder): Promise<string> {
    const child = spawn(process.execPath, args, { cwd, stdio: 'inherit' })
    children.push(child)
    const url = `http://127.0.0.1:${port}`
    await until(async () => {
      assert.equal(child.exitCode, null, `${name} runs`)
      return await fetch(url).then(
        () => true,
        () => false,
      )
    })
    return url
  }

  /** Runs a recipe behind the proxy, and returns its address. */
  async function run(name: string): Promise<string> {
    const [recipe, ...others] = recipes.filter((block) => block.text.includes(`from '${name}'`))
    assert.ok(recipe && others.length === 0, `one recipe for ${name}`)
    const port = await freePort()
    const modules = { proxy: new URL('index.js', server).href, node: new URL('node/index.js', server).href }
    const program = `${proxySource(modules)}
const listener = createListener(proxy)
${recipe.text.replace('3000', String(port))}`
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, program)
    return await serve(name, port, [file])
  }

  /** Builds a site of Next with the route that docs/proxy.md describes, and returns its address. */
  async function runNext(): Promise<string> {
    const site = join(folder, 'next')
    const [, file = '', names = '', setting = ''] =
      /In Next\.js, `([^`]+)\.ts` exports `proxy` as ([^,]+(?:, `\w+`)*(?: and `\w+`)), with `([^`]+)`/.exec(
        text,
      ) ?? []
    const methods = [...names.matchAll(/\w{3,}(?=`)/g)].map(([method]) => `proxy as ${method}`)
    assert.ok(methods.length > 3, 'the sentence about Next')
    mkdirSync(join(site, dirname(file)), { recursive: true })
    writeFileSync(join(site, 'package.json'), '{"type":"module","private":true}')
    const modules = { proxy: 'routeslip-server/proxy', node: 'routeslip-server/proxy/node' }
    const source = proxySource(modules).replace('createListener, ', '')
    writeFileSync(join(site, `${file}.js`), `${source}\n${setting}\nexport { ${methods.join(', ')} }\n`)
    writeFileSync(
      join(site, 'app/layout.js'),
      'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
    )
    writeFileSync(join(site, 'app/page.js'), 'export default () => <p>My page</p>')
    const needed = ['next@16', 'react@19', 'react-dom@19', pack('routeslip-server', folder).file]
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...needed], { cwd: site })
    const next = 'node_modules/next/dist/bin/next'
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
    execFileSync(process.execPath, [next, 'build'], { cwd: site, env })
    const port = await freePort()
    return await serve('next', port, [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)], site)
  }

  for (const name of ['express', 'fastify', 'koa', 'hono', 'next']) {
    it(`work in ${name}: reads, changes, uploads, and the page of the site`, async () => {
      const url = name === 'next' ? await runNext() : await run(name)
      const headers = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }
      assert.match((await sendRequest(url)).body.toString(), /My page/)
      const read = await sendRequest(`${url}/api/wf/forms/6025/packages/42`, { headers })
      assert.equal(read.status, 200, read.body.toString())
      const type = { 'content-type': 'application/json' }
      const created = await sendRequest(`${url}/api/wf/forms/6025/packages`, {
        method: 'POST',
        headers: { ...headers, ...type },
        body: JSON.stringify({ state: 'PRE_ROUTING' }),
      })
      assert.notEqual(created.status, 500, created.body.toString())
      assert.doesNotMatch(created.body.toString(), /not valid JSON|already read/)
      const form = new FormData()
      form.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
      const encoded = new Response(form)
      const uploaded = await sendRequest(`${url}/api/wf/files`, {
        method: 'POST',
        headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' },
        body: Buffer.from(await encoded.arrayBuffer()),
      })
      assert.equal(uploaded.status, 200, uploaded.body.toString())
      assert.equal((await sendRequest(`${url}/api/wf/session`)).status, 403, 'a request of another site')
      assert.equal((await sendRequest(`${url}/api/wf/nothing`, { headers })).status, 404)
    })
  }
})
