import { browserOperations } from '../../contract/services/browser-operations.ts'
import { personKey } from '../../contract/values/patterns.ts'
import { createBufferSpace } from '../admission/buffer-space.ts'
import { createSlots, type Slots } from '../admission/slots.ts'
import { createSharedReads } from '../admission/shared-reads.ts'
import { createDesk, type Desk } from '../desk/desk.ts'
import { createListHandlers } from '../desk/list-handlers.ts'
import { createUploadFingerprints, type UploadFingerprints } from '../files/upload-fingerprint.ts'
import type { OwnServiceOperation } from '../../contract/routes/own-routes.ts'
import { createLockHandlers, servedLockOperations } from '../handlers/lock-handlers.ts'
import { createReminderHandlers } from '../handlers/reminder-handlers.ts'
import { createOperationHandlers } from '../handlers/operation-handlers.ts'
import { createOwnHandlers } from '../handlers/own-handlers.ts'
import { workAtOnce } from '../validation/heavy-work.ts'
import { createCsrfGuard } from '../http/csrf.ts'
import { createRouter, type RouteMatch } from '../http/router.ts'
import { createRunOnce, type RunOnce } from '../idempotency/run-once.ts'
import { createLiveUpdates, type LiveUpdates } from '../live/live-updates.ts'
import { ownServiceOperations } from '../../contract/services/own-service-operations.ts'
import { createMemoryLockStore } from '../locks/lock-store.ts'
import { createOpenLocks } from '../locks/open-locks.ts'
import { createStandstills } from '../locks/standstills.ts'
import { createHealth, type Health } from '../handlers/health.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'
import { createTracing, type Tracing } from '../observe/tracing.ts'
import type { Settings } from './options.ts'
import { createAuthorizer } from '../rights/authorizer.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { createBodyReader } from '../operation/body.ts'
import type { OwnServiceHandler } from '../rights/operation-handler.ts'
import { operationRoute, routesOf, type ServedRoute, withoutBodyRights } from './served-routes.ts'

/** The parts of a mount that its steps use. */
export interface Parts extends Settings {
  readonly startRequest: Tracing['startRequest']
  readonly reportRefusal: ReturnType<typeof createRefusalLog>
  readonly csrf: ReturnType<typeof createCsrfGuard>
  readonly match: (request: Request) => RouteMatch<ServedRoute> | undefined
  readonly requestSlots: Slots
  readonly fileSlots: Slots
  readonly sharedReads: ReturnType<typeof createSharedReads>
  readonly runOnce: RunOnce
  readonly fingerprints: UploadFingerprints
  readonly bodies: ReturnType<typeof createBodyReader>
  readonly live: LiveUpdates
  readonly desk: Desk | undefined
  readonly health: Health
}

/** Creates the parts of a mount. */
export function createParts(settings: Settings): Parts {
  const { env, forms, services, identity, operations, basePath, limits, callbacks, lists } = settings
  const { maxFileSize, extensions } = limits
  const { storage, runtime } = settings
  const { limiter, callbackStore, packageIndex: index } = storage
  const { work = workAtOnce, pausedServices } = runtime
  const { log, startRequest, startCall } = createTracing(settings.observe.startSpan, settings.observe.log)
  const observe = { ...settings.observe, log }
  // The largest body or response fits in any case.
  const size = Math.max(limits.bufferSize, limits.maxBodySize, limits.maxResponseSize)
  const space = createBufferSpace(size)
  const upstream = createUpstream({
    ...limits,
    ...observe,
    ...{ env, services, send: runtime.send, timeouts: limits, space, work, startCall },
  })
  const served = [...operations, ...(lists ? (['sendReminder'] as const) : [])]
  const authorizer = createAuthorizer(upstream, identity.policy, served)
  const sharedReads = createSharedReads()
  const locks = createOpenLocks({
    store: callbackStore.locks ?? createMemoryLockStore(),
    readStandstills: createStandstills(upstream, () => ({
      as: 'application',
      requestId: crypto.randomUUID(),
      signal: new AbortController().signal,
    })),
    ...observe,
    alarmAge: callbacks.lockAlarmAge,
  })
  const desk = lists && createDesk({ ...lists, index, upstream, forms, pausedServices, log })
  const live = createLiveUpdates({
    ...limits,
    ...observe,
    ...storage,
    ...{ forms, upstream, rights: authorizer, callbacks, locks, desk, onAnnounced: sharedReads.forget },
  })
  const { metrics } = observe
  const health = createHealth({ bus: storage.bus, pausedServices, live, metrics })
  const fingerprints = createUploadFingerprints(runtime.readUpload)
  const recorder = { log, onChange: live.announceChange }
  // Without lists, nobody is reminded.
  const entryTurns = (desk && storage.entryTurns) ?? createSlots({ perHolder: 1, wait: entryTimeout })
  const handlerOf = createOperationHandlers({
    ...recorder,
    entryTurns,
    upstream,
    authorizer,
    uploads: { ...limits, read: fingerprints.read, scan: settings.scan, log },
    countCreation: (univid) =>
      limiter.count('packages', personKey(univid), limits.packagesPerHour, 3_600_000),
    presign: { linkSeconds: limits.linkSeconds, objectOrigins: services.storage.objectOrigins, log },
    locks,
  })
  const lockHandlers = createLockHandlers({ ...recorder, upstream, authorizer, locks })
  const reminders = lists?.reminders
  const ownHandlers: Partial<Record<OwnServiceOperation, OwnServiceHandler>> = {
    ...Object.fromEntries(servedLockOperations(operations).map((name) => [name, lockHandlers[name]])),
    ...(desk && createListHandlers({ desk, upstream, authorizer, forms })),
    ...(desk &&
      createReminderHandlers({ ...recorder, ...reminders, desk, upstream, authorizer, entryTurns })),
  }
  const ownNames = Object.keys(ownHandlers) as OwnServiceOperation[]
  const allows = {
    operations: [...operations, ...ownNames],
    maxFileSize,
    extensions: extensions && [...extensions],
    resubmit: settings.resubmit,
  }
  const session = { env, forms: [...forms], allows }
  const own = createOwnHandlers({ basePath, session, live, health, metrics })
  const match = createRouter<ServedRoute>(basePath, [
    ...routesOf(own.anyone).map((route) => ({ ...route, access: 'anyone' as const })),
    ...routesOf(own.pages).map((route) => ({ ...route, access: 'page' as const })),
    ...operations.map((name) =>
      operationRoute(name, browserOperations[name], { ...authorizer, handle: handlerOf(name) }),
    ),
    ...ownNames.map((name) =>
      operationRoute(name, ownServiceOperations[name], { ...withoutBodyRights, ...ownHandlers[name]! }),
    ),
  ])
  return {
    ...settings,
    observe,
    startRequest,
    reportRefusal: createRefusalLog(observe),
    csrf: createCsrfGuard(identity.origins, identity.site),
    match,
    requestSlots: createSlots({ perHolder: limits.requestsPerPerson }),
    fileSlots: createSlots({ perHolder: limits.filesPerPerson, total: limits.files, wait: fileTimeout }),
    sharedReads,
    runOnce: createRunOnce({ store: storage.outcomeStore, log }),
    fingerprints,
    bodies: createBodyReader({
      maxSize: limits.maxBodySize,
      timeout: limits.bodyTimeout,
      perPerson: limits.bodiesPerPerson,
      ...{ work, space },
    }),
    live,
    desk,
    health,
  }
}

/** Maximum time that a change of an entry waits for another one, in ms. */
const entryTimeout = 30_000
/** Maximum time that a file waits for a slot, in ms. */
const fileTimeout = 30_000
