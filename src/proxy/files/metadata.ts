import type { FileAsset, UpdateMetaBody, UploadMeta } from '../../contract/schemas/storage.ts'
import { parseDuration } from '../../contract/values/duration.ts'
import { fileRefusals } from './file-refusals.ts'
import { cleanFilename, extensionOf } from './filename.ts'

/** Prefix of the metadata keys that belong to the proxy. Browsers can neither set nor read them. */
const reservedPrefix = 'routeslip-'

/** Metadata key that holds the university id of the person who uploaded the file. */
export const ownerKey = `${reservedPrefix}owner`

/** Returns a file as browsers get it: without reserved metadata. */
export function fileForBrowser(file: FileAsset): FileAsset {
  const entries = Object.entries(file.metadata ?? {}).filter(([key]) => !isReserved(key))
  return { ...file, metadata: file.metadata && Object.fromEntries(entries) }
}

/**
 * Returns the meta of an upload as the proxy sends it: with the file name, the owner, and the maximum lifetime if the
 * browser requests none. Throws `ProxyError` 422 if a key is reserved or the file would live too long.
 */
export function metaToSend(
  { expiresIn, metadata }: UploadMeta,
  filename: string,
  univid: string,
  maxExpiresIn: number | null,
): UploadMeta {
  rejectReservedKeys(metadata)
  checkExpiry(expiresIn, maxExpiresIn)
  const expires = expiresIn ?? (maxExpiresIn === null ? undefined : `${maxExpiresIn}s`)
  return {
    // Exact here. The header of a multipart part cannot represent some characters.
    filename,
    ...(expires !== undefined && { expiresIn: expires }),
    metadata: { ...metadata, [ownerKey]: univid },
  }
}

/**
 * Returns a change of meta as the proxy sends it. Throws `ProxyError` 422 if it would change the owner or the extension, or
 * if the file would live too long.
 */
export function changeToSend(
  change: UpdateMetaBody,
  file: FileAsset,
  maxExpiresIn: number | null,
): UpdateMetaBody {
  rejectReservedKeys(change.metadata)
  checkExpiry(change.expiresIn, maxExpiresIn)
  if (!change.filename?.trim()) return change

  const filename = cleanFilename(change.filename)
  const extension = extensionOf(file.filename ?? '')
  if (extensionOf(filename) !== extension) throw fileRefusals.extensionChanged(extension)
  return { ...change, filename }
}

function rejectReservedKeys(metadata: Readonly<Record<string, unknown>> | null | undefined): void {
  if (Object.keys(metadata ?? {}).some(isReserved)) throw fileRefusals.reservedKey(reservedPrefix)
}

/** Zero removes the expiration date, so it is too long if there is a maximum. */
function checkExpiry(expiresIn: string | null | undefined, maxExpiresIn: number | null): void {
  if (maxExpiresIn === null || expiresIn === undefined || expiresIn === null) return
  const seconds = (parseDuration(expiresIn) ?? Infinity) / 1000
  // The service may round less than a second to zero.
  if (seconds < 1 || seconds > maxExpiresIn) throw fileRefusals.invalidExpiration(maxExpiresIn)
}

function isReserved(key: string): boolean {
  return key.trim().toLowerCase().startsWith(reservedPrefix)
}
