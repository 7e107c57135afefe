// The recipes of docs/proxy.md for servers of other frameworks, with the frameworks themselves.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../scripts/free-port.mjs'
import { serveEmulator } from '../../src/cli/emulator.ts'
import { sendRequest, until } from '../cli/proxy-command.ts'
import { parseDocument } from '../docs/documents.ts'
import { people } from '../proxy/mount.ts'

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

  /** Runs a recipe behind the proxy of the README, and returns its address. */
  async function run(name: string): Promise<string> {
    const [recipe, ...others] = recipes.filter((block) => block.text.includes(`from '${name}'`))
    assert.ok(recipe && others.length === 0, `one recipe for ${name}`)
    const services = emulator.services.url
    const port = await freePort()
    const program = `
import { createProxy } from '${new URL('index.js', server).href}'
import { createListener, nodeRuntime } from '${new URL('node/index.js', server).href}'
const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
const proxy = createProxy({
  env: 'test',
  forms: [6025],
  workflow: { baseUrl: '${services}wf', ...credentials },
  storage: { baseUrl: '${services}fs/test', objectOrigins: ['${new URL(services).origin}'], ...credentials },
  identify: () => ({ univid: '${people.initiator}' }),
  runtime: nodeRuntime(),
})
const listener = createListener(proxy)
${recipe.text.replace('3000', String(port))}`
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, program)
    const child = spawn(process.execPath, [file], { stdio: 'inherit' })
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

  for (const name of ['express', 'fastify', 'koa', 'hono']) {
    it(`work in ${name}: reads, changes, uploads, and the page of the site`, async () => {
      const url = await run(name)
      const headers = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }
      assert.equal((await sendRequest(url)).body.toString(), 'My page')
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
