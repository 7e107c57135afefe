import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStorage } from '../../../src/proxy/node/storage/storage.ts'
import { bundleProgram } from '../../bundled-program.ts'
import { createKey, type Key } from '../callbacks/callback-app.ts'
import { until } from '../until.ts'

// Kills the process of a proxy while callbacks arrive, and looks for the packages of those that it had accepted.

const kills = 5
const perLife = 40

const hostApp = await bundleProgram('test/proxy/callbacks/host-app.ts')
const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
const children = new Set<ChildProcess>()
let key: Key
/** The service knows no package, so the index keeps them without a state. */
const server = createServer((request, response) => {
  if (request.url?.endsWith('/public-key')) return void response.end(key.raw)
  const isStatus = request.url?.includes('/status') ?? false
  response.writeHead(isStatus ? 200 : 500, { 'content-type': 'application/json' }).end('[]')
})

before(async () => {
  key = await createKey()
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
after(() => {
  for (const child of children) child.kill('SIGKILL')
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

describe('a proxy with lists that is killed while callbacks arrive', () => {
  it('loses no package of a callback that it has accepted (F57)', async () => {
    const accepted = new Set<number>()
    let unfinished = 0
    let packageId = 0
    for (let life = 0; life < kills; life++) {
      const { child, url } = await start()
      const target = accepted.size + perLife
      const lanes = Array.from({ length: 8 }, async () => {
        while (child.signalCode === null && accepted.size < target + perLife) {
          const id = ++packageId
          if ((await send(url, id)) === 200) accepted.add(id)
        }
      })
      await until(
        () => accepted.size >= target,
        () => pause(1),
      )
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await Promise.all([ended, ...lanes])
      const { indexed, stored } = await leftIn()
      const lost = [...accepted].filter((id) => !indexed.has(id) && !stored.has(id))
      assert.deepEqual(lost, [], `after ${life + 1} kills`)
      unfinished += [...accepted].filter((id) => !indexed.has(id)).length
    }
    // Handlers of the host that take long hold up callbacks, which are in no list until the next process begins.
    assert.ok(unfinished > 0, 'control: some were lost if the callback itself were not kept')
  })
})

/** Ids of the packages in the index, and of those whose callbacks have not taken effect. */
async function leftIn() {
  const { packageIndex, callbackStore, close } = await openStorage(join(folder, 'data'))
  try {
    const indexed = await packageIndex.due(Number.MAX_SAFE_INTEGER, 100_000)
    const stored = await callbackStore.list()
    const ids = (list: readonly { readonly packageId: number }[]) =>
      new Set(list.map(({ packageId }) => packageId))
    return { indexed: ids(indexed), stored: ids(stored) }
  } finally {
    await close()
  }
}

async function send(url: string, packageId: number): Promise<number | undefined> {
  const { body, signature } = await key.callback({ packageId })
  const headers = { 'x-workflow-verification': signature, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body }
  return await fetch(`${url}/api/wf/callbacks`, init).then(
    ({ status }) => status,
    () => undefined,
  )
}

async function start() {
  const effects = join(folder, 'effects')
  writeFileSync(effects, '')
  const child = spawn(process.execPath, [hostApp], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SERVICE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      EFFECTS: effects,
      DELAY: '5000',
      DATA: join(folder, 'data'),
      LISTS: '1',
    },
  })
  children.add(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = line.toString().trim()
  // The first callback fetches the key, which may take longer than a response waits.
  await until(
    async () => (await send(url, 999_999_999)) === 200,
    () => pause(50),
  )
  return { child, url }
}
