import { extensionsOf } from '../../contract/values/media-types.ts'
import type { FileProblem } from '../element/file-problem.ts'

/** The maximum number of extensions that a message names. */
const maxNamed = 12

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

/** Returns the extensions that people can choose, such as `.pdf`; none if there are too many to name, or if they are not known. */
export function namedTypes(rules: FileRules): readonly string[] {
  const types = acceptOf(rules)
    .split(/[\s,]+/)
    .filter(Boolean)
  return types.length > maxNamed || types.some((type) => !type.startsWith('.')) ? [] : types
}

/** Whether the rules list the extension or the media type of a file, or a media type that its extension has. */
export function isAccepted({ name, type }: Pick<File, 'name' | 'type'>, rules: Partial<FileRules>): boolean {
  const lowerName = name.toLowerCase()
  const accepted = (rules.accept ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const isListed = accepted.some((entry) => {
    if (entry.startsWith('.')) return lowerName.endsWith(entry)
    const isType = entry.endsWith('/*') ? type.startsWith(entry.slice(0, -1)) : type === entry
    // Browsers and systems report several types for the same file, or none.
    return isType || extensionsOf(entry).some((extension) => lowerName.endsWith(`.${extension}`))
  })
  return (
    (isListed || accepted.length === 0) &&
    (rules.extensions?.some((extension) => lowerName.endsWith(`.${extension.toLowerCase()}`)) ?? true)
  )
}
