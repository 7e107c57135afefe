import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import {
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  type PageClient,
  type RevalidationReason,
  SignedOutError,
  UnavailableError,
  type UploadsAction,
} from '../../../src/client/index.ts'
import { english } from '../../../src/locales/english.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { WfSignedOutEvent } from '../../../src/elements/element/events.ts'
import { FsErrorEvent } from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { isUnread, StorageStatus, unreadAsset } from '../../../src/elements/fs-uploader/storage-status.ts'
import { endOutage } from '../../../src/elements/notices/outage.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcements } from '../notices/announcements.ts'
import { outline } from '../outline.ts'

const session = {
  univid: '7',
  allows: { operations: ['uploadFile', 'getFileMeta'], maxFileSize: 5000, extensions: null },
}

const down = new UnavailableError('getFileMeta', 'got no usable response')
const signedOut = new SignedOutError('getSession', 'needs a session')

/** Shows the notice about the storage. The test changes what the client and the queue return. */
class XStatus extends LitElement {
  sessionError: Error | undefined
  fileErrors: Readonly<Record<string, Error>> = {}
  held: Promise<void> = Promise.resolve()
  changed = (_why: RevalidationReason): void => {}
  hasClient = true
  operations = session.allows.operations
  readonly signals: AbortSignal[] = []
  signInUrl: string | undefined
  readonly reads: string[] = []
  readonly calls: unknown[] = []
  readonly queue = {
    owner: undefined,
    isSignedOut: false,
    items: [] as readonly never[],
    unfinished: [] as readonly never[],
    stored: [] as readonly FileAsset[],
    dispatch: (action: UploadsAction<FileAsset, unknown>) =>
      void this.calls.push(action.type === 'signed-in' ? `signed in: ${action.univid}` : action.type),
  }
  readonly announcer = new Announcer(this)
  readonly #client = {
    getSession: async ({ signal }: { readonly signal: AbortSignal }) => {
      this.reads.push('session')
      this.signals.push(signal)
      await this.held
      if (this.sessionError) throw this.sessionError
      return { ...session, allows: { ...session.allows, operations: this.operations } }
    },
    getFileMeta: async (
      { params: { uuid } }: { readonly params: { readonly uuid: string } },
      { signal }: { readonly signal: AbortSignal },
    ) => {
      this.reads.push(uuid)
      this.signals.push(signal)
      await this.held
      if (this.fileErrors[uuid]) throw this.fileErrors[uuid]
      return fileOf(uuid)
    },
    watch: (topic: string, changed: XStatus['changed']) => {
      this.calls.push(`watch ${topic}`)
      this.changed = changed
      return () => {}
    },
  }
  readonly status = new StorageStatus(this, this.announcer, {
    client: () => (this.hasClient ? (this.#client as unknown as PageClient) : undefined),
    signInUrl: () => this.signInUrl,
    formatting: () => ({ language: 'en' }),
    uploads: this.queue,
    onFound: (assets) => void this.calls.push(assets.map(({ uuid }) => uuid)),
  })

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    endOutage(this.announcer)
  }

  override render() {
    return html`<div>${this.status.renderNotice()}</div>
      ${this.announcer.render()}`
  }

  get notice(): readonly string[] {
    return outline(this.renderRoot.querySelector('div')!)
  }

  get tryAgain(): HTMLButtonElement {
    return this.renderRoot.querySelector<HTMLButtonElement>('[part=try-again]')!
  }
}
customElements.define('x-status', XStatus)

