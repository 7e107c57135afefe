import { expect, fixture, html } from '@open-wc/testing'
import { nothing } from 'lit'
import {
  type ClientError,
  ForbiddenError,
  NotFoundError,
  NoProxyError,
  type PageClient,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import { english } from '../../../src/locales/english.ts'
import type { FileAsset } from '../../../src/contract/schemas/storage.ts'
import { WfSignedOutEvent } from '../../../src/elements/element/events.ts'
import { StorageElement } from '../../../src/elements/fs-files/storage-element.ts'
import { FsChangeEvent, FsErrorEvent } from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcements } from '../notices/announcements.ts'
import { outline } from '../outline.ts'

const client = {} as PageClient
const endpoint = 'https://northfield.test/api'
const down = new UnavailableError('getShares', 'got no usable response')
const signedOut = new SignedOutError('getShares', 'needs a session')
const noProxy = new NoProxyError('getShares', endpoint)

/** A list whose state the test sets. */
class XStorage extends StorageElement {
  error: ClientError | undefined
  loadedAt = Date.UTC(2026, 10, 27, 14, 3)
  isBusy = false
  rows: number | undefined
  isSaid = false
  dialogs: unknown = nothing
  refreshes = 0
  changes: string[] = []
  held: Promise<void> = Promise.resolve()
  afterRefresh = (): void => {}

  async refresh(): Promise<void> {
    this.refreshes++
    await this.held
    this.afterRefresh()
  }

  /** Shows a state, and reports it as a read would do. */
  async have(fields: Partial<XStorage>): Promise<void> {
    Object.assign(this, fields)
    this.requestUpdate()
    await this.updateComplete
  }

  fail(error: ClientError, isAnnounced?: boolean): void {
    this.error = error
    this.onReadError(error, this.isSaid, isAnnounced)
    this.requestUpdate()
  }

  succeed(): void {
    this.error = undefined
    this.onRead()
    this.requestUpdate()
  }

  protected override onFileChange({ operation }: FsChangeEvent): void {
    this.changes.push(operation)
  }

  protected override get readError(): unknown {
    return this.error
  }

  protected override get isReading(): boolean {
    return this.isBusy
  }

  protected override get rowCount(): number | undefined {
    return this.rows
  }

  protected override get listName(): string {
    return 'Shares'
  }

  protected override renderState(): unknown {
    return this.rows === undefined
      ? (this.renderFailure() ?? this.renderLoading())
      : [this.renderStale(this.isSaid), 'The list']
  }

  protected override renderDialogs(): unknown {
    return this.dialogs
  }

  /** What is shown, without the live region. */
  get content(): readonly string[] {
    const lines = outline(this.renderRoot)
    const region = lines.findIndex((line) => line.includes('role="status"'))
    return region < 0 ? lines : lines.slice(0, region)
  }

  get tryAgain(): HTMLButtonElement | null {
    return this.renderRoot.querySelector<HTMLButtonElement>('[part=try-again]')
  }

  willAnnounce(text: string): boolean {
    return this.announcer.isWaiting(text)
  }

  /** The custom states that it has. */
  get states(): string[] {
    return [...this.internals.states].sort()
  }
}
customElements.define('x-storage', XStorage)

