import { z } from 'zod'
import { browserOperations } from '../../contract/services/browser-operations.ts'
import { nearestName } from './nearest-name.ts'
import { clientIdPattern, isUnivid, unividPattern, wholeText } from '../../contract/values/patterns.ts'
import { JsonTextError, parseJsonText } from './json-text.ts'
import { hasForm, policyOperations, type Role, roles, rolesOf } from './policy-operations.ts'

/** A group of people: those who are listed, and those whose sign-in names one of the groups in `identity`. */
interface PolicyGroup {
  readonly people: readonly string[]
  readonly identity: readonly string[]
}

/** Allows operations to people. An operation that no rule allows is denied. */
export interface PolicyRule {
  /** The purpose of the rule, in the words of its author. */
  readonly name: string
  /** Whether the rule applies to everyone who is signed in. */
  readonly everyone: boolean
  /** University ids. */
  readonly people: readonly string[]
  /** Names of `PolicyRules.groups`. */
  readonly groups: readonly string[]
  readonly operations: readonly string[]
  /** Ids of forms; undefined for all. */
  readonly forms?: readonly number[] | undefined
  /** Client ids that files may be shared with; undefined for all. */
  readonly grantees?: readonly string[] | undefined
  /** Roles of which the person must have at least one, if there are any. */
  readonly if: readonly Role[]
  /** Roles that the person must not have. */
  readonly unless: readonly Role[]
}

/** The content of a policy file. */
export interface PolicyRules {
  /** The members of each group. */
  readonly groups: Readonly<Record<string, PolicyGroup>>
  /** The operations that the members of a group may use. */
  readonly rules: readonly PolicyRule[]
}

/** Thrown if a policy is not valid. The message has one line for each problem. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError'
}

/** Reads a policy from JSON. Throws `PolicyError` with the place of each problem, the reason, and the next step. */
export function parsePolicy(text: string): PolicyRules {
  let value: unknown
  try {
    value = parseJsonText(text)
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause
    throw new PolicyError(`The file ${cause.message}`, { cause })
  }
  return readPolicy(value)
}

/** Validates a policy. Throws `PolicyError`. */
export function readPolicy(value: unknown): PolicyRules {
  const { data, error } = Policy.safeParse(value)
  if (!error) return { groups: data.groups, rules: data.rules }
  throw new PolicyError([...new Set(error.issues.flatMap(messagesOf))].join('\n'))
}

const univid = z
  .string({ error: notUnivid })
  .refine(isUnivid)
  .meta({ pattern: wholeText(unividPattern).source })
const clientId = text(
  (value) => wholeText(clientIdPattern).test(value),
  'Use 1 to 64 letters, digits, _ or -.',
)
const groupName = text((value) => /^[A-Za-z][\w-]{0,63}$/.test(value), 'Begin it with a letter.')
const identityGroup = text((value) => value.trim() === value && value !== '', 'Write it without blanks.')
const ruleName = text((value) => value.trim() !== '', 'Write what the rule is for.')

const formId = z
  .int({ error: (issue) => `is ${shown(issue.input)}, which is not the id of a form. Use a number.` })
  .positive()

const operation = z.enum([...policyOperations.keys()], { error: notOperation })

const role = z.enum(roles, { error: (issue) => `is ${shown(issue.input)}. Use ${roles.join(', ')}.` })

const Group = z.strictObject(
  { people: listOf(univid).default([]), identity: listOf(identityGroup).default([]) },
  { error: notObject },
)

const Rule = z
  .strictObject(
    {
      name: ruleName,
      everyone: z
        .literal(true, { error: (issue) => `is ${shown(issue.input)}. Use true, or remove it.` })
        .default(false as never),
      people: listOf(univid).default([]),
      groups: listOf(groupName).default([]),
      operations: listOf(operation, 1),
      forms: listOf(formId, 1).optional(),
      grantees: listOf(clientId, 1).optional(),
      if: listOf(role).default([]),
      unless: listOf(role).default([]),
    },
    { error: notObject },
  )
  .check(({ value, issues }) => {
    const add = (path: PropertyKey[], message: string) =>
      issues.push({ code: 'custom', path, message, input: value })
    const { everyone, people, groups } = value
    if (!everyone && people.length + groups.length === 0) {
      add([], 'applies to nobody. Add people or groups, or "everyone": true.')
    }
    if (everyone && people.length + groups.length > 0) {
      add([], 'names everyone as well as people or groups. Remove one of them.')
    }
    for (const [index, name] of value.operations.entries()) {
      const subject = policyOperations.get(name)
      if (!subject) continue
      if (value.forms && !hasForm(subject)) {
        add(
          ['operations', index],
          `is ${shown(name)}, which belongs to no form. Move it to a rule without "forms".`,
        )
      }
      if (value.grantees && subject !== 'share') {
        add(
          ['operations', index],
          `is ${shown(name)}, which shares nothing. Move it to a rule without "grantees".`,
        )
      }
      for (const key of ['if', 'unless'] as const) {
        for (const [place, one] of value[key].entries()) {
          const possible = rolesOf[subject]
          if (possible.includes(one)) continue
          const next = possible.length > 0 ? `Use ${possible.join(' or ')}` : 'Use no condition'
          add([key, place], `is "${one}", which does not apply to ${name}. ${next}.`)
        }
      }
    }
  })

