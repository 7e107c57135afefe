import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type DataDirectory, DataDirectoryError, openDataDirectory } from '../../src/cli/data-directory.ts'
import { lockDirectory, LockError } from '../../src/cli/directory-lock.ts'
import { readSnapshot, writeSnapshot } from '../../src/emulator/state/snapshot.ts'
import { emptyState, type EmulatorState } from '../../src/emulator/state/state.ts'

const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
let count = 0

after(() => rmSync(folder, { recursive: true }))

describe('openDataDirectory()', () => {
  it('makes a directory that only its owner can read, and everything that leads to it', async () => {
    const directory = join(newDirectory(), 'a', 'b')
    const data = await openDataDirectory(directory)
    assert.equal(data.state, null)
    assert.equal(data.objectsDirectory, join(directory, 'objects'))
    await data.save(numbered(1))
    for (const path of ['', '..', 'objects']) assert.equal(modeOf(join(directory, path)), 0o700)
    assert.equal(modeOf(fileOf(directory)), 0o600)
    await data.close()
  })

  it('gives back what was saved last', async () => {
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

  it('removes what an ended process has left half-written', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    writeFileSync(`${fileOf(directory)}.tmp`, '{"ver')
    const lock = 'lock.00000000-0000-4000-8000-000000000000.tmp'
    writeFileSync(join(directory, lock), '{}')
    writeFileSync(join(directory, 'notes.tmp'), 'not ours')
    const data = await openDataDirectory(directory)
    assert.deepEqual(readdirSync(directory).sort(), ['lock.1', 'notes.tmp', 'objects'])
    await data.close()
  })

  it('names the file that it cannot read, says why, and leaves it and the lock as they are', async () => {
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
        assert.ok(error.message.startsWith(`The state in ${file} cannot be read: `), error.message)
        assert.match(error.message, reason)
        return true
      })
      assert.deepEqual(readFileSync(file), Buffer.from(content))
    }
    rmSync(file)
    await (await openDataDirectory(directory)).close()
  })

  it('says where a directory cannot be', async () => {
    const path = newDirectory()
    writeFileSync(path, '')
    await assert.rejects(openDataDirectory(path), DataDirectoryError)
  })
})

