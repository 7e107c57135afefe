import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { builtCommand } from '../built-command.ts'

// Tests the command `routeslip emulator` only through HTTP.

const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
const running = new Set<ChildProcess>()
let count = 0

const forms = 'wf/workflow/test/api/developer/forms/6025/packages'
const tools = 'wf/workflow/test/api/developer/tools/forms/6025/packages'
const files = 'fs/test/api/v1/files'

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})
after(() => rmSync(folder, { recursive: true }))

describe('routeslip emulator', () => {
  it('serves both services and the object store on one port, and prints the address', async () => {
    const { url, output } = await start()
    assert.equal(output(), `Routeslip emulator on ${url}\n`)
    const { uuid, sha256 } = await upload(url)
    const link = await callService(`${url}${files}/${uuid}/presign`).then((response) => response.text())
    assert.ok(link.startsWith(`${url}objects/`), link)
    assert.equal(await hashAt(link), sha256)
    assert.equal((await callService(`${url}${forms}/42`)).status, 200)
  })

  it('listens on other addresses only with --host', async () => {
    // Another loopback address, which belongs to this machine like those of its networks.
    const statusAt = async (url: string) =>
      (await callService(`${url.replace('127.0.0.1', '127.0.0.2')}${forms}/42`)).status
    const { url } = await start('--host', '0.0.0.0')
    assert.equal(await statusAt(url), 200)
    const control = await fetch(`${url.replace('127.0.0.1', '127.0.0.2')}_emulator/journal`)
    assert.equal(control.status, 403, 'the control API stays on this machine')
    const { url: usual } = await start()
    await assert.rejects(statusAt(usual))
  })

  it('serves the object store on its own port with --objects-port', async () => {
    const { url } = await start('--objects-port', '0')
    const { uuid, sha256 } = await upload(url)
    const link = await callService(`${url}${files}/${uuid}/presign`).then((response) => response.text())
    const { origin } = new URL(link)
    assert.notEqual(`${origin}/`, url)
    assert.equal(await hashAt(link), sha256)
    assert.equal((await callService(`${origin}/${forms}/42`)).status, 404)
    assert.equal((await fetch(`${origin}/_emulator`)).status, 404)
  })

  it('rejects control requests of other sites', async () => {
    const { url } = await start()
    const own = await fetch(`${url}_emulator`)
    assert.notEqual(own.status, 403)
    const foreign = await fetch(`${url}_emulator`, { headers: { origin: 'http://evil.example' } })
    assert.equal(foreign.status, 403)
  })

  it('rejects options that are not valid', async () => {
    for (const [options, message] of [
      [['--scenario', 'huge'], '--scenario is "huge". Use one of small, demo, campus, large.'],
      [['--scenario', 'toString'], '--scenario is "toString". Use one of small, demo, campus, large.'],
      [['--data', ''], '--data is empty. Use the path of a JSON file, such as emulator.json.'],
      [['--objects-port', 'x'], '--objects-port is "x". Use a number from 0 to 65535, such as 8081.'],
    ] as const) {
      const { child, errors } = launch(options)
      await once(child, 'close')
      assert.equal(child.exitCode, 1)
      assert.equal(errors().trim(), message)
    }
  })

  it('reports its ports to the demo, and stops when the demo disconnects', async () => {
    const child = spawn(process.execPath, [builtCommand, 'emulator', '--port', '0', '--objects-port', '0'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    running.add(child)
    const [message] = (await once(child, 'message')) as [Record<string, number>]
    assert.deepEqual(Object.keys(message), ['servicesPort', 'objectsPort'])
    assert.equal((await callService(`http://127.0.0.1:${message['servicesPort']}/${forms}/42`)).status, 200)
    assert.equal((await fetch(`http://127.0.0.1:${message['objectsPort']}/objects/none`)).status, 403)
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
    assert.equal(child.exitCode, 0)
  })
})

describe('routeslip emulator --data', () => {
  it('continues with its data after a restart', async () => {
    const data = newPath()
    const first = await start('--data', data, '--scenario', 'small')
    assert.equal(first.errors(), '')
    const { uuid, sha256 } = await upload(first.url)
    await end(first.child)

    const second = await start('--data', data, '--scenario', 'large')
    assert.equal(second.errors(), `--scenario is ignored: ${data} holds data already.\n`)
    assert.equal(await downloadHash(second.url, uuid), sha256)
    await end(second.child)

    const third = await start('--data', data)
    assert.equal(third.errors(), '')
    assert.equal(await downloadHash(third.url, uuid), sha256)
  })

  it('saves its scenario at the start', async () => {
    const data = newPath()
    const { child } = await start('--data', data, '--scenario', 'campus')
    child.kill('SIGKILL')
    await once(child, 'close')
    const { errors } = await start('--data', data, '--scenario', 'small')
    assert.equal(errors(), `--scenario is ignored: ${data} holds data already.\n`)
  })

  it('does not start with a file that is damaged or of another format, and does not change it', async () => {
    const data = newPath()
    await end((await start('--data', data)).child)
    const whole = readFileSync(data, 'utf8')
    const { contents: _, ...withoutContents } = JSON.parse(whole) as Record<string, unknown>
    for (const [text, reason] of [
      [whole.slice(0, -1), 'Expected'],
      ['', 'Unexpected end of JSON input'],
      ['{"name":"routeslip"}', 'it is not a snapshot of an emulator.'],
      ['{"version":99,"state":{}}', 'it has version 99, and this emulator reads version 2.'],
      [whole.replace('"clock":', '"clocks":'), 'state.clock is missing or of another type.'],
      [JSON.stringify(withoutContents), 'contents is missing or of another type.'],
      [JSON.stringify({ ...withoutContents, contents: { key: 5 } }), 'the content key is not a text.'],
    ] as const) {
      writeFileSync(data, text)
      const { child, errors } = launch(['--data', data])
      await once(child, 'close')
      assert.equal(child.exitCode, 1)
      assert.ok(errors().startsWith(`${data} is not readable: ${reason}`), errors())
      assert.match(errors(), / Repair the file, or move it away to start again\.\n$/)
      assert.equal(readFileSync(data, 'utf8'), text)
    }
    writeFileSync(data, whole)
    await start('--data', data)
  })

  it('does not start with the path of a directory', async () => {
    const data = newPath()
    mkdirSync(data, { recursive: true })
    const { child, errors } = launch(['--data', data])
    await once(child, 'close')
    assert.equal(child.exitCode, 1)
    assert.equal(errors(), `${data} is a directory. Use the path of a JSON file, such as emulator.json.\n`)
  })

  it('keeps all confirmed changes after a signal to stop', async () => {
    const data = newPath()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, url } = await start('--data', data)
      const facts = newFacts()
      const work = keepBusy(url, facts)
      while (facts.uploads.length === 0 || facts.packages.length === 0) await pause(10)
      await end(child, signal)
      await work
      const next = await start('--data', data)
      await verify(next.url, facts)
      await end(next.child)
    }
  })

  it('saves a change soon, without an end', async () => {
    const data = newPath()
    const { child, url } = await start('--data', data)
    const { uuid, sha256 } = await upload(url)
    while (!readFileSync(data, 'utf8').includes(uuid)) await pause(10)
    child.kill('SIGKILL')
    await once(child, 'close')
    assert.equal(await downloadHash((await start('--data', data)).url, uuid), sha256)
  })

  it('leaves the last good file if it is killed in the middle of a write', async () => {
    const data = newPath()
    const first = await start('--data', data)
    // So large that a write takes a while.
    const { uuid, sha256 } = await upload(first.url, 20_000_000)
    await end(first.child)
    rmSync(`${data}.tmp`, { force: true })

    const isInterrupted = async () => {
      const { child, url } = await start('--data', data)
      const work = keepBusy(url, newFacts())
      while (!existsSync(`${data}.tmp`)) await pause(0)
      child.kill('SIGKILL')
      await once(child, 'close')
      await work
      return isIncomplete(`${data}.tmp`)
    }
    // A kill may come after the write.
    while (!(await isInterrupted())) rmSync(`${data}.tmp`, { force: true })

    const { child, url } = await start('--data', data)
    assert.equal(await downloadHash(url, uuid), sha256)
    await end(child)
    assert.equal(isIncomplete(data), false)
  })

  it('reports a write that fails, and writes with the next change or at the end', async () => {
    const data = newPath()
    const { child, url, errors } = await start('--data', data)
    mkdirSync(`${data}.tmp`)
    const { uuid, sha256 } = await upload(url)
    while (!errors().includes('\n')) await pause(10)
    assert.ok(errors().startsWith(`${data} cannot be written: `), errors())
    assert.equal(readFileSync(data, 'utf8').includes(uuid), false)
    rmSync(`${data}.tmp`, { recursive: true })
    await end(child)
    assert.equal(await downloadHash((await start('--data', data)).url, uuid), sha256)
  })
})

