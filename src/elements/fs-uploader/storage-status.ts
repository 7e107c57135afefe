import { type LitElement, nothing } from 'lit'
import { ForbiddenError, NotFoundError, type PageClient, SignedOutError } from '../../client/index.ts'
import type { Session } from '../../contract/schemas/session.ts'
import type { FileAsset } from '../../contract/schemas/storage.ts'
import { common } from '../../locales/en.ts'
import { uploader } from '../../locales/en-uploader.ts'
import type { Texts } from '../../locales/messages.ts'
import type { Announcer } from '../notices/announcer.ts'
import { WfSignedOutEvent } from '../element/events.ts'
import type { Formatting } from '../text/format.ts'
import { messagesFor } from '../text/messages.ts'
import {
  causeOf,
  type ElementState,
  failureText,
  outsidePackage,
  staleText,
  statesOf,
} from '../loading/loadable.ts'
import type { NoticePart } from '../notices/notice.ts'
import { renderMark } from '../notices/stale-mark.ts'
import { PageMessage } from '../notices/page-message.ts'
import { endOutage } from '../notices/outage.ts'
import { Resource } from '../loading/resource.ts'
import { renderSignedOut } from '../notices/signed-out.ts'
import type { UploadList } from '../upload/upload-list.ts'
import { FsErrorEvent } from './fs-uploader.events.ts'

interface StorageStatusOptions {
  readonly client: () => PageClient | undefined
  readonly formatting: () => Formatting
  /** URL of the sign-in page. */
  readonly signInUrl: () => string | undefined
  /** The files in the list. */
  readonly uploads: Pick<
    UploadList<FileAsset, unknown>,
    'dispatch' | 'isSignedOut' | 'items' | 'owner' | 'stored' | 'unfinished'
  >
  /** Called when it is known who is signed in, with the facts that have loaded. */
  readonly onFound: (assets: readonly FileAsset[]) => void
}

interface Status {
  /** `undefined` if the proxy does not report it. */
  readonly session: Session | undefined
  /** Uuids of stored files that the service did not find. */
  readonly gone: ReadonlySet<string>
  /** Stored files that the service found now. */
  readonly found: readonly FileAsset[]
}

/**
 * Knows what the proxy allows, and which stored files have expired or were deleted elsewhere. Each poll verifies one stored
 * file, in turn. Announces an outage once, and shows it in a notice.
 */
export class StorageStatus {
  readonly #host: LitElement
  readonly #announcer: Announcer
  readonly #options: StorageStatusOptions
  readonly #pageMessage: PageMessage
  readonly #resource: Resource<readonly [PageClient], Status>
  #polls = 0
  /** The announced outage; empty without one. */
  #announced = ''

