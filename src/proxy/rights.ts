import type { OperationForBrowsers } from '../contract/operations.ts'
import { mayVoid } from '../contract/rights.ts'
import type { BrowserOperation } from '../contract/routes.ts'
import type { FileAsset } from '../contract/storage.ts'
import { Package, PackageActions } from '../contract/workflow.ts'
import type { Identity } from './identity.ts'
import { ProxyError } from './problem.ts'
import type { CallUpstream } from './upstream.ts'

/** What the host's policy is asked: may this person do this, although nothing else allows it? */
export type PolicyQuestion = FileQuestion

/** May this person see or download a file of someone else? */
export interface FileQuestion {
  readonly operation: 'getFileMeta' | 'presignFile'
  readonly person: Identity
  /** The file in question. */
  readonly file: FileAsset
}

/** The host's own rules. They widen rights, never narrow them. */
export type Policy = (question: PolicyQuestion) => boolean | Promise<boolean>

/** Metadata keys that begin so belong to the proxy: browsers neither set nor see them. */
export const reservedPrefix = 'routeslip-'

/** Metadata key that holds the university id of whoever uploaded the file. */
export const ownerKey = `${reservedPrefix}owner`

/** A call of the browser, as far as rights depend on it. */
export interface Asked {
  readonly name: BrowserOperation
  readonly operation: OperationForBrowsers
  readonly params: Readonly<Record<string, string | number>>
  readonly query: Readonly<Record<string, unknown>> | undefined
  readonly person: Identity
  readonly signal: AbortSignal
}

/** What may go on. */
export interface Allowed {
  /** The query to send: for a bulk call it may name fewer packages than were asked for. */
  readonly query: Asked['query']
  /** The answer, where deciding already took asking for it. */
  readonly answer?: unknown
}

/**
 * Decides whether a call may go on, before anything else reaches a service. Throws `ProxyError` where the answer is no,
 * and where there is no clear yes.
 */
export async function authorize(asked: Asked, call: CallUpstream, policy: Policy): Promise<Allowed> {
  const { operation, params, query } = asked

  switch (operation.rights) {
    case 'service':
    case 'signed-in':
      return { query }

    case 'canView': {
      const ids = [...new Set(query?.['id'] as readonly number[])]
      const actions = await actionsOf(asked, ids, call)
      return { query: { ...query, id: ids.filter((id) => actions.get(id)?.canView) } }
    }

    case 'void': {
      const packageId = Number(params['packageId'])
      const [actions, found] = await Promise.all([
        actionsOf(asked, [packageId], call),
        call('getPackage', { params, user: asked.person.univid, signal: asked.signal }),
      ])
      const { id, state, initiator } = Package.parse(found)
      const isInitiator = initiator?.univid === asked.person.univid
      if (id !== packageId || !mayVoid(state, actions.get(packageId) ?? null, isInitiator)) {
        throw new ProxyError(403, 'You may not void this package, or not in its present state.')
      }
      return { query }
    }

    case 'owner': {
      const file = (await call('getFileMeta', { params, signal: asked.signal })) as FileAsset
      const isOwner = file.uuid === params['uuid'] && file.metadata?.[ownerKey] === asked.person.univid
      const isAllowed =
        isOwner ||
        (await policy({ operation: asked.name as FileQuestion['operation'], person: asked.person, file })) ===
          true
      // The same words as for a file that is not there: its existence is nobody's business.
      if (!isAllowed) throw new ProxyError(404, 'There is no such package or file.')
      return asked.name === 'getFileMeta' ? { query, answer: file } : { query }
    }
  }
}

/** The flags of each package, asked as the person. A package with anything but exactly one usable answer is left out. */
async function actionsOf(
  { params, person, signal }: Asked,
  ids: readonly number[],
  call: CallUpstream,
): Promise<Map<number, PackageActions>> {
  const answer = await call('getActions', {
    params: { formId: params['formId'] ?? '' },
    query: { id: ids },
    user: person.univid,
    signal,
  })
  const usable = (Array.isArray(answer) ? answer : []).flatMap((entry: unknown) => {
    const parsed = PackageActions.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
  // Rows that are not usable might have been second answers, so one of them spoils a single question.
  const isWhole = Array.isArray(answer) && usable.length === answer.length
  return new Map(
    ids.flatMap((id) => {
      const found = usable.filter((entry) => entry.packageId === id)
      const only = found.length === 1 && (isWhole || ids.length > 1) ? found[0] : undefined
      return only ? [[id, only] as const] : []
    }),
  )
}
