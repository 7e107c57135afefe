import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { SignedOutError, UnavailableError, type UploadItem } from '../../../src/client/index.ts'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { UploadList } from '../../../src/elements/upload/upload-list.ts'
import { shownName } from '../../../src/elements/upload/upload-row.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcements } from '../notices/announcements.ts'

interface Stored {
  readonly filename: string | null
  readonly id: string
}
interface Details {
  readonly from: string
}
type Item = UploadItem<Stored, Details>

/** Lists the visible files. A file whose name begins with "bad" fails, one with "out" needs a session, one with "slow" waits. */
class XList extends LitElement {
  readonly sent: string[] = []
  readonly calls: string[] = []
  release = (): void => {}
  readonly #held = new Promise<void>((resolve) => (this.release = resolve))

  readonly announcer = new Announcer(this)
  readonly queue: UploadList<Stored, Details> = new UploadList<Stored, Details>(this, this.announcer, {
    send: async ({ name }) => {
      this.sent.push(name)
      if (name.startsWith('bad')) throw new UnavailableError('uploadFile', 'failed')
      if (name.startsWith('out')) throw new SignedOutError('uploadFile', 'needs a session')
      if (name.startsWith('slow')) await this.#held
      return { filename: name.includes('plain') ? null : `stored ${name}`, id: name }
    },
    onChange: (ended, left) => {
      for (const { name, state } of ended)
        this.calls.push(
          state.kind === 'stored' ? `${name} is ${state.value.filename}` : `${name} ${state.kind}`,
        )
      for (const { name } of left) this.calls.push(`remove ${name}`)
    },
  })

  protected override willUpdate(): void {
    this.queue.showNextSlice()
  }

  override render() {
    return html`<ul>
        ${this.queue.visible.map(
          ({ key, name }) => html`<li data-key=${key}><span class="name">${name}</span></li>`,
        )}
      </ul>
      ${this.announcer.render()}`
  }

  add(names: readonly string[], hold?: 'start'): readonly Item[] {
    const known = this.queue.items.length
    const files = names.map((name) => ({ file: new File(['x'], name), name, details: { from: 'new' } }))
    this.queue.dispatch({ type: 'add', files, hold })
    return this.queue.items.slice(known)
  }

  choose(...names: string[]): readonly Item[] {
    return this.add(names, 'start')
  }

  stateOf({ key }: Item): string {
    const state = this.queue.items.find((item) => item.key === key)!.state
    return state.kind === 'queued' && state.hold === 'signed-out' ? 'paused' : state.kind
  }

  /** Sends files, and waits until each is stored, failed, paused or held. */
  async send(...names: string[]): Promise<readonly Item[]> {
    const items = this.add(names)
    await waitUntil(() =>
      items.every((item) =>
        item.name.startsWith('slow')
          ? this.sent.includes(item.name)
          : ['stored', 'failed', 'paused'].includes(this.stateOf(item)),
      ),
    )
    await this.updateComplete
    return items
  }

  get rows(): string[] {
    return [...this.renderRoot.querySelectorAll('li')].map(({ textContent }) => textContent)
  }
}
customElements.define('x-list', XList)