describe('StorageStatus', () => {
  it('loads the session once, and then one stored file at each poll, in turn', async () => {
    const element = await show({ stored: ['a', 'b', 'c'] })
    expect(element.calls).to.deep.equal(['release', 'watch files', 'signed in: 7', ['a']])
    expect(element.status.session).to.deep.equal(session)
    for (const uuid of ['b', 'c', 'a']) {
      element.changed('poll')
      await waitUntil(() => element.reads.at(-1) === uuid && !element.isUpdatePending)
    }
    expect(element.reads).to.deep.equal(['session', 'a', 'b', 'c', 'a'])
  })

  it('loads the facts of all files of which only the uuid is known', async () => {
    const element = await show({ stored: [] }, (status) => {
      status.queue.stored = [fileOf('a'), unreadAsset('b'), unreadAsset('c'), fileOf('d')]
    })
    expect(element.reads).to.deep.equal(['session', 'a', 'b', 'c'])
    expect(element.calls).to.deep.equal(['release', 'watch files', 'signed in: 7', ['a', 'b', 'c']])
  })

  it('does nothing without a client, and reads nothing without files', async () => {
    const without = await fixture<XStatus>(html`<x-status .hasClient=${false}></x-status>`)
    await without.updateComplete
    expect(without.calls).to.deep.equal([])
    expect(without.status.states).to.deep.equal(['loading', 'empty'])
    const { status, reads } = await show({ stored: [] })
    expect(reads).to.deep.equal(['session'])
    expect(status.states).to.deep.equal(['loaded', 'empty'])
    expect(status.proxyProblem).to.equal('')
    expect(status.error).to.equal(undefined)
  })

  it('marks the files that the service refuses or does not find, until they are there again', async () => {
    const element = await show({ stored: ['a', 'b'] }, (status) => {
      status.queue.stored = [unreadAsset('a'), unreadAsset('b'), unreadAsset('c')]
      status.fileErrors = {
        a: new NotFoundError('getFileMeta', 'found nothing'),
        b: new ForbiddenError('getFileMeta', 'may not'),
      }
    })
    const gone = () => ['a', 'b', 'c'].filter((uuid) => element.status.isGone(uuid))
    expect(gone()).to.deep.equal(['a', 'b'])
    expect(element.status.states).to.deep.equal(['loaded', 'empty'])
    element.fileErrors = {}
    element.queue.stored = [unreadAsset('a'), fileOf('b')]
    // A file that is gone is polled in its turn only.
    element.changed('poll')
    await waitUntil(() => gone().join() === 'a')
    element.changed('poll')
    await waitUntil(() => gone().length === 0)
    expect(element.reads.slice(-2)).to.deep.equal(['b', 'a'])
  })

  it('notes a file that a deletion did not find, also while a poll runs', async () => {
    const element = await show({ stored: ['a', 'b'] })
    const { version } = element.status
    const hold = holdReads(element)
    element.changed('poll')
    await waitUntil(() => element.reads.length === 3)
    element.status.lose('a')
    expect(element.status.version).not.to.equal(version)
    expect(element.status.isGone('a')).to.equal(true)
    expect(element.calls.at(-1), 'no file was found meanwhile').to.deep.equal([])
    hold()
    await waitUntil(() => JSON.stringify(element.calls).includes('["b"]'))
    expect([element.status.isGone('a'), element.status.isGone('b')]).to.deep.equal([true, false])
  })

  it('notes no lost file before it knows anything', async () => {
    const element = await fixture<XStatus>(html`<x-status .hasClient=${false}></x-status>`)
    element.status.lose('a')
    expect(element.status.isGone('a')).to.equal(false)
    expect(element.status.isLoaded).to.equal(false)
  })

  it('works with a proxy that does not serve the session', async () => {
    const element = await show({ stored: ['a'] }, (status) => {
      status.sessionError = new NotFoundError('getSession', 'found nothing')
    })
    expect(element.status.isLoaded).to.equal(true)
    expect(element.status.serves('uploadFile')).to.equal(undefined)
    expect(element.status.states).to.deep.equal(['loaded', 'empty'])
    expect(element.calls).to.deep.equal(['release', 'watch files', ['a']])
  })

  it('reports which operations the proxy serves', async () => {
    const { status } = await show({ stored: [] })
    expect([status.serves('uploadFile'), status.serves('deleteFile')]).to.deep.equal([true, false])
    const forbidden = await show({ stored: [] }, (element) => (element.operations = ['getFileMeta']))
    expect(forbidden.status.states).to.deep.equal(['forbidden'])
  })

  it('loads again on request, and stops when the element leaves the page', async () => {
    const element = await show({ stored: ['a'] })
    expect(element.announcer.isWaiting(english.common.upToDate), 'nothing was out of date').to.equal(false)
    holdReads(element)
    element.queue.isSignedOut = true
    element.status.refresh()
    await waitUntil(() => element.reads.length === 3)
    element.remove()
    await waitUntil(() => element.signals[2]?.aborted)
    const other = await show({ stored: ['a'] })
    holdReads(other)
    other.status.refresh()
    await waitUntil(() => other.reads.length === 3)
    other.remove()
    await waitUntil(() => other.signals[2]?.aborted)
    expect([...element.reads, ...other.reads]).to.deep.equal(['session', 'a', 'session', 'session', 'a', 'a'])
  })

  it('loads the session again while uploads wait for a sign-in', async () => {
    const element = await show({ stored: [] })
    element.changed('poll')
    await waitUntil(() => element.calls.length === 6)
    expect(element.reads).to.deep.equal(['session'])
    element.queue.isSignedOut = true
    element.changed('poll')
    await waitUntil(() => element.reads.length === 2)
    expect(element.reads).to.deep.equal(['session', 'session'])
  })

  it('has the states of its list and of the latest poll', async () => {
    const element = await show({ stored: ['a'] })
    element.queue.items = [{} as never]
    expect(element.status.states).to.deep.equal(['loaded'])
    element.queue.unfinished = element.queue.items
    expect(element.status.states).to.deep.equal(['loaded', 'busy'])
    await fail(element, down)
    expect(element.status.states).to.deep.equal(['loaded', 'busy', 'stale'])
    await fail(element, new NoProxyError('getFileMeta', 'https://northfield.test/api'))
    expect(element.status.states).to.deep.equal(['no-proxy'])
    expect(element.status.proxyProblem).to.equal('No Routeslip proxy found at https://northfield.test/api.')
    await fail(element, signedOut)
    expect(element.status.states).to.deep.equal(['signed-out'])
    const failed = await showFailed(down)
    expect(failed.status.states).to.deep.equal(['failed', 'empty'])
  })
})

