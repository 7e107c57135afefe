import type { OwnOperation, ownRoutes, OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import type { Session } from '../../contract/schemas/session.ts'
import type { Health } from './health.ts'
import type { LiveUpdates } from '../live/live-updates.ts'
import type { Metrics } from '../observe/metrics.ts'
import { createOpenapi } from '../openapi/openapi.ts'
import { refuseSearch } from '../operation/operation-request.ts'
import { refusals } from '../http/refusals.ts'
import { jsonReply, replyOf, textReply } from '../http/reply.ts'
import type { PageHandler, PublicHandler } from './own-handler.ts'
import { readPage } from './page-parts.ts'

/** Names of the proxy's own routes that are for these callers. */
type OwnOperationFor<Caller> = {
  [Name in OwnOperation]: (typeof ownRoutes)[Name]['for'] extends Caller ? Name : never
}[OwnOperation]

interface OwnHandlersOptions {
  readonly basePath: string
  /** The response of `/session`, without the person. */
  readonly session: Omit<Session, 'univid'>
  readonly live: LiveUpdates
  readonly health: Health
  readonly metrics: Metrics | undefined
}

interface OwnHandlers {
  readonly anyone: Readonly<Record<OwnOperationFor<'anyone'>, PublicHandler>>
  /** Those about locks are in `lock-handlers.ts`, because they have parameters and call a service. */
  readonly pages: Readonly<Record<Exclude<OwnOperationFor<'pages'>, OwnServiceOperation>, PageHandler>>
}

/** Creates the handlers of the proxy's own routes, by who may call them. */
export function createOwnHandlers({
  basePath,
  session,
  live,
  health,
  metrics,
}: OwnHandlersOptions): OwnHandlers {
  let openapi: string | undefined

  return {
    anyone: {
      receiveCallback: async (request) => replyOf(await live.receiveCallback(request)),
      getHealth: () => jsonReply({ status: 'ok' }),
      getReadiness: async () => {
        const lacks = await health.lacks()
        if (lacks.length === 0) return jsonReply({ status: 'ready' })
        return { ...jsonReply({ status: 'not ready', lacks }), status: 503 }
      },
      getOpenapi: () =>
        textReply((openapi ??= JSON.stringify(createOpenapi({ basePath }))), 'application/json'),
      getMetrics: async () => {
        if (!metrics) throw refusals.unknownOperation()
        await health.measure()
        const { type, text } = await metrics.read()
        return textReply(text, type)
      },
    },
    pages: {
      getSession: (request, { person: { univid } }) => {
        refuseSearch(request)
        return jsonReply({ univid, ...session } satisfies Session, univid)
      },
      getEvents: async (request, { person }) => replyOf(await live.open(request, person)),
      getPage: readPage,
    },
  }
}
