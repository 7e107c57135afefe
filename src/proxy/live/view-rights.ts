import { groupByForm } from '../changes/group-by-form.ts'
import { type Hint, packageKey } from '../changes/bus.ts'

/**
 * Reads which of up to 100 packages of one form a person may view now. Rejects if that is unknown, and does so before the
 * second next heartbeat: until then no event id moves past a pending event.
 */
export type MayView = (univid: string, formId: number, ids: readonly number[]) => Promise<ReadonlySet<number>>

interface ViewRightsOptions {
  /** University id of the person. */
  readonly univid: string
  readonly mayView: MayView
  /** Time for which a decision is valid, in ms. */
  readonly maxAge: number
  /** Returns the time in ms since 1970. */
  readonly now: () => number
}

/** A package, and since when a decision about it counts: the number of requests at that moment; 0 for any decision. */
export interface ViewQuestion {
  readonly hint: Hint
  readonly since: number
}

/** Whether a person may view a package. */
interface ViewDecision {
  readonly isAllowed: boolean
  /** Time at which the rights were requested, in ms since 1970. */
  readonly requestedAt: number
  /** Number of the request. */
  readonly request: number
}

/** A form for which rights could not be read. */
interface ViewRightsFailure {
  readonly formId: number
  readonly error: unknown
}

/** A short-lived cache of what one person may view. */
export interface ViewRights {
  /** Returns the number of requests until now. */
  readonly requests: () => number
  /** Returns a decision; undefined if it is missing or too old. */
  readonly get: (question: ViewQuestion) => ViewDecision | undefined
  /** Reads the missing decisions, and returns the failures. Never rejects. */
  readonly load: (questions: Iterable<ViewQuestion>) => Promise<readonly ViewRightsFailure[]>
}

/** Creates an empty cache for one person. */
export function createViewRights({ univid, mayView, maxAge, now }: ViewRightsOptions): ViewRights {
  const decisions = new Map<string, ViewDecision>()
  let requests = 0

  function isValid({ requestedAt }: Pick<ViewDecision, 'requestedAt'>): boolean {
    return now() - requestedAt <= maxAge
  }

  async function read(formId: number, ids: readonly number[]): Promise<ViewRightsFailure | undefined> {
    // The age counts from the request, because rights may be withdrawn before the response arrives.
    const requestedAt = now()
    const request = ++requests
    try {
      const allowed = await mayView(univid, formId, ids)
      if (!isValid({ requestedAt })) throw new Error('The response arrived too late')
      for (const packageId of ids) {
        decisions.set(packageKey({ formId, packageId }), {
          isAllowed: allowed.has(packageId),
          requestedAt,
          request,
        })
      }
      return undefined
    } catch (error) {
      return { formId, error }
    }
  }

  /** Returns a decision. An event may change rights, so only a decision that was requested after it counts. */
  function get({ hint, since }: ViewQuestion): ViewDecision | undefined {
    const decision = decisions.get(packageKey(hint))
    return decision && isValid(decision) && decision.request > since ? decision : undefined
  }

  return {
    requests: () => requests,
    get,
    async load(questions) {
      for (const [key, decision] of decisions) if (!isValid(decision)) decisions.delete(key)
      const missing = new Map<string, Hint>()
      for (const question of questions) {
        if (!get(question)) missing.set(packageKey(question.hint), question.hint)
      }
      const results = await Promise.all(
        groupByForm(missing.values()).map(([formId, ids]) => read(formId, ids)),
      )
      return results.filter((failure) => failure !== undefined)
    },
  }
}
