import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStorage } from '../../../src/proxy/node/storage/storage.ts'
import { bundleProgram } from '../../bundled-program.ts'
import { random } from '../oracle.ts'
import { until } from '../until.ts'
import { createKey, type Key } from './callback-app.ts'

// Kills the process of a proxy while callbacks arrive, and counts those that it had accepted and that have no effect.

/** Number of processes that are killed, and of callbacks that each of them accepts at least. */
const kills = 6
const perLife = 25
/** A delay of the effects that lasts until the process is told to stop. */
const untilStopped = Infinity

const hostApp = await bundleProgram('test/proxy/callbacks/host-app.ts')
let key: Key
/** Status of the response to requests for the key. */
let keyStatus = 200
/** Ids of the callbacks that only find out whether a proxy is ready. */
const probes = new Set<string>()
let service: string
const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
const children = new Set<ChildProcess>()
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test')
  if (pathname.endsWith('/public-key')) return void response.writeHead(keyStatus).end(key.raw)
  const rows = searchParams
    .getAll('id')
    .map((id) => ({ id: Number(id), state: 'ROUTING', inboxSignatures: [] }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(rows))
})

before(async () => {
  key = await createKey()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  for (const child of children) child.kill('SIGKILL')
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

describe('a proxy that is killed while callbacks arrive', () => {
  it('loses none that it has accepted, and gives a repeated one the same id (F57)', async () => {
    const run = await killRepeatedly(join(folder, 'data'))
    await until(
      () => run.lost().length === 0,
      () => pause(50),
    )
    assert.ok(run.accepted.size >= kills * perLife, `${run.accepted.size} accepted`)
    assert.deepEqual(
      run.effects().filter((id) => !run.sent.has(id)),
      [],
      'every effect has the id of a callback',
    )
    await stop(run.child)
  })

  it('loses some of them without a store, which shows that this test can fail', async () => {
    // So slow that the last ones have no effect before the kill.
    const run = await killRepeatedly(undefined, 5000)
    await stop(run.child)
    assert.ok(run.lost().length > 0)
  })
})

describe('a proxy that is killed while the key of the service is not known', () => {
  it('verifies the callbacks that wait for it after the next start, and drops forgeries (F57, T29)', async () => {
    const [effects, data] = [effectsFile(), join(folder, 'unverified')]
    keyStatus = 503
    const first = await start(effects, data, 0, 202)
    const parked = new Set<string>()
    const forged = new Set<string>()
    await Promise.all(Array.from({ length: 20 }, (_, index) => send(first.url, index + 1, parked, 202)))
    await send(first.url, 99, forged, 202, await createKey())
    assert.deepEqual([parked.size, forged.size], [20, 1])
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    keyStatus = 200
    const second = await start(effects, data, 0)
    await until(
      () => linesOf(effects).length >= 20,
      () => pause(20),
    )
    await stop(second.child)
    assert.deepEqual(new Set(linesOf(effects)), parked)
    // The forgery has no effect that could be waited for, so the process may have been stopped before it was verified.
    await until(
      async () => (await leftIn(data)).flat().length === 0,
      async () => {
        const next = await start(effects, data, 0)
        // eslint-disable-next-line no-restricted-syntax -- One of several attempts.
        await pause(50)
        await stop(next.child)
      },
    )
    assert.deepEqual(new Set(linesOf(effects)), parked)
  })
})

describe('a proxy that is stopped while callbacks are processed', () => {
  it('loses none, even without a store', async () => {
    const effects = effectsFile()
    const { child, url } = await start(effects, undefined, untilStopped)
    const accepted = new Set<string>()
    await Promise.all(Array.from({ length: 60 }, (_, index) => send(url, index + 1, accepted)))
    assert.equal(accepted.size, 60)
    assert.deepEqual(linesOf(effects), [], 'all are still being processed')
    await stop(child)
    assert.deepEqual(new Set(linesOf(effects)), accepted)
  })
})

/** Returns the callbacks that a store still holds: those that wait for the key, and the others. */
async function leftIn(data: string): Promise<readonly (readonly unknown[])[]> {
  const { callbackStore: store, close } = await openStorage(data)
  try {
    return [await store.unverified.list(), await store.list()]
  } finally {
    await close()
  }
}

/** Kills processes at random moments, one after the other. The last one runs. */
async function killRepeatedly(data: string | undefined, delay = 50) {
  const next = random(20_261_122)
  const effects = effectsFile()
  const accepted = new Set<string>()
  const sent = new Set<string>()
  let packageId = 0
  for (let life = 0; life < kills; life++) {
    const { child, url } = await start(effects, data, delay)
    const target = accepted.size + perLife + Math.floor(next() * perLife)
    const lanes = Array.from({ length: 8 }, async () => {
      while (child.exitCode === null && child.signalCode === null && accepted.size < target + perLife) {
        sent.add(await send(url, ++packageId, accepted))
      }
    })
    await until(
      () => accepted.size >= target,
      () => pause(1),
    )
    await pause(next() * 20)
    child.kill('SIGKILL')
    await Promise.all(lanes)
  }
  const { child } = await start(effects, data, 50)
  const lost = () => {
    const done = new Set(linesOf(effects))
    return [...accepted].filter((id) => !done.has(id))
  }
  return { child, accepted, sent, lost, effects: () => linesOf(effects) }
}

/** Sends a callback and resolves to its id. Adds the id to `accepted` if the proxy returns this status. */
async function send(
  url: string,
  packageId: number,
  accepted: Set<string>,
  status = 200,
  signer = key,
): Promise<string> {
  const { body, signature } = await signer.callback({ packageId })
  const id = createHash('sha256').update(body).digest('hex')
  const headers = { 'x-workflow-verification': signature, 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/wf/callbacks`, { method: 'POST', headers, body }).catch(
    () => undefined,
  )
  if (response?.status === status) accepted.add(id)
  return id
}

async function start(effects: string, data: string | undefined, delay: number, status = 200) {
  const child = spawn(process.execPath, [hostApp], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SERVICE: service,
      EFFECTS: effects,
      DELAY: String(delay),
      ...(data !== undefined && { DATA: data }),
    },
  })
  children.add(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = line.toString().trim()
  // The first callback fetches the key, which may take longer than a response waits.
  await until(
    async () => {
      const accepted = new Set<string>()
      probes.add(await send(url, 999_999_999, accepted, status))
      return accepted.size > 0
    },
    () => pause(50),
  )
  return { child, url }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  children.delete(child)
  assert.equal(child.exitCode, 0)
}

function effectsFile(): string {
  const path = join(folder, `effects-${crypto.randomUUID()}`)
  writeFileSync(path, '')
  return path
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !probes.has(line))
}
