import { nothing, type TemplateResult } from 'lit'
import type { Texts } from '../../locales/messages.ts'
import type { PackageTarget } from '../element/package-element.ts'
import type { Announcer } from '../notices/announcer.ts'
import { PackageReminder } from '../reminder/package-reminder.ts'
import type { Formatting } from '../text/format.ts'
import { type PackageStatusContent, waitsForNobody } from './content.ts'
import { type PausedCard, RoutePause } from './actions/route-pause.ts'

/**
 * The notes of only some cards about a package in routing: since when a callback has frozen its route, or when its approvers were
 * reminded. Each is made when it is first needed.
 */
export class RoutingNotes {
  readonly #card: PausedCard
  readonly #tell: (text: string) => void
  /** The notice about a frozen route. */
  pause: RoutePause | undefined
  #reminder: PackageReminder | undefined
  #formatting: Formatting = { language: undefined }

  constructor(card: PausedCard, announcer: Announcer) {
    this.#card = card
    this.#tell = (text) => announcer.announce(text)
  }

  render(
    target: PackageTarget | undefined,
    value: PackageStatusContent,
    formatting: Formatting,
  ): readonly (TemplateResult | typeof nothing)[] {
    this.#formatting = formatting
    const waits = waitsForNobody(value)
    if (waits) this.pause ??= new RoutePause(this.#card, this.#tell)
    const isRemindable = target && !waits && mayRemind(value)
    if (isRemindable) this.#reminder ??= new PackageReminder(this.#card, this.#tell)
    else this.#reminder?.forget()
    return [
      this.pause?.render({ target, value: waits && value, style: formatting }) ?? nothing,
      (isRemindable && this.#reminder?.render(target, formatting)) || nothing,
    ]
  }

  /** `error`: of the latest attempt to load the package. */
  renderDialogs(
    common: Texts['common'],
    signInUrl: string | undefined,
    error: unknown,
  ): readonly (HTMLElement | undefined)[] {
    const input = { common, signInUrl, error, formatting: this.#formatting }
    return [this.pause?.renderDialog(input), this.#reminder?.renderDialog(input)]
  }
}

/** Whether the site lets the person remind the approvers of the package. */
function mayRemind({ actions }: PackageStatusContent): boolean {
  return actions?.tools?.includes('sendReminder') === true
}
