import { expect, fixture } from '@open-wc/testing'
import { html, LitElement } from 'lit'
import { property } from 'lit/decorators.js'
import { Resource } from '../../../src/elements/loading/resource.ts'
import { waitUntil } from '../../wait-until.ts'

/** Records what its resource calls. The test settles each load. */
class XCalls extends LitElement {
  @property({ attribute: false }) key: readonly [string, number] | readonly [] = ['a', 1]

  readonly calls: string[] = []
  readonly loads: {
    readonly resolve: (text: string) => void
    readonly reject: (error: unknown) => void
    readonly signal: AbortSignal
  }[] = []
  changed: (why: 'changed' | 'poll' | 'user') => void = () => {}

  readonly content = new Resource<readonly [string, number], string>(this, {
    key: () => this.key,
    load: (key, signal) => {
      this.calls.push(`load ${key.join('')}`)
      return new Promise((resolve, reject) => this.loads.push({ resolve, reject, signal }))
    },
    peek: ([name, number]) => (name.startsWith('kept') ? `${name} ${number}` : undefined),
    watch: (key, changed) => {
      this.calls.push(`watch ${key.join('')}`)
      this.changed = changed
      return () => this.calls.push(`stop ${key.join('')}`)
    },
    onForget: () => this.calls.push('forget'),
    onLoad: (value) => this.calls.push(`loaded ${value}`),
    onError: (error) => this.calls.push(`failed ${String(error)}`),
  })

  override render() {
    return html`${this.content.value}`
  }

  /** The calls since the last time. */
  take(): string[] {
    return this.calls.splice(0)
  }
}
customElements.define('x-calls', XCalls)

describe('Resource and its calls', () => {
  it('loads and watches the content of its key', async () => {
    const element = await show()
    expect(element.take()).to.deep.equal(['forget', 'watch a1', 'load a1'])
    expect([element.content.busy, element.content.value, element.content.error]).to.deep.equal([
      true,
      undefined,
      undefined,
    ])
    element.loads[0]!.resolve('text')
    await waitUntil(() => element.shadowRoot!.textContent === 'text')
    expect(element.take()).to.deep.equal(['loaded text'])
    expect(element.content.busy).to.equal(false)

    element.key = ['a', 1]
    await element.updateComplete
    expect(element.take(), 'an equal key').to.deep.equal([])
    element.key = ['a', 2]
    await waitUntil(() => element.loads.length === 2)
    expect(element.take()).to.deep.equal(['forget', 'stop a1', 'watch a2', 'load a2'])
    element.key = ['b', 2]
    await waitUntil(() => element.loads.length === 3)
    expect(element.take()).to.deep.equal(['forget', 'stop a2', 'watch b2', 'load b2'])
    expect(element.loads[1]!.signal.aborted).to.equal(true)
  })

  it('loads nothing without a key, and stops watching the last one', async () => {
    const element = await show([])
    expect(element.take()).to.deep.equal([])
    await element.content.refresh()
    expect(element.take()).to.deep.equal([])
    element.key = ['a', 1]
    await waitUntil(() => element.loads.length === 1)
    element.loads[0]!.resolve('text')
    await waitUntil(() => element.content.value === 'text')
    element.take()
    element.key = []
    await waitUntil(() => element.content.value === undefined)
    expect(element.take()).to.deep.equal(['forget', 'stop a1'])
    const parent = element.parentElement!
    element.remove()
    await Promise.resolve()
    parent.append(element)
    await element.updateComplete
    expect(element.take()).to.deep.equal([])
  })

  it('loads nothing before its element is in the page', async () => {
    const element = document.createElement('x-calls') as XCalls
    await element.content.refresh()
    expect(element.take()).to.deep.equal([])
    await fixture(element)
    await waitUntil(() => element.loads.length === 1)
    expect(element.take()).to.deep.equal(['forget', 'watch a1', 'load a1'])
  })

  it('shows cached content while it loads', async () => {
    const element = await show(['kept', 7])
    await waitUntil(() => element.shadowRoot!.textContent === 'kept 7')
    expect(element.content.busy).to.equal(true)
    element.loads[0]!.resolve('new')
    await waitUntil(() => element.shadowRoot!.textContent === 'new')
  })

  it('keeps the content and the error of a failed attempt until one succeeds', async () => {
    const element = await show()
    element.loads[0]!.resolve('text')
    await waitUntil(() => element.content.value)
    element.take()
    void element.content.refresh()
    await waitUntil(() => element.loads.length === 2)
    element.loads[1]!.reject('down')
    await waitUntil(() => element.content.error)
    expect([element.content.value, element.content.error, element.content.busy]).to.deep.equal([
      'text',
      'down',
      false,
    ])
    expect(element.take()).to.deep.equal(['load a1', 'failed down'])
    void element.content.refresh()
    await waitUntil(() => element.loads.length === 3)
    expect(element.content.error).to.equal('down')
    element.loads[2]!.resolve('text 2')
    await waitUntil(() => element.content.value === 'text 2')
    expect(element.content.error).to.equal(undefined)
    expect(element.take()).to.deep.equal(['load a1', 'loaded text 2'])
  })

  it('forgets an error with the key that it belongs to', async () => {
    const element = await show()
    element.loads[0]!.reject('down')
    await waitUntil(() => element.content.error)
    element.key = ['a', 2]
    await waitUntil(() => element.loads.length === 2)
    expect(element.content.error).to.equal(undefined)
  })

  it('reports no failure of an attempt that was given up', async () => {
    const element = await show()
    void element.content.refresh()
    await waitUntil(() => element.loads.length === 2)
    element.loads[0]!.reject('too late')
    element.loads[1]!.resolve('text')
    await waitUntil(() => element.content.value === 'text')
    expect(element.calls.filter((call) => call.startsWith('failed'))).to.deep.equal([])
  })

  it('reports no failure after its element was removed', async () => {
    const element = await show()
    element.remove()
    await waitUntil(() => element.loads[0]!.signal.aborted)
    element.take()
    element.loads[0]!.reject('aborted')
    // The control: an attempt that fails in the page is reported.
    const other = await show()
    other.loads[0]!.reject('down')
    await waitUntil(() => other.content.error)
    expect(element.take()).to.deep.equal([])
    expect([element.content.error, element.content.busy]).to.deep.equal([undefined, false])
  })

  it('forgets the content of another person before it loads again', async () => {
    const element = await show()
    element.loads[0]!.resolve('text')
    await waitUntil(() => element.content.value)
    element.take()
    element.changed('user')
    expect(element.content.value).to.equal(undefined)
    await waitUntil(() => element.loads.length === 2)
    expect(element.take()).to.deep.equal(['forget', 'load a1'])
  })

  it('shows the response to a write at once, instead of an error', async () => {
    const element = await show()
    element.loads[0]!.reject('down')
    await waitUntil(() => element.content.error)
    element.take()
    element.content.replace('written')
    expect(element.take()).to.deep.equal(['loaded written'])
    expect([element.content.value, element.content.error]).to.deep.equal(['written', undefined])
    await waitUntil(() => element.shadowRoot!.textContent === 'written')
    element.content.forget()
    expect([element.content.value, ...element.take()]).to.deep.equal([undefined, 'forget'])
  })
})

async function show(key: XCalls['key'] = ['a', 1]): Promise<XCalls> {
  const element = document.createElement('x-calls') as XCalls
  element.key = key
  await fixture(element)
  await element.updateComplete
  return element
}
