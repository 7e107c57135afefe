import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '../proxy/until.ts'

describe('an interrupted run of npm test', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  it('ends the browsers that its tests have started', async () => {
    // Browsers are started in a process group of their own, and ended when the process that drives them gets the signal.
    const test = join(folder, 'browser.mjs')
    writeFileSync(
      test,
      `import { spawn } from 'node:child_process'
       import { writeFileSync } from 'node:fs'
       const browser = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
       process.on('SIGTERM', () => (browser.kill('SIGKILL'), process.exit(1)))
       writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(browser.pid))
       setInterval(() => {}, 1000)`,
    )
    const run = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { runNode } from './scripts/test/child.mjs'
       await runNode([${JSON.stringify(relative('.', test))}])`,
    ])
    const file = join(folder, 'pid')
    await until(
      () => existsSync(file) && readFileSync(file, 'utf8') !== '',
      () => delay(20),
    )
    const browser = Number(readFileSync(file, 'utf8'))
    assert.ok(isRunning(browser), 'control: it runs before the signal')
    run.kill('SIGINT')
    await until(
      () => run.exitCode !== null,
      () => delay(20),
    )
    assert.equal(run.exitCode, 1)
    await until(
      () => !isRunning(browser),
      () => delay(20),
    )
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
