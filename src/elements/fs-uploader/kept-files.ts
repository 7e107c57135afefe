import type { FileAsset } from '../../contract/schemas/storage.ts'

/** The stored files of an earlier visit. Browsers keep them when people leave the page, and restore them later. */
export class KeptFiles {
  #kept: Kept | undefined

  /** Takes the text that `keepFiles()` returned on an earlier visit. */
  restore(text: string): void {
    this.#kept = JSON.parse(text) as Kept
  }

  /**
   * Returns the files once it is known who is signed in, and only once. Returns nothing if another person has returned to
   * the page.
   */
  take(univid: string | undefined): readonly FileAsset[] | undefined {
    if (!this.#kept || univid === undefined) return undefined
    const { univid: owner, assets } = this.#kept
    this.#kept = undefined
    return owner === univid ? assets : undefined
  }
}

/** Returns the files of a person as a text for browsers to keep. */
export function keepFiles(univid: string | undefined, assets: readonly FileAsset[]): string {
  return JSON.stringify({ univid, assets } satisfies Kept)
}

interface Kept {
  readonly univid: string | undefined
  readonly assets: readonly FileAsset[]
}
