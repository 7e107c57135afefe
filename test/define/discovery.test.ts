import { expect, fixture, html } from '@open-wc/testing'
import { define } from '../../src/define/define.ts'
import { discover } from '../../src/define/discovery.ts'
import { nextTurn } from '../next-turn.ts'
import { waitUntil } from '../wait-until.ts'

class Probe extends HTMLElement {
  static readonly observedAttributes = ['package-id', 'endpoint']
}

describe('discover() @engines', () => {
  it('loads each tag that the page uses once, and none that it does not use', async () => {
    await fixture(html`<wf-used-a></wf-used-a><wf-used-a></wf-used-a>`)
    const loaded: string[] = []
    const stop = discover({
      'wf-used-a': () => loaded.push('a'),
      'wf-used-b': () => loaded.push('b'),
      'wf-used-c': () => loaded.push('c'),
    })
    expect(loaded).to.deep.equal(['a'])

    await fixture(html`<section><wf-used-b></wf-used-b></section>`)
    await waitUntil(() => loaded.length === 2)
    expect(loaded).to.deep.equal(['a', 'b'])
    stop()
  })

  it('fills a placeholder with the element, its attributes and its content', async () => {
    const place = await fixture(html`
      <div data-wf="probe-fill" data-package-id="42" data-endpoint="/api/wf"><a href="/42">Status</a></div>
    `)
    const stop = discover({ 'wf-probe-fill': () => define('wf-probe-fill', class extends Probe {}) })
    await waitUntil(() => place.querySelector('wf-probe-fill'))

    const element = place.querySelector('wf-probe-fill')!
    expect(element.getAttribute('package-id')).to.equal('42')
    expect(element.getAttribute('endpoint')).to.equal('/api/wf')
    expect(element.querySelector('a')?.textContent).to.equal('Status')
    stop()
  })

  it('fills placeholders that are added later, and none twice', async () => {
    const stop = discover({ 'wf-probe-late': () => define('wf-probe-late', class extends Probe {}) })
    const place = await fixture(html`<div data-wf="probe-late"></div>`)
    await waitUntil(() => place.querySelector('wf-probe-late'))
    place.append('more')
    await nextTurn()

    expect(place.querySelectorAll('wf-probe-late')).to.have.length(1)
    stop()
  })

  it('copies only attributes that the element observes, so that none becomes a script', async () => {
    const place = await fixture(html`
      <div
        data-wf="probe-safe"
        data-onclick="alert(1)"
        data-style="color:red"
        data-is="x"
        data-package-id="1"
      ></div>
    `)
    const stop = discover({ 'wf-probe-safe': () => define('wf-probe-safe', class extends Probe {}) })
    await waitUntil(() => place.querySelector('wf-probe-safe'))

    expect(place.querySelector('wf-probe-safe')?.getAttributeNames()).to.deep.equal(['package-id'])
    stop()
  })

  it('keeps the fallback and warns if an element fails to load, and tries again for the next one (F47)', async () => {
    const warnings: unknown[] = []
    const warn = console.warn
    console.warn = (text: unknown) => warnings.push(text)
    let attempts = 0
    const place = await fixture(html`<div data-wf="probe-lost"><a href="/42">Status</a></div>`)
    const stop = discover({ 'wf-probe-lost': () => Promise.reject(new Error(`down ${++attempts}`)) })
    await waitUntil(() => warnings.length > 0)
    expect(place.textContent).to.equal('Status')

    await fixture(html`<wf-probe-lost></wf-probe-lost>`)
    await waitUntil(() => attempts > 1)
    stop()
    console.warn = warn
    expect(warnings[0]).to.equal('<wf-probe-lost> could not be loaded: Error: down 1')
  })
})
