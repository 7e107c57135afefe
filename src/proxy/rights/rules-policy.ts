import { isSamePerson } from '../../contract/values/patterns.ts'
import { signaturesOfOthers } from '../../contract/values/signatures.ts'
import type { Identity } from '../identity/identity.ts'
import { hasForm, packageDetails, policyOperations, type Role } from './policy-operations.ts'
import type { PolicyRule, PolicyRules } from './policy-rules.ts'
import type { Policy, PolicyQuestion } from './policy.ts'

/** The facts that a rule checks before it reads the package or file. */
export interface RuleQuestion {
  readonly person: Identity
  readonly operation: string
  /** Null for files and shares. */
  readonly formId: number | null
  /** The other client of a share; null for other operations. */
  readonly granteeClientId: string | null
}

/** Whether the person has each role; undefined if that is not known. */
export type KnownRoles = Readonly<Partial<Record<Role, boolean | undefined>>>

/**
 * Creates a policy from rules. `current` returns the rules; it is called for each question, so that they can change while
 * the proxy runs.
 */
export function rulesPolicy(current: () => PolicyRules): Policy {
  return async (question) => {
    const rules = current()
    const about = rules.rules.filter((rule) => reasonAgainst(rules, rule, ruleQuestion(question)) === null)
    if (about.some(({ if: wanted, unless }) => wanted.length + unless.length === 0)) return true
    if (about.length === 0) return false
    const needed = new Set(about.flatMap(({ if: wanted, unless }) => [...wanted, ...unless]))
    const known = await rolesIn(question, needed)
    if (about.some((rule) => meetsConditions(rule, known))) return true
    // A history can be long, so it is read only if nothing else decides.
    const depends = about.some((rule) =>
      [true, false].some((signed) => meetsConditions(rule, { ...known, signed })),
    )
    if (!depends || !('loadHistory' in question)) return false
    const others = signaturesOfOthers(await question.loadHistory(), question.person.univid)
    return about.some((rule) => meetsConditions(rule, { ...known, signed: others.length > 0 }))
  }
}

/** Why a rule is not about a question: the part that differs. Null if the rule is about it. */
export function reasonAgainst(
  { groups }: PolicyRules,
  { everyone, people, groups: names, operations, forms, grantees }: PolicyRule,
  { person, operation, formId, granteeClientId }: RuleQuestion,
): 'operation' | 'form' | 'grantee' | 'person' | null {
  if (!operations.includes(operation)) return 'operation'
  const subject = policyOperations.get(operation)
  if (forms && (!subject || !hasForm(subject) || formId === null || !forms.includes(formId))) return 'form'
  if (grantees && (granteeClientId === null || !grantees.includes(granteeClientId))) return 'grantee'
  const isNamed = (univids: readonly string[]) =>
    univids.some((univid) => isSamePerson(univid, person.univid))
  const isMember = (name: string) => {
    const group = Object.hasOwn(groups, name) ? groups[name] : undefined
    return (
      group !== undefined &&
      (isNamed(group.people) || group.identity.some((one) => person.groups?.includes(one) === true))
    )
  }
  return everyone || isNamed(people) || names.some(isMember) ? null : 'person'
}

/** Whether the roles of a person meet the conditions of a rule. A role that is not known meets none. */
export function meetsConditions({ if: wanted, unless }: PolicyRule, known: KnownRoles): boolean {
  return (
    (wanted.length === 0 || wanted.some((role) => known[role] === true)) &&
    unless.every((role) => known[role] === false)
  )
}

function ruleQuestion(question: PolicyQuestion): RuleQuestion {
  const { person, operation } = question
  return {
    person,
    operation: 'isText' in question ? packageDetails : operation,
    formId: 'formId' in question ? question.formId : null,
    granteeClientId: 'granteeClientId' in question ? question.granteeClientId : null,
  }
}

/** Finds out which of these roles the person has, except `signed`. */
async function rolesIn(question: PolicyQuestion, needed: ReadonlySet<Role>): Promise<KnownRoles> {
  const { person } = question
  if ('loadPackage' in question) {
    const [found, actions] = await Promise.all([
      needed.has('initiator') ? question.loadPackage() : null,
      needed.has('approver') ? question.loadActions() : null,
    ])
    const initiator = found?.initiator?.univid ?? undefined
    return {
      initiator: initiator === undefined ? undefined : isSamePerson(initiator, person.univid),
      approver: actions?.canSign,
    }
  }
  if ('isOwner' in question) return { owner: question.file === null ? undefined : question.isOwner }
  // Owners need no policy for their own files.
  return 'file' in question ? { owner: false } : {}
}
