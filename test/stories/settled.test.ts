import { expect, fixture, html } from '@open-wc/testing'
import { type Backend, createBackend, hang } from '../../stories/backend.ts'
import { atRest, settled } from '../../stories/settled.ts'
import type { WfComments } from '../../src/elements/wf-comments/wf-comments.ts'
import '../../src/define/wf-comments.ts'
import '../../src/define/wf-context.ts'

describe('settled()', () => {
  it('waits for a response that comes late, and for what is rendered then', async () => {
    const backend = createBackend()
    const release = holdServices(backend)
    const element = await show(backend)
    const order: string[] = []
    element.addEventListener('wf-load', () => order.push('loaded'))
    const waiting = settled(element).then(() => order.push('settled'))
    expect(element.matches(':state(loading)')).to.equal(true)
    release()
    await waiting
    expect(order).to.deep.equal(['loaded', 'settled'])
    expect(textIn(element)).to.include('No comments yet.')
  })

  it('rejects with what is still in progress', async () => {
    const backend = createBackend()
    const release = holdServices(backend)
    const element = await show(backend)
    const reason = await settled(element, { timeout: 100 }).catch(({ message }: Error) => message)
    expect(reason).to.match(
      /^Not settled: GET \/wf\/.*; <wf-comments> is still loading; <wf-comments> is still busy$/,
    )
    release()
    await settled(element)
  })

  it('finds elements inside others, and the client of a context around them', async () => {
    const backend = createBackend()
    const release = holdServices(backend)
    const host = await fixture(html`<wf-context .client=${backend.client}></wf-context>`)
    const inner = document.createElement('div')
    const comments = document.createElement('wf-comments')
    comments.setAttribute('form-id', '6025')
    comments.setAttribute('package-id', '42')
    inner.attachShadow({ mode: 'open' }).append(comments)
    host.append(inner)
    const reason = await settled(host, { timeout: 100 }).catch(({ message }: Error) => message)
    expect(reason).to.include('<wf-comments> is still loading').and.to.include('GET /wf/')
    release()
    await settled(inner)
    expect(textIn(comments)).to.include('No comments yet.')
  })

  it('does not wait for requests that hang on purpose, but for all others', async () => {
    const backend = createBackend()
    const element = await show(backend)
    await settled(element)
    hang(backend)
    void element.refresh()
    await settled(element)
    expect(element.matches(':state(busy)')).to.equal(true)

    const release = holdServices(backend)
    void element.refresh()
    const reason = await settled(element, { timeout: 100 }).catch(({ message }: Error) => message)
    expect(reason).to.include('GET /wf/')
    release()
    await settled(element)
  })

  it('waits while something changes, and no longer', async () => {
    const element = await fixture<HTMLElement>(html`<p></p>`)
    let isChanging = true
    const change = () => {
      element.textContent += '.'
      if (isChanging) requestAnimationFrame(change)
    }
    change()
    const reason = await settled(element, { timeout: 100 }).catch(({ message }: Error) => message)
    expect(reason).to.equal('Not settled: <p> still changes')
    isChanging = false
    await settled(element)
  })
})

describe('atRest()', () => {
  it('waits until the browser has laid out what it had skipped', async () => {
    const block = html`<div style="content-visibility: auto; contain-intrinsic-block-size: 2000px">
      <p style="block-size: 1500px"></p>
    </div>`
    const element = await fixture<HTMLElement>(html`<div>${Array.from({ length: 9 }, () => block)}</div>`)
    const target = element.children[5]!
    const height = () => document.documentElement.scrollHeight
    target.scrollIntoView({ block: 'center' })
    const before = height()
    await atRest(target)
    const after = height()
    expect(after, 'the blocks around it have their size').to.be.lessThan(before)
    await atRest(target)
    expect(height()).to.equal(after)
  })
})

/** Holds all requests to the services until the returned function is called. */
function holdServices(backend: Backend): () => void {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  backend.intercept = (request) => promise.then(() => backend.emulator.fetch(request))
  return () => {
    backend.intercept = () => undefined
    resolve()
  }
}

async function show({ client }: Backend): Promise<WfComments> {
  return await fixture(html`<wf-comments .client=${client} form-id="6025" package-id="42"></wf-comments>`)
}

function textIn(element: Element): string {
  return element.shadowRoot!.querySelector<HTMLElement>('[part=base]')!.innerText
}