describe('the notice of StorageStatus', () => {
  it('is absent without an outage, and if no proxy was found', async () => {
    const element = await show({ stored: ['a'] })
    expect(element.notice).to.deep.equal([])
    await fail(element, new NoProxyError('getFileMeta', 'https://northfield.test/api'))
    expect(element.notice).to.deep.equal([])
  })

  it('replaces an empty list, and stands beside files', async () => {
    const element = await showFailed(down)
    const button = ['  button aria-disabled="false" part="try-again" type="button"', '    "Try again"']
    expect(element.notice).to.deep.equal([
      'div class="notice" part="failure"',
      '  p',
      `    "Files: Couldn’t be loaded."`,
      ...button,
    ])
    element.queue.items = [{} as never]
    element.requestUpdate()
    await element.updateComplete
    expect(element.notice).to.deep.equal([
      'div class="notice" part="stale"',
      '  p',
      // Nothing has been loaded.
      `    "This may be out of date. The latest version couldn’t be loaded."`,
      ...button,
    ])
  })

  it('links to the page where people sign in, in another tab', async () => {
    const element = await showFailed(signedOut)
    expect(element.notice[2]).to.equal('    "You are signed out. Sign in, then return to this page."')
    element.signInUrl = 'https://northfield.test/login'
    element.requestUpdate()
    await element.updateComplete
    expect(element.notice.slice(1, 5)).to.deep.equal([
      '  p',
      '    "You are signed out."',
      '    a href="https://northfield.test/login" part="sign-in" target="_blank"',
      '      "Sign in"',
    ])
    expect(element.calls.at(-1)).to.equal('signed-out')
  })

  it('shows that it tries again, does so once, and announces how that ends', async () => {
    const element = await showFailed(down)
    const announced = announcements()
    await waitUntil(() => announced.includes('Files: Couldn’t be loaded.'))
    const release = holdReads(element)
    const { tryAgain } = element
    tryAgain.click()
    await element.updateComplete
    expect([tryAgain.ariaDisabled, tryAgain.textContent.trim()]).to.deep.equal(['true', 'Trying…'])
    tryAgain.click()
    await element.updateComplete
    expect(element.reads).to.deep.equal(['session', 'session'])
    release()
    await waitUntil(() => announced.includes(english.common.stillUnavailable))
    expect([tryAgain.ariaDisabled, tryAgain.textContent.trim()]).to.deep.equal(['false', 'Try again'])
    element.sessionError = undefined
    tryAgain.click()
    await waitUntil(() => announced.includes(english.common.upToDate))
    expect(element.notice).to.deep.equal([])
    expect(announced.filter((text) => text.includes('Still'))).to.have.length(1)
  })

  it('is announced with its reason', async () => {
    await showFailed(signedOut)
    const announced = announcements()
    await showFailed(new NoProxyError('getSession', 'https://northfield.test/api'))
    await waitUntil(() => announced.length > 0)
    expect(announced[0]).to.match(
      /^Files: You are signed out\. Sign in, then return to this page\. Files: .*https:\/\/northfield\.test\/api/,
    )
  })

  it('fires an event for each failure, and one for the end of a session', async () => {
    const element = await show({ stored: ['a'] })
    const events: unknown[] = []
    element.addEventListener(FsErrorEvent.type, ({ error, file }) => events.push(error, file))
    element.addEventListener(WfSignedOutEvent.type, () => events.push('signed out'))
    await fail(element, signedOut)
    await fail(element, signedOut)
    expect(events).to.deep.equal([signedOut, undefined, 'signed out', signedOut, undefined])
    element.fileErrors = {}
    element.changed('poll')
    await waitUntil(() => !element.status.error)
    events.length = 0
    await fail(element, signedOut)
    await fail(element, down)
    expect(events).to.deep.equal([signedOut, undefined, 'signed out', down, undefined])
    expect(element.calls.filter((call) => call === 'signed-out')).to.have.length(3)
  })
})

