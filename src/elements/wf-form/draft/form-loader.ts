import { ForbiddenError, NotFoundError, packageScope, SignedOutError } from '../../../client/index.ts'
import type { Announcer } from '../../notices/announcer.ts'
import { WfErrorEvent, WfLoadEvent, WfSignedOutEvent } from '../../element/events.ts'
import { endOutage, reportOutage } from '../../notices/outage.ts'
import { type ElementState, slotOf, statesOf } from '../../loading/loadable.ts'
import { Resource } from '../../loading/resource.ts'
import type { RouteslipElement } from '../../element/routeslip-element.ts'
import {
  type FormContent,
  type FormTarget,
  loadFormContent,
  UnservedFormError,
} from '../state/form-content.ts'
import type { FormDraft } from './form-draft.ts'
import { type FormTexts, loadErrorText } from '../state/form-texts.ts'
import type { RequestState } from '../state/request-state.ts'

/** The form whose content is loaded. */
interface FormLoaderHost {
  readonly element: RouteslipElement
  readonly announcer: Announcer
  readonly state: RequestState
  readonly form: FormDraft
  readonly target: () => FormTarget | undefined
  readonly texts: () => FormTexts
  /** Loads the other parts that the form needs at once. */
  readonly loadParts: () => Promise<unknown>
  /** Called when the fields show what was loaded. */
  readonly onShown: () => void
  /** Called if another person has signed in, who must not see what is on the screen. */
  readonly onOtherPerson: () => void
  /** Called if another person has signed in, who may not read the draft that this page created. */
  readonly onLost: () => void
}

/** Loads the package that a form shows, and the person who sees it. Reports what keeps it from that. */
export class FormLoader {
  readonly #host: FormLoaderHost
  readonly #content: Resource<FormTarget, FormContent>
  /** University id of the signed-in person; `undefined` before it is known. */
  person: string | undefined

  constructor(host: FormLoaderHost) {
    this.#host = host
    this.#content = new Resource<FormTarget, FormContent>(host.element, {
      key: () => host.target() ?? [],
      load: async (target, signal) => {
        const [content] = await Promise.all([
          loadFormContent(target, signal),
          host.form.load(),
          host.loadParts(),
        ])
        return content
      },
      // A new request has no scope of its own, but another person may sign in.
      watch: ([client, formId, packageId], changed) =>
        client.watch(packageId ? packageScope(formId, packageId) : '', changed),
      onLoad: (content) => this.#onLoad(content),
      onError: (error) => this.#onError(error),
    })
  }

  /** The loaded content; `undefined` before it has loaded. */
  get value(): FormContent | undefined {
    return this.#content.value
  }

  /** The error of the latest attempt; `undefined` if it succeeded. */
  get error(): unknown {
    return this.#content.error
  }

  get errorText(): string {
    const texts = this.#host.texts()
    return this.isUnreadable
      ? texts.messages.unreadable
      : loadErrorText(this.error, this.#host.form.isFilled, texts)
  }

  /** Whether the proxy does not serve the form. That is a matter of the page, not of the person. */
  get isUnserved(): boolean {
    return this.error instanceof UnservedFormError
  }

  /** Whether the person may not see the package, or it does not exist. */
  get isDenied(): boolean {
    return this.#isRefused && !this.#host.form.isContinued
  }

  /** Whether the draft that this page created cannot be read. It may be read later, so nothing is given up. */
  get isUnreadable(): boolean {
    return this.#isRefused && this.#host.form.isContinued
  }

  get #isRefused(): boolean {
    return this.error instanceof ForbiddenError || this.error instanceof NotFoundError
  }

  get states(): readonly ElementState[] {
    const { error, busy, value } = this.#content
    // Earlier content says nothing about the request now.
    const isLoaded = !error && value !== undefined
    return statesOf({ error, isLoaded, isBusy: busy || this.#host.state.busy !== undefined })
  }

  /** Loads everything again. */
  async refresh(): Promise<void> {
    const [client, formId = 0, packageId = 0] = this.#host.target() ?? []
    client?.invalidate(packageId ? packageScope(formId, packageId) : undefined)
    await this.#content.refresh()
  }

  #onLoad(content: FormContent): void {
    const { element, announcer, state, form, onOtherPerson, onShown } = this.#host
    endOutage(announcer)
    const { univid } = content.session
    if (this.person !== undefined && this.person !== univid) onOtherPerson()
    this.person = univid
    state.loaded(content.found)
    form.fill(content)
    onShown()
    element.dispatchEvent(new WfLoadEvent(content))
  }

  #onError(error: unknown): void {
    const { element, announcer, texts } = this.#host
    if (this.isUnreadable) void this.#checkPerson()
    if (!slotOf(error)) reportOutage(announcer, texts().messages.label, this.errorText, () => this.refresh())
    element.dispatchEvent(new WfErrorEvent(error))
    if (error instanceof SignedOutError) element.dispatchEvent(new WfSignedOutEvent())
  }

  /** The draft cannot be read by somebody else who has signed in meanwhile, and who must not see it. */
  async #checkPerson(): Promise<void> {
    const [client] = this.#host.target() ?? []
    const session = await client?.getSession().catch(() => undefined)
    if (session && session.univid !== this.person && this.isUnreadable) this.#host.onLost()
  }
}
