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

/** What may go on. */
export interface Authorization {
  /** The query to send: for a bulk call it may name fewer packages than were asked for. */
  readonly query: OperationRequest['query']
  /** The file in question, where deciding took asking for it. */
  readonly file?: FileAsset
}

/** Decides who may do what. Every answer that is not one clear yes is a no. */
export interface Authorizer {
  /**
   * Decides whether a call may go on, before anything else reaches a service. Throws `ProxyError` where the answer is
   * no, and where there is no clear yes.
   */
  readonly authorize: (asked: OperationRequest) => Promise<Authorization>
  /** The flags of each package with the tools that this person may run on it now. */
  readonly allowedActions: (asked: OperationRequest) => Promise<readonly AllowedActions[]>
  /** Those of these packages that this person may view. */
  readonly viewable: (
    asked: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ) => Promise<ReadonlySet<number>>
}

/** Creates the keeper of the rights table. Without a policy of the host, what no flag decides is denied. */
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
        // The same words as for a file that is not there: its existence is nobody's business.
        if (!isOwner(file, person) && !(await isYes(question))) throw refusals.notFound()
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
        if (!(await isYes(question))) throw refusals.sharingNotAllowed()
        return { query }
      }
    }
  }

  /** The package with the flags of this person, both asked as this person; together they prove that it is of that form. */
  async function packageOf(asked: OperationRequest) {
    const packageId = Number(asked.params['packageId'])
    const [flags, found] = await Promise.all([
      actionsOf(asked, Number(asked.params['formId']), [packageId]),
      call('getPackage', { ...callOf(asked), params: asked.params }),
    ])
    return { ...ofThatId(found, packageId), actions: flags.get(packageId) ?? null }
  }

  async function authorizeByPolicy(asked: OperationRequest, tool: ToolName | undefined): Promise<void> {
    if (!policy) throw refusals.notAllowedHere()
    const formId = Number(asked.params['formId'])
    const packageId = Number(asked.params['packageId'])
    // Whom the host lets do this need not have rights of their own in the service, so the application looks itself.
    const found = ofThatId(
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
    if (!(await isYes(question))) throw refusals.notAllowedHere()
    if (tool && !mayFollow(state, tool)) {
      throw refusals.wrongState()
    }
  }

  async function allowedActions(asked: OperationRequest): Promise<readonly AllowedActions[]> {
    const ids = idsOf(asked.query)
    const formId = Number(asked.params['formId'])
    const [flags, states] = await Promise.all([
      actionsOf(asked, formId, ids),
      // Without a state no tool is offered; the flags still are.
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
      }).then((answer) => ofThatId(answer, packageId)))
    const answers = await Promise.all(
      toolNames.map(async (operation) => {
        // Who the initiator is, the service has looked at; it is looked at again before anything is voided.
        if (operation === 'voidPackage') return mayVoid(state, actions, true)
        if (!mayFollow(state, operation)) return false
        const question = { operation, person: asked.person, formId, packageId, state, loadPackage }
        // A policy that fails here offers nothing; where it is asked to decide, its failure is reported.
        return isYes(question).catch(() => false)
      }),
    )
    return toolNames.filter((_, index) => answers[index])
  }

  /** The flags of each package, asked as the person. A package with anything but exactly one usable answer is left out. */
  async function actionsOf(
    asked: Pick<OperationRequest, 'person' | 'requestId' | 'signal'>,
    formId: number,
    ids: readonly number[],
  ): Promise<Map<number, PackageActions>> {
    const answer = await call('getActions', { ...callOf(asked), params: { formId }, query: { id: ids } })
    return onlyOnes(answer, ids, PackageActions, ({ packageId }) => packageId)
  }

  async function statesOf(
    asked: OperationRequest,
    formId: number,
    ids: readonly number[],
  ): Promise<Map<number, string>> {
    const answer = await call('getStatus', { ...callOf(asked), params: { formId }, query: { id: ids } })
    const found = onlyOnes(answer, ids, PackageStatus, ({ id }) => id)
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

  async function isYes(question: PolicyQuestion): Promise<boolean> {
    return policy !== undefined && (await policy(question)) === true
  }

  return { authorize, allowedActions, viewable }
}

/** What every call on behalf of this person carries. */
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

/** The package, if it is the one that was asked for. */
function ofThatId(answer: unknown, packageId: number): Package {
  const found = Package.parse(answer)
  if (found.id !== packageId) throw refusals.notAllowed()
  return found
}

function isOwner(file: FileAsset, { univid }: Identity): boolean {
  return file.metadata?.[ownerKey] === univid
}

/** Rows by id, of those ids that were asked for and have exactly one row. */
function onlyOnes<Row>(
  answer: unknown,
  ids: readonly number[],
  schema: { safeParse: (value: unknown) => { success: boolean; data?: Row } },
  idOf: (row: Row) => number,
): Map<number, Row> {
  const rows = Array.isArray(answer) ? answer : []
  const usable = rows.flatMap((row: unknown) => schema.safeParse(row).data ?? [])
  // To a single question, whatever is more than one row is no answer.
  const isExact = ids.length > 1 || rows.length === 1
  return new Map(
    ids.flatMap((id) => {
      const found = usable.filter((row) => idOf(row) === id)
      const [only] = found
      return only !== undefined && found.length === 1 && isExact ? [[id, only] as const] : []
    }),
  )
}
