import { html, type LitElement, nothing, type ReactiveController, type TemplateResult } from 'lit'
import { guardDrops } from './drop-guard.ts'
import { type DroppedFiles, type IncomingFile, withPaths } from './incoming-files.ts'

interface FileIntakeOptions<Target> {
  /** Whether files for a target are accepted now. */
  readonly accepts: (target: Target) => boolean
  /** Reads a drop with its folders; `undefined` if folders are not read: then each counts as one unreadable file. */
  readonly readFolders?: (data: DataTransfer) => Promise<DroppedFiles> | undefined
  /** Called with the files for a target. `skipped` lists the paths of empty or unreadable folders and files. */
  readonly onFiles: (target: Target, files: readonly IncomingFile[], skipped: readonly string[]) => void
}

interface FileInput {
  /** Accessible name of the input. */
  readonly label: string
  /** Whether the dialog lets people choose several files. More may be dropped all the same. */
  readonly isMultiple: boolean
  /** Files that the dialog offers, as in `<input accept>`. Default: any. */
  readonly accept?: string | undefined
}

/**
 * Accepts files by a button, by drop and by paste, for one or more targets of an element: a drop zone or the entries of a
 * list. The element binds the handlers to its templates and renders the input.
 */
export class FileIntake<Target> implements ReactiveController {
  readonly #host: LitElement
  readonly #options: FileIntakeOptions<Target>
  /** The target of the file dialog. */
  #target: Target
  #hovered: Target | undefined
  #releaseDrops: (() => void) | undefined

  /** `target` is the target of the file dialog until `openDialog()` is called. */
  constructor(host: LitElement, target: Target, options: FileIntakeOptions<Target>) {
    this.#host = host
    this.#target = target
    this.#options = options
    host.addController(this)
  }

  /** The target that files are dragged over. */
  get hovered(): Target | undefined {
    return this.#hovered
  }

  hostConnected(): void {
    this.#releaseDrops = guardDrops()
  }

  hostDisconnected(): void {
    this.#releaseDrops?.()
    this.#hover(undefined)
  }

  /** Opens the file dialog for a target. `accept` overrides that of the input. */
  openDialog(
    target: Target,
    { accept, isFolder = false }: { accept?: string; isFolder?: boolean } = {},
  ): void {
    const input = this.#host.renderRoot.querySelector<HTMLInputElement>('input[type=file]')
    if (!input || !this.#options.accepts(target)) return
    this.#target = target
    if (accept !== undefined) input.accept = accept
    input.webkitdirectory = isFolder
    input.click()
  }

  /** The hidden input that the file dialog belongs to. */
  renderInput({ label, isMultiple, accept }: FileInput): TemplateResult {
    return html`<input
      type="file"
      hidden
      ?multiple=${isMultiple}
      accept=${accept ?? nothing}
      aria-label=${label}
      @change=${this.#onChange}
    />`
  }

  onDragOver(event: DragEvent, target: Target): void {
    if (!hasFiles(event) || !this.#options.accepts(target)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    this.#hover(target)
  }

  onDragLeave({ currentTarget, relatedTarget }: DragEvent): void {
    // The pointer may only have moved onto a child.
    const isInside = relatedTarget instanceof Node && (currentTarget as Node).contains(relatedTarget)
    if (!isInside) this.#hover(undefined)
  }

  onDrop(event: DragEvent, target: Target): void {
    this.#hover(undefined)
    if (event.defaultPrevented || !hasFiles(event) || !this.#options.accepts(target)) return
    event.preventDefault()
    const data = event.dataTransfer
    const reading = this.#options.readFolders?.(data)
    if (reading) void reading.then(({ files, skipped }) => this.#deliver(target, files, skipped))
    else this.#deliver(target, withPaths(data.files))
  }

  onPaste(event: ClipboardEvent, target: Target): void {
    const files = event.clipboardData?.files ?? []
    const [source] = event.composedPath()
    // Office programs add a picture to the text that they copy.
    const isText = source instanceof HTMLElement && source.matches('textarea, input:not([type=file])')
    if (files.length === 0 || isText || event.defaultPrevented || !this.#options.accepts(target)) return
    event.preventDefault()
    this.#deliver(target, withPaths(files))
  }

  readonly #onChange = ({ currentTarget }: Event): void => {
    const input = currentTarget as HTMLInputElement
    this.#deliver(this.#target, withPaths(input.files ?? []))
    // Otherwise choosing the same file again would fire no event.
    input.value = ''
  }

  #deliver(target: Target, files: readonly IncomingFile[], skipped: readonly string[] = []): void {
    const isEmpty = files.length + skipped.length === 0
    // The element may have been disabled while the dialog was open or folders were read.
    if (!isEmpty && this.#options.accepts(target)) this.#options.onFiles(target, files, skipped)
  }

  #hover(target: Target | undefined): void {
    if (this.#hovered === target) return
    this.#hovered = target
    this.#host.requestUpdate()
  }
}

function hasFiles(event: DragEvent): event is DragEvent & { readonly dataTransfer: DataTransfer } {
  return event.dataTransfer?.types.includes('Files') ?? false
}
