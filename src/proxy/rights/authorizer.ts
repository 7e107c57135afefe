import { isSamePerson } from '../../contract/values/patterns.ts'
import type { OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import type { BrowserOperation } from '../../contract/routes/routes.ts'
import { isRecord } from '../../contract/values/values.ts'
import { mayVoid } from '../../contract/routes/rights.ts'
import type { AllowedActions } from '../../contract/schemas/session.ts'
import type { HistoryEvent } from '../../contract/schemas/history.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import { mayFollow, type ToolName, toolNames } from '../../contract/values/transitions.ts'
import { type Package, PackageActions, PackageStatus12 } from '../../contract/schemas/workflow.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import type { Identity } from '../identity/identity.ts'
import { ownerKey } from '../files/metadata.ts'
import type {
  DetailsQuestion,
  FileQuestion,
  PackageQuestion,
  Policy,
  PolicyQuestion,
  ShareQuestion,
} from './policy.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { createOverrideGuard } from './override-guard.ts'
import { remind } from './policy-operations.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'

/** The result of a decision that allows a request. */
export interface Authorization {
  /** The query to send. A bulk query may name fewer packages than the request. */
  readonly query: OperationRequest['query']
  /** The file, if the decision depends on it. */
  readonly file?: FileAsset
}

/** Decides what a person may do. Denies everything that is not clearly allowed. */
export interface Authorizer {
  /** Whether the decision depends on the body of a request. */
  readonly isAboutBody: (operation: OperationRequest['operation']) => boolean
  /** Authorizes a request before the proxy sends it to a service. Throws `ProxyError` if it is not clearly allowed. */
  readonly authorize: (request: OperationRequest) => Promise<Authorization>
  /** Authorizes what only the body of an authorized request shows. Throws `ProxyError` if it is not clearly allowed. */
  readonly authorizeBody: (request: OperationRequest) => Promise<void>
  /** Whether the package belongs to the form, and the person has the flag `canEdit` for it. Throws `ProxyError` if that is not clear. */
  readonly mayEdit: (request: OperationRequest) => Promise<boolean>
  /** Returns the flags of each package and the tools that the person may run on it now. */
  readonly allowedActions: (request: OperationRequest) => Promise<readonly AllowedActions[]>
  /** Whether the host's policy lets the person release the lock of a package in this state. Never rejects. */
  readonly mayRelease: (
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    found: { readonly formId: number; readonly packageId: number; readonly state: string },
  ) => Promise<boolean>
  /** Whether the host's policy lets the person have the approvers of a package reminded. Never rejects. */
  readonly mayRemind: Authorizer['mayRelease']
  /** Whether the host's policy lets the person list the packages of a form. */
  readonly mayList: (request: Pick<OperationRequest, 'person'>, formId: number) => Promise<boolean>
  /** Whether it lets the person add a note to a reminder. Never rejects. */
  readonly mayAddNote: Authorizer['mayRelease']
  /** Returns the flags of each package as the service gives them. Omits a package unless exactly one valid row is about it. */
  readonly actions: (
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ) => Promise<ReadonlyMap<number, PackageActions>>
  /** Returns the ids of the packages that the person may view. */
  readonly viewable: (
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ) => Promise<ReadonlySet<number>>
}

/** Creates the authorizer. Without a policy of the host, it denies everything that no flag of the service decides. */
export function createAuthorizer(
  upstream: Upstream,
  policy: Policy | undefined,
  served: readonly (BrowserOperation | OwnServiceOperation)[],
): Authorizer {
  const { call } = upstream
  const guardOverrides = createOverrideGuard(upstream)
  const offered = policyTools.filter((name) => served.includes(name))

  async function authorize(request: OperationRequest): Promise<Authorization> {
    const { operation, query, params, person } = request

    switch (operation.rights) {
      case 'service':
        if (operation.requestBody === 'json') await authorizeEarly(request)
        return { query }

      case 'signed-in':
      // The handler asks for the flag only if the service refuses.
      case 'service-or-canEdit':
      // The handler limits the number of packages per hour.
      case 'creation':
        return { query }

      case 'canView': {
        const ids = idQuery(query)
        const viewed = await viewable(request, Number(params['formId']), ids)
        return { query: { ...query, id: ids.filter((id) => viewed.has(id)) } }
      }

      case 'canEdit': {
        if (!(await mayEdit(request))) throw refusals.editNotAllowed()
        return { query }
      }

      case 'void': {
        const { actions, state, initiator } = await packageOf(request)
        if (!mayVoid(state, actions, isSamePerson(initiator?.univid, person.univid))) {
          throw refusals.voidNotAllowed()
        }
        return { query }
      }

      case 'tool':
      case 'policy': {
        const tool = operation.rights === 'tool' ? (request.name as ToolName) : undefined
        await authorizeByPolicy(request, tool)
        return { query }
      }

      case 'owner': {
        const file = await fileOf(request, String(params['uuid']))
        const question = { operation: request.name as FileQuestion['operation'], person, file }
        // The same error as for a file that does not exist, so that nobody learns that it does.
        if (!isOwner(file, person) && !(await isAllowed(question))) throw refusals.notFound()
        return { query, file }
      }

      case 'sharing': {
        const given = { ...params, ...query, ...(request.body?.value as object | undefined) }
        const uuid = 'fileAssetUuid' in given ? String(given.fileAssetUuid) : undefined
        const file =
          policy && uuid !== undefined
            ? await readOrRefuse(() => fileOf(request, uuid), refusals.sharingNotAllowed)
            : null
        const question = {
          operation: request.name as ShareQuestion['operation'],
          person,
          file,
          isOwner: file !== null && isOwner(file, person),
          granteeClientId: 'granteeClientId' in given ? String(given.granteeClientId) : null,
        }
        if (!(await isAllowed(question))) throw refusals.sharingNotAllowed()
        return { query }
      }
    }
  }

  /**
   * Refuses a change that the service would refuse. The service decides, but only after the proxy has read the body, which
   * costs more than this. Only the initiator may start routing (spec, States and transitions).
   */
  async function authorizeEarly(request: OperationRequest): Promise<void> {
    const { initiator } = (await call('getPackage', {
      ...asPerson(request),
      params: request.params,
    })) as Package
    const isOther = initiator?.univid != null && !isSamePerson(initiator.univid, request.person.univid)
    if (isOther) throw refusals.notAllowed()
  }

  async function mayEdit(request: OperationRequest): Promise<boolean> {
    const { actions } = await packageOf(request)
    return actions?.canEdit === true
  }

  /** Reads the package and its flags as the person. Together they prove that the package belongs to the form. */
  async function packageOf(request: OperationRequest) {
    const packageId = Number(request.params['packageId'])
    const [flags, found] = await Promise.all([
      actionsOf(request, Number(request.params['formId']), [packageId]),
      call('getPackage', { ...asPerson(request), params: request.params }),
    ])
    return { ...(found as Package), actions: flags.get(packageId) ?? null }
  }

  /** Reads a package without the rights check of the service. */
  async function packageAsApplication(
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    packageId: number,
  ): Promise<Package> {
    const params = { formId, packageId }
    return (await call('getPackage', { ...asPerson(request), params, bypassAuthorization: true })) as Package
  }

  /** Reads the history of a package without the rights check of the service. A row that cannot be read is null. */
  async function historyAsApplication(
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    packageId: number,
  ): Promise<readonly (HistoryEvent | null)[]> {
    const params = { formId, packageId }
    const result = await call('getHistory', { ...asPerson(request), params, bypassAuthorization: true })
    return result as readonly (HistoryEvent | null)[]
  }

  async function authorizeBody(request: OperationRequest): Promise<void> {
    await guardOverrides(request)
    if (!hasPackageDetails(request)) return
    const { name, params, person } = request
    const question = {
      operation: name as DetailsQuestion['operation'],
      isText: true as const,
      person,
      formId: Number(params['formId']),
      packageId: params['packageId'] === undefined ? null : Number(params['packageId']),
    }
    if (!(await isAllowed(question))) throw refusals.packageDetailsNotAllowed()
  }

  async function authorizeByPolicy(request: OperationRequest, tool: ToolName | undefined): Promise<void> {
    if (!policy) throw refusals.notAllowedHere()
    const formId = Number(request.params['formId'])
    const packageId = Number(request.params['packageId'])
    // The host may allow this to people without rights in the service, so the application reads the package.
    const found = await readOrRefuse(
      () => packageAsApplication(request, formId, packageId),
      refusals.notAllowedHere,
    )
    const question = {
      operation: request.name as PackageQuestion['operation'],
      person: request.person,
      formId,
      packageId,
      state: found.state,
      loadPackage: () => Promise.resolve(found),
      loadActions: () => loadActions(request, formId, packageId),
      loadHistory: () => historyAsApplication(request, formId, packageId),
    }
    if (!(await isAllowed(question))) throw refusals.notAllowedHere()
    if (tool && !mayFollow(found.state, tool)) {
      throw refusals.wrongState()
    }
  }

  /** Whether pages offer an operation that the policy decides. */
  async function offers(
    operation: 'deleteLock' | 'remind' | 'remindNote',
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    { formId, packageId, state }: { formId: number; packageId: number; state: string },
  ): Promise<boolean> {
    const question = {
      operation,
      person: request.person,
      formId,
      packageId,
      state,
      loadPackage: () => packageAsApplication(request, formId, packageId),
      loadActions: () => loadActions(request, formId, packageId),
      loadHistory: () => historyAsApplication(request, formId, packageId),
    }
    // A policy that fails here offers nothing. If it fails in `authorize`, the request fails.
    return await isAllowed(question).catch(() => false)
  }

  /** Reads the flags of a package for a question to the policy. */
  async function loadActions(
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    packageId: number,
  ): Promise<PackageActions | null> {
    const read = () => actionsOf(request, formId, [packageId])
    return (await readOrRefuse(read, refusals.notAllowedHere)).get(packageId) ?? null
  }

  async function allowedActions(request: OperationRequest): Promise<readonly AllowedActions[]> {
    const ids = idQuery(request.query)
    const formId = Number(request.params['formId'])
    // If a state is not available, the result has the flags but no tools.
    const read = (some: readonly number[]) =>
      statesOf(request, formId, some).catch(() => new Map<number, PackageStatus12>())
    // The card of one package should not wait for two calls in turn.
    const single = ids.length === 1 ? read(ids) : undefined
    const rows = await actionsOf(request, formId, ids)
    // What people may not view costs no further calls: outsiders could ask for a hundred packages at a time.
    const viewed = ids.filter((id) => rows.get(id)?.canView)
    const states = await (viewed.length === 0 ? new Map<number, PackageStatus12>() : (single ?? read(viewed)))
    const loaded = new Set<number>()
    const load = async <Result>(
      packageId: number,
      read: (...ids: Parameters<typeof packageAsApplication>) => Promise<Result>,
    ) => {
      loaded.add(packageId)
      if (loaded.size > maxLoads) {
        loaded.delete(packageId)
        throw refusals.tooManyRequests()
      }
      return await read(request, formId, packageId)
    }
    return await Promise.all(
      [...rows].map(async ([packageId, actions]) => ({
        ...actions,
        tools: await toolsOf(request, formId, actions, states.get(packageId)?.state, load),
        inboxSignatures: states.get(packageId)?.inboxSignatures ?? null,
      })),
    )
  }

  async function toolsOf(
    request: OperationRequest,
    formId: number,
    actions: PackageActions,
    state: string | undefined,
    load: <Result>(
      packageId: number,
      read: (...ids: Parameters<typeof packageAsApplication>) => Promise<Result>,
    ) => Promise<Result>,
  ): Promise<string[]> {
    if (state === undefined) return []
    const { packageId } = actions
    let found: Promise<Package> | undefined
    let history: ReturnType<typeof historyAsApplication> | undefined
    const loadPackage = () => (found ??= load(packageId, packageAsApplication))
    const loadHistory = () => (history ??= load(packageId, historyAsApplication))
    const loadActions = () => Promise.resolve(actions)
    const names = [...toolNames, ...offered]
    const decisions = await Promise.all(
      names.map(async (operation) => {
        // The service has checked the initiator. The proxy checks again before it voids anything.
        if (operation === 'voidPackage') return mayVoid(state, actions, true)
        if (isTool(operation) && !mayFollow(state, operation)) return false
        if (operation === 'sendReminder' && !(state === 'ROUTING' && actions.canView)) return false
        const question = {
          operation: operation === 'sendReminder' ? remind : operation,
          person: request.person,
          formId,
          packageId,
          state,
          loadPackage,
          loadActions,
          loadHistory,
        }
        // A policy that fails here offers no tool. If it fails in `authorize`, the request fails.
        return isAllowed(question).catch(() => false)
      }),
    )
    return names.filter((_, index) => decisions[index])
  }

  /** Reads the flags of each package as the person. Omits a package unless exactly one valid row is about it. */
  async function actionsOf(
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ): Promise<Map<number, PackageActions>> {
    const result = await call('getActions', { ...asPerson(request), params: { formId }, query: { id: ids } })
    return uniqueRows(result, ids, PackageActions, ({ packageId }) => packageId)
  }

  async function statesOf(
    request: OperationRequest,
    formId: number,
    ids: readonly number[],
  ): Promise<Map<number, PackageStatus12>> {
    const query = { id: ids }
    const result = await call('getStatus', {
      ...asPerson(request),
      params: { formId },
      query,
      version: '1.2',
    })
    return uniqueRows(result, ids, PackageStatus12, ({ id }) => id)
  }

  async function viewable(
    request: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const flags = await actionsOf(request, formId, ids)
    return new Set(ids.filter((id) => flags.get(id)?.canView === true))
  }

  async function fileOf(request: OperationRequest, uuid: string): Promise<FileAsset> {
    return (await call('getFileMeta', { ...asPerson(request), params: { uuid } })) as FileAsset
  }

  async function isAllowed(question: PolicyQuestion): Promise<boolean> {
    return policy !== undefined && (await policy(question)) === true
  }

  return {
    // Without a policy, nobody may share anything.
    isAboutBody: ({ rights, requestBody }) =>
      rights === 'sharing' && requestBody === 'json' && policy !== undefined,
    authorize,
    authorizeBody,
    mayEdit,
    allowedActions,
    actions: actionsOf,
    mayRelease: async (request, found) =>
      served.includes('deleteLock') && (await offers('deleteLock', request, found)),
    mayRemind: (request, found) => offers('remind', request, found),
    mayList: ({ person }, formId) => isAllowed({ operation: 'getFormList', person, formId }),
    mayAddNote: (request, found) => offers('remindNote', request, found),
    viewable,
  }
}

/** Maximum number of packages that one request for allowed actions lets the policy read. Further tools are not offered. */
const maxLoads = 20

/** Operations besides the routing tools that pages offer only if the policy allows them. */
const policyTools = ['createOverride', 'deactivateOverride', 'deleteLock', 'sendReminder'] as const

function isTool(name: ToolName | (typeof policyTools)[number]): name is ToolName {
  return !policyTools.some((other) => other === name)
}

/** Whether a body sets or clears the HTML in e-mails about a package. Null keeps it. */
function hasPackageDetails({ body }: Pick<OperationRequest, 'body'>): boolean {
  const content = isRecord(body?.value) ? body.value['emailContent'] : undefined
  return isRecord(content) && typeof content['packageDetails'] === 'string'
}

/** The facts that every call for this person has. */
function asPerson({
  person,
  requestId,
  signal,
}: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>): UpstreamCall {
  return { as: person, requestId, signal }
}

function idQuery(query: OperationRequest['query']): number[] {
  return [...new Set(query?.['id'] as readonly number[])]
}

/**
 * Reads something that the policy decides on. If it does not exist, throws the same error as if the policy denies it, so
 * that nobody learns which packages and files exist.
 */
async function readOrRefuse<T>(read: () => Promise<T>, refuse: () => ProxyError): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof ProxyError && error.status === 404 ? refuse() : error
  }
}

function isOwner(file: FileAsset, { univid }: Identity): boolean {
  const owner: unknown = file.metadata?.[ownerKey]
  return typeof owner === 'string' && isSamePerson(owner, univid)
}

/** Returns rows by id, for requested ids with exactly one row. */
function uniqueRows<Row>(
  result: unknown,
  ids: readonly number[],
  schema: { safeParse: (value: unknown) => { success: boolean; data?: Row } },
  idOf: (row: Row) => number,
): Map<number, Row> {
  const rows = Array.isArray(result) ? result : []
  const usable = rows.flatMap((row: unknown) => schema.safeParse(row).data ?? [])
  // For a single id, more than one row is not a valid response.
  const isExact = ids.length > 1 || rows.length === 1
  return new Map(
    ids.flatMap((id) => {
      const found = usable.filter((row) => idOf(row) === id)
      const [only] = found
      return only !== undefined && found.length === 1 && isExact ? [[id, only] as const] : []
    }),
  )
}
