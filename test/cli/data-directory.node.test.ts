import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type DataDirectory, DataDirectoryError, openDataDirectory } from '../../src/cli/data-directory.ts'
import { lockDirectory, LockError } from '../../src/cli/directory-lock.ts'
import { readSnapshot, writeSnapshot } from '../../src/emulator/state/snapshot.ts'
import { emptyState, type EmulatorState } from '../../src/emulator/state/state.ts'
import { bundleProgram } from '../bundled-program.ts'

const saveLoop = await bundleProgram('test/cli/save-loop.ts')
const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
let count = 0

after(() => rmSync(folder, { recursive: true }))

describe('openDataDirectory()', () => {
  it('creates a directory that only its owner can read, and its parents', async () => {
    const directory = join(newDirectory(), 'a', 'b')
    const data = await openDataDirectory(directory)
    assert.equal(data.state, null)
    assert.equal(data.objectsDirectory, join(directory, 'objects'))
    await data.save(numbered(1))
    for (const path of ['', '..', 'objects']) assert.equal(modeOf(join(directory, path)), 0o700)
    assert.equal(modeOf(fileOf(directory)), 0o600)
    await data.close()
  })

  it('returns the state that was saved last', async () => {
    const directory = newDirectory()
    const state = numbered(1)
    const data = await openDataDirectory(directory)
    await data.save(state)
    state.next.id = 2
    await data.save(state)
    await data.close()

    const again = await openDataDirectory(directory)
    assert.deepEqual(again.state, numbered(2))
    await again.close()
  })

  it('removes what a killed process has written incompletely', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    writeFileSync(`${fileOf(directory)}.tmp`, '{"ver')
    writeFileSync(join(directory, 'notes.tmp'), 'not ours')
    const data = await openDataDirectory(directory)
    assert.deepEqual(readdirSync(directory).sort(), ['lock', 'notes.tmp', 'objects'])
    await data.close()
  })

  it('names an unreadable file and the reason, does not change the file, and unlocks the directory', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    const file = fileOf(directory)
    for (const [content, reason] of [
      ['', /it is not valid JSON/],
      [Buffer.from(writeSnapshot(numbered(1))).subarray(0, -1), /it is not valid JSON/],
      ['{"version":99}', /it has version 99, and this emulator reads version 1/],
      [Buffer.from([0x22, 0xff, 0x22]), /it is not UTF-8/],
    ] as const) {
      writeFileSync(file, content)
      await assert.rejects(openDataDirectory(directory), (error: Error) => {
        assert.ok(error instanceof DataDirectoryError)
        assert.ok(error.message.startsWith(`The state in ${file} is not readable: `), error.message)
        assert.match(error.message, reason)
        return true
      })
      assert.deepEqual(readFileSync(file), Buffer.from(content))
    }
    rmSync(file)
    await (await openDataDirectory(directory)).close()
  })

  it('rejects a path that is a file', async () => {
    const path = newDirectory()
    writeFileSync(path, '')
    await assert.rejects(openDataDirectory(path), DataDirectoryError)
  })
})

