import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'

// Runs the command in a repository that has one test.

describe('npm test -- --changed', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
    for (const path of ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
      cpSync(path, join(folder, path), { recursive: true })
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
    for (const name of ['docs', 'src', 'stories', 'test']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
    writeTest('first')
    git('init', '--quiet', '--initial-branch=main')
    git('add', '--all')
    git('-c', 'user.name=A', '-c', 'user.email=a@example.edu', 'commit', '--quiet', '--message', 'All')
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  it('succeeds if nothing differs from main, and otherwise runs what does', async () => {
    const unchanged = await run()
    assert.match(unchanged.output, /No test depends on a file that differs from main\.\n$/)
    assert.equal(unchanged.code, 0)

    // Control: the test is found when it changes.
    writeTest('second')
    const changed = await run()
    assert.match(changed.output, /1 passed, 0 failed/)
    assert.equal(changed.code, 0)
  })

  function writeTest(title: string): void {
    writeFileSync(
      join(folder, 'test/one.node.test.ts'),
      `import { it } from 'node:test'\nit('${title}', () => {})\n`,
    )
  }

  function git(...args: string[]): void {
    execFileSync('git', args, { cwd: folder })
  }

  function run(): Promise<{ readonly code: unknown; readonly output: string }> {
    // Without this variable, which Node sets for its tests, the run would not report its own.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    return new Promise((done) => {
      execFile(
        process.execPath,
        ['scripts/test.mjs', '--changed'],
        { cwd: folder, env },
        (error, stdout, stderr) => done({ code: error?.code ?? 0, output: stdout + stderr }),
      )
    })
  }
})
