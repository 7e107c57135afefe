import { isRecord } from '../../../contract/values/values.ts'
import type { EntryValues } from '../state/entry-merge.ts'

/** The form that a copy belongs to. */
export interface CopyScope {
  /** University id of the signed-in person. */
  readonly person: string
  /** Root URL of the proxy, because another mount may serve a form with the same id. */
  readonly endpoint: string
  readonly formId: number
  /** 0 for a new request. */
  readonly packageId: number
  /** Which of several new requests of the same form on a page. Default: the first, 0. */
  readonly place?: number
}

/** The values that a person typed and the service does not have yet. */
export interface LocalCopy {
  /** The fields that a person has changed. */
  readonly entry: EntryValues
  /** What the service had in these fields, as far as it is known. */
  readonly base?: EntryValues
  /** The names of files that a person had chosen. Browsers cannot keep the files themselves. */
  readonly files?: readonly string[]
  /** The creation that was sent and whose outcome is unknown. It must be repeated with this key and this body. */
  readonly creation?: { readonly key: string; readonly body: unknown }
  /** Of a new request: the package that was created for it and is not submitted yet. */
  readonly packageId?: number
  /** When it was written, in milliseconds since 1970. */
  readonly savedAt: number
}

/** Increase it if `LocalCopy` changes. Copies of other versions are ignored. */
const version = 1

const prefix = 'routeslip-form'

/** Where copies are kept. By default, in this browser until they are removed. */
interface LocalCopiesOptions {
  /** Returns the storage. May throw, as `localStorage` does if the person has disabled it. */
  readonly storage?: () => Storage
}

/** Keeps copies of what people typed in this browser. No method throws: a page works without its copies. */
export class LocalCopies {
  readonly #storage: () => Storage

  constructor({ storage = () => localStorage }: LocalCopiesOptions = {}) {
    this.#storage = storage
  }

  /** Returns the copy; `undefined` if it does not exist or is not readable. */
  read(scope: CopyScope): LocalCopy | undefined {
    return this.#try((storage) => parseCopy(storage.getItem(keyOf(scope))))
  }

  /** Writes the copy. Returns false if that is not possible: storage is full or disabled. Then an earlier copy remains. */
  write(scope: CopyScope, copy: LocalCopy): boolean {
    return Boolean(
      this.#try((storage) => {
        storage.setItem(keyOf(scope), JSON.stringify({ version, ...copy }))
        return true
      }),
    )
  }

  remove(scope: CopyScope): void {
    this.#try((storage) => storage.removeItem(keyOf(scope)))
  }

  /** Removes the copies of all other people, who have signed out. */
  removeOthers(person: string): void {
    this.#try((storage) => {
      for (const key of Object.keys(storage)) {
        if (key.startsWith(`${prefix} `) && !key.startsWith(keyOfPerson(person))) storage.removeItem(key)
      }
    })
  }

  /**
   * Reports each change of the copy in another tab: the new copy, or `undefined` if it was removed. Returns a function
   * that ends the reports.
   */
  watch(scope: CopyScope, onChange: (copy: LocalCopy | undefined) => void): () => void {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      // The key is null if the site has cleared its storage.
      if (key === null || key === keyOf(scope)) onChange(parseCopy(newValue))
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }

  #try<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return use(this.#storage())
    } catch {
      return undefined
    }
  }
}

function keyOfPerson(person: string): string {
  return `${prefix} ${encodeURIComponent(person)} `
}

/** Returns the key of a copy, which no other request of the person has. */
export function keyOf({ person, endpoint, formId, packageId, place = 0 }: CopyScope): string {
  const request = packageId || place === 0 ? packageId : `0-${place}`
  return keyOfPerson(person) + [encodeURIComponent(endpoint), formId, request].join(' ')
}

function parseCopy(text: string | null): LocalCopy | undefined {
  try {
    const copy: unknown = JSON.parse(text ?? '')
    if (!isRecord(copy)) return undefined
    const { version: found, entry, base, files, creation, packageId, savedAt } = copy
    if (found !== version || !isRecord(entry) || typeof savedAt !== 'number') return undefined
    return {
      entry,
      ...(isRecord(base) && { base }),
      ...(Array.isArray(files) && { files: files.map(String) }),
      ...(isRecord(creation) &&
        typeof creation['key'] === 'string' && {
          creation: { key: creation['key'], body: creation['body'] },
        }),
      ...(typeof packageId === 'number' && { packageId }),
      savedAt,
    }
  } catch {
    return undefined
  }
}
