import { z } from 'zod'
import { ownRoutes } from '../../contract/routes/own-routes.ts'
import {
  type PagePart,
  type PagePartHead,
  pageParts,
  pagePartsType,
} from '../../contract/routes/package-page.ts'
import { pageRoutes } from '../../contract/routes/page-routes.ts'
import { parseQuery } from '../../contract/services/parse-query.ts'
import { fillPath } from '../../contract/values/path.ts'
import type { AllowedActions } from '../../contract/schemas/session.ts'
import { checked } from '../http/parse-body.ts'
import { problemReply, type ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { type Reply, textReply } from '../http/reply.ts'
import { searchOf } from '../http/request-url.ts'
import type { PageFacts, PageHandler } from './own-handler.ts'

const Query = z.strictObject({ part: z.array(z.enum(pageParts)).min(1).max(pageParts.length) })

/**
 * Replies with several reads of one package. The rights are read once and come first. They decide whether the other parts are
 * read; these follow in the order in which they are ready. Throws `ProxyError` if the parameters are not valid.
 */
export const readPage: PageHandler = (request, { person, params, requestId, read }) => {
  const search = new URLSearchParams(searchOf(request) ?? '')
  const parts = new Set(checked(parseQuery(Query, search)).part)
  let isOpen = true
  const body = new ReadableStream<Uint8Array>({
    cancel: () => void (isOpen = false),
    async start(controller) {
      const send = async (part: PagePart, pending: Reply | Promise<Reply>) => {
        if (!parts.has(part)) return
        const lines = await linesOf(part, await pending)
        if (isOpen) for (const line of lines) controller.enqueue(line)
      }
      const ofPackage = [...parts].filter((part) => part !== 'getSession' && part !== 'getActions')
      const session = parts.has('getSession')
        ? send('getSession', read(ownRoutes.getSession.path))
        : undefined
      const rights = await read(pathOf('getActions', params))
      await send('getActions', rights)
      const refusal = await refusalAfter(rights, Number(params['packageId']))
      const others = ofPackage.map((part) =>
        send(part, refusal ? problemReply(refusal, requestId) : read(pathOf(part, params))),
      )
      await Promise.all([session, ...others])
      if (isOpen) controller.close()
    },
  })
  return textReply(body, pagePartsType, person.univid)
}

/** Why the other parts of a page must not be read; `undefined` if they may, or if the rights could not be read. */
async function refusalAfter(rights: Reply, packageId: number): Promise<ProxyError | undefined> {
  // Without the rights, the service still decides about each part.
  if (rights.status !== 200) return undefined
  const rows = JSON.parse(new TextDecoder().decode(await bytesOf(rights))) as readonly AllowedActions[]
  const row = rows.find((one) => one.packageId === packageId)
  if (!row) return refusals.notFound()
  return row.canView ? undefined : refusals.notAllowed()
}

function pathOf(part: Exclude<PagePart, 'getSession'>, params: PageFacts['params']): string {
  const { formId = '', packageId = '' } = params
  const path = fillPath(pageRoutes[part].path, params)
  return part === 'getActions' ? `${fillPath(pageRoutes.getActions.path, { formId })}?id=${packageId}` : path
}

/** Returns the two lines of a part. The proxy writes JSON without line breaks. */
async function linesOf(part: PagePart, reply: Reply): Promise<readonly Uint8Array[]> {
  const retryAfter = reply.headers['Retry-After']
  const head: PagePartHead = { part, status: reply.status, ...(retryAfter !== undefined && { retryAfter }) }
  return [encode(`${JSON.stringify(head)}\n`), await bytesOf(reply), encode('\n')]
}

async function bytesOf({ body }: Reply): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  return typeof body === 'string' ? encode(body) : new Uint8Array(await new Response(body).arrayBuffer())
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
