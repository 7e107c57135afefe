import { type Fault, named, without } from './fault.ts'

const send = (test: string) => named('proxy/node/send.node', test)
const transfer = (test: string) => named('client/uploads/uploads', test)
const status = (test: string) => named('elements/wf-package-status/live', test)
const actions = (test: string) => named('elements/wf-package-status/actions', test)
const uploader = (test: string) => named('elements/fs-uploader', test)
const attachments = (test: string) => named('elements/wf-attachments', test)
const uploadParser = (test: string) => named('proxy/node/upload.node', test)
const halfOpen = (test: string) => named('proxy/node/half-open.node', test)
const unreachable = (test: string) => named('proxy/node/unreachable.node', test)
const slowDownloads = (test: string) => named('proxy/node/slow-downloads.node', test)

/** Connections between the browser and the proxy, and between the proxy and the services. */
export const networkFaults: readonly Fault[] = [
  {
    id: 'F01',
    fault: 'A service is down or refuses connections',
    page: 'The last content, marked as out of date, until it recovers.',
    services: 'After repeated failures, one request after a pause.',
    proofs: [
      status('becomes stale during an outage, keeps its content, and recovers (F01)'),
      named('elements/notices/outage', 'is announced once for the page, with the names of what it affects'),
      send('gets no requests for a while, after its failures were returned (F01)'),
      named('client/reads/poller.node', 'waits longer after each failed poll, up to the maximum'),
    ],
    control: without(
      'proxy/node/breaker',
      'if (total >= calls && failed >= total * failures) open()',
      'void failed',
      send('gets no requests for a while, after its failures were returned (F01)'),
    ),
  },
  {
    id: 'F02',
    fault: 'A service accepts the connection and never responds',
    page: 'The request times out; an upload is shown as stalled.',
    services: 'The call is aborted.',
    proofs: [
      named('proxy/upstream/upstream.node', 'aborts a call at the timeout and not before (F02)'),
      named('client/client', 'rejects after the timeout (F02)'),
      transfer('stalls if no byte is sent, and continues by itself when one is (F02)'),
    ],
    control: without(
      'proxy/upstream/upstream',
      'else deadline.start(timeout)',
      'else void timeout',
      named('proxy/upstream/upstream.node', 'aborts a call at the timeout and not before (F02)'),
    ),
  },
  {
    id: 'F03',
    fault: 'Each response takes seconds',
    page: 'A placeholder, and no jump when content is loaded again.',
    services: 'Never more calls than the limit. A change once.',
    proofs: [
      named('elements/slow', 'show a placeholder at once'),
      named('elements/slow', 'keep the content and its height in place'),
      named('elements/slow', 'get one request for a change'),
      named('elements/slow', 'leave a file unconfirmed until they respond'),
      named('proxy/slow-service.node', 'never has more calls open than the limit'),
      named('proxy/slow-service.node', 'ends the call of each request that times out'),
    ],
    control: without(
      'proxy/upstream/upstream',
      'const leave = isUpload ? undefined : (places.acquire(holder) ?? (await places.take({ holder, signal })))',
      'const leave: (() => void) | undefined = undefined',
      named('proxy/slow-service.node', 'never has more calls open than the limit'),
    ),
  },
  {
    id: 'F04',
    fault: 'The connection carries a few kilobytes per second',
    page: 'Progress, without a timeout.',
    services: 'The whole file. Almost silent connections are ended.',
    proofs: [
      named(
        'client/uploads/uploads-progress.node',
        'postpones the stall with each byte, reported or not (F04)',
      ),
      uploadParser('may take as long as it needs if it sends steadily (F04)'),
      uploadParser('times out if it sends hardly anything (F04)'),
      named(
        'client/transport/request-end.node',
        'is not aborted before its body has taken 12 times the timeout (F04)',
      ),
    ],
    control: without(
      'proxy/node/rate',
      'if (slots.length === slotsOfWindow && sum < minRate * stallSeconds) stalled()',
      'void stalled',
      uploadParser('times out if it sends hardly anything (F04)'),
    ),
  },
  {
    id: 'F05',
    fault: 'Packets of one byte',
    page: 'The same as always.',
    services: 'The same bytes.',
    proofs: [
      named('proxy/node/node.node', 'arrive byte for byte, however they are divided into chunks (F05)'),
      named('proxy/node/node.node', 'arrive in chunks of one byte (F05)'),
      uploadParser('arrives byte for byte, however it is divided into chunks (F05)'),
    ],
    control: without(
      'proxy/files/peek',
      'while (size < length && !isEnd) {',
      'while (size < 1 && !isEnd) {',
      named('proxy/files/upload.node', 'returns the head and all bytes, at every length'),
    ),
  },
  {
    id: 'F06',
    fault: 'The connection is reset before the response',
    page: 'It reads the state again, and shows whether the change was made.',
    services: 'The change once or not at all.',
    proofs: [
      actions('verifies the state if the response to'),
      attachments('probes the list after a lost response, and sends nothing twice (F06, F09)'),
      named('client/sharing', 'never retries a write'),
      named('e2e/lost-connections.node', 'voids a package once, and shows that'),
    ],
    control: without(
      'elements/wf-package-status/actions/package-actions',
      'error instanceof UnavailableError && !loadError && tookEffect(name, before, value?.found.state)',
      'false',
      actions('verifies the state if the response to'),
    ),
  },
  {
    id: 'F07',
    fault: 'The connection is reset in the middle of a response',
    page: 'The download fails visibly.',
    services: 'Nothing changes.',
    proofs: [
      send('fails: fewer bytes than announced (end)'),
      send('fails: no last chunk (resetAndDestroy)'),
      named(
        'proxy/node/listener.node',
        'never looks complete if the service disconnects halfway, from Node to Node (F07)',
      ),
      named('proxy/proxy.node', 'return 502 instead of a file that is empty or a part (F07)'),
    ],
    control: without(
      'proxy/node/exchange',
      '      fail: reject,\n',
      '      fail: () => resolve(Buffer.concat(chunks)),\n',
      send('fails: fewer bytes than announced (end)'),
    ),
  },
  {
    id: 'F08',
    fault: 'An upload is cut at any byte',
    page: 'The file, or a row that offers to try again.',
    services: 'The file once or not at all.',
    proofs: [
      named('e2e/lost-connections.node', 'stores a file once, also if a person tries again'),
      uploadParser('fails if the browser disconnects before, within or after the file (F08)'),
      named('proxy/files/multipart.node', 'are refused wherever they are cut off'),
      send('leaves no connection open after 30 aborted downloads and 30 aborted uploads (F08)'),
    ],
    control: without(
      'proxy/node/upload',
      'if (source.destroyed) throw refusals.interrupted()',
      'void refusals.interrupted',
      uploadParser('fails at once if the browser has disconnected before it is read (F08)'),
    ),
  },
  {
    id: 'F09',
    fault: 'The connection breaks after the last byte, before the response',
    page: 'It finds the file or the new state.',
    services: 'The change once.',
    proofs: [
      transfer('checks the server after a lost response and finds the stored content (F06, F09)'),
      actions('verifies the state if the response to a void is lost (F09)'),
      named('proxy/idempotency.node', 'runs once, and a repetition gets the same reply'),
      named('elements/wf-form/kills', 'loses no submission, doubles none, and is true on every screen'),
    ],
    control: without(
      'client/uploads/upload-state',
      'return rules.canFind && failed.mayBeStored',
      'return !rules && failed.mayBeStored',
      transfer('checks the server after a lost response and finds the stored content (F06, F09)'),
    ),
  },
  {
    id: 'F10',
    fault: 'One side of a connection has gone, or is closed late',
    page: 'A complete request still gets its response.',
    services: 'Nothing of half a request.',
    proofs: [
      halfOpen('still gets the response to a complete request, and then ends'),
      halfOpen('ends at once after half an upload'),
      halfOpen('gives its place to the next stream of live events at once'),
      halfOpen('ends after the idle timeout if it is silent'),
      halfOpen('does not delay the response, and has no influence on the next one'),
    ],
    control: without(
      'proxy/node/listener',
      '  server.timeout = idleTimeout\n',
      '  void idleTimeout\n',
      halfOpen('has no idle timeout of Node by default, which would keep it for ever (control)'),
    ),
  },
  {
    id: 'F11',
    fault: 'Headers or bodies arrive at a byte per second, or stop',
    page: 'The request ends after its timeout.',
    services: 'The call is aborted.',
    proofs: [
      send('times out if a response stalls (F11)'),
      named(
        'proxy/http/read-body.node',
        'rejects if a body does not arrive in time, and cancels it (T23, F11)',
      ),
      named('proxy/node/listener.node', 'sets no timeout for uploads, and ten seconds for headers'),
    ],
    control: without(
      'proxy/node/send',
      'bodyTimeout, connections })',
      'bodyTimeout: 0, connections })',
      send('times out if a response stalls (F11)'),
    ),
  },
  {
    id: 'F12',
    fault: 'The browser goes offline during an upload',
    page: 'Paused. It continues from the start when the connection is back.',
    services: 'The file once.',
    proofs: [
      uploader('pauses while the browser is offline, and continues when it is online (F12)'),
      transfer('pauses when the connection is lost; when it is back, checks and sends from the start (F12)'),
    ],
    control: without(
      'client/uploads/upload-state',
      '(item) => begin({ ...item, resumes: item.resumes + 1 })',
      '(item) => item',
      transfer('pauses when the connection is lost; when it is back, checks and sends from the start (F12)'),
    ),
  },
  {
    id: 'F13',
    fault: 'The connection comes and goes for a minute',
    page: 'One message. It stops trying after five lost connections.',
    services: 'At most a tenth more requests.',
    proofs: [
      transfer('stops restarting after five lost connections, and counts again after each start() (F13)'),
      named('client/transport/retry.node', 'stops retrying when its budget is spent (F13)'),
      named('client/sharing', 'limits retries to about a tenth of all requests (F13)'),
      status('announces an outage once, even if retries fail, and its end'),
    ],
    control: without(
      'client/transport/retry',
      'spend: () => tokens >= 1 && tokens-- >= 1',
      'spend: () => tokens-- > -Infinity',
      named('client/transport/retry.node', 'stops retrying when its budget is spent (F13)'),
    ),
  },
  {
    id: 'F14',
    fault: 'The name of a service is unknown, or its certificate not valid',
    page: 'As if the service were down.',
    services: 'Nothing: no credentials are sent. The log has the reason.',
    proofs: [
      unreachable('a name that does not exist'),
      unreachable('a certificate that nobody trusts'),
      unreachable('no TLS where the address requires it'),
    ],
    control: without(
      'proxy/node/send',
      'connect: { timeout: connectTimeout }',
      'connect: { timeout: connectTimeout, rejectUnauthorized: false }',
      unreachable('a certificate that nobody trusts'),
    ),
  },
]

