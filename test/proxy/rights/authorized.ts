import assert from 'node:assert/strict'
import { browserOperations } from '../../../src/contract/services/browser-operations.ts'
import type { OperationRequest } from '../../../src/proxy/operation/operation-request.ts'
import type { ProxyError } from '../../../src/proxy/http/problem.ts'
import { refusals } from '../../../src/proxy/http/refusals.ts'
import { createAuthorizer } from '../../../src/proxy/rights/authorizer.ts'
import type { Policy, PolicyQuestion } from '../../../src/proxy/rights/policy.ts'
import type { Upstream } from '../../../src/proxy/upstream/upstream.ts'
import { everyOperation } from '../mount.ts'

export const person = { univid: '10000001' }
export const uuid = '00000000-0000-4000-8000-000000000000'
export const { signal } = new AbortController()

const noFlags = {
  ...{ canView: false, canEdit: false, canSign: false, canVoid: false },
  ...{ canInitiatorVoid: false, canAddApprover: false, canVoidAfter: false, signatureId: null },
}
export const flags = (packageId: number, more: object = {}) => ({ ...noFlags, ...more, packageId })
export const pkg = (more: object = {}) => ({ id: 42, state: 'ROUTING', initiator: null, ...more })

interface Setup {
  readonly policy?: Policy
  readonly served?: Parameters<typeof createAuthorizer>[2]
  /** Responses of the services, by operation. An error is thrown. */
  readonly responses?: Readonly<Record<string, unknown>>
}

/** An authorizer over services with these responses. Records the calls and the questions to the policy. */
export function setUp({ policy, served = everyOperation, responses = {} }: Setup = {}) {
  const calls: unknown[] = []
  const questions: PolicyQuestion[] = []
  const call = async (name: string, { signal: given, ...facts }: object & { signal: unknown }) => {
    assert.equal(given, signal)
    calls.push([name, facts])
    const response = responses[name]
    if (response instanceof Error) throw response
    return response
  }
  const asked: Policy | undefined =
    policy &&
    ((question) => {
      questions.push(question)
      return policy(question)
    })
  const authorizer = createAuthorizer({ call } as unknown as Upstream, asked, served)
  return { ...authorizer, calls, questions }
}

export function requestFor(
  name: keyof typeof browserOperations,
  more: Partial<OperationRequest> = {},
): OperationRequest {
  return {
    ...{ name, operation: browserOperations[name], query: undefined, body: undefined, version: undefined },
    ...{ params: { formId: 6025, packageId: 42 }, person, requestId: 'r1', signal },
    holding: undefined as never,
    ...more,
  }
}

/** The facts of each call for the person. */
export const own = { as: person, requestId: 'r1' }
export const inPackage = { ...own, params: { formId: 6025, packageId: 42 } }
export const actionsCall = (...ids: number[]) => [
  'getActions',
  { ...own, params: { formId: 6025 }, query: { id: ids } },
]
export const asApplication = ['getPackage', { ...inPackage, bypassAuthorization: true }]

/** Compares an error with a refusal. */
export const like = ({ status, message }: ProxyError) => ({ status, message })
export const missing = () => refusals.notFound()
export const failed = () => refusals.serviceFailed()
