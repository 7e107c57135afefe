import { decodeBytes, encodeBytes } from '../../contract/values/byte-text.ts'
import { refusals } from '../http/refusals.ts'
import type { ListPosition, PackageIndex } from './package-index.ts'

/** Places in lists, sealed: the text reveals nothing, and is valid only for the same person and list. */
export interface Cursors {
  readonly seal: (position: ListPosition, list: unknown) => Promise<string>
  /** Throws `ProxyError` 400 if the text was not sealed for this list, or more than 24 hours ago. */
  readonly open: (text: string, list: unknown) => Promise<ListPosition>
}

/** Creates cursors. Their key lies in the index, so that they survive a restart, and every process can open them. */
export function createCursors(index: PackageIndex, now: () => number): Cursors {
  let key: Promise<CryptoKey> | undefined

  async function readKey(): Promise<CryptoKey> {
    const newKey = encodeBytes(crypto.getRandomValues(new Uint8Array(32)), 'base64url')
    await index.replaceNote('cursorKey', undefined, newKey)
    const bytes = decodeBytes((await index.readNote('cursorKey')) ?? '', 'base64url') ?? new Uint8Array()
    return await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  }

  async function currentKey(): Promise<CryptoKey> {
    key ??= readKey()
    // A failure is not kept.
    key.catch(() => (key = undefined))
    return await key
  }

  const settings = (iv: Uint8Array<ArrayBuffer>, list: unknown) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(JSON.stringify(list)),
  })

  return {
    async seal({ changedAt, formId, packageId }, list) {
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const text = JSON.stringify([now() + lifetime, changedAt, formId, packageId])
      // Of the same length for all places.
      const bytes = new TextEncoder().encode(text.padEnd(textLength))
      const sealed = new Uint8Array(
        await crypto.subtle.encrypt(settings(iv, list), await currentKey(), bytes),
      )
      return encodeBytes(new Uint8Array([...iv, ...sealed]), 'base64url')
    },
    async open(text, list) {
      const bytes = decodeBytes(text, 'base64url')
      if (!bytes || bytes.length < ivLength) throw refusals.staleList()
      const encryption = settings(bytes.slice(0, ivLength), list)
      const found = await crypto.subtle
        .decrypt(encryption, await currentKey(), bytes.slice(ivLength))
        .catch(() => undefined)
      if (!found) throw refusals.staleList()
      const values = JSON.parse(new TextDecoder().decode(found)) as [number, number, number, number]
      const [expiresAt, changedAt, formId, packageId] = values
      if (expiresAt < now()) throw refusals.staleList()
      return { changedAt, formId, packageId }
    },
  }
}

const ivLength = 12
/** In characters: four numbers of up to 17 digits each. */
const textLength = 80
const lifetime = 24 * 60 * 60_000
