import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ConfigError } from '../../../src/cli/config/config-error.ts'
import { type ExplainOptions, explainPolicy } from '../../../src/cli/config/policy-explain.ts'
import { builtCommand } from '../built-command.ts'

const policy = JSON.stringify({
  groups: { registrar: { people: ['10000009'], identity: ['northfield:registrar'] } },
  rules: [
    { name: 'Tools', groups: ['registrar'], operations: ['restartPackage'], forms: [6025] },
    { name: 'Conflicts', groups: ['registrar'], operations: ['createOverride'], unless: ['initiator'] },
    { name: 'Returns', everyone: true, operations: ['returnToInitiator'], if: ['approver', 'initiator'] },
    { name: 'Partner', people: ['10000009'], operations: ['getShares'], grantees: ['partner-app'] },
    { name: 'Audit', people: ['10000008'], operations: ['getFileMeta'] },
    {
      name: 'Withdrawals',
      everyone: true,
      operations: ['removePackage'],
      if: ['initiator'],
      unless: ['signed'],
    },
    {
      name: 'Corrections',
      everyone: true,
      operations: ['returnPackage'],
      if: ['initiator', 'signed'],
      unless: ['approver'],
    },
  ],
})
const nobody = 'In any case, nobody may create or end an override that concerns themselves.'

describe('explainPolicy()', () => {
  const cases: readonly (readonly [Partial<ExplainOptions>, ...lines: readonly string[]])[] = [
    [{}, 'Allowed: 10000009 may restartPackage in form 6025.', '  rules[0] "Tools"'],
    [
      { person: '10000001' },
      'Denied: 10000001 may not restartPackage in form 6025. No rule allows it.',
      '  rules[0] "Tools" is for other people (groups registrar)',
    ],
    [
      { person: '10000001', groups: ['northfield:registrar'] },
      'Allowed: 10000001 may restartPackage in form 6025.',
      '  rules[0] "Tools"',
    ],
    [
      { form: '6030' },
      'Denied: 10000009 may not restartPackage in form 6030. No rule allows it.',
      '  rules[0] "Tools" is for other forms: 6025',
    ],
    [
      { operation: 'createOverride' },
      'It depends: 10000009 may createOverride in form 6025 under a condition.',
      '  rules[1] "Conflicts" applies if the person is not the initiator',
      'Add --as initiator, --as approver, --as signed or --as none.',
      nobody,
    ],
    [
      { operation: 'createOverride', as: ['none'] },
      'Allowed: 10000009 may createOverride in form 6025.',
      '  rules[1] "Conflicts"',
      nobody,
    ],
    [
      { operation: 'createOverride', as: ['initiator'] },
      'Denied: 10000009 may not createOverride in form 6025. No rule allows it.',
      '  rules[1] "Conflicts" applies only if the person is not the initiator',
      nobody,
    ],
    [
      { operation: 'returnToInitiator', as: ['approver'] },
      'Allowed: 10000009 may returnToInitiator in form 6025.',
      '  rules[2] "Returns"',
    ],
    [
      { operation: 'removePackage' },
      'It depends: 10000009 may removePackage in form 6025 under a condition.',
      '  rules[5] "Withdrawals" applies if the person is the initiator, and nobody else has signed',
      'Add --as initiator, --as approver, --as signed or --as none.',
    ],
    [
      { operation: 'removePackage', as: ['initiator'] },
      'Allowed: 10000009 may removePackage in form 6025.',
      '  rules[5] "Withdrawals"',
    ],
    [
      { operation: 'removePackage', as: ['initiator', 'signed'] },
      'Denied: 10000009 may not removePackage in form 6025. No rule allows it.',
      '  rules[5] "Withdrawals" applies only if the person is the initiator, and nobody else has signed',
    ],
    [
      { operation: 'returnPackage', as: ['approver'] },
      'Denied: 10000009 may not returnPackage in form 6025. No rule allows it.',
      '  rules[6] "Corrections" applies only if the person is the initiator or somebody else has signed, and the person is not the approver',
    ],
    [
      { operation: 'getShares', form: undefined, grantee: 'other-app' },
      'Denied: 10000009 may not getShares. No rule allows it.',
      '  rules[3] "Partner" is for other applications: partner-app',
    ],
    [
      { operation: 'getFileMeta', form: undefined },
      'Denied: 10000009 may not getFileMeta. No rule allows it.',
      '  rules[4] "Audit" is for other people',
      'In any case, users may do this with files that they uploaded.',
    ],
    [
      { operation: 'getPackage' },
      'No policy decides about getPackage: the service checks the rights of the person.',
    ],
    [
      { operation: 'voidPackage' },
      'No policy decides about voidPackage: the flags of the service do (void).',
    ],
    [{ operation: 'uploadFile' }, 'No policy decides about uploadFile: everyone who is signed in may.'],
  ]
  for (const [options, ...lines] of cases) {
    it(`explains: ${lines[0]}`, () => assert.deepEqual(explain(options).lines, lines))
  }

  const invalid: readonly (readonly [Partial<ExplainOptions>, message: string])[] = [
    [{ path: undefined }, 'There is no policy file. Set ROUTESLIP_POLICY or --policy to its path.'],
    [{ person: 'me' }, '"me" is not a university id. Use up to 12 digits.'],
    [{ form: undefined }, 'The form is missing. Add the id of a form, such as 6025.'],
    [{ form: 'travel' }, 'The form is "travel". Add the id of a form, such as 6025.'],
    [{ operation: 'deleteFile' }, 'deleteFile belongs to no form. Remove "6025".'],
    [{ operation: 'restart' }, '"restart" is not an operation. docs/policy.md lists them.'],
    [{ operation: 'restartPackge' }, '"restartPackge" is not an operation. Did you mean restartPackage?'],
    [{ as: ['owner'] }, '--as is "owner". For restartPackage, use initiator, approver, signed, none.'],
    [{ readText: () => '{}' }, '"policy.json": rules is missing. Add a list.'],
  ]
  for (const [options, message] of invalid) {
    it(`refuses with: ${message}`, () => {
      assert.throws(
        () => explain(options),
        (error) => error instanceof ConfigError && error.message === message,
      )
    })
  }

  function explain(options: Partial<ExplainOptions>): ReturnType<typeof explainPolicy> {
    return explainPolicy({
      ...{ path: 'policy.json', person: '10000009', operation: 'restartPackage', form: '6025' },
      readText: () => policy,
      ...options,
    })
  }
})

