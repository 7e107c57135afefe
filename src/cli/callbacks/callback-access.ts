import { join, resolve } from 'node:path'
import type { CallbackStore, StoredCallback } from '../../proxy/callbacks/callback-store.ts'
import { openStorage, StorageError } from '../../proxy/node/index.ts'
import { ConfigError } from '../config/config-error.ts'
import type { MountConfig } from '../config/proxy-config.ts'

/** A callback store, and the mount that it belongs to. */
export interface MountStore extends Pick<MountConfig, 'env' | 'basePath'> {
  readonly store: CallbackStore
}

/** A callback that has not taken effect, without its body. */
export interface ListedCallback extends Omit<StoredCallback, 'body'>, Pick<MountConfig, 'env' | 'basePath'> {}

/** The stored callbacks of all mounts. */
export interface CallbackAccess {
  /** Returns all callbacks in the order of arrival. */
  readonly list: () => Promise<readonly ListedCallback[]>
  /** Returns the body of a callback as text; undefined if it is not stored. */
  readonly read: (id: string) => Promise<string | undefined>
  /** Processes a callback again. Resolves to whether it is stored. */
  readonly replay: (id: string) => Promise<boolean>
}

/** Creates access to the stores of this process. */
export function createCallbackAccess(
  stores: readonly MountStore[],
  replay: CallbackAccess['replay'] = (id) => replayLater(stores, id),
): CallbackAccess {
  return {
    async list() {
      const lists = stores.map(async ({ env, basePath, store }) =>
        (await store.list()).map((callback) => ({ ...callback, env, basePath })),
      )
      return (await Promise.all(lists)).flat().sort((a, b) => a.sequence - b.sequence)
    },
    async read(id) {
      for (const { store } of stores) {
        const callback = await store.read(id)
        if (callback) return new TextDecoder().decode(callback.body)
      }
      return undefined
    },
    replay,
  }
}

/** Makes a callback due, so that a process that shares the store takes it, or the next process begins with it. */
async function replayLater(stores: readonly MountStore[], id: string): Promise<boolean> {
  let isStored = false
  for (const { store } of stores) {
    if (store.sharing) {
      if (await store.sharing.replay(id)) isStored = true
      continue
    }
    const callback = await store.read(id)
    if (!callback) continue
    isStored = true
    await store.update(id, { ...callback.progress, attempts: 0, dueAt: Date.now() })
  }
  return isStored
}

/** Returns the directory of a mount. Its name contains the environment, so that no other gets its callbacks. */
export function mountDirectory(
  dataDirectory: string,
  { env, basePath }: Pick<MountConfig, 'env' | 'basePath'>,
): string {
  return join(resolve(dataDirectory), `callbacks.${env}${basePath.replaceAll('/', '.')}`)
}

/** Opens the storage of a mount. */
export async function openMountStorage(
  dataDirectory: string,
  { env, basePath }: Pick<MountConfig, 'env' | 'basePath'>,
) {
  const directory = mountDirectory(dataDirectory, { env, basePath })
  try {
    return await openStorage(directory)
  } catch (cause) {
    const reason =
      cause instanceof StorageError
        ? cause.message
        : `It cannot be used: ${reasonOf(cause)}. Choose a folder that this user may write.`
    throw new ConfigError(`ROUTESLIP_DATA is "${dataDirectory}". ${reason}`, { cause })
  }
}

/** Returns the message of the first cause of an error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? reasonOf(cause) : message
}
