// The whole gate: every check and every suite, then one line that counts them all. `npm test -- WORD` runs only those
// whose name holds the word.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { programVariables, setUp } from './setup.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
setUp()
Object.assign(process.env, programVariables())
process.env.STORYBOOK_DISABLE_TELEMETRY = '1'

const nodeTests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.node.test.ts'))
  .map((file) => `test/${file.replaceAll('\\', '/')}`)
  .sort()
const endToEnd = nodeTests.filter((file) => file.startsWith('test/e2e/'))
const others = nodeTests.filter((file) => !file.startsWith('test/e2e/'))

const node = (...args) => [process.execPath, ...args]
const bin = (name, ...args) => node(`node_modules/${name}`, ...args)
const test = (...files) =>
  node('--import', 'tsx', '--test', '--test-timeout=300000', '--test-reporter=spec', ...files)

/** Name, command, and whether it counts its own tests; a check counts as one. */
const steps = [
  ['types', bin('typescript/bin/tsc', '-p', '.')],
  ['types of what runs anywhere', bin('typescript/bin/tsc', '-p', 'src')],
  ['lint', bin('eslint/bin/eslint.js', '.', '--max-warnings', '0')],
  ['format', bin('prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn')],
  [
    'boundaries',
    bin('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'src'),
  ],
  ['build', ['npm', 'run', '--silent', 'build']],
  ['node', test(...others), 'suite'],
  ['browser', bin('@web/test-runner/dist/bin.js'), 'suite'],
  ['end to end', test(...endToEnd), 'suite'],
].filter(([name]) => name.includes(process.argv[2] ?? ''))

const total = { passed: 0, failed: 0, skipped: 0 }
for (const [name, command, isSuite] of steps) {
  console.log(`\n== ${name}`)
  const { code, output } = await run(command)
  const counts = isSuite ? countsOf(output) : { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 }
  total.passed += counts.passed
  total.skipped += counts.skipped
  // A suite that fails without a failed test, or runs none, failed all the same.
  const isBad = code !== 0 || counts.passed + counts.failed === 0
  total.failed += counts.failed || (isBad ? 1 : 0)
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

function run([program, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      process.stdout.write(chunk)
    })
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Reads the closing lines of Node's test runner, or the plain one that web-test-runner.config.mjs prints. */
function countsOf(output) {
  const plain = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1)
  if (plain) return { passed: Number(plain[1]), failed: Number(plain[2]), skipped: Number(plain[3] ?? 0) }
  const of = (word) => Number([...output.matchAll(new RegExp(`^ℹ ${word} (\\d+)$`, 'gm'))].at(-1)?.[1] ?? 0)
  return { passed: of('pass'), failed: of('fail') + of('cancelled'), skipped: of('skipped') + of('todo') }
}
