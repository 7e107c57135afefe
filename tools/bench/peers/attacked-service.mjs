// A routing service that responds from memory: a package, a history of 10,000 events, the largest that the proxy accepts, and
// an endless attachment.
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'

const flags = [
  'canView',
  'canEdit',
  'canSign',
  'canVoid',
  'canInitiatorVoid',
  'canAddApprover',
  'canVoidAfter',
]
const actions = { ...Object.fromEntries(flags.map((flag) => [flag, true])), packageId: 42, signatureId: 7 }
const noActions = { ...actions, ...Object.fromEntries(flags.map((flag) => [flag, false])) }
const person = {
  id: 1,
  displayName: 'Ana Lucia Ferreira',
  title: 'Professor',
  univid: '10000001',
  hrdeptdesc: 'Biology',
}
const events = Array.from({ length: 30_000 }, (_, index) => ({
  '@class': 'signature',
  actionDate: '2026-01-14T16:05:00',
  person,
  stop: { name: `Stop ${index}`, stopNumber: index },
  permission: 'SIGNATURE_REQUIRED',
  context: 'Chair of the department',
  resolution: { '@class': 'person', ...person },
  routingDate: '2026-01-12T09:30:00',
  office: null,
  state: 'APPROVED',
  autoSigned: false,
  inboxSigned: true,
  isInInbox: false,
}))
const responses = {
  '/42': { id: 42, state: 'ROUTING', actions, initiator: person },
  '/actions': [actions],
  '/42/attachments': [{ id: 7, fileName: 'big.bin', fileSize: 1e9 }],
  '/42/history': events.slice(0, 10_000),
  // 16.6 of 16.8 MB.
  '/1/history': events,
}
const texts = Object.fromEntries(
  Object.entries(responses).map(([path, value]) => [path, JSON.stringify(value)]),
)
const textsOfOutsiders = { '/actions': JSON.stringify([noActions]) }
const asset = JSON.stringify({
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  filename: 'a.txt',
  fileSize: 2_000_000,
  contentType: 'text/plain',
  uploadDate: '2026-01-14T16:05:00.000',
  expirationDate: '2027-01-14T16:05:00',
  metadata: null,
})
const piece = Buffer.alloc(64 * 1024)

function sendJson(response, text) {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
}

function* endless() {
  for (;;) yield piece
}

const server = createServer((request, response) => {
  request.resume()
  const path = new URL(request.url, 'http://service').pathname
    .replace(/^.*\/packages/, '')
    .replace(/^\/\d{2,}\/history$/, '/42/history')
  if (path === '/42/attachments/7') {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' })
    return pipeline(endless(), response, () => {})
  }
  if (request.method === 'POST') {
    // Like the real service, which stores a file before it responds.
    return request.on('end', () => sendJson(response, asset))
  }
  const isOutsider = request.headers['x-workflow-request-user'] === '9000000'
  const text = (isOutsider ? textsOfOutsiders[path] : undefined) ?? texts[path]
  sendJson(response, text ?? '{"entry":{},"emailContent":null}')
})
// Longer than an attack keeps the proxy busy, so that no read finds its connection closed.
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', () => console.log(`Service on http://127.0.0.1:${server.address().port}/`))
