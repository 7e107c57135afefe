import { UnavailableError } from '../../client/index.ts'
import { parseDuration } from '../../contract/values/duration.ts'
import { isRecord } from '../../contract/values/values.ts'
import type { UploadMeta } from '../../contract/schemas/storage.ts'
import type { Texts } from '../../locales/messages.ts'

/** The settings of the page for stored files. */
export interface MetaSettings {
  readonly filename: string
  readonly rename: ((file: File) => string) | undefined
  readonly expiresIn: string
  /** Null if the attribute is not valid JSON. */
  readonly metadata: Readonly<Record<string, string>> | null
}

/** Returns the metadata to send with a file. Throws an `UnavailableError` if the page's `rename` throws. */
export function uploadMetaOf(file: File, path: string, settings: MetaSettings): UploadMeta {
  const filename = resolveFilename(file, settings)
  const metadata = { ...settings.metadata, ...(path && { path }) }
  return {
    ...(filename && { filename }),
    ...(settings.expiresIn && { expiresIn: settings.expiresIn }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

/** Returns a message for the page author about a setting that is not valid, or an empty string. */
export function metaProblem({ expiresIn, metadata }: MetaSettings, messages: Texts['uploader']): string {
  if (expiresIn && !((parseDuration(expiresIn) ?? 0) > 0)) return messages.badDuration(expiresIn)
  return isMetadata(metadata) ? '' : messages.badMetadata
}

function resolveFilename(file: File, { rename, filename }: MetaSettings): string {
  try {
    return rename?.(file) ?? filename
  } catch (cause) {
    throw new UnavailableError('uploadFile', 'was not sent: rename() failed', { cause })
  }
}

/** Pages may set anything: an attribute with any JSON, or a property in JavaScript. */
function isMetadata(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string')
}
