import { uuidPattern, wholeText } from '../contract/values/patterns.ts'

/** Number of files that the site remembers for each person. */
const maxFiles = 100

const uuid = wholeText(uuidPattern)

/**
 * The working files of each person, by uuid. The file service lists no files, so a site has to remember which there are. A
 * file that has expired stays in the list until the person removes it.
 */
export class WorkingFiles {
  readonly #byPerson = new Map<string, readonly string[]>()

  of(univid: string): readonly string[] {
    return this.#byPerson.get(univid) ?? []
  }

  /** The files of all people, for an administrator. */
  all(): readonly string[] {
    return [...this.#byPerson.values()].flat()
  }

  clear(): void {
    this.#byPerson.clear()
  }

  /** Replaces the list of a person. Returns false if it is not a list of uuids. */
  remember(univid: string, uuids: readonly string[]): boolean {
    if (uuids.length > maxFiles || !uuids.every((one) => uuid.test(one))) return false
    this.#byPerson.set(univid, uuids)
    return true
  }
}