/** Large and broken transfers of the services. */
export const transferFaults: readonly Fault[] = [
  {
    id: 'F30',
    fault: 'A download has the wrong length, no type, no bytes or 2 GB, or breaks halfway',
    page: 'The download fails visibly if bytes are missing.',
    services: 'Nothing changes.',
    proofs: [
      slowDownloads('never looks complete if the service announces more than it sends (F30)'),
      slowDownloads('never looks complete if the service dies halfway (F30)'),
      slowDownloads('is saved as plain bytes if the service names no type, and may be empty (F30)'),
      slowDownloads('takes little memory, however large it is (F30)'),
    ],
    control: without(
      'proxy/node/listener',
      '  pipeline(source, outgoing, stop)\n',
      "  source.on('error', () => outgoing.end()).pipe(outgoing).on('close', stop)\n",
      slowDownloads('never looks complete if the service dies halfway (F30)'),
    ),
  },
  {
    id: 'F35',
    fault: 'A PDF takes longer than every timeout to render and to arrive',
    page: 'It continues while bytes arrive.',
    services: 'The call ends if the person cancels.',
    proofs: [
      slowDownloads('may take longer than every timeout while bytes arrive'),
      slowDownloads('may begin later than the response to a read, which has its own timeout'),
      slowDownloads('ends in the service when the person cancels it'),
    ],
    control: without(
      'proxy/upstream/upstream',
      'deadline.start(Math.max(timeout, downloadTimeout))',
      'deadline.start(timeout)',
      slowDownloads('may begin later than the response to a read, which has its own timeout'),
    ),
  },
]
