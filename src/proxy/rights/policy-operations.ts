import { browserOperations, type OperationForBrowsers } from '../../contract/services/browser-operations.ts'
import type { Rights } from '../../contract/routes/rights.ts'

/** The facts that a rule of a policy can require. */
export const roles = ['initiator', 'approver', 'signed', 'owner'] as const

/**
 * The role of a person for the package or file of a question: its initiator, an approver whose signature it waits for
 * (`canSign`), or the user who uploaded it. `signed`: somebody else has signed the package since its routing began.
 */
export type Role = (typeof roles)[number]

/** The subject of an operation that a policy decides. */
type PolicySubject = 'package' | 'reminder' | 'form' | 'file' | 'share' | 'text'

/** The roles that a person can have. */
export const rolesOf: Readonly<Record<PolicySubject, readonly Role[]>> = {
  package: ['initiator', 'approver', 'signed'],
  // A list offers reminders of a hundred packages, and their histories would have to be read each time.
  reminder: ['initiator', 'approver'],
  form: [],
  file: ['owner'],
  share: ['owner'],
  text: [],
}

/** Name of a right in policies: to add HTML to the e-mails of `createPackage`, `routePackage` and `updateEntry`. */
export const packageDetails = 'packageDetails'

/** Name of the right in policies to have the service email the approvers of a package. */
export const remind = 'remind' as const

/** Name of the right in policies to add a note to such an e-mail. */
export const remindNote = 'remindNote'

/** Name of the right in policies to list the packages of a form. The service decides which of them the list shows. */
export const getFormList = 'getFormList'

const subjects: Partial<Readonly<Record<Rights, PolicySubject>>> = {
  tool: 'package',
  policy: 'package',
  owner: 'file',
  sharing: 'share',
}

/** The subject of each operation that a policy decides, by name. */
export const policyOperations: ReadonlyMap<string, PolicySubject> = new Map([
  ...Object.entries<OperationForBrowsers>(browserOperations).flatMap(([name, { rights }]) => {
    const subject = subjects[rights]
    return subject ? [[name, subject] as const] : []
  }),
  [remind, 'reminder'],
  [getFormList, 'form'],
  [remindNote, 'reminder'],
  [packageDetails, 'text'],
])

/** Whether an operation belongs to a form. */
export function hasForm(subject: PolicySubject): boolean {
  return subject !== 'file' && subject !== 'share'
}
