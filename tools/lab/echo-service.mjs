// Both services of a load test: every package exists, and contains the person on whose behalf it was requested. Listens on
// PORT, or on any free port. FAIL_EVERY and SLOW_EVERY make one of so many requests fail, or take 300 ms.
import { createServer } from 'node:http'

const { PORT = '0', PUBLIC_KEY = '', FAIL_EVERY, SLOW_EVERY } = process.env
let count = 0
const flags = [
  'canView',
  'canEdit',
  'canSign',
  'canVoid',
  'canInitiatorVoid',
  'canAddApprover',
  'canVoidAfter',
]

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://service.test')
  const univid = String(request.headers['x-workflow-request-user'])
  request.resume()
  if (pathname.endsWith('/public-key')) return response.end(Buffer.from(PUBLIC_KEY, 'base64url'))
  const ids = searchParams.getAll('id').map(Number)
  const id = Number(/\/packages\/(\d+)$/.exec(pathname)?.[1])
  const value = id
    ? packageOf(id, univid)
    : pathname.endsWith('/status')
      ? ids.map(statusOf)
      : ids.map(actionsOf)
  count++
  if (FAIL_EVERY && count % Number(FAIL_EVERY) === 0) response.statusCode = 500
  const send = () => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  if (SLOW_EVERY && count % Number(SLOW_EVERY) === 0) setTimeout(send, 300)
  else send()
})
server.keepAliveTimeout = 60_000
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`Service on http://127.0.0.1:${server.address().port}/`),
)

function packageOf(id, univid) {
  return {
    id,
    state: 'ROUTING',
    subType: null,
    emailContent: { packageDetails: `<p>For ${univid}. ${'Please look at the dates. '.repeat(20)}</p>` },
    actions: actionsOf(id),
    routingDate: '2026-01-12T09:30:00',
    actionDate: '2026-01-14T16:05:00',
    initiator: null,
    voidReason: null,
    commentCount: 3,
    attachmentCount: 2,
  }
}

function actionsOf(packageId) {
  return { ...Object.fromEntries(flags.map((flag) => [flag, true])), packageId, signatureId: 7 }
}

function statusOf(id) {
  return { id, state: 'ROUTING', inboxSignatures: [] }
}
