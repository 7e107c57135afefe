import { type Fault, named, without } from './fault.ts'

const connection = (test: string) => named('client/live/live-connection.node', test)
const stream = (test: string) => named('client/live/live-stream', test)
const streams = (test: string) => named('proxy/live/event-streams.node', test)
const bus = (test: string) => named('proxy/changes/bus.node', test)
const receiver = (test: string) => named('proxy/callbacks/callback-receiver.node', test)
const crash = (test: string) => named('proxy/callbacks/crash.node', test)
const inbox = (test: string) => named('proxy/callbacks/callback-inbox.node', test)
const key = (test: string) => named('proxy/callbacks/callback-key.node', test)
const reconciler = (test: string) => named('proxy/changes/reconciler.node', test)

/** Live events and callbacks. */
export const streamFaults: readonly Fault[] = [
  {
    id: 'F53',
    fault: 'The stream of live events is refused, silent, buffered or cut off',
    page: 'It polls, and connects again after growing waits.',
    services: 'Requests at the usual interval.',
    proofs: [
      connection('waits longer before each reconnect, 30 seconds at most (F53)'),
      connection('ends a stream that is silent for too long, and only then'),
      stream('is replaced after a silence, and is not live meanwhile (F53)'),
      named('client/sharing', 'polls at each interval without live events (F53)'),
    ],
    control: without(
      'client/live/live-connection',
      'const watchSilence = () => setTimer(() => abort.abort(), silence)',
      'const watchSilence = () => void silence',
      connection('ends a stream that is silent for too long, and only then'),
    ),
  },
  {
    id: 'F54',
    fault: 'Ten windows of one site, some of them hidden',
    page: 'Visible ones have events; a hidden one reads when it is shown.',
    services: 'One stream per visible window.',
    proofs: [
      stream('each have a stream of their own (F54)'),
      stream(
        'closes its stream when it is hidden, and continues from the last event when it is visible again',
      ),
      named('e2e/pages.node', 'have one stream of events each while they are visible (F54)'),
      named(
        'proxy/admission/limiter.node',
        'leave room for the streams of ten visible pages of a person by default',
      ),
    ],
    control: without(
      'client/live/live-stream',
      'else suspend()',
      'else update()',
      stream(
        'closes its stream when it is hidden, and continues from the last event when it is visible again',
      ),
    ),
  },
  {
    id: 'F55',
    fault: 'The id of the last event is too old, of another person, or nonsense',
    page: 'It loads everything again.',
    services: 'Only packages that the person may view are named.',
    proofs: [
      streams('sends one resync event if the last event id is unknown (F55)'),
      streams(
        'continues after the last event that the browser received, with what the person may view (F55, T26)',
      ),
      bus('does not know ids of another process, or invalid ids (F55)'),
      connection('never sends an id that a header cannot carry (F55)'),
    ],
    control: without(
      'proxy/changes/bus',
      'return index === -1 ? undefined : events.slice(index + 1)',
      'return events.slice(index + 1)',
      bus('does not know ids of another process, or invalid ids (F55)'),
    ),
  },
  {
    id: 'F56',
    fault: 'A callback comes a hundred times, out of order, or with 5,000 others',
    page: 'The state that was read from the service.',
    services: 'One effect for each callback.',
    proofs: [
      receiver('processes a callback once, however often it is sent (T28, F56)'),
      receiver('accepts each callback once among repeated, reordered and forged ones (T27, F56)'),
      receiver('processes 5,000 different callbacks at once, each once (F56)'),
      named('proxy/callbacks/callback-store.node', 'stores only the first of many equal callbacks (F56)'),
    ],
    control: without(
      'proxy/callbacks/callback-store',
      'if ((expiries.get(id) ?? -Infinity) > now()) return Promise.resolve(false)',
      'void id',
      named('proxy/callbacks/callback-store.node', 'stores only the first of many equal callbacks (F56)'),
    ),
  },
  {
    id: 'F57',
    fault: 'The proxy is killed while it stores a callback, or afterwards',
    page: 'The change is announced after the restart.',
    services: 'Each accepted callback has its effect.',
    proofs: [
      crash('loses none that it has accepted, and gives a repeated one the same id (F57)'),
      crash('verifies the callbacks that wait for it after the next start, and drops forgeries (F57, T29)'),
      inbox('processes what an earlier process has left, in order, and announces it again (F57)'),
      inbox('returns 503 if a callback could not be stored, and 200 when it can be'),
    ],
    control: without(
      'proxy/callbacks/callback-receiver',
      'await inbox.add(body, callback)',
      'void inbox.add(body, callback).catch(() => {})',
      inbox('returns 503 if a callback could not be stored, and 200 when it can be'),
    ),
  },
  {
    id: 'F58',
    fault: 'A frozen route cannot be released, because the service fails',
    page: 'The pause stays visible, with the outcome.',
    services: 'The lock stays known. An old one raises an alarm.',
    proofs: [
      named(
        'proxy/locks/locks.node',
        'is not claimed if the service failed, and the lock stays known until one succeeds (F58)',
      ),
      named(
        'proxy/locks/open-locks.node',
        'a route that stays frozen, with its age, once per that time (F58)',
      ),
      named(
        'proxy/locks/open-locks.node',
        'a service that does not respond, for each form, and raises alarms all the same',
      ),
      named(
        'elements/wf-package-status/pause',
        'keeps the reason and names the outcome if the service fails (F58)',
      ),
    ],
    control: without(
      'proxy/handlers/lock-handlers',
      'if (failure && !isUnknown && !found?.isOver) throw failure',
      'void failure',
      named(
        'proxy/locks/locks.node',
        'is not claimed if the service failed, and the lock stays known until one succeeds (F58)',
      ),
    ),
  },
  {
    id: 'F59',
    fault: 'The key of the callbacks changes, or cannot be fetched',
    page: 'Nothing unusual.',
    services: 'None is lost: those that cannot be verified yet wait.',
    proofs: [
      key('stays in use if a later request fails or returns no key (F59)'),
      key('loses no callback during a key rotation, in any order of events (T29)'),
      key('is fetched again if a request hangs, and an older response does not replace a newer one (F59)'),
      receiver('with a key in'),
    ],
    control: without(
      'proxy/callbacks/callback-key',
      'if (cached && cached.generation > requested) return false',
      'void requested',
      key('is fetched again if a request hangs, and an older response does not replace a newer one (F59)'),
    ),
  },
  {
    id: 'F60',
    fault: 'A callback never comes',
    page: 'The change, after the next search.',
    services: 'The proxy compares followed packages every 15 seconds.',
    proofs: [
      reconciler('announces each change that no callback announced, once (F60)'),
      reconciler('compares periodically, and reads newly followed packages at once (F60)'),
      named('proxy/live/live-updates.node', 'find a new comment, which has no callback'),
    ],
    control: without(
      'proxy/changes/reconciler',
      'const text = found.get(packageId)',
      'const text = found.has(packageId) ? "" : undefined',
      reconciler('announces each change that no callback announced, once (F60)'),
    ),
  },
]