/** Changes that the emulator has confirmed. */
interface Facts {
  readonly uploads: { readonly uuid: string; readonly sha256: string; readonly size: number }[]
  /** Ids. */
  readonly packages: number[]
  /** How often package 42 was voided. */
  voids: number
  /** Last confirmed state of package 42. Undefined during a request that changes it. */
  state: string | undefined
}

function newFacts(): Facts {
  return { uploads: [], packages: [], voids: 0, state: undefined }
}

/** Sends concurrent changes until the emulator stops. */
async function keepBusy(url: string, facts: Facts): Promise<void> {
  const entry = (await callService(`${url}${forms}/42/entry`).then(json)) as Record<string, unknown>
  const { subType } = (await callService(`${url}${forms}/42`).then(json)) as { subType?: string | null }

  const untilStopped = async (step: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await step()
      } catch (error) {
        // `fetch` and body readers throw a TypeError if the connection closes for any reason.
        if (error instanceof TypeError) return
        throw error
      }
    }
  }
  const uploading = () => untilStopped(async () => void facts.uploads.push(await upload(url)))
  const creating = () =>
    untilStopped(async () => {
      const body = { state: 'PRE_ROUTING', entry, ...(subType && { subType }) }
      const { id } = (await send('POST', `${url}${forms}`, body).then(json)) as { id: number }
      facts.packages.push(id)
    })
  const voiding = () =>
    untilStopped(async () => {
      const { state } = (await callService(`${url}${forms}/42`).then(json)) as { state: string }
      facts.state = undefined
      const path = `${url}${tools}/42`
      if (state === 'VOID') {
        await send('PUT', `${path}/unvoid`).then(json)
        facts.state = 'ROUTING'
      } else {
        await send('PUT', path, { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }).then(json)
        facts.state = 'VOID'
        facts.voids++
      }
    })
  await Promise.all([uploading(), uploading(), creating(), creating(), voiding()])
}