describe('StorageElement', () => {
  it('hears of files that other elements change, as long as it is in the page', async () => {
    const element = await fixture<XStorage>(html`<x-storage .client=${client}></x-storage>`)
    const fire = (target: EventTarget, operation: 'updateFileMeta' | 'deleteFile') =>
      target.dispatchEvent(new FsChangeEvent(operation, {} as FileAsset))
    fire(document.body, 'updateFileMeta')
    fire(element, 'deleteFile')
    document.body.dispatchEvent(new Event(FsChangeEvent.type))
    expect(element.changes).to.deep.equal(['updateFileMeta'])
    element.remove()
    fire(document.body, 'deleteFile')
    expect(element.changes).to.deep.equal(['updateFileMeta'])
  })

  it('shows a placeholder until the list has loaded', async () => {
    const element = await show()
    expect(element.content).to.deep.equal([
      'div lang="en" part="base"',
      '  div aria-label="Loading…" class="skeleton" part="loading" role="img"',
      '    span',
      '    span',
      '    span',
    ])
    expect(element.states).to.deep.equal(['loading'])
    await element.have({ isBusy: true })
    expect(element.states).to.deep.equal(['busy', 'loading'])
  })

  it('shows the list with its dialogs', async () => {
    const element = await show({ rows: 2, dialogs: html`<dialog></dialog>` })
    expect(element.content).to.deep.equal(['div lang="en" part="base"', '  "The list"', 'dialog'])
    expect(element.states).to.deep.equal(['loaded'])
    await element.have({ rows: 0, isBusy: true, error: down })
    expect(element.states).to.deep.equal(['busy', 'empty', 'loaded', 'stale'])
  })

  it('shows the page author which setting is missing, instead of the list', async () => {
    const element = await show({ client: undefined, rows: 2 })
    expect(element.content[1]).to.equal('  p class="error" part="not-configured"')
    expect(element.content).to.have.length(3)
    expect(element.states).to.deep.equal(['not-configured'])
  })

  it('shows that no proxy was found', async () => {
    const element = await show({ error: noProxy })
    expect(element.content.slice(1)).to.deep.equal([
      '  p class="error" part="no-proxy"',
      `    "No Routeslip proxy found at ${endpoint}."`,
    ])
    expect(element.states).to.deep.equal(['no-proxy'])
  })

  it('shows that the person is signed out, in place of the list or above it', async () => {
    const text = 'You are signed out. Sign in, then return to this page.'
    const element = await show({ error: signedOut })
    expect(element.content.slice(1)).to.deep.equal(['  p part="signed-out"', `    "${text}"`])
    expect(element.states).to.deep.equal(['signed-out'])
    const link = (target: string) => [
      '  p part="signed-out"',
      '    "You are signed out."',
      `    a href="https://northfield.test/login" part="sign-in" ${target}`,
      '      "Sign in"',
    ]
    await element.have({ signInUrl: 'https://northfield.test/login' })
    expect(element.content.slice(1)).to.deep.equal(link('target'))
    await element.have({ rows: 1 })
    expect(element.content.slice(1)).to.deep.equal([...link('target="_blank"'), '  "The list"'])
    expect(element.states).to.deep.equal(['signed-out'])
    await element.have({ isSaid: true })
    expect(element.content.slice(1), 'a form in the list shows it').to.deep.equal(['  "The list"'])
  })

  it('shows a failure in place of the list or above it, with a button', async () => {
    const notice = (part: string, text: string) => [
      `  div class="notice" part="${part}"`,
      '    p',
      `      "${text}"`,
      '    button aria-disabled="false" part="try-again" type="button"',
      '      "Try again"',
    ]
    const element = await show({ error: down })
    expect(element.content.slice(1)).to.deep.equal(notice('failure', 'Shares: Couldn’t be loaded.'))
    expect(element.states).to.deep.equal(['failed'])
    element.timeZone = 'America/Chicago'
    const time = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: element.timeZone })
    const stale = notice('stale', `Showing what was known at ${time.format(element.loadedAt)}. Trying again.`)
    await element.have({ rows: 1 })
    expect(element.content.slice(1)).to.deep.equal([...stale, '  "The list"'])
    await element.have({ isSaid: true })
    expect(element.content.slice(1)).to.deep.equal([...stale, '  "The list"'])
  })

  it('speaks of no request if the proxy refuses the list or does not know it', async () => {
    for (const error of [
      new ForbiddenError('getShares', 'is not allowed'),
      new NotFoundError('getShares', 'found nothing'),
    ]) {
      const element = await show({ error })
      expect(element.content.join()).to.include('Couldn’t be loaded.')
      expect(element.states).to.deep.equal(['failed'])
      element.remove()
    }
  })

  it('leaves a failure or the end of the session to an element of the page that comes before', async () => {
    const first = await show({ error: down })
    const second = await show({ error: down })
    await waitUntil(() => second.content.length === 1)
    expect(second.content).to.deep.equal(['div hidden lang="en" part="base"'])
    await Promise.all([first, second].map((element) => element.have({ error: signedOut })))
    await waitUntil(() => second.content[1] === '  p part="signed-out"' && second.content.length === 2)
    await second.have({ error: down })
    await waitUntil(() => second.content[1] === '  div class="notice" part="failure"')
    expect(second.content[0], 'another reason').to.equal('div lang="en" part="base"')
  })
})