/** The content of a policy file. `$schema` is for editors. */
export const Policy = z
  .strictObject(
    {
      $schema: z.string({ error: ({ input }) => `is ${shown(input)}. Use an address.` }).optional(),
      groups: z.record(groupName, Group, { error: notObject }).default({}),
      rules: z.array(Rule, { error: notList }),
    },
    { error: notObject },
  )
  .check(({ value, issues }) => {
    const names = Object.keys(value.groups)
    const seen = new Map<string, number>()
    for (const [index, rule] of value.rules.entries()) {
      for (const [place, name] of rule.groups.entries()) {
        if (names.includes(name)) continue
        const message = `is "${name}", but there is no such group. ${hint(name, names, 'Add it to "groups".')}`
        issues.push({ code: 'custom', path: ['rules', index, 'groups', place], message, input: name })
      }
      const before = seen.get(rule.name)
      if (before !== undefined) {
        const message = `is the name of rules[${before}] too. Give each rule a name of its own.`
        issues.push({ code: 'custom', path: ['rules', index, 'name'], message, input: rule.name })
      }
      seen.set(rule.name, index)
    }
  })

/** Every key that a policy can have, by the length of its path: at the top, in a group and in a rule. */
const keys: Readonly<Record<string, readonly string[]>> = {
  top: Object.keys(Policy.shape).filter((key) => key !== '$schema'),
  groups: Object.keys(Group.shape),
  rules: Object.keys(Rule.shape),
}

interface RawIssue {
  readonly input?: unknown
}

function text(isValid: (value: string) => boolean, next: string) {
  const error = ({ input }: RawIssue) =>
    input === undefined ? `is missing. ${next}` : `is ${shown(input)}. ${next}`
  return z.string({ error }).refine(isValid)
}

function listOf<T extends z.ZodType>(item: T, minimum = 0) {
  return z
    .array(item, { error: notList })
    .min(minimum, { error: 'is empty. Add at least one, or remove it.' })
}

function notUnivid({ input }: RawIssue): string {
  const next = typeof input === 'number' ? 'Write it in quotation marks.' : 'Use up to 12 digits.'
  return `is ${shown(input)}, which is not a university id. ${next}`
}

function notOperation({ input }: RawIssue): string {
  if (typeof input === 'string' && Object.hasOwn(browserOperations, input)) {
    return `is "${input}", which no policy decides: the service or the proxy does. Remove it.`
  }
  const names = [...policyOperations.keys()]
  return `is ${shown(input)}, which is not an operation. ${hint(String(input), names, `Use ${names.join(', ')}.`)}`
}

function notList({ input }: RawIssue): string {
  return input === undefined ? 'is missing. Add a list.' : `is ${shown(input)}. Use a list.`
}

function notObject({ input }: RawIssue): string {
  return `is ${shown(input)}. Use an object.`
}

function hint(name: string, names: readonly string[], otherwise: string): string {
  const nearest = nearestName(name, names)
  return nearest === undefined ? otherwise : `Did you mean ${nearest}?`
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const json = JSON.stringify(value) ?? 'missing'
  return json.length > 80 ? `${json.slice(0, 80)}…` : json
}

/** Returns one line for each problem, which begins with its place: `rules[2].operations[0]`. */
function messagesOf(issue: z.core.$ZodIssue): readonly string[] {
  const place = issue.path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('')
  const at = (key: string) => (place === '' ? key : `${place}.${key}`)
  if (issue.code === 'unrecognized_keys') {
    const known = keys[String(issue.path[0] ?? 'top')] ?? []
    return issue.keys.map(
      (key) => `${at(key)} is not a field. ${hint(key, known, `Use ${known.join(', ')}.`)}`,
    )
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => `${place} ${message}`)
  return [`${place === '' ? 'The policy' : place} ${issue.message}`]
}