describe('save()', () => {
  it('resolves when the state of its call is on disk', async () => {
    const { directory, data } = await openNew()
    const state = numbered(0)
    const saves = Array.from({ length: 40 }, async (_, index) => {
      for (let turn = 0; turn < index; turn++) await new Promise(setImmediate)
      const number = ++state.next.id
      await data.save(state)
      assert.ok(savedNumber(directory) >= number)
    })
    await Promise.all(saves)
    assert.equal(savedNumber(directory), state.next.id)
    await data.close()
  })

  it('shares one write among calls during another write', async () => {
    const { directory, data } = await openNew()
    const { state, snapshots } = counted()
    const first = data.save(state)
    // No file is written between two microtasks.
    while (snapshots() === 0) await Promise.resolve()

    let isFirstOver = false
    void first.then(() => (isFirstOver = true))
    const others = Array.from({ length: 50 }, (_, index) => {
      state.next.id = index
      return data.save(state).then(() => assert.ok(isFirstOver))
    })
    state.next.id = 51
    assert.equal(snapshots(), 1)
    await first
    await Promise.all(others)
    assert.equal(snapshots(), 2)
    assert.equal(savedNumber(directory), 51, 'the state is read when the write begins')
    await data.close()
  })

  it('writes nothing if nothing has changed', async () => {
    const { directory, data } = await openNew()
    const state = numbered(1)
    const file = fileOf(directory)
    await data.save(state)
    const { ino } = statSync(file)
    // Prevents the reuse of the inode number.
    linkSync(file, `${file}.kept`)
    await data.save(state)
    assert.equal(statSync(file).ino, ino)
    state.next.id = 2
    await data.save(state)
    assert.notEqual(statSync(file).ino, ino)
    await data.close()

    const again = await openDataDirectory(directory)
    const before = statSync(file).ino
    linkSync(file, `${file}.kept2`)
    await again.save(again.state ?? emptyState())
    assert.equal(statSync(file).ino, before)
    await again.close()
  })

  it('rejects all calls of a failed write, keeps the previous state, and tries again', async () => {
    const { directory, data } = await openNew()
    const file = fileOf(directory)
    const state = numbered(1)
    await data.save(state)

    mkdirSync(`${file}.tmp`)
    state.next.id = 2
    const saves = [data.save(state), data.save(state)]
    await Promise.resolve()
    saves.push(data.save(state), data.save(state))
    const results = await Promise.allSettled(saves)
    assert.deepEqual(
      results.map(({ status }) => status),
      saves.map(() => 'rejected'),
    )
    assert.equal(savedNumber(directory), 1)

    rmSync(`${file}.tmp`, { recursive: true })
    await data.save(state)
    assert.equal(savedNumber(directory), 2)
    await data.close()
  })

  it('removes the temporary file of a failed write', async () => {
    const { directory, data } = await openNew()
    // The new file is complete on disk, but cannot replace a directory.
    mkdirSync(fileOf(directory))
    await assert.rejects(data.save(numbered(1)))
    assert.deepEqual(readdirSync(directory).sort(), ['lock', 'objects', 'state.json'])
    rmSync(fileOf(directory), { recursive: true })
    await data.save(numbered(1))
    assert.equal(savedNumber(directory), 1)
    await data.close()
  })

  it('keeps every confirmed state when its process is killed', async () => {
    const directories = [newDirectory(), newDirectory()]
    let kills = 0
    await Promise.all(
      directories.map(async (directory) => {
        for (let round = 0; round < 16; round++, kills++) {
          const confirmed = await killSaving(directory, Math.random() * 60)
          const data = await openDataDirectory(directory)
          const found = data.state?.next.id ?? 0
          assert.ok(found >= confirmed, `${found} found, ${confirmed} confirmed`)
          assert.equal(data.state?.next.packageId, found, 'both numbers are from the same save')
          await data.close()
        }
      }),
    )
    assert.equal(kills, 32)
  })
})

describe('close()', () => {
  it('waits for pending writes and rejects new ones', async () => {
    const { directory, data } = await openNew()
    const state = numbered(1)
    const first = data.save(state)
    await Promise.resolve()
    state.next.id = 2
    const second = data.save(state)
    const closed = data.close()
    await assert.rejects(data.save(state), DataDirectoryError)
    await closed
    assert.equal(savedNumber(directory), 2)
    await Promise.all([first, second, data.close()])
  })

  it('unlocks the directory even if the last write fails', async () => {
    const { directory, data } = await openNew()
    mkdirSync(`${fileOf(directory)}.tmp`)
    const save = assert.rejects(data.save(numbered(1)))
    await data.close()
    await save
    rmSync(`${fileOf(directory)}.tmp`, { recursive: true })
    await (await openDataDirectory(directory)).close()
  })
})

