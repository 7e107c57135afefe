import type { FileAsset, UpdateMetaBody, UploadMeta } from '../../contract/storage.ts'
import { parseDuration } from '../../contract/duration.ts'
import { cleanFilename } from './filename.ts'
import { ProxyError } from '../problem.ts'

/** Metadata keys that begin so belong to the proxy: browsers neither set nor see them. */
export const reservedPrefix = 'routeslip-'

/** Metadata key that holds the university id of whoever uploaded the file. */
export const ownerKey = `${reservedPrefix}owner`

/** A file as browsers get it: without what is ours. */
export function fileForBrowser(file: FileAsset): FileAsset {
  const entries = Object.entries(file.metadata ?? {}).filter(([key]) => !isReserved(key))
  return { ...file, metadata: file.metadata && Object.fromEntries(entries) }
}

/** Meta of an upload as it is sent on: with its name and its owner, and no longer than files may live. */
export function metaToSend(
  { expiresIn, metadata }: UploadMeta,
  filename: string,
  univid: string,
  maxExpiresIn: number | null,
): UploadMeta {
  checkKeys(metadata)
  checkExpiry(expiresIn, maxExpiresIn)
  const expires = expiresIn ?? (maxExpiresIn === null ? undefined : `${maxExpiresIn}s`)
  return {
    // Here it is exact; in the header of a part some characters cannot be told apart.
    filename,
    ...(expires !== undefined && { expiresIn: expires }),
    metadata: { ...metadata, [ownerKey]: univid },
  }
}

/** A change of meta as it is sent on. Neither the owner nor the kind of file can be changed. */
export function changeToSend(
  change: UpdateMetaBody,
  file: FileAsset,
  maxExpiresIn: number | null,
): UpdateMetaBody {
  checkKeys(change.metadata)
  checkExpiry(change.expiresIn, maxExpiresIn)
  if (!change.filename?.trim()) return change

  const filename = cleanFilename(change.filename)
  if (extensionOf(filename) !== extensionOf(file.filename ?? '')) {
    throw new ProxyError(422, `The name has to keep its ending, ".${extensionOf(file.filename ?? '')}".`)
  }
  return { ...change, filename }
}

function checkKeys(metadata: Readonly<Record<string, unknown>> | null | undefined): void {
  if (Object.keys(metadata ?? {}).some(isReserved)) {
    throw new ProxyError(422, `Metadata keys that begin with "${reservedPrefix}" are reserved.`)
  }
}

/** Zero clears the expiration, so where files may not live for ever it is too long. */
function checkExpiry(expiresIn: string | null | undefined, maxExpiresIn: number | null): void {
  if (maxExpiresIn === null || expiresIn === undefined || expiresIn === null) return
  const seconds = (parseDuration(expiresIn) ?? Infinity) / 1000
  // What is less than a second may be rounded to zero.
  if (seconds < 1 || seconds > maxExpiresIn) {
    throw new ProxyError(422, `Files may be kept for ${maxExpiresIn} seconds at most.`)
  }
}

function isReserved(key: string): boolean {
  return key.trim().toLowerCase().startsWith(reservedPrefix)
}

function extensionOf(filename: string): string {
  return /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''
}