describe('routeslip policy explain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  after(() => rmSync(folder, { recursive: true }))
  const run = async (...options: readonly string[]) => {
    const path = join(folder, 'policy.json')
    writeFileSync(path, policy)
    const node = promisify(execFile)
    return await node(process.execPath, [builtCommand, 'policy', ...options], {
      env: { PATH: process.env['PATH'], ROUTESLIP_POLICY: path },
    })
  }

  it('prints the decision and the rule', async () => {
    const { stdout, stderr } = await run('explain', '10000009', 'createOverride', '6025', '--as', 'none')
    assert.equal(
      stdout,
      `Allowed: 10000009 may createOverride in form 6025.\n  rules[1] "Conflicts"\n${nobody}\n`,
    )
    assert.equal(stderr, '')
  })

  it('exits with 3 if the answer is no, and with 0 if it depends', async () => {
    await assert.rejects(
      run('explain', '10000001', 'restartPackage', '6025'),
      ({ code, stdout }: { code: number; stdout: string }) => {
        return code === 3 && stdout.startsWith('Denied: ')
      },
    )
    assert.match((await run('explain', '10000009', 'createOverride', '6025')).stdout, /^It depends: /)
  })

  it('holds a policy to a list of decisions', async () => {
    const restart = { person: '10000009', operation: 'restartPackage', form: 6025 }
    const tests = join(folder, 'tests.json')
    const write = (...expect: readonly object[]) =>
      writeFileSync(tests, JSON.stringify({ $schema: 'x', expect }))
    write(
      { ...restart, decision: 'allowed' },
      { ...restart, person: '1', decision: 'denied' },
      { ...restart, person: '1', groups: ['northfield:registrar'], decision: 'allowed' },
      { ...restart, operation: 'createOverride', decision: 'depends' },
      { ...restart, operation: 'createOverride', as: ['initiator'], decision: 'denied' },
      { person: '10000009', operation: 'getShares', grantee: 'partner-app', decision: 'allowed' },
    )
    assert.equal((await run('test', tests)).stdout, '6 passed, 0 failed\n')

    write({ ...restart, decision: 'denied' }, { ...restart, decision: 'allowed' })
    await assert.rejects(run('test', tests), ({ code, stdout }: { code: number; stdout: string }) => {
      assert.deepEqual(stdout.split('\n'), [
        'FAIL expect[0] is denied, but: Allowed: 10000009 may restartPackage in form 6025.',
        '  rules[0] "Tools"',
        '1 passed, 1 failed',
        '',
      ])
      return code === 1
    })

    write({ ...restart, operation: 'restart', decision: 'denied' })
    await assert.rejects(run('test', tests), /expect\[0\]: "restart" is not an operation/)
    writeFileSync(tests, '{"expect": [],}')
    await assert.rejects(
      run('test', tests),
      /tests[.]json": The file is not valid JSON in line 1: there is a comma before }/,
    )
    writeFileSync(tests, '{"expect": []}')
    await assert.rejects(run('test', tests), /The file is not valid:/)
  })

  it('names an argument that is missing', async () => {
    await assert.rejects(run('explain', '10000009'), ({ code, stderr }: { code: number; stderr: string }) => {
      return code === 1 && stderr.startsWith("error: missing required argument 'operation'")
    })
  })
})
