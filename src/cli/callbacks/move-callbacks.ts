import { existsSync } from 'node:fs'
import type { CallbackStore } from '../../proxy/callbacks/callback-store.ts'
import type { Log } from '../../proxy/observe/log.ts'
import { mountDirectory, openMountStorage } from './callback-access.ts'
import type { MountConfig } from '../config/proxy-config.ts'

interface MoveCallbacksOptions {
  readonly dataDirectory: string
  readonly mount: Pick<MountConfig, 'env' | 'basePath'>
  readonly to: CallbackStore
  readonly log: Log
}

/**
 * Moves the callbacks and locks that a proxy without Redis has left in its directory. If that fails, the rest stays there, and
 * is moved at the next start.
 */
export async function moveCallbacks({ dataDirectory, mount, to, log }: MoveCallbacksOptions): Promise<void> {
  if (!existsSync(mountDirectory(dataDirectory, mount))) return
  const { callbackStore: from, close } = await openMountStorage(dataDirectory, mount)
  let count = 0
  try {
    for (const { id } of await from.list()) {
      const callback = await from.read(id)
      if (!callback) continue
      await to.add(callback)
      await from.finish(id)
      count += 1
    }
    for (const unverified of await from.unverified.list()) {
      await to.unverified?.add(unverified)
      await from.unverified.remove(unverified)
      count += 1
    }
    for (const lock of await from.locks.list()) {
      if (!(await to.locks?.get(lock))) await to.locks?.put(lock)
      await from.locks.remove(lock)
      count += 1
    }
  } catch (error) {
    const text = 'Callbacks in ROUTESLIP_DATA could not be moved to Redis, and wait for the next start'
    log('error', text, { error: String(error) })
  } finally {
    await close()
  }
  if (count > 0) log('info', 'Callbacks and locks were moved from ROUTESLIP_DATA to Redis', { count })
}
