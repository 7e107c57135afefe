import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

// A pipe holds 64 kB, so each of these logs has to wait for its reader.

const children = new Set<ChildProcess>()
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})

/** Starts a process that logs this many lines of about 1 kB to its standard output, reports that, and exits when told to. */
async function startLogging(lines: number, output: 'pipe' | number = 'pipe'): Promise<ChildProcess> {
  const module = new URL('../../../../src/proxy/node/observe/log.ts', import.meta.url).href
  const script = `
    import { createLog } from '${module}'
    const log = createLog()
    for (let index = 0; index < ${lines}; index++) log('info', 'x'.repeat(1000), { index })
    process.on('message', () => process.exit(3))
    process.send('logged')`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', output, 'inherit', 'ipc'],
  })
  children.add(child)
  await once(child, 'message')
  return child
}

interface Line {
  readonly index?: number
  readonly dropped?: number
}

function linesIn(output: string): readonly Line[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

describe('standardOutput()', () => {
  it('keeps the lines until a slow reader has them', async () => {
    const child = await startLogging(2000)
    assert.ok(child.stdout)
    child.stdout.on('data', (chunk: Buffer) => {
      output += String(chunk)
      if (linesIn(output.slice(0, output.lastIndexOf('\n'))).length === 2000) child.send('exit')
    })
    let output = ''
    await once(child, 'close')
    assert.deepEqual(
      linesIn(output).map(({ index }) => index),
      Array.from({ length: 2000 }, (_, index) => index),
    )
  })

  it('drops lines without a reader instead of waiting, and reports how many', async () => {
    const child = await startLogging(10_000)
    assert.ok(child.stdout)
    const whole = text(child.stdout)
    // The report follows the lines that were kept.
    child.stdout.on('data', (chunk: Buffer) => {
      if (String(chunk).includes('"dropped"')) child.send('exit')
    })
    const lines = linesIn(await whole)
    const kept = lines.filter(({ index }) => index !== undefined).length
    assert.ok(kept > 3000 && kept < 10_000, `${kept} lines were kept`)
    assert.deepEqual(
      lines.flatMap(({ dropped }) => dropped ?? []),
      [10_000 - kept],
    )
  })

  it('ends the process although nothing reads', async () => {
    const child = await startLogging(1000)
    child.send('exit')
    const [code] = (await once(child, 'exit')) as [number]
    assert.equal(code, 3)
  })

  it('survives a full disk', { skip: process.platform !== 'linux' }, async () => {
    const full = openSync('/dev/full', 'w')
    const child = await startLogging(10, full)
    closeSync(full)
    await exits(child)
  })

  it('survives a reader that has gone', async () => {
    const child = await startLogging(1000)
    child.stdout?.destroy()
    await exits(child)
  })
})

/**
 * Lets the process write for a while, then ends it. Nothing tells when a write has failed: in a slower process it may fail later, and
 * then the test proves less.
 */
async function exits(child: ChildProcess): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- See above.
  await pause(300)
  if (child.exitCode === null) child.send('exit')
  if (child.exitCode === null) await once(child, 'exit')
  assert.equal(child.exitCode, 3)
}
