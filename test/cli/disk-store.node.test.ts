import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createDiskStore } from '../../src/cli/disk-store.ts'

const uuid = () => crypto.randomUUID()
const stream = (text: string) => new Blob([text]).stream()
const text = async (found: Promise<ReadableStream<Uint8Array> | undefined>) => {
  const content = await found
  return content && new Response(content).text()
}

describe('createDiskStore()', () => {
  let root: string
  const fresh = async () => mkdtemp(join(root, 'store-'))
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'disk-store-'))
  })
  after(() => rm(root, { recursive: true }))

  it('creates its directory and keeps objects across restarts', async () => {
    const directory = join(await fresh(), 'a', 'b')
    const key = uuid()
    const store = await createDiskStore(directory)
    assert.equal(await store.put(key, stream('hello world')), 11)
    const again = await createDiskStore(directory)
    assert.equal(await again.size(key), 11)
    assert.equal(await text(again.get(key)), 'hello world')
    assert.deepEqual(await readdir(directory), [key])
  })

  it('returns undefined for unknown keys', async () => {
    const store = await createDiskStore(await fresh())
    assert.equal(await store.size(uuid()), undefined)
    assert.equal(await store.get(uuid()), undefined)
  })

  it('returns ranges that include both ends', async () => {
    const store = await createDiskStore(await fresh())
    const [key, empty] = [uuid(), uuid()]
    await store.put(key, stream('hello world'))
    await store.put(empty, stream(''))
    assert.equal(await text(store.get(key, { start: 0, end: 0 })), 'h')
    assert.equal(await text(store.get(key, { start: 6, end: 10 })), 'world')
    assert.equal(await text(store.get(key, { start: 6, end: 99 })), 'world')
    assert.equal(await text(store.get(key, { start: 11, end: 12 })), '')
    assert.equal(await text(store.get(empty)), '')
    assert.equal(await store.size(empty), 0)
  })

  it('returns objects that are larger than a chunk unchanged', async () => {
    const store = await createDiskStore(await fresh())
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251))
    const key = uuid()
    assert.equal(await store.put(key, new Blob([content]).stream()), 300_000)
    assert.deepEqual(Buffer.from(await new Response(await store.get(key)).arrayBuffer()), content)
    const part = await store.get(key, { start: 65_535, end: 200_000 })
    assert.deepEqual(Buffer.from(await new Response(part).arrayBuffer()), content.subarray(65_535, 200_001))
  })

  it('keeps nothing of a failed stream and rejects with its error', async () => {
    const directory = await fresh()
    const store = await createDiskStore(directory)
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(1000))
        controller.error(new Error('connection lost'))
      },
    })
    const key = uuid()
    await assert.rejects(() => store.put(key, failing), /connection lost/)
    assert.equal(await store.size(key), undefined)
    assert.deepEqual(await readdir(directory), [])
  })

  it('shows an object only when it is complete', async () => {
    const directory = await fresh()
    const store = await createDiskStore(directory)
    const key = uuid()
    let send!: ReadableStreamDefaultController<Uint8Array>
    const slow = new ReadableStream<Uint8Array>({
      start(controller) {
        send = controller
      },
    })
    const stored = store.put(key, slow)
    send.enqueue(new Uint8Array(5000))
    await until(async () => (await readdir(directory)).length === 1, 'a temporary file')
    assert.equal(await store.size(key), undefined)
    assert.equal(await store.get(key), undefined)
    send.close()
    assert.equal(await stored, 5000)
    assert.equal(await store.size(key), 5000)
  })

  it('holds only complete objects after a kill during a write', async () => {
    const directory = await fresh()
    const module = JSON.stringify(new URL('../../src/cli/disk-store.ts', import.meta.url).href)
    const program = `
      const { createDiskStore } = await import(${module})
      const store = await createDiskStore(${JSON.stringify(directory)})
      await store.put('${uuid()}', new Blob(['whole']).stream())
      const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65536)) })
      await store.put('${uuid()}', endless)`
    const cwd = fileURLToPath(new URL('../..', import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { cwd })
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
    await until(async () => (await readdir(directory)).length === 2, 'a whole and an incomplete file')
    child.kill('SIGKILL')
    assert.equal(await ended, 'SIGKILL')
    assert.equal((await readdir(directory)).length, 2)

    const store = await createDiskStore(directory)
    const names = await readdir(directory)
    assert.equal(names.length, 1)
    assert.equal(await text(store.get(names[0] ?? '')), 'whole')
  })

  it('rejects keys that are not UUIDs', async () => {
    const directory = await fresh()
    const store = await createDiskStore(directory)
    for (const key of [
      '',
      'a',
      '..',
      '../secret',
      `../${uuid()}`,
      uuid().toUpperCase(),
      `${uuid()}.x`,
      `${uuid()}\n`,
    ]) {
      await assert.rejects(() => store.put(key, stream('x')), TypeError)
      await assert.rejects(() => store.get(key), TypeError)
      await assert.rejects(() => store.size(key), TypeError)
    }
    assert.deepEqual(await readdir(directory), [])
  })

  it('lists and deletes its objects, and does not touch other files', async () => {
    const directory = await fresh()
    await writeFile(join(directory, 'notes.txt'), 'mine')
    const store = await createDiskStore(directory)
    const key = uuid()
    await store.put(key, stream('x'))
    assert.equal(await store.size(key), 1)
    assert.deepEqual(await store.keys(), [key])
    await store.delete(key)
    await store.delete(key)
    assert.deepEqual(await store.keys(), [])
    assert.equal(await store.size(key), undefined)
    assert.deepEqual(await readdir(directory), ['notes.txt'])
    assert.equal(await readFile(join(directory, 'notes.txt'), 'utf8'), 'mine')
  })

  it('closes a file when its reader cancels', async () => {
    const store = await createDiskStore(await fresh())
    const key = uuid()
    await store.put(key, stream('x'.repeat(300_000)))
    const reader = (await store.get(key))?.getReader()
    assert.equal((await reader?.read())?.value?.length, 65_536)
    await reader?.cancel()
    assert.equal((await reader?.read())?.done, true)
    assert.equal((await text(store.get(key)))?.length, 300_000)
  })
})

/** Waits until a condition holds. Throws after 30 seconds. */
async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited 30 seconds in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
