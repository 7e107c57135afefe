import type { LitElement, ReactiveController } from 'lit'
import type { FsUploader } from '../fs-uploader/fs-uploader.ts'
import { FsChangeEvent } from '../fs-uploader/fs-uploader.events.ts'

/** The `<fs-uploader>` that an element names by its id, wherever it is in the same page or shadow tree. */
export class FollowedUploader implements ReactiveController {
  readonly #host: LitElement & { readonly for: string }
  #root: Node | undefined

  constructor(host: LitElement & { readonly for: string }) {
    this.#host = host
    host.addController(this)
  }

  /** The uploader; `undefined` if the element names none, or if the page has none of that id yet. */
  get uploader(): FsUploader | undefined {
    const { for: id } = this.#host
    const root = this.#host.getRootNode()
    const found = id && 'getElementById' in root ? (root as Document | ShadowRoot).getElementById(id) : null
    return found?.localName === 'fs-uploader' ? (found as FsUploader) : undefined
  }

  /** Uuids of the files in the uploader. */
  get uuids(): readonly string[] {
    // Until its script has loaded, it is an unknown tag.
    return (this.uploader as Partial<FsUploader> | undefined)?.value ?? []
  }

  /** Removes a deleted file from the uploader. */
  remove(uuid: string): void {
    const uploader = this.uploader as Partial<FsUploader> | undefined
    uploader?.removeFile?.(uuid)
  }

  hostConnected(): void {
    this.#root = this.#host.getRootNode()
    this.#root.addEventListener(FsChangeEvent.type, this.#onChange)
    void this.#update()
  }

  hostDisconnected(): void {
    this.#root?.removeEventListener(FsChangeEvent.type, this.#onChange)
  }

  readonly #onChange = ({ target }: Event): void => {
    if (target === this.uploader) this.#host.requestUpdate()
  }

  /** The uploader knows its files when it has rendered for the first time. */
  async #update(): Promise<void> {
    await customElements.whenDefined('fs-uploader')
    await this.uploader?.updateComplete
    this.#host.requestUpdate()
  }
}
