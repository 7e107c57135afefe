import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Job, runJobs } from '../../scripts/test/queue.mjs'
import { until } from '../proxy/until.ts'

/** A machine of two cores, whose jobs end on request. */
function createMachine() {
  const started: string[] = []
  const endings = new Map<string, () => void>()
  const machine = {
    started,
    idle: 0,
    /** How often the queue has looked at the cores. */
    looks: 0,
    job: (name: string, seconds: number, after: readonly Job[] = []): Job => ({
      name,
      seconds,
      after,
      run: () => new Promise<void>((resolve) => endings.set(name, resolve)),
    }),
    async end(name: string) {
      endings.get(name)?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
    /** Waits until the queue has looked at the cores several times. */
    async watch() {
      const before = machine.looks
      await until(() => machine.looks >= before + 10, pause)
    },
    run: (all: readonly Job[], places?: number) =>
      runJobs(all, {
        onStart: ({ name }) => started.push(name),
        onNote: () => {},
        onEnd: () => {},
        cores: 2,
        places,
        idleShare() {
          machine.looks++
          return machine.idle
        },
        interval: 1,
      }),
  }
  return machine
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 1))

describe('runJobs()', () => {
  it('runs as many jobs as there are cores, the longest first', async () => {
    const machine = createMachine()
    const done = machine.run([machine.job('short', 1), machine.job('long', 9), machine.job('middle', 5)])
    await machine.watch()
    assert.deepEqual(machine.started, ['long', 'middle'])
    await machine.end('middle')
    assert.deepEqual(machine.started, ['long', 'middle', 'short'])
    await machine.end('long')
    await machine.end('short')
    await done
  })

  it('starts more while the cores are idle, but at most three for each', async () => {
    const machine = createMachine()
    const names = Array.from({ length: 12 }, (_, index) => `${index}`)
    const done = machine.run(names.map((name) => machine.job(name, 1)))
    assert.equal(machine.started.length, 2)
    machine.idle = 0.5
    await until(() => machine.started.length >= 6, pause)
    await machine.watch()
    assert.equal(machine.started.length, 6)
    for (const name of names) {
      await until(() => machine.started.includes(name), pause)
      await machine.end(name)
    }
    await done
  })

  it('runs fewer again when the cores are busy, but never fewer than there are cores', async () => {
    const machine = createMachine()
    const names = Array.from({ length: 12 }, (_, index) => `${index}`)
    const done = machine.run(names.map((name) => machine.job(name, 1)))
    machine.idle = 0.5
    await until(() => machine.started.length === 6, pause)
    await machine.end('0')
    assert.equal(machine.started.length, 7, 'one for the one that has ended')
    machine.idle = 0
    await machine.watch()
    for (const name of ['1', '2', '3', '4']) await machine.end(name)
    assert.equal(machine.started.length, 7, 'two are left')
    await machine.end('5')
    assert.equal(machine.started.length, 8)
    for (const name of names) {
      await until(() => machine.started.includes(name), pause)
      await machine.end(name)
    }
    await done
  })

  it('starts more again when the cores are idle, even if none has ended since they were busy', async () => {
    const machine = createMachine()
    const names = ['a', 'b', 'c', 'd', 'e']
    const done = machine.run(
      names.map((name) => machine.job(name, 1)),
      4,
    )
    await machine.watch()
    assert.equal(machine.started.length, 4, 'the cores are busy')
    machine.idle = 0.5
    await until(() => machine.started.length === 5, pause)
    for (const name of names) await machine.end(name)
    await done
  })

  it('starts with as many as it is told, and runs fewer when the cores are busy', async () => {
    const machine = createMachine()
    const names = ['a', 'b', 'c', 'd', 'e']
    const done = machine.run(
      names.map((name) => machine.job(name, 1)),
      4,
    )
    assert.equal(machine.started.length, 4)
    await machine.watch()
    await machine.end('a')
    await machine.end('b')
    assert.equal(machine.started.length, 4)
    for (const name of names) {
      await until(() => machine.started.includes(name), pause)
      await machine.end(name)
    }
    await done
  })

  it('waits for the jobs that have to end before', async () => {
    const machine = createMachine()
    machine.idle = 1
    const build = machine.job('build', 9)
    const done = machine.run([machine.job('test', 20, [build]), build])
    await machine.watch()
    assert.deepEqual(machine.started, ['build'])
    await machine.end('build')
    assert.deepEqual(machine.started, ['build', 'test'])
    await machine.end('test')
    await done
  })

  it('rejects if a job does', async () => {
    const machine = createMachine()
    const broken: Job = { name: 'broken', seconds: 1, run: () => Promise.reject(new Error('no memory')) }
    await assert.rejects(machine.run([broken]), /no memory/)
  })
})
