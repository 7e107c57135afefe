import { browserOperations, type OperationForBrowsers } from '../../contract/services/browser-operations.ts'
import { nearestName } from '../../proxy/rights/nearest-name.ts'
import { isUnivid } from '../../contract/values/patterns.ts'
import { hasForm, policyOperations, type Role, roles, rolesOf } from '../../proxy/rights/policy-operations.ts'
import { PolicyError, type PolicyRule, type PolicyRules } from '../../proxy/rights/policy-rules.ts'
import { type KnownRoles, meetsConditions, reasonAgainst } from '../../proxy/rights/rules-policy.ts'
import { ConfigError } from './config-error.ts'
import { type ReadText, readTextFile } from './config-values.ts'
import { readPolicyFile } from './policy-file.ts'

export interface ExplainOptions {
  /** Path of the policy file. */
  readonly path: string | undefined
  readonly person: string
  readonly operation: string
  /** Id of the form, as text; undefined for operations on files and shares. */
  readonly form: string | undefined
  /** Groups that the sign-in service puts the person into. */
  readonly groups?: readonly string[]
  /** Roles of the person, or `none`. Without any, the explanation names the roles that it depends on. */
  readonly as?: readonly string[]
  /** Client id of the application that a file is shared with. */
  readonly grantee?: string | undefined
  readonly readText?: ReadText
}

/** The decision of a policy about a question. `elsewhere`: no policy decides about the operation. */
export type Decision = 'allowed' | 'denied' | 'depends' | 'elsewhere'

interface Explanation {
  readonly decision: Decision
  /** The decision and the rule behind it, for the operator. */
  readonly lines: readonly string[]
}

/** Returns a decision, and the rule behind it. Throws `ConfigError` if the question is not valid. */
export function explainPolicy(options: ExplainOptions): Explanation {
  const { path, person, operation, groups = [], as, grantee, readText = readTextFile } = options
  if (path === undefined || path === '') {
    throw new ConfigError('There is no policy file. Set ROUTESLIP_POLICY or --policy to its path.')
  }
  if (!isUnivid(person)) {
    throw new ConfigError(`${JSON.stringify(person)} is not a university id. Use up to 12 digits.`)
  }
  const subject = policyOperations.get(operation)
  if (!subject) return { decision: 'elsewhere', lines: explainOther(operation) }
  const formId = formOf(options.form, operation, hasForm(subject))
  const known = rolesGiven(as, rolesOf[subject], operation)
  const policy = rulesOf(path, readText)

  const question = { person: { univid: person, groups }, operation, formId, granteeClientId: grantee ?? null }
  const listed = policy.rules.map((rule, index) => ({
    rule,
    label: `rules[${index}] "${rule.name}"`,
    reason: reasonAgainst(policy, rule, question),
  }))
  const about = listed.filter(({ reason }) => reason === null)
  const applies = about.find(({ rule }) => meetsConditions(rule, known ?? {}))
  const open = known ? [] : about.filter(({ rule }) => rule.if.length + rule.unless.length > 0)
  const what = `${operation}${formId === null ? '' : ` in form ${formId}`}`

  const decision = applies ? 'allowed' : open.length > 0 ? 'depends' : 'denied'
  const lines = [
    ...(applies
      ? [`Allowed: ${person} may ${what}.`, `  ${applies.label}`]
      : open.length > 0
        ? [`It depends: ${person} may ${what} under a condition.`, ...open.map(conditionLine)]
        : [`Denied: ${person} may not ${what}. No rule allows it.`]),
    ...(applies ? [] : listed.flatMap((one) => nearMiss(one, known !== undefined))),
    ...(!applies && open.length > 0 ? [`Add --as ${rolesOf[subject].join(', --as ')} or --as none.`] : []),
    ...(subject === 'file' ? ['In any case, users may do this with files that they uploaded.'] : []),
    ...(operation === 'createOverride' || operation === 'deactivateOverride'
      ? ['In any case, nobody may create or end an override that concerns themselves.']
      : []),
  ]
  return { decision, lines }
}

interface ListedRule {
  readonly rule: PolicyRule
  readonly label: string
  readonly reason: ReturnType<typeof reasonAgainst>
}