describe('save()', () => {
  it('has the state of its call on disk when it resolves', async () => {
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

  it('shares one write among those that come while another is being written', async () => {
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
    assert.equal(savedNumber(directory), 51, 'the state is taken when the write begins')
    await data.close()
  })

  it('writes nothing where nothing has changed', async () => {
    const { directory, data } = await openNew()
    const state = numbered(1)
    const file = fileOf(directory)
    await data.save(state)
    const { ino } = statSync(file)
    // Keeps the number of the file from being given to another.
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

  it('rejects all who waited for a write that failed, keeps what was there, and tries again', async () => {
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

  it('removes what it could not finish', async (t) => {
    const { directory, data } = await openNew()
    t.mock.method(await handlePrototype(), 'sync', () => Promise.reject(new Error('disk full')))
    await assert.rejects(data.save(numbered(1)), /disk full/)
    assert.deepEqual(readdirSync(directory).sort(), ['lock.1', 'objects'])
    t.mock.restoreAll()
    await data.save(numbered(1))
    assert.equal(savedNumber(directory), 1)
    await data.close()
  })

  it('writes again after it could not tell whether the name of the file is safe', async (t) => {
    const { directory, data } = await openNew()
    const { sync } = await handlePrototype()
    const calls: string[] = []
    let isBroken = false
    t.mock.method(await handlePrototype(), 'sync', async function (this: FileHandle) {
      calls.push(fstatSync(this.fd).isDirectory() ? 'directory' : 'file')
      if (isBroken && calls.at(-1) === 'directory') throw new Error('broken')
      await sync.call(this)
    })
    const state = numbered(1)
    await data.save(state)
    isBroken = true
    state.next.id = 2
    await assert.rejects(data.save(state), /broken/)
    // Back to what had been written before: that is not what is on disk now.
    isBroken = false
    calls.length = 0
    state.next.id = 1
    await data.save(state)
    assert.deepEqual(calls, ['file', 'directory'])
    assert.equal(savedNumber(directory), 1)
    await data.close()
  })

  it('makes content and name outlive a loss of power before it resolves', async (t) => {
    const { directory, data } = await openNew()
    await data.save(numbered(1))
    const { sync } = await handlePrototype()
    const steps: string[] = []
    t.mock.method(await handlePrototype(), 'sync', async function (this: FileHandle) {
      const { ino, size } = fstatSync(this.fd)
      const temporary = statSync(`${fileOf(directory)}.tmp`, { throwIfNoEntry: false })
      if (ino === temporary?.ino) {
        const isWhole = size === writeSnapshot(numbered(2)).length
        steps.push(`${isWhole ? 'whole' : 'partial'} content, named ${savedNumber(directory)}`)
      }
      if (ino === statSync(directory).ino) steps.push(`name, of ${savedNumber(directory)}`)
      await sync.call(this)
      steps.push('done')
    })
    await data.save(numbered(2))
    assert.deepEqual(steps, ['whole content, named 1', 'done', 'name, of 2', 'done'])
    await data.close()
  })

  it('makes the name safe that an ended process may have left unsafe, and new directories', async (t) => {
    const { sync } = await handlePrototype()
    const synced = new Set<number>()
    t.mock.method(await handlePrototype(), 'sync', async function (this: FileHandle) {
      synced.add(fstatSync(this.fd).ino)
      await sync.call(this)
    })
    const parent = newDirectory()
    mkdirSync(parent)
    const directory = join(parent, 'a', 'b')
    await (await openDataDirectory(directory)).close()
    for (const path of ['', '..', '../..']) assert.ok(synced.has(statSync(join(directory, path)).ino), path)

    synced.clear()
    await (await openDataDirectory(directory)).close()
    assert.ok(synced.has(statSync(directory).ino), 'the directory is safe')
  })

  it('loses nothing that it has confirmed when its process is killed', async () => {
    const worlds = [newDirectory(), newDirectory()]
    let kills = 0
    await Promise.all(
      worlds.map(async (directory) => {
        for (let round = 0; round < 16; round++, kills++) {
          const confirmed = await killSaving(directory, Math.random() * 60)
          const data = await openDataDirectory(directory)
          const found = data.state?.next.id ?? 0
          assert.ok(found >= confirmed, `${found} found, ${confirmed} confirmed`)
          assert.equal(data.state?.next.packageId, found, 'all of one moment')
          await data.close()
        }
      }),
    )
    assert.equal(kills, 32)
  })
})

describe('close()', () => {
  it('waits for what is still to be written, and takes nothing more', async () => {
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

  it('lets others in even where the last write fails', async () => {
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
  it('keeps a second one out, in this process and in others, until the first is closed', async () => {
    const { directory, data } = await openNew()
    const message = `${directory} is in use by process ${process.pid}. End that first, or choose another directory.`
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

  it('names the process that holds it', async () => {
    const directory = newDirectory()
    const child = startSaving(directory)
    assert.ok(child.stdout)
    await once(child.stdout, 'data')
    await assert.rejects(openDataDirectory(directory), new RegExp(`in use by process ${child.pid}\\.`))
    child.kill('SIGKILL')
    await once(child, 'close')
    await (await openDataDirectory(directory)).close()
  })

  it('goes to exactly one of many that come at once', async () => {
    for (let round = 0; round < 10; round++) {
      const directory = newDirectory()
      mkdirSync(directory)
      // A dead one, as a rule the reason why many come.
      if (round % 2 === 0) writeFileSync(join(directory, 'lock.7'), JSON.stringify({ pid: 0, identity: '' }))
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDirectory(directory)))
      const opened = results.filter((result) => result.status === 'fulfilled')
      assert.equal(opened.length, 1)
      for (const result of results) {
        if (result.status === 'rejected') assert.match(String(result.reason), /is in use by process/)
      }
      assert.equal(readdirSync(directory).filter((name) => name.startsWith('lock')).length, 1)
      await opened[0]?.value.close()
    }
  })

  it('has one holder at any time, however many come and go', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    let holders = 0
    let turns = 0
    const comeAndGo = async () => {
      for (let visit = 0; visit < 100; visit++) {
        const unlock = await lockDirectory(directory).catch((error: unknown) => {
          assert.ok(error instanceof LockError, String(error))
        })
        if (!unlock) continue
        assert.equal(++holders, 1)
        turns++
        // Some stay so long that others look, some do not.
        for (let turn = 0; turn < visit % 4; turn++) await new Promise(setImmediate)
        holders--
        await unlock()
      }
    }
    await Promise.all(Array.from({ length: 12 }, comeAndGo))
    assert.ok(turns > 10)
  })

  it(
    'is not had by one who was overtaken while it looked',
    { skip: process.platform === 'win32' },
    async () => {
      const directory = newDirectory()
      mkdirSync(directory)
      // Whoever reads a pipe waits until someone has written.
      const pipe = join(directory, 'lock.5')
      execFileSync('mkfifo', [pipe])
      const late = lockDirectory(directory)
      const writer = await open(pipe, 'w')
      writeFileSync(join(directory, 'lock.7'), JSON.stringify({ pid: process.pid, identity: '' }))
      await Promise.all([assert.rejects(late, LockError), writer.close()])
      assert.deepEqual(readdirSync(directory).sort(), ['lock.5', 'lock.7'])
    },
  )

  it('does not count where its process is gone, its number is another’s now, or it says nothing', async () => {
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'close')
    const { directory, data } = await openNew()
    const [name = ''] = readdirSync(directory).filter((entry) => entry.startsWith('lock'))
    const own = JSON.parse(readFileSync(join(directory, name), 'utf8')) as { identity: string }
    await data.close()

    const locks = [
      { pid: dead.pid, identity: own.identity },
      { pid: -1, identity: '' },
      '',
      '{"pid":1,',
      'null',
      // Only Linux says when a process began.
      ...(process.platform === 'linux'
        ? [
            { pid: process.pid, identity: own.identity.replace(/\d+$/, '1') },
            { pid: process.pid, identity: own.identity.replace(/^\S+/, 'another-boot') },
            { pid: 1, identity: own.identity },
          ]
        : []),
    ]
    for (const [index, lock] of locks.entries()) {
      const path = newDirectory()
      mkdirSync(path)
      writeFileSync(join(path, 'lock.9'), typeof lock === 'string' ? lock : JSON.stringify(lock))
      const opened = await openDataDirectory(path)
      assert.deepEqual(
        readdirSync(path).filter((entry) => entry.startsWith('lock')),
        ['lock.10'],
        `${index}`,
      )
      await opened.close()
    }
  })

  it('counts where nobody can tell when its process began', async () => {
    const directory = newDirectory()
    mkdirSync(directory)
    writeFileSync(join(directory, 'lock.9'), JSON.stringify({ pid: process.pid, identity: '' }))
    await assert.rejects(openDataDirectory(directory), DataDirectoryError)
    assert.ok(existsSync(join(directory, 'lock.9')))
  })

  it(
    'does not count while its process waits to be buried',
    { skip: process.platform !== 'linux' },
    async () => {
      const directory = newDirectory()
      mkdirSync(directory)
      // The shell starts a process that ends, becomes one that does not ask how, and so leaves it unburied.
      const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'])
      const [output] = (await once(parent.stdout, 'data')) as [Buffer]
      const pid = Number(output.toString())
      const stat = () =>
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      writeFileSync(join(directory, 'lock.1'), JSON.stringify({ pid, identity: `${boot} ${stat()[19]}` }))
      await assert.rejects(openDataDirectory(directory), /in use/)
      while (stat()[0] !== 'Z') await pause(20)
      await (await openDataDirectory(directory)).close()
      parent.kill('SIGKILL')
    },
  )
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

/** A state that counts how often it is read as a whole. */
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

/** Where Node keeps the methods of open files: no option leads to the moment at which a file is made safe. */
async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(folder)
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle
}

function startSaving(directory: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'test/cli/save-loop.ts', directory])
}

/** Ends a process that saves, so many milliseconds after it has begun to. Answers the last number that it confirmed. */
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
