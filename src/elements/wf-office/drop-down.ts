import type { TemplateResult } from 'lit'
import { officeList } from '../../locales/en-office-list.ts'
import type { Texts } from '../../locales/messages.ts'
import { SignedOutError } from '../../client/index.ts'
import { messagesFor } from '../text/messages.ts'
import type { RouteslipElement } from '../element/routeslip-element.ts'
import { renderSignedOut } from '../notices/signed-out.ts'
import { readOfficeText, type OfficeText } from './office-key.ts'
import { dropDownStyles } from './drop-down.styles.ts'
import { listNotes, renderOfficeList } from './office-list.ts'
import { type OfficeOption, type OfficeOptions, officeNamed, optionsFor } from './office-options.ts'
import type { OfficeTextContext } from './office-texts.ts'

/** Height in pixels that a list may need. Its content may still load when it opens. */
const wantedRoom = 320

/** The field that a list belongs to. */
export interface DropDownHost {
  readonly element: RouteslipElement
  readonly texts: () => OfficeTextContext
  readonly label: () => string
  /** The text whose offices are listed. */
  readonly listText: () => string
  readonly announce: (text: string) => void
  readonly onChoose: (option: OfficeOption) => void
}

/** Milliseconds without typing until the note of the list is announced: before, screen readers read the typed characters. */
const announcementDelay = 1400

/** The list of offices below the field. The field opens and closes it. */
export class DropDown {
  static readonly styles = [dropDownStyles]

  readonly #host: DropDownHost
  /** The option that the arrow keys have reached; -1 without one. */
  #active = -1
  /** Whether the list is above the field, where there is more room. */
  #opensUp = false
  /** Places the list while it is open; `undefined` if it is closed. */
  #placing: AbortController | undefined
  #announcement: ReturnType<typeof setTimeout> | undefined

  constructor(host: DropDownHost) {
    this.#host = host
  }

  /** Whether there are offices to move to. */
  get isEmpty(): boolean {
    return this.#listed.options.length === 0
  }

  /** The option that the arrow keys have reached. */
  get active(): OfficeOption | undefined {
    return this.#listed.options[this.#active]
  }

  /** Id of that option in the shadow root. */
  get activeId(): string | undefined {
    return this.active && `option-${this.#active}`
  }

  render(isOpen: boolean): TemplateResult {
    const listed = this.#listed
    return renderOfficeList({
      messages: this.#messages,
      label: this.#host.label(),
      isOpen,
      opensUp: this.#opensUp,
      options: isOpen ? listed.options : [],
      active: this.#active,
      note: isOpen ? this.#renderNote() : '',
      onChoose: (option) => this.#choose(option),
    })
  }

  /** Moves to the next option or the one before, around the ends of the list. */
  move(step: 1 | -1): void {
    const { length } = this.#listed.options
    const from = this.#active < 0 && step < 0 ? length : this.#active
    this.#moveTo(length === 0 ? -1 : (from + step + length) % length)
  }

  /** Leaves the options, for the text. */
  leave(): void {
    this.#moveTo(-1)
  }

  /** Takes the option that the arrow keys have reached. Returns whether there is one. */
  choose(): boolean {
    const { active } = this
    if (active) this.#choose(active)
    return active !== undefined
  }

  /** Returns the listed office whose name is the text. */
  named(text: OfficeText): OfficeOption | undefined {
    return officeNamed(this.#listed, text)
  }

  /** Opens the list on the side with more room, and keeps it there while the keyboard of a phone appears. */
  open(): void {
    this.#placing ??= new AbortController()
    const { signal } = this.#placing
    visualViewport?.addEventListener('resize', () => void this.#place(), { signal })
    void this.#place()
  }

  close(): void {
    this.#placing?.abort()
    this.#placing = undefined
    this.#opensUp = false
    this.#active = -1
    clearTimeout(this.#announcement)
  }

  /** Announces the note of the list when the typing has paused. */
  announceLater(): void {
    clearTimeout(this.#announcement)
    this.#announcement = setTimeout(() => this.#host.announce(this.#notes.join(' ')), announcementDelay)
  }

  get #messages(): Texts['officeList'] {
    return messagesFor(this.#host.element, 'officeList', officeList)
  }

  get #notes(): readonly string[] {
    const { texts, listText } = this.#host
    return listNotes(listText(), this.#listed, this.#messages, texts())
  }

  /** Renders the note. In another tab, people sign in, because this one may have a form with answers. */
  #renderNote(): unknown {
    const { lookup, common, signInUrl } = this.#host.texts()
    const [first, ...others] = this.#notes
    const isSignedOut = !lookup.busy && lookup.error instanceof SignedOutError
    return [isSignedOut ? renderSignedOut(common, signInUrl, '_blank') : first, ' ', others.join(' ')]
  }

  get #listed(): OfficeOptions {
    const { level, lookup } = this.#host.texts()
    return optionsFor(lookup.offices.values(), readOfficeText(this.#host.listText()), level)
  }

  async #place(): Promise<void> {
    const { element } = this.#host
    await element.updateComplete
    const list = element.renderRoot.querySelector('[part=list]')
    const field = list?.parentElement?.getBoundingClientRect()
    if (!list || !field || !visualViewport || !this.#placing) return
    const { offsetTop, height } = visualViewport
    const above = field.top - offsetTop
    const below = offsetTop + height - field.bottom
    this.#opensUp = below < wantedRoom && above > below
    element.requestUpdate()
    await element.updateComplete
    // Neither side may have enough room. The field matters more than the end of the list.
    list.scrollIntoView({ block: 'nearest' })
    list.parentElement?.scrollIntoView({ block: 'nearest' })
  }

  #moveTo(active: number): void {
    this.#active = active
    this.#host.element.requestUpdate()
  }

  #choose(option: OfficeOption): void {
    this.#active = -1
    this.#host.onChoose(option)
    if (!option.isChoice) this.announceLater()
  }
}
