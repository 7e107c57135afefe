import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ProcessVariables, MountVariables } from '../../src/cli/config/proxy-variables.ts'
import { allNames } from '../../src/cli/config/variable-names.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

/** Values of the variables that a file sets. */
function variablesIn(text: string): ReadonlyMap<string, string> {
  const settings = text.matchAll(/\b((?:ROUTESLIP|REDIS)_[A-Z_]+)(?:=|: )'?([^\s']+)/g)
  return new Map([...settings].map(([, name = '', value = '']) => [name, value]))
}

/** What `systemd-analyze verify` reports about a unit; undefined if it is not installed. */
function verify(unit: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  try {
    const path = join(folder, 'routeslip.service')
    // Checks that the program exists.
    writeFileSync(path, unit.replace('/usr/bin/node', process.execPath))
    const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
    if (error) return undefined
    return stderr
      .split('\n')
      .filter((line) => line.includes('routeslip.service'))
      .join('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('docs/deploy', () => {
  for (const name of ['Containerfile', 'compose.yaml', 'routeslip.service', 'kubernetes.yaml']) {
    it(`sets only variables that exist, to valid values: ${name}`, () => {
      const variables = variablesIn(read(`deploy/${name}`))
      assert.ok(variables.size > 0)
      const shape = { ...ProcessVariables.shape, ...MountVariables.shape }
      for (const [variable, value] of variables) {
        assert.ok(allNames.includes(variable), variable)
        assert.equal(shape[variable as keyof typeof shape].safeParse(value).error, undefined, variable)
      }
    })
  }

  it('gives all that the proxy requires', () => {
    const required = Object.entries(MountVariables.shape)
      .filter(([, schema]) => !schema.safeParse(undefined).success)
      .map(([name]) => name)
    assert.ok(required.length > 3)
    for (const name of ['compose.yaml', 'kubernetes.yaml']) {
      const variables = variablesIn(read(`deploy/${name}`))
      assert.deepEqual(
        required.filter((variable) => !variables.has(variable)),
        [],
        name,
      )
    }
  })

  it('puts nginx in front of two proxies with the example for one', () => {
    const [, from = '', to = ''] = /sed 's\/([^/]+)\/([^/]+)\/'/.exec(read('deploy/compose.yaml')) ?? []
    assert.equal(read('nginx.conf').split(from).length, 2, from)
    assert.match(to, /proxy-1:8090; server proxy-2:8090;/)
  })

  it('has a systemd service without errors', () => {
    const unit = read('deploy/routeslip.service')
    assert.match(unit, /^ProtectSystem=strict$/m)
    const found = verify(unit)
    if (found === undefined) return
    assert.equal(found, '')
    // Control: a wrong name is found.
    assert.notEqual(verify(unit.replace('ProtectSystem=', 'ProtectSystems=')), '')
  })
})
