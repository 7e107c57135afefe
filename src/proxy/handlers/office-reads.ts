import type { Holding } from '../http/connection.ts'
import { isSamePerson } from '../../contract/values/patterns.ts'
import type { OfficeRouteSummary, RouteSummary } from '../../contract/schemas/offices.ts'
import type { OperationName } from '../../contract/services/operations.ts'
import { createSharedReads } from '../admission/shared-reads.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'

interface OfficeReadsOptions {
  readonly upstream: Upstream
  /** How long a result is kept, in ms. Default 5 minutes. */
  readonly lifetime?: number
  /** Maximum number of results. The oldest are removed first. Default 500. */
  readonly size?: number
  /** Returns the time in ms since 1970. Default `Date.now`. */
  readonly now?: () => number
}

/** Operations on offices. They return the same for everyone, and change when the institution does. */
export type OfficeOperation = 'searchOffices' | 'findOffices' | 'getOfficeRoute' | 'getRouteSummary'

/** Reads offices and their routes. Throws `ProxyError`. */
type OfficeReads = (
  name: OfficeOperation,
  call: UpstreamCall & { readonly holding: Holding },
) => Promise<unknown>

/** Creates reads that share results for some minutes, so that typing an office does not call the service at each key. */
export function createOfficeReads({
  upstream,
  lifetime = 300_000,
  size = 500,
  now = Date.now,
}: OfficeReadsOptions): OfficeReads {
  const results = new Map<string, { readonly value: unknown; readonly until: number }>()
  // Nobody changes offices through the proxy, so everyone may join a read until it ends.
  const { share } = createSharedReads({ maxAge: lifetime })

  return async (name, call) => {
    const key = JSON.stringify([name, call.params, call.query])
    const known = results.get(key)
    if (known && known.until > now()) return known.value
    results.delete(key)
    return await share('everyone', key, call, async ({ signal, holding }) => {
      const value = await upstream.call(name satisfies OperationName, { ...call, signal, holding })
      results.set(key, { value, until: now() + lifetime })
      const [oldest = key] = results.keys()
      if (results.size > size) results.delete(oldest)
      return value
    })
  }
}

/** Returns the summary of a route for a browser: numbers in place of the university ids of the approvers. */
export function summaryForBrowser(
  summaries: readonly (OfficeRouteSummary | null)[],
  univid: string,
): (RouteSummary | null)[] {
  const numbers = new Map<string, number>()
  const numberOf = (approver: string): number => {
    const number = numbers.get(approver) ?? numbers.size + 1
    numbers.set(approver, number)
    return number
  }

  return summaries.map(
    (summary) =>
      summary && {
        ...summary,
        stops:
          summary.stops?.map(
            (stop) =>
              stop && {
                ...stop,
                destinations:
                  stop.destinations?.map((destination) => {
                    if (!destination) return null
                    const { approverUnivid, ...rest } = destination
                    const approver = approverUnivid === null ? null : numberOf(approverUnivid)
                    return { ...rest, approver, isSelf: isSamePerson(approverUnivid, univid) }
                  }) ?? null,
              },
          ) ?? null,
      },
  )
}
