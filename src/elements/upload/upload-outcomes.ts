import type { UploadState } from '../../client/index.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import { joinTexts } from '../text/join-texts.ts'

/**
 * Announces how uploads end. Failures and interruptions are announced at once. Stored files are announced when no upload is
 * running any more, so that failures come first, and a count can replace many names.
 */
export class UploadOutcomes {
  readonly #announcer: Announcer
  #stored: string[] = []
  #failed: string[] = []

  constructor(announcer: Announcer) {
    this.#announcer = announcer
  }

  /** Announces the message about a new state, or keeps it until the end. */
  add(message: string, kind: UploadState<unknown>['kind']): void {
    if (kind === 'stored') return void this.#stored.push(message)
    if (kind === 'failed') this.#failed.push(message)
    this.#announcer.announce(message)
  }

  /** Announces what was stored, now that nothing more is on its way. If files failed, announces only the numbers. */
  end({ failed, uploaded, outcome }: Texts['files']): void {
    const [failures, stored] = [this.#failed, this.#stored]
    this.#failed = []
    this.#stored = []
    if (failures.length + stored.length < 2 || failures.length === 0)
      return stored.forEach((message) => this.#announcer.announce(message))
    const counts = [failed(failures.length), ...(stored.length > 0 ? [uploaded(stored.length)] : [])]
    const sum = joinTexts(this.#announcer.host, counts)
    // The messages of the failures follow it if they were not announced yet.
    const isFollowed = failures.some((message) => this.#announcer.isWaiting(message))
    this.#announcer.announce(isFollowed ? outcome(sum, '').trim() : sum, [])
  }
}