describe('unreadAsset()', () => {
  it('has a uuid only, and is unread until any fact is known', () => {
    const asset = unreadAsset('a')
    expect(asset).to.deep.equal({
      uuid: 'a',
      filename: null,
      fileSize: null,
      contentType: null,
      uploadDate: null,
      expirationDate: null,
      metadata: null,
    })
    expect(isUnread(asset)).to.equal(true)
    expect(isUnread({ ...asset, filename: 'a.pdf' })).to.equal(false)
    expect(isUnread({ ...asset, uploadDate: '2026-11-16T09:40:00' })).to.equal(false)
  })
})

/** Shows an element whose first load has ended. `prepare` changes it before. */
async function show(
  { stored }: { readonly stored: readonly string[] },
  prepare: (element: XStatus) => void = () => {},
): Promise<XStatus> {
  const element = new XStatus()
  element.queue.stored = stored.map(fileOf)
  prepare(element)
  const parent = await fixture<HTMLElement>(html`<div></div>`)
  parent.append(element)
  await waitUntil(() => element.status.isLoaded || element.status.error)
  await settled(element)
  return element
}

async function showFailed(error: Error): Promise<XStatus> {
  return await show({ stored: [] }, (element) => (element.sessionError = error))
}

/** Polls, and lets the only file fail. */
async function fail(element: XStatus, error: Error): Promise<void> {
  const ended = new Promise((resolve) => element.addEventListener(FsErrorEvent.type, resolve, { once: true }))
  element.fileErrors = { a: error }
  element.changed('poll')
  await ended
  await element.updateComplete
}

/** Lets all further reads wait until the returned function is called. */
function holdReads(element: XStatus): () => void {
  let release = () => {}
  element.held = new Promise((resolve) => (release = resolve))
  return release
}

function fileOf(uuid: string): FileAsset {
  return { ...unreadAsset(uuid), filename: `${uuid}.pdf` }
}
