import { mayVoid } from '../../contract/rights.ts'
import type { AllowedActions } from '../../contract/session.ts'
import type { FileAsset } from '../../contract/storage.ts'
import { mayFollow, type ToolName, toolNames } from '../../contract/transitions.ts'
import { Package, PackageActions, PackageStatus } from '../../contract/workflow.ts'
import type { OperationRequest } from '../operation-request.ts'
import type { Identity } from '../identity/identity.ts'
import { ownerKey } from '../files/metadata.ts'
import type { FileQuestion, PackageQuestion, Policy, PolicyQuestion, ShareQuestion } from './policy.ts'
import { refusals } from '../refusals.ts'
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
  /** Authorizes a request before the proxy sends it to a service. Throws `ProxyError` if it is not clearly allowed. */
  readonly authorize: (asked: OperationRequest) => Promise<Authorization>
  /** Returns the flags of each package and the tools that the person may run on it now. */
  readonly allowedActions: (asked: OperationRequest) => Promise<readonly AllowedActions[]>
  /** Returns the ids of the packages that the person may view. */
  readonly viewable: (
    asked: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ) => Promise<ReadonlySet<number>>
}

/** Creates the authorizer. Without a policy of the host, it denies everything that no flag of the service decides. */
export function createAuthorizer({ call }: Upstream, policy: Policy | undefined): Authorizer {
  async function authorize(asked: OperationRequest): Promise<Authorization> {
    const { operation, query, params, person } = asked

    switch (operation.rights) {
      case 'service':
      case 'signed-in':
        return { query }

      case 'canView': {
        const ids = idsOf(query)
        const viewed = await viewable(asked, Number(params['formId']), ids)
        return { query: { ...query, id: ids.filter((id) => viewed.has(id)) } }
      }

      case 'canEdit': {
        const { actions } = await packageOf(asked)
        if (actions?.canEdit !== true) throw refusals.editNotAllowed()
        return { query }
      }

      case 'void': {
        const { actions, state, initiator } = await packageOf(asked)
        if (!mayVoid(state, actions, initiator?.univid === person.univid)) {
          throw refusals.voidNotAllowed()
        }
        return { query }
      }

      case 'tool':
      case 'policy': {
        const tool = operation.rights === 'tool' ? (asked.name as ToolName) : undefined
        await authorizeByPolicy(asked, tool)
        return { query }
      }

      case 'owner': {
        const file = await fileOf(asked, String(params['uuid']))
        const question = { operation: asked.name as FileQuestion['operation'], person, file }
        // The same error as for a file that does not exist, so that nobody learns that it does.
        if (!isOwner(file, person) && !(await isAllowed(question))) throw refusals.notFound()
        return { query, file }
      }

      case 'sharing': {
        const given = { ...params, ...query, ...(asked.body as object | undefined) }
        const uuid = 'fileAssetUuid' in given ? String(given.fileAssetUuid) : undefined
        const file = policy && uuid !== undefined ? await fileOf(asked, uuid) : null
        const question = {
          operation: asked.name as ShareQuestion['operation'],
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

  /** Reads the package and its flags as the person. Together they prove that the package belongs to the form. */
  async function packageOf(asked: OperationRequest) {
    const packageId = Number(asked.params['packageId'])
    const [flags, found] = await Promise.all([
      actionsOf(asked, Number(asked.params['formId']), [packageId]),
      call('getPackage', { ...callOf(asked), params: asked.params }),
    ])
    return { ...requirePackage(found, packageId), actions: flags.get(packageId) ?? null }
  }

  async function authorizeByPolicy(asked: OperationRequest, tool: ToolName | undefined): Promise<void> {
    if (!policy) throw refusals.notAllowedHere()
    const formId = Number(asked.params['formId'])
    const packageId = Number(asked.params['packageId'])
    // The host may allow this to people without rights in the service, so the application reads the package.
    const found = requirePackage(
      await call('getPackage', { ...callOf(asked), params: asked.params, bypassAuthorization: true }),
      packageId,
    )
    const operation = asked.name as PackageQuestion['operation']
    const { person } = asked
    const { state } = found
    const question = {
      operation,
      person,
      formId,
      packageId,
      state,
      loadPackage: () => Promise.resolve(found),
    }
    if (!(await isAllowed(question))) throw refusals.notAllowedHere()
    if (tool && !mayFollow(state, tool)) {
      throw refusals.wrongState()
    }
  }

  async function allowedActions(asked: OperationRequest): Promise<readonly AllowedActions[]> {
    const ids = idsOf(asked.query)
    const formId = Number(asked.params['formId'])
    const [flags, states] = await Promise.all([
      actionsOf(asked, formId, ids),
      // If a state is not available, the result has the flags but no tools.
      statesOf(asked, formId, ids).catch(() => new Map<number, string>()),
    ])
    return await Promise.all(
      [...flags].map(async ([packageId, actions]) => ({
        ...actions,
        tools: await toolsOf(asked, formId, actions, states.get(packageId)),
      })),
    )
  }

  async function toolsOf(
    asked: OperationRequest,
    formId: number,
    actions: PackageActions,
    state: string | undefined,
  ): Promise<ToolName[]> {
    if (state === undefined) return []
    const { packageId } = actions
    let found: Promise<Package> | undefined
    const loadPackage = () =>
      (found ??= call('getPackage', {
        ...callOf(asked),
        params: { formId, packageId },
        bypassAuthorization: true,
      }).then((answer) => requirePackage(answer, packageId)))
    const answers = await Promise.all(
      toolNames.map(async (operation) => {
        // The service has checked the initiator. The proxy checks again before it voids anything.
        if (operation === 'voidPackage') return mayVoid(state, actions, true)
        if (!mayFollow(state, operation)) return false
        const question = { operation, person: asked.person, formId, packageId, state, loadPackage }
        // A policy that fails here offers no tool. If it fails in `authorize`, the request fails.
        return isAllowed(question).catch(() => false)
      }),
    )
    return toolNames.filter((_, index) => answers[index])
  }

  /** Reads the flags of each package as the person. Omits a package unless exactly one valid row is about it. */
  async function actionsOf(
    asked: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ): Promise<Map<number, PackageActions>> {
    const answer = await call('getActions', { ...callOf(asked), params: { formId }, query: { id: ids } })
    return uniqueRows(answer, ids, PackageActions, ({ packageId }) => packageId)
  }

  async function statesOf(
    asked: OperationRequest,
    formId: number,
    ids: readonly number[],
  ): Promise<Map<number, string>> {
    const answer = await call('getStatus', { ...callOf(asked), params: { formId }, query: { id: ids } })
    const found = uniqueRows(answer, ids, PackageStatus, ({ id }) => id)
    return new Map([...found].map(([id, { state }]) => [id, state]))
  }

  async function viewable(
    asked: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const flags = await actionsOf(asked, formId, ids)
    return new Set(ids.filter((id) => flags.get(id)?.canView === true))
  }

  async function fileOf(asked: OperationRequest, uuid: string): Promise<FileAsset> {
    const file = (await call('getFileMeta', { ...callOf(asked), params: { uuid } })) as FileAsset
    if (file.uuid !== uuid) throw refusals.notFound()
    return file
  }

  async function isAllowed(question: PolicyQuestion): Promise<boolean> {
    return policy !== undefined && (await policy(question)) === true
  }

  return { authorize, allowedActions, viewable }
}

/** The facts that every call for this person has. */
function callOf({
  person,
  requestId,
  signal,
}: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>): UpstreamCall {
  return { as: person, requestId, signal }
}

function idsOf(query: OperationRequest['query']): number[] {
  return [...new Set(query?.['id'] as readonly number[])]
}

/** Returns the package. Throws `ProxyError` if it is not the requested one. */
function requirePackage(answer: unknown, packageId: number): Package {
  const found = Package.parse(answer)
  if (found.id !== packageId) throw refusals.notAllowed()
  return found
}

function isOwner(file: FileAsset, { univid }: Identity): boolean {
  return file.metadata?.[ownerKey] === univid
}

/** Returns rows by id, for requested ids with exactly one row. */
function uniqueRows<Row>(
  answer: unknown,
  ids: readonly number[],
  schema: { safeParse: (value: unknown) => { success: boolean; data?: Row } },
  idOf: (row: Row) => number,
): Map<number, Row> {
  const rows = Array.isArray(answer) ? answer : []
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