describe('the lock of a data directory', () => {
  it('keeps others out until the directory is closed, in this process and in others', async () => {
    const { directory, data } = await openNew()
    const message = `${directory} is in use by process ${process.pid}. Stop that process or choose another directory.`
    await assert.rejects(openDataDirectory(directory), (error: Error) => {
      assert.ok(error instanceof DataDirectoryError)
      assert.ok(error.message.startsWith(message), error.message)
      return true
    })
    const child = startSaving(directory)
    let errors = ''
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    await once(child, 'close')
    assert.equal(child.exitCode, 1)
    assert.ok(errors.includes(message), errors)

    await data.save(numbered(1))
    await data.close()
    const again = await openDataDirectory(directory)
    assert.equal(again.state?.next.id, 1)
    await again.close()
  })

  it('names the process that holds it, and opens after that process is killed', async () => {
    const directory = newDirectory()
    const child = startSaving(directory)
    assert.ok(child.stdout)
    await once(child.stdout, 'data')
    await assert.rejects(openDataDirectory(directory), new RegExp(`in use by process ${child.pid}\\.`))
    child.kill('SIGKILL')
    await once(child, 'close')
    await (await openDataDirectory(directory)).close()
  })

  it('is granted to exactly one of many concurrent requests', async () => {
    for (const isStale of [false, true]) {
      const directory = newDirectory()
      mkdirSync(directory)
      if (isStale) writeFileSync(join(directory, 'lock'), 'not a process id')
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDirectory(directory)))
      const opened = results.filter((result) => result.status === 'fulfilled')
      assert.equal(opened.length, 1)
      for (const result of results) {
        if (result.status === 'rejected') assert.match(String(result.reason), /is in use by process/)
      }
      assert.deepEqual(
        readdirSync(directory).filter((name) => name.startsWith('lock')),
        ['lock'],
      )
      await opened[0]?.value.close()
    }
  })

  it('never has two holders', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    let holders = 0
    let turns = 0
    const lockRepeatedly = async () => {
      for (let visit = 0; visit < 100; visit++) {
        const unlock = await lockDirectory(directory).catch((error: unknown) => {
          assert.ok(error instanceof LockError, String(error))
        })
        if (!unlock) continue
        assert.equal(++holders, 1)
        turns++
        // Some hold the lock so long that others try to get it.
        for (let turn = 0; turn < visit % 4; turn++) await new Promise(setImmediate)
        holders--
        await unlock()
      }
    }
    await Promise.all(Array.from({ length: 12 }, lockRepeatedly))
    assert.ok(turns > 10)
  })

  it('replaces the lock of a process that is gone, and one that does not name a process', async () => {
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'close')
    // A process in a container often has the same id each time, so an old lock may hold our own.
    for (const lock of [`${dead.pid}`, `${process.pid}`, '', '0', '-1', 'null', '{"pid":1}']) {
      const directory = newDirectory()
      mkdirSync(directory)
      writeFileSync(join(directory, 'lock'), lock)
      const data = await openDataDirectory(directory)
      assert.equal(readFileSync(join(directory, 'lock'), 'utf8'), `${process.pid}`, lock)
      await data.close()
      assert.equal(existsSync(join(directory, 'lock')), false)
    }
  })

  it('respects the lock of another running process, and names the file to delete', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    const path = join(directory, 'lock')
    writeFileSync(path, `${process.ppid}`)
    await assert.rejects(openDataDirectory(directory), (error: Error) =>
      error.message.endsWith(`delete ${path}.`),
    )
    assert.equal(readFileSync(path, 'utf8'), `${process.ppid}`)
    await assert.rejects(openDataDirectory(directory), DataDirectoryError, 'a failed attempt leaves no trace')
  })
})

function newDirectory(): string {
  return join(folder, `${++count}`)
}

async function openNew(): Promise<{ directory: string; data: DataDirectory }> {
  const directory = newDirectory()
  return { directory, data: await openDataDirectory(directory) }
}

function fileOf(directory: string): string {
  return join(directory, 'state.json')
}

function savedNumber(directory: string): number {
  return readSnapshot(readFileSync(fileOf(directory), 'utf8')).next.id
}

function numbered(id: number): EmulatorState {
  const state = emptyState()
  state.next.id = id
  return state
}

/** Creates a state that counts its snapshots. */
function counted(): { state: EmulatorState; snapshots: () => number } {
  const state = emptyState()
  let reads = 0
  const client = {
    id: 'a',
    isAdministrator: false,
    get secret() {
      reads++
      return ''
    },
  }
  state.clients.set('a', client)
  return { state, snapshots: () => reads }
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

function startSaving(directory: string): ChildProcess {
  return spawn(process.execPath, [saveLoop, directory])
}

/** Kills a saving process some time after its first save. Returns the last number that it confirmed. */
async function killSaving(directory: string, milliseconds: number): Promise<number> {
  const child = startSaving(directory)
  let output = ''
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const begun = new Promise((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      resolve(undefined)
    })
  })
  await Promise.race([begun, once(child, 'exit')])
  await pause(milliseconds)
  child.kill('SIGKILL')
  await once(child, 'close')
  assert.equal(errors, '')
  const confirmed = Math.max(...(output.match(/^\d+\n/gm) ?? []).map(Number))
  assert.ok(confirmed > 0)
  return confirmed
}
