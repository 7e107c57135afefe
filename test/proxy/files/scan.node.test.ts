import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { type Scan, scanStream } from '../../../src/proxy/files/scan.ts'

const facts = { filename: 'a.pdf', contentType: 'application/pdf', univid: '10000001' }
const patient = { timeout: 30_000 }
const hasty = { timeout: 20 }

// Node exposes its garbage collector only with a flag.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

describe('scanStream()', () => {
  it('passes the same bytes to scanner and reader, and ends when the scanner reports them as clean', async () => {
    const scanned: number[] = []
    let scannedFile: unknown
    const scan: Scan = async (file, bytes) => {
      scannedFile = file
      for await (const chunk of bytes) scanned.push(...chunk)
      return { isClean: true }
    }
    assert.deepEqual(await read(scanStream(chunks(3), scan, facts, patient)), [0, 1, 2])
    assert.deepEqual(scanned, [0, 1, 2])
    assert.equal(scannedFile, facts)
  })

  it('passes the bytes unchanged without a scanner', async () => {
    assert.deepEqual(await read(scanStream(chunks(3), undefined, facts, patient)), [0, 1, 2])
  })

  it('scans an empty file', async () => {
    assert.deepEqual(await read(scanStream(chunks(0), draining({ isClean: true }), facts, patient)), [])
    await refuses(scanStream(chunks(0), draining({ isClean: false }), facts, patient), 422)
  })

  it('does not end before the result of the scan (T22)', async () => {
    let decide: (verdict: { isClean: boolean }) => void = () => {}
    const scan: Scan = async (_file, bytes) => {
      await read(bytes)
      return new Promise((resolve) => (decide = resolve))
    }
    const bytes = scanStream(chunks(1), scan, facts, patient)
    await bytes.next()
    let isOver = false
    const end = bytes.next().finally(() => (isOver = true))
    await turns()
    assert.equal(isOver, false)
    decide({ isClean: true })
    assert.equal((await end).done, true)
  })

  it('refuses a file with a finding (T22)', async () => {
    const error = await refuses(
      scanStream(chunks(3), draining({ isClean: false, finding: 'Eicar' }), facts, patient),
      422,
    )
    assert.equal(error.message, 'The scanner found harmful content in the file. Choose another file.')
    assert.equal(error.cause, 'Eicar')
  })

  it('stops at once when the scanner finds something before the end (T22)', async () => {
    const source = endless()
    const scan: Scan = async (_file, bytes) => {
      for await (const chunk of bytes) if (chunk[0] === 5) break
      return { isClean: false }
    }
    await refuses(scanStream(source, scan, facts, patient), 422)
    assert.ok(source.given() <= 8, `${source.given()} chunks`)
    assert.equal(source.isClosed(), true)
  })

  it('stops at a finding while the next bytes have not arrived (T22)', async () => {
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    }
    await refuses(
      scanStream(never, async () => ({ isClean: false }), facts, patient),
      422,
    )
  })

  for (const [name, scan] of [
    ['throws', () => Promise.reject(new Error('down'))],
    [
      'throws at once',
      () => {
        throw new Error('down')
      },
    ],
    [
      'throws at the end',
      async (_file, bytes) => Promise.reject(new Error(`down ${(await read(bytes)).length}`)),
    ],
    ['returns nothing', draining(undefined)],
    ['returns null', draining(null)],
    ['returns true', draining(true)],
    ['returns a text instead of a boolean', draining({ isClean: 'true' })],
    ['returns another property', draining({ clean: true })],
    ['reports a clean file and a finding', draining({ isClean: true, finding: 'Eicar' })],
    ['reports a clean file that it has not read', async () => ({ isClean: true })],
    [
      'reports a clean file that it has read in part',
      async (_file, bytes) => {
        await bytes[Symbol.asyncIterator]().next()
        return { isClean: true }
      },
    ],
    [
      'reports a clean file before it has reached the end',
      async (_file, bytes) => {
        const source = bytes[Symbol.asyncIterator]()
        for (let count = 0; count < 3; count++) await source.next()
        await turns()
        return { isClean: true }
      },
    ],
    [
      'reports a clean file before its last read has resolved',
      async (_file, bytes) => {
        const source = bytes[Symbol.asyncIterator]()
        for (let count = 0; count < 3; count++) await source.next()
        void source.next().catch(() => {})
        return { isClean: true }
      },
    ],
  ] as const satisfies readonly (readonly [string, Scan])[]) {
    it(`refuses the file if the scanner ${name} (T22)`, async () => {
      const error = await refuses(scanStream(chunks(3), scan, facts, patient), 503)
      assert.equal(error.message, 'The file could not be checked for harmful content. Try again later.')
      assert.notEqual(error.cause, undefined)
    })
  }

  for (const [name, scan] of [
    ['reads nothing', () => new Promise(() => {})],
    [
      'stops reading',
      async (_file, bytes) => {
        await bytes[Symbol.asyncIterator]().next()
        return new Promise(() => {})
      },
    ],
    [
      'reads everything and returns nothing',
      async (_file, bytes) => read(bytes).then(() => new Promise(() => {})),
    ],
  ] as const satisfies readonly (readonly [string, Scan])[]) {
    it(`times out if the scanner ${name} (T22)`, async () => {
      await refuses(scanStream(chunks(3), scan, facts, hasty), 503)
    })
  }

  it('reads no further ahead than both consumers (T22)', async () => {
    const source = endless()
    let taken = 0
    let more = () => {}
    const scan: Scan = async (_file, bytes) => {
      for await (const chunk of bytes) {
        taken += chunk.byteLength
        await new Promise<void>((resolve) => (more = resolve))
      }
      return { isClean: true }
    }
    const bytes = scanStream(source, scan, facts, patient)
    await bytes.next()
    await turns()
    assert.deepEqual([source.given(), taken], [1, 1], 'the reader is slow')

    const second = bytes.next()
    await turns()
    assert.deepEqual([source.given(), taken], [2, 1], 'the scanner is slow')
    more()
    await second
    assert.deepEqual([source.given(), taken], [2, 2])
    await bytes.return()
  })

  it('leaves no timer behind, after a clean file and after a finding', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    await read(scanStream(chunks(3), draining({ isClean: true }), facts, patient))
    await refuses(scanStream(chunks(3), draining({ isClean: false }), facts, patient), 422)
    assert.equal(timers(), before)
  })

  it('keeps no chunk in memory that both consumers have read (T22)', async () => {
    const kept: WeakRef<Uint8Array>[] = []
    async function* source() {
      for (let count = 0; count < 200; count++) {
        const chunk = new Uint8Array(1024)
        kept.push(new WeakRef(chunk))
        yield chunk
        // References are held until the end of the turn.
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    let alive = 0
    const scan: Scan = async (_file, bytes) => {
      let count = 0
      for await (const chunk of bytes) {
        count += chunk.byteLength
        if (count === 200 * 1024) {
          collect()
          await turns()
          alive = kept.filter((chunk) => chunk.deref()).length
        }
      }
      return { isClean: true }
    }
    await drain(scanStream(source(), scan, facts, patient))
    assert.ok(alive <= 5, `${alive} of 200 chunks`)
  })

  it('aborts the scan when the reader stops', async () => {
    const source = endless()
    let failure: unknown
    const scan: Scan = async (_file, bytes) => {
      await read(bytes).catch((error: unknown) => (failure = error))
      return { isClean: true }
    }
    const bytes = scanStream(source, scan, facts, patient)
    await bytes.next()
    await bytes.return()
    await turns()
    assert.match(String(failure), /aborted/)
    assert.equal(source.isClosed(), true)
    assert.equal((await bytes.next()).done, true)
  })

  it('aborts reader and scan when the upload fails', async () => {
    const broken = new ProxyError(413, 'too large')
    async function* source() {
      yield Uint8Array.of(0)
      throw broken
    }
    let failure: unknown
    const scan: Scan = async (_file, bytes) => {
      await read(bytes).catch((error: unknown) => (failure = error))
      return { isClean: true }
    }
    await assert.rejects(read(scanStream(source(), scan, facts, patient)), broken)
    await turns()
    assert.match(String(failure), /aborted/)
  })
})

async function* chunks(count: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let index = 0; index < count; index++) yield Uint8Array.of(index)
}

/** Chunks without end, that are counted. */
function endless() {
  let given = 0
  let isClosed = false
  const bytes: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: Uint8Array.of(given++) }),
      return: async () => {
        isClosed = true
        return { done: true, value: undefined }
      },
    }),
  }
  return { ...bytes, given: () => given, isClosed: () => isClosed }
}

/** Creates a scanner that reads everything and then returns this result. */
function draining(verdict: unknown): Scan {
  return async (_file, bytes) => {
    await read(bytes)
    return verdict as Awaited<ReturnType<Scan>>
  }
}

async function drain(bytes: AsyncIterator<Uint8Array>): Promise<void> {
  while (!(await bytes.next()).done);
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<number[]> {
  const all: number[] = []
  for await (const chunk of bytes) all.push(...chunk)
  return all
}

async function refuses(bytes: AsyncIterable<Uint8Array>, status: number): Promise<ProxyError> {
  const error: unknown = await read(bytes).then(
    () => assert.fail('the bytes passed'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof ProxyError, String(error))
  assert.equal(error.status, status)
  return error
}

/** Lets all that can happen now happen. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve))
}
