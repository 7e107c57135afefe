import type { FileProblem } from '../element/file-problem.ts'

/** The files that an element or the proxy accepts. */
export interface FileRules {
  /** Maximum size in bytes. */
  readonly maxSize: number
  /** File name extensions and media types, as in `<input accept>`. Absent or blank: any. */
  readonly accept?: string | undefined
  /** File name extensions without the dot. Absent or null: any. */
  readonly extensions?: readonly string[] | null | undefined
}

/** Returns the problem that the rules have with a file, or `undefined` if they accept it. */
export function findFileProblem(file: File, rules: FileRules): FileProblem['kind'] | undefined {
  const isMissingPdf = rules.accept === '.pdf' && !isAccepted(file, { accept: rules.accept })
  if (isMissingPdf) return 'notPdf'
  if (!isAccepted(file, rules)) return 'wrongType'
  if (file.size === 0) return 'empty'
  return file.size > rules.maxSize ? 'tooLarge' : undefined
}

/** Returns the extensions and media types as a value for `<input accept>`; empty: any. */
export function acceptOf({ accept, extensions }: FileRules): string {
  return accept || (extensions?.map((extension) => `.${extension}`).join() ?? '')
}

/** Whether the rules list the extension or the media type of a file. */
export function isAccepted({ name, type }: Pick<File, 'name' | 'type'>, rules: Partial<FileRules>): boolean {
  const lowerName = name.toLowerCase()
  const accepted = (rules.accept ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const isListed = accepted.some((entry) => {
    if (entry.startsWith('.')) return lowerName.endsWith(entry)
    return entry.endsWith('/*') ? type.startsWith(entry.slice(0, -1)) : type === entry
  })
  return (
    (isListed || accepted.length === 0) &&
    (rules.extensions?.some((extension) => lowerName.endsWith(`.${extension.toLowerCase()}`)) ?? true)
  )
}
