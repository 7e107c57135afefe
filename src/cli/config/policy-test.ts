import { z } from 'zod'
import { JsonTextError, parseJsonText } from '../../proxy/rights/json-text.ts'
import { ConfigError } from './config-error.ts'
import { type ReadText, readTextFile, unreadableFile } from './config-values.ts'
import { type Decision, explainPolicy } from './policy-explain.ts'

/** Decisions that a policy has to make. `$schema` is for editors. */
export const PolicyTest = z.strictObject({
  $schema: z.string().optional(),
  expect: z
    .array(
      z.strictObject({
        decision: z.enum(['allowed', 'denied', 'depends']).describe('What the policy has to decide'),
        person: z.string().describe('University id'),
        operation: z.string().describe('Name of the operation, such as restartPackage'),
        form: z.int().positive().optional().describe('Id of the form; absent for files and shares'),
        groups: z.array(z.string()).optional().describe('Groups of the person in the sign-in service'),
        as: z
          .array(z.string())
          .optional()
          .describe('Roles of the person: initiator, approver, signed, owner or none'),
        grantee: z.string().optional().describe('Client id of the application that a file is shared with'),
      }),
    )
    .min(1),
})

interface PolicyTestOptions {
  /** Path of the policy file. */
  readonly path: string | undefined
  /** Path of the file with the expected decisions. */
  readonly tests: string
  readonly readText?: ReadText
}

/** Returns a line for each decision that differs, and a summary. Throws `ConfigError` if a file is not valid. */
export function testPolicy({ path, tests, readText = readTextFile }: PolicyTestOptions): {
  readonly passed: boolean
  readonly lines: readonly string[]
} {
  const { expect } = readTests(tests, readText)
  const failures = expect.flatMap((question, index) => {
    const { decision, lines } = decide(question, index)
    if (decision === question.decision) return []
    const [first = '', ...rest] = lines
    return [`FAIL expect[${index}] is ${question.decision}, but: ${first}`, ...rest]
  })
  const failed = failures.filter((line) => line.startsWith('FAIL ')).length
  return {
    passed: failed === 0,
    lines: [...failures, `${expect.length - failed} passed, ${failed} failed`],
  }

  function decide({ form, as, groups = [], ...question }: Expectation, index: number) {
    try {
      return explainPolicy({
        ...{ path, readText, groups, grantee: undefined, ...question },
        form: form === undefined ? undefined : String(form),
        ...(as && { as }),
      })
    } catch (error) {
      if (!(error instanceof ConfigError) || error.cause) throw error
      throw new ConfigError(`${JSON.stringify(tests)}: expect[${index}]: ${error.message}`, { cause: error })
    }
  }
}

type Expectation = Omit<z.output<typeof PolicyTest>['expect'][number], 'decision'> & {
  readonly decision: Decision
}

function readTests(path: string, readText: ReadText): z.output<typeof PolicyTest> {
  const problem = (reason: string, cause?: unknown) =>
    new ConfigError(`${JSON.stringify(path)}: The file ${reason}`, { cause })
  let text: string
  try {
    text = readText(path)
  } catch (cause) {
    throw problem(unreadableFile(cause), cause)
  }
  try {
    const { data, error } = PolicyTest.safeParse(parseJsonText(text))
    if (data) return data
    throw problem(`is not valid:\n${z.prettifyError(error)}`, error)
  } catch (cause) {
    if (cause instanceof JsonTextError) throw problem(cause.message, cause)
    throw cause
  }
}
