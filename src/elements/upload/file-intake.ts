import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit'
import type { Messages } from '../../locales/messages.ts'
import { guardDrops } from './page-guard.ts'

export interface FileIntakeOptions {
  /** Called with what was chosen, dropped or pasted, and with `leftOut` of `TakenFiles`. Never with nothing. */
  readonly onFiles: (files: readonly File[], leftOut: readonly string[]) => void
  /** Reads what was dropped. Default: the files in it, where a folder is one that cannot be read. */
  readonly read?: (data: DataTransfer) => Promise<TakenFiles>
}

export interface TakenFiles {
  readonly files: readonly File[]
  /** Paths of folders that hold nothing, and of what cannot be read. */
  readonly leftOut: readonly string[]
}

export interface IntakeView {
  readonly words: Messages['files']
  /** Name of the zone. */
  readonly label: string
  /** What may be chosen, in words. */
  readonly hint: unknown
  /** What the file dialog offers, as `<input accept>`. Only an offer: look at what comes. Default: anything. */
  readonly accept?: string | undefined
  /** Whether the dialog lets people choose several files. More may be dropped all the same. */
  readonly isMultiple: boolean
  /** Whether a second button lets people choose a folder. */
  readonly hasFolder?: boolean
  /** Whether nothing is taken now. */
  readonly isDisabled?: boolean
  /** Ids, beside `hint`, of what describes the button. */
  readonly describedBy?: string
}

/** Takes files for an element: by a button, by a drop on its zone, and pasted while the focus is in the element. */
export class FileIntake implements ReactiveController {
  readonly #host: LitElement
  readonly #options: FileIntakeOptions
  #isOver = false
  #isDisabled = false
  #release: (() => void) | undefined

  constructor(host: LitElement, options: FileIntakeOptions) {
    this.#host = host
    this.#options = options
    host.addController(this)
  }

  /** The button, for the focus. */
  get button(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('[part~="choose"]')
  }

  hostConnected(): void {
    this.#release = guardDrops()
    this.#host.addEventListener('paste', this.#onPaste)
  }

  hostDisconnected(): void {
    this.#release?.()
    this.#host.removeEventListener('paste', this.#onPaste)
    this.#over(false)
  }

  render(view: IntakeView): TemplateResult {
    const { words, isMultiple, isDisabled = false } = view
    this.#isDisabled = isDisabled
    const choose = isMultiple ? words.choose : words.chooseOne
    return html`
      <div
        part="zone"
        class=${this.#isOver ? 'over' : ''}
        role="group"
        aria-label=${view.label}
        @dragover=${this.#onDragOver}
        @dragleave=${this.#onDragLeave}
        @drop=${this.#onDrop}
      >
        <button
          type="button"
          part="choose"
          aria-disabled=${isDisabled}
          aria-describedby="hint ${view.describedBy ?? ''}"
          @click=${this.#onChoose}
        >
          ${choose}
        </button>
        ${
          view.hasFolder
            ? html`<button
                type="button"
                part="choose-folder"
                aria-disabled=${isDisabled}
                @click=${this.#onChoose}
              >
                ${words.chooseFolder}
              </button>`
            : nothing
        }
        <span ?hidden=${isDisabled}>${words.drop}</span>
        <p class="hint" id="hint">${view.hint}</p>
        <input
          type="file"
          hidden
          ?multiple=${isMultiple}
          accept=${view.accept ?? nothing}
          aria-label=${choose}
          @change=${this.#onChosen}
        />
      </div>
    `
  }

  #take(files: Iterable<File>, leftOut: readonly string[] = []): void {
    const list = [...files]
    if (list.length + leftOut.length > 0 && !this.#isDisabled) this.#options.onFiles(list, leftOut)
  }

  #over(isOver: boolean): void {
    if (this.#isOver === isOver) return
    this.#isOver = isOver
    this.#host.requestUpdate()
  }

  readonly #onChoose = ({ currentTarget }: Event): void => {
    const input = this.#host.renderRoot.querySelector<HTMLInputElement>('input[type=file]')
    if (this.#isDisabled || !input) return
    input.webkitdirectory = (currentTarget as Element).part.contains('choose-folder')
    input.click()
  }

  readonly #onChosen = ({ currentTarget }: Event): void => {
    const input = currentTarget as HTMLInputElement
    this.#take(input.files ?? [])
    // The same file may be chosen again.
    input.value = ''
  }

  readonly #onDragOver = (event: DragEvent): void => {
    if (this.#isDisabled || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    this.#over(true)
  }

  readonly #onDragLeave = ({ currentTarget, relatedTarget }: DragEvent): void => {
    if (!(relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget))) this.#over(false)
  }

  readonly #onDrop = (event: DragEvent): void => {
    const data = event.dataTransfer
    if (this.#isDisabled || !data?.types.includes('Files')) return
    event.preventDefault()
    this.#over(false)
    const { read } = this.#options
    if (read) void read(data).then(({ files, leftOut }) => this.#take(files, leftOut))
    else this.#take(data.files)
  }

  readonly #onPaste = (event: ClipboardEvent): void => {
    const files = event.clipboardData?.files ?? []
    const [target] = event.composedPath()
    // Text that is copied from an office program comes with a picture of it.
    const isText = target instanceof HTMLElement && target.matches('textarea, input:not([type=file])')
    if (files.length === 0 || isText || event.defaultPrevented) return
    event.preventDefault()
    this.#take(files)
  }
}