describe('a long UploadList', () => {
  it('sums up several uploads of which some failed, and names the first of those', async () => {
    const element = await show()
    const outcome = () => element.queue.outcome
    await element.send('bad 1')
    expect(outcome(), 'one file has its row').to.equal('')
    await element.send('bad 2', 'bad 3')
    expect(outcome()).to.equal('3 failed: bad 1, bad 2, bad 3')
    await element.send('a', 'bad 4')
    expect(outcome()).to.equal('1 uploaded, 4 failed: bad 1, bad 2, bad 3…')
    const one = await show()
    await one.send('a', 'b')
    expect(one.queue.outcome, 'none failed').to.equal('')
    await one.send('bad')
    expect(one.queue.outcome).to.equal('2 uploaded, 1 failed: bad')
    const two = await show()
    await two.send('a', 'bad')
    expect(two.queue.outcome).to.equal('1 uploaded, 1 failed: bad')
  })

  it('counts the files of each kind, without those that are not there any more', async () => {
    const element = await show()
    element.queue.dispatch({ type: 'restore', stored: [storedAs('gone')] })
    await element.send('a', 'b', 'bad 1')
    expect(element.queue.counts(() => true)).to.equal('3 uploaded, 1 failed')
    expect(element.queue.counts(({ id }) => id !== 'gone')).to.equal('2 uploaded, 1 failed')
    await element.send('slow', 'out')
    element.choose('waiting')
    expect(element.queue.counts(({ id }) => id === 'a')).to.equal(
      '1 uploaded, 1 failed, 2 uploading, 1 paused',
    )
    expect(element.queue.counts(() => false)).to.equal('1 failed, 2 uploading, 1 paused')
    expect(element.queue.outcome, 'files from before are not uploads').to.equal('2 uploaded, 1 failed: bad 1')
    element.release()
  })

  it('names the files that failed, with the part of their rows that can take the focus', async () => {
    const element = await show()
    const [bad] = await element.send('bad', 'a', 'bad too')
    expect(element.queue.failed.map(({ name }) => name)).to.deep.equal(['bad', 'bad too'])
    const row = element.renderRoot.querySelector(`[data-key="${bad!.key}"] .name`)
    expect(element.queue.failed[0]!.row === row).to.equal(true)
    row!.parentElement!.remove()
    expect(element.queue.failed[0]!.row === null).to.equal(true)
  })

  it('has failed files first, and keeps their places when they are tried again', async () => {
    const element = await show()
    const [, bad] = await element.send('a', 'bad', 'b')
    expect(element.rows).to.deep.equal(['bad', 'a', 'b'])
    expect(element.queue.items.map(({ name }) => name)).to.deep.equal(['a', 'bad', 'b'])
    element.queue.dispatch({ type: 'start', key: bad!.key })
    await waitUntil(() => element.sent.filter((name) => name === 'bad').length === 2)
    await element.send('c')
    expect(element.rows).to.deep.equal(['bad', 'a', 'b', 'c'])
  })

  it('shows 20 files more at each update, and starts all of them without one', async () => {
    const element = await show()
    element.choose(...Array.from({ length: 45 }, (_, index) => `${index}`))
    const shown: number[] = []
    for (let update = 0; update < 3; update++) {
      await element.updateComplete
      shown.push(element.rows.length)
      await Promise.resolve()
    }
    expect(shown).to.deep.equal([20, 40, 45])
    expect(element.sent).to.deep.equal([])
    element.queue.dispatch({ type: 'release' })
    element.queue.dispatch({ type: 'release' })
    expect(element.sent).to.have.length(45)
    await waitUntil(() => element.queue.stored.length === 45)
    expect(element.sent).to.have.length(45)
    expect(new Set(element.queue.items.map(({ key }) => key)).size, 'each has its key').to.equal(45)
    expect(element.queue.items.every(({ key }) => key < 0)).to.equal(true)
  })

  it('delays the updates of more than 20 files', async () => {
    const element = await show()
    const isDelayed = async () => {
      let hasEnded = false
      const ended = element.queue.throttleUpdate().then(() => (hasEnded = true))
      for (let tick = 0; tick < 10; tick++) await Promise.resolve()
      const wasDelayed = !hasEnded
      await ended
      return wasDelayed
    }
    element.choose(...Array.from({ length: 20 }, (_, index) => `${index}`))
    expect(await isDelayed()).to.equal(false)
    element.choose('20')
    expect(await isDelayed()).to.equal(true)
  })

  it('names a file as its row shows it', async () => {
    const element = await show()
    await element.send('a', 'trip/b', 'plain')
    element.choose('waiting')
    expect(element.queue.items.map(shownName)).to.deep.equal(['stored a', 'trip/b', 'plain', 'waiting'])
    const [a] = element.queue.items
    element.calls.length = 0
    element.queue.dispatch({ type: 'remove', key: a!.key })
    expect(element.calls).to.deep.equal(['remove a'])
  })

  it('reports how each upload ends, and announces failures and interruptions at once', async () => {
    const element = await show()
    const announced = announcements()
    await element.send('bad', 'a', 'out')
    expect([...element.calls].sort()).to.deep.equal(['a is stored a', 'bad failed'])
    await waitUntil(() => announced.join().includes('1 failed, 1 uploaded'))
    const heard = announced.join(' ')
    expect(heard).to.include('bad: Not uploaded: the connection or the service failed.')
    expect(heard).to.include('out: Paused: you are signed out.')
    expect(heard, 'the number replaces the names').not.to.include('was uploaded')
  })
})

const storedAs = (id: string) => ({
  value: { filename: null, id },
  name: id,
  size: 1,
  details: { from: 'old' },
})

async function show(): Promise<XList> {
  return await fixture<XList>(html`<x-list lang="en"></x-list>`)
}
