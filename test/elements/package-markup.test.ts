import { expect, fixture, html } from '@open-wc/testing'
import { english } from '../../src/locales/english.ts'
import '../../src/define/wf-comments.ts'
import type { WfComments } from '../../src/elements/wf-comments/wf-comments.ts'
import { type Backend, breakDown, createBackend, hang, people } from '../../stories/backend.ts'
import { held, settled } from '../../stories/settled.ts'
import { waitUntil } from '../wait-until.ts'
import { allAnnounced, announcements } from './notices/announcements.ts'

// What the elements for a package render, and which states they have, tested with `<wf-comments>`.
describe('PackageElement and its markup', () => {
  it('shows that it loads, and then that it has loaded', async () => {
    const backend = createBackend()
    const { intercept } = backend
    hang(backend)
    const element = await add(backend)
    await element.updateComplete
    expect(attributesOf(part(element, 'base'))).to.deep.equal({
      part: 'base',
      lang: 'en',
      'aria-busy': 'true',
    })
    const placeholder = part(element, 'loading')
    expect(attributesOf(placeholder)).to.deep.equal({
      class: 'skeleton',
      part: 'loading',
      role: 'img',
      'aria-label': 'Loading…',
    })
    expect(placeholder.querySelectorAll('span')).to.have.length(3)
    expect(attributesOf(placeholder.parentElement!)).to.deep.equal({ name: 'loading' })
    expect(statesOf(element)).to.deep.equal(['busy', 'loading'])
    backend.intercept = intercept
    void element.refresh()
    await waitUntil(() => element.value)
    await settled(element)
    expect(part(element, 'base').ariaBusy).to.equal('false')
    expect(statesOf(element)).to.deep.equal(['empty', 'loaded'])

    hang(backend)
    void element.refresh()
    await waitUntil(() => element.matches(':state(busy)'))
    expect(part(element, 'base').ariaBusy, 'its content stays').to.equal('false')
    expect(statesOf(element)).to.deep.equal(['busy', 'empty', 'loaded'])
    element.remove()
  })

  it('says which settings are missing, and sends no request', async () => {
    const backend = createBackend()
    for (const [properties, missing] of [
      [{}, 'endpoint, form-id, package-id'],
      [{ client: backend.client }, 'form-id, package-id'],
      [{ client: backend.client, formId: 6025 }, 'package-id'],
      [{ client: backend.client, packageId: 42 }, 'form-id'],
      [{ formId: 6025, packageId: 42 }, 'endpoint'],
      [{ client: backend.client, formId: -1, packageId: 1.5 }, 'form-id, package-id'],
    ] as const) {
      const element = Object.assign(document.createElement('wf-comments'), properties)
      await fixture(element)
      await element.refresh()
      const text = `<wf-comments> needs ${missing} to show anything.`
      expect(part(element, 'not-configured').textContent).to.equal(text)
      expect(part(element, 'not-configured').className).to.equal('error')
      expect(statesOf(element)).to.deep.equal(['not-configured'])
      expect(element.value).to.equal(undefined)
    }
    expect(backend.journal).to.deep.equal([])
  })

  it('reads ids from its attributes only if they are whole numbers', async () => {
    const element = document.createElement('wf-comments')
    for (const [text, id] of [
      ['42', 42],
      ['4x2', 0],
      ['-42', 0],
      ['4.2', 0],
      ['0x2A', 0],
      ['4.2e1', 0],
      [' 42 ', 0],
      ['+42', 0],
      ['042', 0],
      ['９', 0],
      ['', 0],
    ] as const) {
      element.setAttribute('form-id', text)
      element.setAttribute('package-id', text)
      expect([element.formId, element.packageId], text).to.deep.equal([id, id])
    }
    element.setAttribute('form-id', '42')
    element.removeAttribute('form-id')
    expect(element.formId).to.equal(0)
  })

  it('shows a failure with a button that tries again, once at a time', async () => {
    const backend = createBackend()
    const { intercept } = backend
    breakDown(backend)
    const element = await add(backend)
    await waitUntil(() => part(element, 'failure'))
    const heard = announcements()
    await waitUntil(() => heard.includes('Comments: Couldn’t be loaded.'))
    // Other reads of the element may still be in progress.
    await settled(element)
    const notice = part(element, 'failure')
    expect(attributesOf(notice)).to.deep.equal({ class: 'notice', part: 'failure' })
    expect(notice.querySelector('p')!.textContent).to.equal('Comments: Couldn’t be loaded.')
    expect(statesOf(element)).to.deep.equal(['failed'])
    const button = part(element, 'try-again')
    const facts = () => [button.textContent.trim(), button.ariaDisabled]
    expect(facts()).to.deep.equal(['Try again', 'false'])

    let requests = 0
    const rejections: (() => void)[] = []
    backend.intercept = () => {
      requests++
      return held(new Promise<Response>((_, reject) => rejections.push(() => reject(new TypeError('down')))))
    }
    button.click()
    await waitUntil(() => requests > 0, 'nothing was tried')
    await settled(element)
    expect(facts()).to.deep.equal(['Trying…', 'true'])
    const before = requests
    button.click()
    await settled(element)
    expect(requests).to.equal(before)
    breakDown(backend)
    for (const reject of rejections) reject()
    await waitUntil(() => heard.includes(english.common.stillUnavailable), `heard: ${heard.join()}`)
    await settled(element)
    expect(facts()).to.deep.equal(['Try again', 'false'])

    backend.intercept = intercept
    button.click()
    await waitUntil(() => heard.includes(english.common.upToDate), `heard: ${heard.join()}`)
    await allAnnounced(element)
    expect(statesOf(element)).to.deep.equal(['empty', 'loaded'])
    expect(element.shadowRoot!.querySelector('.notice') === null).to.equal(true)
    expect(heard).to.deep.equal([
      'Comments: Couldn’t be loaded.',
      english.common.stillUnavailable,
      english.common.upToDate,
    ])
  })

  it('marks content that may be out of date, above it', async () => {
    const backend = createBackend()
    const element = await add(backend)
    await waitUntil(() => element.value)
    breakDown(backend)
    await element.refresh()
    await settled(element)
    const text = part(element, 'stale').querySelector('p')!.textContent
    expect(text).to.match(/^Showing what was known at \d+:\d\d\s[AP]M\. Trying again\.$/)
    expect(part(element, 'base').firstElementChild === part(element, 'stale')).to.equal(true)
    expect(part(element, 'empty').textContent).to.equal('No comments yet.')
    expect(statesOf(element)).to.deep.equal(['empty', 'loaded', 'stale'])
  })

  it('has a message for each reason why a package is not available, which the page can replace', async () => {
    for (const [person, packageId, state, text] of [
      [people.outsider, 42, 'forbidden', english.common.forbidden],
      [people.initiator, 43, 'missing', english.common.missing],
      [null, 42, 'signed-out', 'You are signed out. Sign in, then return to this page.'],
    ] as const) {
      const element = await add(createBackend(person), packageId)
      await waitUntil(() => part(element, state))
      const message = part(element, state)
      expect(attributesOf(message)).to.deep.equal({ class: 'message', part: state, tabindex: '-1' })
      expect(attributesOf(message.firstElementChild!)).to.deep.equal({ name: state })
      expect(message.querySelector('p')!.textContent).to.equal(text)
      expect(statesOf(element)).to.deep.equal([state])
      const own = document.createElement('em')
      own.slot = state
      element.append(own)
      element.requestUpdate()
      await element.updateComplete
      expect(message.querySelector('slot')!.assignedElements()[0] === own).to.equal(true)
      element.remove()
    }
  })

  it('forgets the content when the person loses access to the package', async () => {
    const backend = createBackend()
    const element = await add(backend)
    await waitUntil(() => element.value)
    const heard = announcements()
    const fired: string[] = []
    for (const type of ['wf-load', 'wf-error', 'wf-signed-out'])
      element.addEventListener(type, () => fired.push(type))
    backend.person = people.outsider
    await element.refresh()
    await element.refresh()
    expect(element.value).to.equal(undefined)
    await waitUntil(() => heard.length > 0)
    await allAnnounced(element)
    expect(heard).to.deep.equal([english.common.forbidden])
    backend.person = people.initiator
    await element.refresh()
    await waitUntil(() => element.value, 'the comments did not load again')
    expect([...new Set(fired)]).to.deep.equal(['wf-error', 'wf-load'])
  })
})

async function add({ client }: Backend, packageId = 42): Promise<WfComments> {
  return await fixture<WfComments>(
    html`<wf-comments .client=${client} form-id="6025" package-id=${packageId}></wf-comments>`,
  )
}

function part(element: WfComments, name: string): HTMLElement {
  return element.shadowRoot!.querySelector<HTMLElement>(`[part="${name}"]`)!
}

function attributesOf({ attributes }: Element): Record<string, string> {
  return Object.fromEntries([...attributes].map(({ name, value }) => [name, value]))
}

function statesOf(element: Element): string[] {
  const all =
    'busy empty failed forbidden loaded loading missing no-proxy not-configured signed-out stale'.split(' ')
  return all.filter((state) => element.matches(`:state(${state})`))
}
