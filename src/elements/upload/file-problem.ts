import { UnavailableError } from '../../client/index.ts'
import { createLimiter } from '../../client/limiter.ts'

/** What an element or the proxy takes. */
export interface FileRules {
  /** In bytes. */
  readonly maxSize: number
  /** File name extensions and media types, as `<input accept>`; absent or blank: any. */
  readonly accept?: string | undefined
  /** File name extensions without the dot; null: any. */
  readonly extensions?: readonly string[] | null | undefined
}

/** Why a file is not sent. `unreadable`: a folder, or it was moved, changed or locked after it was chosen. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  readonly kind: 'tooLarge' | 'wrongType' | 'empty' | 'unreadable'

  constructor(kind: FileProblem['kind']) {
    super(`The file is not sent: ${kind}`)
    this.kind = kind
  }
}

/** Browsers halt the page while they open a file: of many, few at a time leave room for what travels. */
const inLine = createLimiter(3)

type Progress = (sent: number, total: number) => void

/**
 * What a transfer of a file sends: looks at the file first, and again when sending it failed, because files change on
 * disk. Rejects with a `FileProblem`, or as `upload` does.
 */
export async function sendFile<T>(
  file: File,
  rules: FileRules,
  upload: (onProgress: Progress) => Promise<T>,
  onProgress: Progress,
): Promise<T> {
  await check(file, rules)
  let isSent = false
  try {
    return await upload((sent, total) => {
      isSent = sent > 0 && sent >= total
      onProgress(sent, total)
    })
  } catch (error) {
    if (error instanceof UnavailableError && !isSent) await check(file, rules)
    throw error
  }
}

async function check(file: File, rules: FileRules): Promise<void> {
  const isReadable = await inLine(() => file.slice(0, 1).arrayBuffer()).then(
    () => true,
    () => false,
  )
  if (!isReadable) throw new FileProblem('unreadable')
  if (file.size === 0) throw new FileProblem('empty')
  if (file.size > rules.maxSize) throw new FileProblem('tooLarge')
  if (!isAccepted(file, rules)) throw new FileProblem('wrongType')
}

/** Whether name and type are among those that rules list. */
export function isAccepted({ name, type }: Pick<File, 'name' | 'type'>, rules: Partial<FileRules>): boolean {
  const lowerName = name.toLowerCase()
  const offers = (rules.accept ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.trim())
  const isOffered = offers.some((offer) => {
    if (offer.startsWith('.')) return lowerName.endsWith(offer)
    return offer.endsWith('/*') ? type.startsWith(offer.slice(0, -1)) : type === offer
  })
  return (
    (isOffered || !offers.some(Boolean)) &&
    (rules.extensions?.some((extension) => lowerName.endsWith(`.${extension.toLowerCase()}`)) ?? true)
  )
}
