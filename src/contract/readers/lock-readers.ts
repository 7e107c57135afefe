import { id, object, orNull, requiredFlag, requiredText, rows, text } from './field-readers.ts'
import type { OpenLock, OpenLockList, Release } from '../schemas/callbacks.ts'
import { stopReference } from './page-readers.ts'

const locks = object<OpenLockList>({
  locks: rows(
    object<OpenLock>({
      packageId: id,
      lockId: id,
      stop: orNull(stopReference),
      since: text,
      mayRelease: requiredFlag,
    }),
  ),
  hasMore: requiredFlag,
})

/** The readers of the JSON responses to `ownLockRoutes`. */
export const lockReaders = {
  getLocks: locks,
  getFormLocks: locks,
  releaseLock: object<Release>({ state: requiredText, isPaused: requiredFlag }),
}
