import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { UnavailableError, type UploadOptions } from '../../../src/client/index.ts'
import { Announcer } from '../../../src/elements/notices/announcer.ts'
import { UploadList } from '../../../src/elements/upload/upload-list.ts'
import { nextTurn } from '../../next-turn.ts'
import { waitUntil } from '../../wait-until.ts'

/** Records each upload. The test settles it. */
class XQueue extends LitElement {
  readonly uploads: {
    readonly name: string
    readonly options: UploadOptions
    readonly resolve: (value: string) => void
    readonly reject: (error: unknown) => void
  }[] = []
  readonly probes: { readonly signal: AbortSignal; readonly resolve: (value: string | undefined) => void }[] =
    []
  readonly ends: string[] = []
  canSend = true

  readonly queue = new UploadList<{ readonly id: string }, object>(
    this,
    new Announcer(this),
    {
      send: ({ key, name }, options) => {
        if (!this.canSend) this.queue.dispatch({ type: 'remove', key })
        options.signal.throwIfAborted()
        return new Promise((resolve, reject) => {
          this.uploads.push({ name, options, resolve: (id) => resolve({ id }), reject })
          options.signal.addEventListener('abort', () => reject(options.signal.reason as Error))
        })
      },
      find: (_item, signal) =>
        new Promise((resolve) =>
          this.probes.push({ signal, resolve: (id) => resolve(id === undefined ? id : { id }) }),
        ),
      onChange: (ended) => {
        for (const { name, state } of ended)
          this.ends.push(
            state.kind === 'stored' ? `${name} stored as ${state.value.id}` : `${name} ${state.kind}`,
          )
      },
    },
    0,
  )

  protected override willUpdate(): void {
    this.queue.showNextSlice()
  }

  /** Adds files and starts them. */
  send(...names: string[]): void {
    this.add(names)
  }

  uploadOf(name: string) {
    return this.uploads.find((upload) => upload.name === name)!
  }

  /** Adds files that wait for their start. */
  choose(...names: string[]): void {
    this.add(names, 'start')
  }

  add(names: readonly string[], hold?: 'start'): void {
    const files = names.map((name) => ({ file: new File(['x'], name), name, details: {} }))
    this.queue.dispatch({ type: 'add', files, hold })
  }

  keyOf(name: string): number {
    return this.queue.items.find((item) => item.name === name)!.key
  }
}
customElements.define('x-queue', XQueue)

describe('UploadList', () => {
  it('counts running and stored files against a maximum, but not failed ones', async () => {
    const element = await show()
    element.send('a', 'b', 'c')
    await waitUntil(() => element.uploads.length === 3, 'all are sent')
    expect(element.queue.room(5)).to.equal(2)
    // Reading the files may take differently long, so they are sent in any order.
    element.uploadOf('a').resolve('1')
    element.uploadOf('b').reject(new UnavailableError('uploadFile', 'failed'))
    await waitUntil(() => element.ends.length === 2, 'two end')
    expect(element.ends).to.deep.equal(['a stored as 1', 'b failed'])
    expect(element.queue.room(5)).to.equal(3)
    expect(element.queue.room(1)).to.equal(0)
  })

  it('removes a file that is cancelled or that the page refuses, and sends nothing', async () => {
    const element = await show()
    element.send('a')
    await waitUntil(() => element.uploads.length === 1, 'it is sent')
    element.queue.dispatch({ type: 'cancel', key: element.keyOf('a') })
    expect(element.uploads[0]!.options.signal?.aborted).to.equal(true)
    expect(element.queue.items).to.deep.equal([])

    element.canSend = false
    element.send('b')
    await waitUntil(() => element.queue.items.length === 0, 'it is removed')
    expect(element.uploads).to.have.length(1)
    expect(element.ends).to.deep.equal([])
  })

  it('sends nothing again after it was cleared during a probe', async () => {
    const element = await show()
    await loseResponse(element)
    const [probe] = element.probes
    element.queue.dispatch({ type: 'clear' })
    expect(probe!.signal.aborted).to.equal(true)
    probe!.resolve(undefined)
    // The next probe and the next upload would start in these timers, because `lag` is 0.
    for (let turns = 0; turns < 3; turns++) await nextTurn()
    expect(element.probes).to.have.length(1)
    expect(element.uploads).to.have.length(1)
    expect(element.ends).to.deep.equal([])
  })

  it('asks before the page is left while a file is unfinished and the element is in the page @engines', async () => {
    const element = await show()
    const container = element.parentElement!
    expect(asksBeforeUnload()).to.equal(false)
    element.choose('a')
    expect(asksBeforeUnload()).to.equal(true)
    element.remove()
    expect(asksBeforeUnload(), 'removed').to.equal(false)
    container.append(element)
    expect(asksBeforeUnload(), 'in the page again').to.equal(true)
    element.queue.dispatch({ type: 'remove', key: element.keyOf('a') })
    expect(asksBeforeUnload(), 'nothing unfinished').to.equal(false)
  })

  it('stops uploads when the element is removed, and keeps the files for another start @engines', async () => {
    const element = await show()
    const container = element.parentElement!
    element.send('a')
    await waitUntil(() => element.uploads.length === 1, 'it is sent')
    element.choose('b')
    const elsewhere = await fixture<HTMLElement>(html`<div></div>`)
    elsewhere.append(element)
    await nextTurn()
    expect(element.uploads[0]!.options.signal?.aborted, 'only moved').to.equal(false)

    element.remove()
    await nextTurn()
    expect(element.uploads[0]!.options.signal?.aborted).to.equal(true)
    expect(states(element)).to.deep.equal(['a gone', 'b queued'])
    container.append(element)
    element.queue.dispatch({ type: 'start', key: element.keyOf('a') })
    await waitUntil(() => element.probes.length === 0 && element.uploads.length === 2, 'it is sent again')
  })
})

async function show(): Promise<XQueue> {
  const container = await fixture<HTMLElement>(html`<div><x-queue></x-queue></div>`)
  return container.querySelector<XQueue>('x-queue')!
}

/** Sends a file completely, and fails instead of a response. */
async function loseResponse(element: XQueue): Promise<void> {
  element.send('a')
  await waitUntil(() => element.uploads.length === 1, 'it is sent')
  const [upload] = element.uploads
  upload!.options.onProgress?.(100, 100)
  upload!.reject(new UnavailableError('uploadFile', 'got no response'))
  await waitUntil(() => element.probes.length === 1, 'it probes')
}

function states(element: XQueue): string[] {
  return element.queue.items.map(({ name, state }) => `${name} ${state.kind}`)
}

function asksBeforeUnload(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}