function conditionLine({ rule, label }: ListedRule): string {
  return `  ${label} applies if ${conditionOf(rule)}`
}

/** Describes the conditions of a rule: "the person is the initiator and not the approver, and nobody else has signed". */
function conditionOf({ if: wanted, unless }: PolicyRule): string {
  const isPerson = (role: Role) => role !== 'signed'
  const either = [
    ...(wanted.some(isPerson) ? [`the person is the ${wanted.filter(isPerson).join(' or ')}`] : []),
    ...(wanted.includes('signed') ? ['somebody else has signed'] : []),
  ].join(' or ')
  const not = unless.some(isPerson) ? `not the ${unless.filter(isPerson).join(' or ')}` : ''
  const isContinued = wanted.some(isPerson) && !wanted.includes('signed')
  const parts = [
    isContinued && not ? `${either} and ${not}` : either,
    !isContinued && not ? `the person is ${not}` : '',
    unless.includes('signed') ? 'nobody else has signed' : '',
  ]
  return parts.filter(Boolean).join(', and ')
}

/** Returns a line about a rule for the same operation that does not apply, and why. */
function nearMiss({ rule, label, reason }: ListedRule, areRolesKnown: boolean): readonly string[] {
  const reasons = {
    operation: undefined,
    form: `is for other forms: ${rule.forms?.join(', ')}`,
    grantee: `is for other applications: ${rule.grantees?.join(', ')}`,
    person: `is for other people${rule.groups.length > 0 ? ` (groups ${rule.groups.join(', ')})` : ''}`,
  }
  const text =
    reason === null ? (areRolesKnown ? `applies only if ${conditionOf(rule)}` : undefined) : reasons[reason]
  return text === undefined ? [] : [`  ${label} ${text}`]
}

/** Explains who decides about an operation that no policy decides. */
function explainOther(operation: string): readonly string[] {
  const table: Readonly<Record<string, OperationForBrowsers>> = browserOperations
  const found = Object.hasOwn(table, operation) ? table[operation] : undefined
  if (!found) {
    const nearest = nearestName(operation, [...Object.keys(table), ...policyOperations.keys()])
    const next = nearest === undefined ? 'docs/policy.md lists them.' : `Did you mean ${nearest}?`
    throw new ConfigError(`${JSON.stringify(operation)} is not an operation. ${next}`)
  }
  return [
    found.rights === 'service'
      ? `No policy decides about ${operation}: the service checks the rights of the person.`
      : found.rights === 'signed-in' || found.rights === 'creation'
        ? `No policy decides about ${operation}: everyone who is signed in may.`
        : `No policy decides about ${operation}: the flags of the service do (${found.rights}).`,
  ]
}

function formOf(text: string | undefined, operation: string, isRequired: boolean): number | null {
  if (!isRequired) {
    if (text === undefined) return null
    throw new ConfigError(`${operation} belongs to no form. Remove ${JSON.stringify(text)}.`)
  }
  if (text !== undefined && /^[1-9]\d{0,14}$/.test(text)) return Number(text)
  const given = text === undefined ? 'missing' : JSON.stringify(text)
  throw new ConfigError(`The form is ${given}. Add the id of a form, such as 6025.`)
}

/** Returns the roles that were given; undefined if none were. */
function rolesGiven(
  as: readonly string[] | undefined,
  possible: readonly Role[],
  operation: string,
): KnownRoles | undefined {
  if (!as) return undefined
  const wrong = as.find((name) => name !== 'none' && !possible.includes(name as Role))
  if (wrong !== undefined) {
    throw new ConfigError(
      `--as is ${JSON.stringify(wrong)}. For ${operation}, use ${[...possible, 'none'].join(', ')}.`,
    )
  }
  return Object.fromEntries(roles.map((role) => [role, as.includes(role)]))
}

function rulesOf(path: string, readText: ReadText): PolicyRules {
  try {
    return readPolicyFile(path, readText)
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    const lines = error.message.split('\n')
    throw new ConfigError(lines.map((line) => `${JSON.stringify(path)}: ${line}`).join('\n'), {
      cause: error,
    })
  }
}
