import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { builtCommand } from '../built-command.ts'

const run = promisify(execFile)

/** Runs a command in a Node that reports this version. */
async function inNode(version: string, ...args: readonly string[]) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
Object.defineProperty(process, 'version', { value: 'v${version}' })`
  const option = `--import=data:text/javascript,${encodeURIComponent(pretend)}`
  return await run(process.execPath, [option, builtCommand, ...args])
}

describe('routeslip in an old Node', () => {
  it('names the version that it needs', async () => {
    for (const old of ['20.20.2', '22.9.0'])
      await assert.rejects(inNode(old, 'schema', 'policy'), {
        code: 1,
        stderr: `Routeslip needs Node 22.19.0 or later. This is v${old}.\n`,
      })
  })

  it('runs in that version and in later ones (control)', async () => {
    for (const version of ['22.19.0', '26.1.0'])
      assert.match((await inNode(version, 'schema', 'policy')).stdout, /"rules"/)
  })
})

describe('routeslip help', () => {
  it('prints the help of a command', async () => {
    const help = async (...args: readonly string[]) =>
      (await run(process.execPath, [builtCommand, 'help', ...args])).stdout
    assert.match(await help(), /^Usage: routeslip \[options\] \[command\]/)
    assert.match(await help('proxy'), /^Usage: routeslip proxy \[options\][^]* --pages /)
  })
})