  constructor(host: LitElement, announcer: Announcer, options: StorageStatusOptions) {
    this.#host = host
    this.#announcer = announcer
    this.#options = options
    this.#pageMessage = new PageMessage(announcer, {
      name: () => messagesFor(host, 'uploader', uploader).files,
      refresh: () => this.#resource.refresh(),
      hasFailed: () => this.#resource.error !== undefined,
    })
    this.#resource = new Resource<readonly [PageClient], Status>(host, {
      key: () => {
        const client = options.client()
        return client ? [client] : []
      },
      load: ([client], signal) => this.#load(client, signal),
      watch: ([client], changed) => {
        options.uploads.dispatch({ type: 'release' })
        return client.watch('files', changed)
      },
      onLoad: (status) => this.#onLoad(status),
      onError: (error) => this.#onError(error),
    })
  }

  get isLoaded(): boolean {
    return this.#resource.value !== undefined
  }

  get error(): unknown {
    return outsidePackage(this.#resource.error)
  }

  /** The message for the page author that no proxy was found; otherwise empty. */
  get proxyProblem(): string {
    return causeOf(this.error) === 'no-proxy' ? failureText(this.error, this.#messages) : ''
  }

  get session(): Session | undefined {
    return this.#resource.value?.session
  }

  /** Changes whenever anything else here does. */
  get version(): unknown {
    return this.#resource.value
  }

  /** The states of the element, if its settings are valid. */
  get states(): readonly ElementState[] {
    const { error, isLoaded } = this
    if (this.proxyProblem) return ['no-proxy']
    if (!error && this.serves('uploadFile') === false) return ['forbidden']
    const { items, unfinished } = this.#options.uploads
    return statesOf({ error, isLoaded, isEmpty: items.length === 0, isBusy: unfinished.length > 0 })
  }

  /** Whether the proxy serves an operation; `undefined` if it does not report that. */
  serves(operation: 'uploadFile' | 'deleteFile'): boolean | undefined {
    return this.session?.allows.operations.includes(operation)
  }

  /** Loads everything again. */
  refresh(): void {
    void this.#resource.refresh()
  }

  /** Notes that the service does not find a stored file any more. */
  lose(uuid: string): void {
    const known = this.#resource.value
    if (known) this.#resource.replace({ ...known, gone: new Set(known.gone).add(uuid), found: [] })
  }

  isGone(uuid: string): boolean {
    return this.#resource.value?.gone.has(uuid) ?? false
  }

  /** The notice about an outage. */
  renderNotice(): unknown {
    const { error } = this
    // The message about a missing proxy takes the place of the area for files.
    if (!error || this.proxyProblem) return nothing
    const t = this.#messages
    const part = this.#part
    const { client, formatting, signInUrl } = this.#options
    const message = this.#pageMessage
    // In another tab, because uploads wait in this one.
    if (error instanceof SignedOutError)
      return message.renderNotice(part, renderSignedOut(t, signInUrl(), '_blank'))
    const text = failureText(error, t)
    const isStale = part === 'stale'
    if (!message.shows(client(), [text, isStale].join())) return isStale ? renderMark(t) : nothing
    return isStale
      ? message.renderNotice(part, staleText(error, this.#resource.loadedAt, t, formatting()))
      : message.renderFailure(text)
  }

  get #messages(): Texts['common'] {
    return messagesFor(this.#host, 'common', common)
  }

  /** The message about the current outage. */
  get #outage(): string {
    const { error } = this
    if (!error) return ''
    const t = this.#messages
    const text = failureText(error, t)
    return text === t.unavailable && this.#part === 'stale' ? t.stale : text
  }

  /** The part of the notice: there is something that may be out of date, or nothing. */
  get #part(): NoticePart {
    return this.#options.uploads.items.length > 0 ? 'stale' : 'failure'
  }

  async #load(client: PageClient, signal: AbortSignal): Promise<Status> {
    const known = this.#resource.value
    const { isSignedOut, stored } = this.#options.uploads
    const session = (!isSignedOut && known?.session) || (await readSession(client, signal))

    const lost: string[] = []
    const found: FileAsset[] = []
    const next = stored[this.#polls++ % stored.length]
    const asked = stored.filter((asset) => asset === next || (isUnread(asset) && !this.isGone(asset.uuid)))
    await Promise.all(
      asked.map(async ({ uuid }) => {
        try {
          found.push(await client.getFileMeta({ params: { uuid } }, { signal }))
        } catch (error) {
          if (!(error instanceof NotFoundError || error instanceof ForbiddenError)) throw error
          lost.push(uuid)
        }
      }),
    )
    // Not `known`, because a deletion may have ended meanwhile.
    const gone = new Set([...(this.#resource.value?.gone ?? []), ...lost])
    for (const { uuid } of found) gone.delete(uuid)
    return { session, gone, found }
  }

  #onLoad({ session, found }: Status): void {
    const { uploads } = this.#options
    if (session) {
      if (uploads.owner !== session.univid) this.#announcer.clear()
      uploads.dispatch({ type: 'signed-in', univid: session.univid })
    }
    this.#options.onFound(found)
    if (endOutage(this.#announcer)) this.#announcer.announce(this.#messages.upToDate)
    this.#announced = ''
  }

  #onError(error: unknown): void {
    if (error instanceof SignedOutError) this.#options.uploads.dispatch({ type: 'signed-out' })
    const isNew = this.#outage !== this.#announced
    this.#announced = this.#outage
    this.#pageMessage.report(this.#announced)
    this.#host.dispatchEvent(new FsErrorEvent(error))
    if (isNew && error instanceof SignedOutError) this.#host.dispatchEvent(new WfSignedOutEvent())
  }
}

/** Returns a stored file of which only the uuid is known. */
export function unreadAsset(uuid: string): FileAsset {
  return {
    uuid,
    filename: null,
    fileSize: null,
    contentType: null,
    uploadDate: null,
    expirationDate: null,
    metadata: null,
  }
}

/** Whether only the uuid of a stored file is known. */
export function isUnread({ filename, uploadDate }: FileAsset): boolean {
  return filename === null && uploadDate === null
}

/** Resolves with `undefined` if the proxy does not serve the session. */
export async function readSession(client: PageClient, signal: AbortSignal): Promise<Session | undefined> {
  try {
    return await client.getSession({ signal })
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