describe('a failure of StorageElement', () => {
  it('is tried again with the button, once, and announced if that fails or ends it', async () => {
    const element = await show()
    const announced = announcements()
    element.fail(down)
    await waitUntil(() => announced.includes('Shares: Couldn’t be loaded.'))
    let release = () => {}
    element.held = new Promise((resolve) => (release = resolve))
    const button = element.tryAgain!
    button.click()
    button.click()
    await element.updateComplete
    expect([button.ariaDisabled, button.textContent.trim()]).to.deep.equal(['true', 'Trying…'])
    button.click()
    expect(element.refreshes).to.equal(1)
    release()
    await waitUntil(() => announced.includes(english.common.stillUnavailable))
    expect([button.ariaDisabled, button.textContent.trim()]).to.deep.equal(['false', 'Try again'])
    element.afterRefresh = () => element.succeed()
    button.click()
    await waitUntil(() => announced.includes(english.common.upToDate))
    expect(element.refreshes).to.equal(2)
    expect(announced.filter((text) => text === english.common.stillUnavailable)).to.have.length(1)
  })

  it('is tried again for all elements that show the same', async () => {
    const [first, second] = await Promise.all([show(), show()])
    first.fail(down)
    second.fail(down)
    await waitUntil(() => second.content.length === 1)
    first.tryAgain!.click()
    await waitUntil(() => second.refreshes === 1)
    expect(first.refreshes).to.equal(1)
  })

  it('is announced with its reason', async () => {
    const elements = await Promise.all([show({ rows: 1 }), show(), show()])
    const [stale, out, none] = elements
    const announced = announcements()
    const texts = () => announced.join(' ')
    stale.fail(down)
    out.fail(signedOut)
    none.fail(noProxy)
    await waitUntil(() => announced.length > 0)
    expect(texts()).to.include('Shares: This may be out of date. The latest version couldn’t be loaded.')
    expect(texts()).to.include('Shares: You are signed out. Sign in, then return to this page.')
    expect(texts()).to.include(`Shares: No Routeslip proxy found at ${endpoint}.`)
  })

  it('is not announced if it is about rights, or if a form has said it', async () => {
    const [quiet, said, last] = await Promise.all([show(), show({ isSaid: true }), show()])
    const announced = announcements()
    quiet.fail(down, false)
    said.fail(signedOut)
    last.fail(noProxy)
    await waitUntil(() => announced.length > 0)
    expect(announced).to.deep.equal([`Shares: No Routeslip proxy found at ${endpoint}.`])
    quiet.succeed()
    expect(quiet.willAnnounce(english.common.upToDate)).to.equal(false)
  })

  it('fires an event, and one more for each end of a session', async () => {
    const element = await show()
    const events: unknown[] = []
    element.addEventListener(FsErrorEvent.type, ({ error }) => events.push(error))
    element.addEventListener(WfSignedOutEvent.type, () => events.push('signed out'))
    element.fail(signedOut)
    element.fail(down)
    element.fail(signedOut)
    element.fail(signedOut)
    element.succeed()
    element.fail(signedOut)
    element.fail(down)
    element.fail(signedOut)
    expect(events).to.deep.equal([
      ...[signedOut, 'signed out'],
      down,
      ...[signedOut, 'signed out'],
      signedOut,
      ...[signedOut, 'signed out'],
      down,
      ...[signedOut, 'signed out'],
    ])
  })
})

async function show(fields: Partial<XStorage> = {}): Promise<XStorage> {
  const element = await fixture<XStorage>(html`<x-storage lang="en" .client=${client}></x-storage>`)
  await element.have(fields)
  return element
}
