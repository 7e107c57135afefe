import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { property } from 'lit/decorators.js'
import { Resource } from '../../../src/elements/loading/resource.ts'
import { nextTurn } from '../../next-turn.ts'
import { waitUntil } from '../../wait-until.ts'

/** Shows the text of a number. The test resolves each load. */
class XResource extends LitElement {
  @property({ type: Number }) number = 1

  readonly loads: {
    readonly key: number
    readonly signal: AbortSignal
    readonly resolve: (text: string) => void
  }[] = []
  readonly watches: { readonly changed: (why: 'changed' | 'poll' | 'user') => void; isStopped: boolean }[] =
    []

  readonly content = new Resource<readonly [number], string>(this, {
    key: () => [this.number],
    load: ([key], signal) => new Promise((resolve) => this.loads.push({ key, signal, resolve })),
    watch: (_, changed) => {
      const watch = { changed, isStopped: false }
      this.watches.push(watch)
      return () => (watch.isStopped = true)
    },
  })

  override render() {
    return html`${this.content.value}`
  }
}
customElements.define('x-resource', XResource)

describe('Resource', () => {
  it('never shows the content of one key under another (F39)', async () => {
    const element = await show()
    await resolveLoad(element, 0, 'one')
    element.number = 2
    await element.updateComplete
    await waitUntil(() => element.loads.length === 2)

    expect(element.content.value).to.equal(undefined)
    expect(element.watches.map(({ isStopped }) => isStopped)).to.deep.equal([true, false])
    await resolveLoad(element, 1, 'two')
    expect(element.content.value).to.equal('two')
  })

  it('aborts the load and stops watching when it is removed, and starts again when it returns (F38)', async () => {
    const element = await show()
    const parent = element.parentElement!
    element.remove()
    await nextTurn()
    expect(element.loads[0]?.signal.aborted).to.equal(true)
    expect(element.watches[0]?.isStopped).to.equal(true)

    parent.append(element)
    await nextTurn()
    expect(element.loads).to.have.length(2)
    expect(element.watches).to.have.length(2)
  })

  it('continues when the element moves within the page', async () => {
    const element = await show()
    element.parentElement!.append(element)
    await nextTurn()

    expect(element.loads.map(({ signal }) => signal.aborted)).to.deep.equal([false])
    expect(element.watches.map(({ isStopped }) => isStopped)).to.deep.equal([false])
  })

  it('neither loads nor watches while it is not in the page, even if its key changes (F38)', async () => {
    const element = await show()
    const parent = element.parentElement!
    await resolveLoad(element, 0, 'one')
    element.remove()
    await nextTurn()
    element.number = 2
    await element.updateComplete
    await nextTurn()
    expect(element.content.value, 'the text of the previous key').to.equal(undefined)
    expect(element.loads).to.have.length(1)
    expect(element.watches.every(({ isStopped }) => isStopped)).to.equal(true)

    parent.append(element)
    await waitUntil(() => element.loads.length === 2)
    expect(element.watches.filter(({ isStopped }) => !isStopped)).to.have.length(1)
    await resolveLoad(element, 1, 'two')
    expect(element.content.value).to.equal('two')
  })

  it('loads again at once after a write, but for a poll only if no load is in progress', async () => {
    const element = await show()
    element.watches[0]!.changed('poll')
    await nextTurn()
    expect(element.loads).to.have.length(1)

    element.watches[0]!.changed('changed')
    await nextTurn()
    expect(element.loads).to.have.length(2)
    expect(element.loads[0]?.signal.aborted).to.equal(true)
    await resolveLoad(element, 0, 'before the write')
    await resolveLoad(element, 1, 'after it')
    expect(element.content.value).to.equal('after it')

    element.watches[0]!.changed('poll')
    await nextTurn()
    expect(element.loads).to.have.length(3)
    expect(element.content.value, 'the text stays').to.equal('after it')
  })
})

async function show(): Promise<XResource> {
  const wrapper = await fixture<HTMLElement>(html`<div><x-resource></x-resource></div>`)
  return wrapper.querySelector<XResource>('x-resource')!
}

async function resolveLoad(element: XResource, index: number, text: string): Promise<void> {
  element.loads[index]!.resolve(text)
  await nextTurn()
  await element.updateComplete
}
