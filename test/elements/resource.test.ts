import { aTimeout, expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import { property } from 'lit/decorators.js'
import { Resource } from '../../src/elements/resource.ts'
import { waitUntil } from '../wait-until.ts'

/** Shows the text that belongs to a number. Each load waits until the test resolves it. */
class XResource extends LitElement {
  @property({ type: Number }) number = 1

  readonly loads: {
    readonly key: number
    readonly signal: AbortSignal
    readonly answer: (text: string) => void
  }[] = []
  readonly watches: { readonly changed: (why: 'changed' | 'poll' | 'user') => void; isOver: boolean }[] = []

  readonly content = new Resource<readonly [number], string>(this, {
    key: () => [this.number],
    load: ([key], signal) => new Promise((answer) => this.loads.push({ key, signal, answer })),
    watch: (_, changed) => {
      const watch = { changed, isOver: false }
      this.watches.push(watch)
      return () => (watch.isOver = true)
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
    await answer(element, 0, 'one')
    element.number = 2
    await element.updateComplete
    await waitUntil(() => element.loads.length === 2)

    expect(element.content.value).to.equal(undefined)
    expect(element.watches.map(({ isOver }) => isOver)).to.deep.equal([true, false])
    await answer(element, 1, 'two')
    expect(element.content.value).to.equal('two')
  })

  it('gives up and stops watching when it is removed, and begins again when it is back (F38)', async () => {
    const element = await show()
    const parent = element.parentElement!
    element.remove()
    await aTimeout(0)
    expect(element.loads[0]?.signal.aborted).to.equal(true)
    expect(element.watches[0]?.isOver).to.equal(true)

    parent.append(element)
    await aTimeout(0)
    expect(element.loads).to.have.length(2)
    expect(element.watches).to.have.length(2)
  })

  it('goes on when it only moves', async () => {
    const element = await show()
    element.parentElement!.append(element)
    await aTimeout(0)

    expect(element.loads.map(({ signal }) => signal.aborted)).to.deep.equal([false])
    expect(element.watches.map(({ isOver }) => isOver)).to.deep.equal([false])
  })

  it('neither asks nor watches while it is out of the page, whatever is set there (F38)', async () => {
    const element = await show()
    const parent = element.parentElement!
    await answer(element, 0, 'one')
    element.remove()
    await aTimeout(0)
    element.number = 2
    await element.updateComplete
    await aTimeout(0)
    expect(element.content.value, 'what was for another key').to.equal(undefined)
    expect(element.loads).to.have.length(1)
    expect(element.watches.every(({ isOver }) => isOver)).to.equal(true)

    parent.append(element)
    await waitUntil(() => element.loads.length === 2)
    expect(element.watches.filter(({ isOver }) => !isOver)).to.have.length(1)
    await answer(element, 1, 'two')
    expect(element.content.value).to.equal('two')
  })

  it('asks again after a write even while it is asking, and otherwise only when it is not', async () => {
    const element = await show()
    element.watches[0]!.changed('poll')
    await aTimeout(0)
    expect(element.loads).to.have.length(1)

    element.watches[0]!.changed('changed')
    await aTimeout(0)
    expect(element.loads).to.have.length(2)
    expect(element.loads[0]?.signal.aborted).to.equal(true)
    await answer(element, 0, 'before the write')
    await answer(element, 1, 'after it')
    expect(element.content.value).to.equal('after it')

    element.watches[0]!.changed('poll')
    await aTimeout(0)
    expect(element.loads).to.have.length(3)
    expect(element.content.value, 'what was shown stays').to.equal('after it')
  })
})

async function show(): Promise<XResource> {
  const wrapper = await fixture<HTMLElement>(html`<div><x-resource></x-resource></div>`)
  return wrapper.querySelector<XResource>('x-resource')!
}

async function answer(element: XResource, index: number, text: string): Promise<void> {
  element.loads[index]!.answer(text)
  await aTimeout(0)
  await element.updateComplete
}