/** Throws if a confirmed change is missing. */
async function verify(url: string, facts: Facts): Promise<void> {
  for (const { uuid, sha256, size } of facts.uploads) {
    const meta = (await callService(`${url}${files}/${uuid}/meta`).then(json)) as { fileSize: number }
    assert.equal(meta.fileSize, size)
    assert.equal(await downloadHash(url, uuid), sha256)
  }
  for (const id of facts.packages) {
    const found = (await callService(`${url}${forms}/${id}`).then(json)) as { id: number }
    assert.equal(found.id, id)
  }
  assert.equal(new Set(facts.packages).size, facts.packages.length, 'all ids are different')
  if (facts.state !== undefined) {
    const { state } = (await callService(`${url}${forms}/42`).then(json)) as { state: string }
    assert.equal(state, facts.state)
  }
}

async function upload(
  url: string,
  size = 1 + Math.floor(Math.random() * 50_000),
): Promise<Facts['uploads'][number]> {
  const content = randomBytes(size)
  const body = new FormData()
  body.append('file', new File([content], 'notes.bin', { type: 'application/octet-stream' }))
  const response = await callService(`${url}${files}/upload`, { method: 'POST', body })
  const { uuid } = (await json(response)) as { uuid: string }
  return { uuid, sha256: createHash('sha256').update(content).digest('hex'), size: content.length }
}

async function downloadHash(url: string, uuid: string): Promise<string> {
  const response = await callService(`${url}${files}/${uuid}/presign`)
  assert.equal(response.status, 200)
  const link = new URL(await response.text())
  return await hashAt(`${url}${link.pathname.slice(1)}`)
}

async function hashAt(link: string): Promise<string> {
  const response = await fetch(link)
  assert.equal(response.status, 200)
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')
}

function send(method: string, url: string, body?: unknown): Promise<Response> {
  return callService(url, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
}

/** Sends a request as the client of the demo, on behalf of the initiator of package 42. */
function callService(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Basic ${btoa('demo-app:demo-secret')}`)
  headers.set('x-workflow-request-user', '10000001')
  return fetch(url, { ...init, headers })
}

/** Returns the body of a successful response. */
async function json(response: Response): Promise<unknown> {
  const text = await response.text()
  assert.ok(response.ok, `${response.status} ${response.url}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Returns a path in a folder that does not exist. */
function newPath(): string {
  return join(folder, `${++count}`, 'emulator.json')
}

/** Whether a file exists that is not valid JSON. */
function isIncomplete(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    JSON.parse(readFileSync(path, 'utf8'))
    return false
  } catch {
    return true
  }
}

interface Launched {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
}

function launch(options: readonly string[]): Launched {
  const child = spawn(process.execPath, [builtCommand, 'emulator', '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return { child, output: () => output, errors: () => errors }
}

/** Starts an emulator and waits until it reports that it is ready. */
async function start(...options: readonly string[]): Promise<Launched & { readonly url: string }> {
  const launched = launch(options)
  const { child, output, errors } = launched
  for (;;) {
    const url = /^Routeslip emulator on (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(output())?.[1]
    if (url !== undefined) return { ...launched, url }
    if (child.exitCode !== null) throw new Error(`The emulator exited: ${errors()}`)
    await pause(10)
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
  assert.equal(child.exitCode, 0)
}
