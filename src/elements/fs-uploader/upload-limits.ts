import type { Session } from '../../contract/schemas/session.ts'
import { maxFileSize } from '../../contract/values/values.ts'
import type { FileRules } from '../upload/file-rules.ts'

/** The settings of the page that limit what people can add. A number that is not positive is no limit. */
interface LimitSettings {
  /** In bytes. */
  readonly maxSize: number
  readonly maxFiles: number
  /** File name extensions and media types, as in `<input accept>`; empty: any. */
  readonly accept: string
}

/** Returns the rules of the page and the proxy. If the session is unknown, the proxy enforces its own rules later. */
export function rulesOf({ maxSize, accept }: LimitSettings, session: Session | undefined): FileRules {
  const maxOfProxy = session?.allows.maxFileSize ?? maxFileSize
  return { maxSize: Math.min(limitOf(maxSize), maxOfProxy), accept, extensions: session?.allows.extensions }
}

/** Returns the maximum number of files, or Infinity. */
export function maxFilesOf({ maxFiles }: LimitSettings): number {
  return limitOf(maxFiles)
}

function limitOf(value: number): number {
  return value > 0 ? value : Infinity
}
