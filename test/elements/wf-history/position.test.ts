import { expect, fixture, html } from '@open-wc/testing'
import type { PageClient } from '../../../src/client/index.ts'
import '../../../src/define/wf-history.ts'
import type { WfHistory } from '../../../src/elements/wf-history/wf-history.ts'
import { createBackend, hang } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcements } from '../notices/announcements.ts'

describe('the current position above a long history', () => {
  it('names the people it waits for, or the event that ended the route', async () => {
    const waits = (displayName: string | null) => event({ isInInbox: true, person: { displayName } })
    for (const [events, kind, content] of [
      [[waits('Ann')], 'now', 'Waiting for <bdi>Ann</bdi>'],
      [[waits('Ann'), waits(null)], 'now', 'Waiting for <bdi>Ann</bdi> and <bdi>Someone</bdi>'],
      [
        ['Ann', 'Bo', 'Cy', 'Di', 'Ed'].map(waits),
        'now',
        'Waiting for <bdi>Ann</bdi>, <bdi>Bo</bdi>, <bdi>Cy</bdi>, <bdi>Di</bdi>, and <bdi>Ed</bdi>',
      ],
      [
        [waits('Ann'), event({ isInInbox: true, permission: 'VIEW_ONLY', person: { displayName: 'Bo' } })],
        'now',
        'Waiting for <bdi>Ann</bdi>',
      ],
      [[event({ '@class': 'void' }), waits('Cy')], 'now', 'Waiting for <bdi>Cy</bdi>'],
      [[event({ '@class': 'void' })], 'void', '<bdi>Ruth</bdi> voided it'],
      [[event({ '@class': 'remove' })], 'remove', '<bdi>Ruth</bdi> removed it from routing'],
      [[event({ '@class': 'complete' })], 'complete', '<bdi></bdi>Routing is complete'],
    ] as const) {
      const element = await show([...past(11), ...events])
      const now = part(element, 'now')!
      expect(now.className).to.equal(kind)
      expect(markup(now.querySelector('span')!)).to.equal(content)
      expect(now.querySelectorAll('svg')).to.have.length(1)
      expect(part(element, 'jump')!.textContent.trim()).to.equal('Jump to now')
    }
  })

  it('is left out if nothing is known about it, or if the history is short', async () => {
    for (const events of [
      past(11),
      [...past(11), {}],
      [...past(11), event({ '@class': 'unvoid' })],
      [...past(11), event({ isInInbox: true, permission: 'VIEW_ONLY' })],
      [...past(10), event({ isInInbox: true })],
      [...past(9), event({ '@class': 'void' })],
    ]) {
      const element = await show(events)
      expect(part(element, 'now') === null).to.equal(true)
    }
  })
})

describe('the events still to come', () => {
  it('are open if they are few, and say at how many stops they are', async () => {
    const ahead = (count: number, stops: number) =>
      Array.from({ length: count }, (_, index) =>
        event({ actionDate: null, stop: { name: 'Dean', stopNumber: index % stops } }),
      )
    for (const [future, isOpen, title] of [
      [ahead(1, 1), true, 'Still to come (1 stop)'],
      [ahead(5, 2), true, 'Still to come (2 stops)'],
      [ahead(6, 6), false, 'Still to come (6 stops)'],
    ] as const) {
      const element = await show(past(1), { future })
      const details = element.shadowRoot!.querySelector('details')!
      expect([details.open, details.querySelector('summary')!.textContent]).to.deep.equal([isOpen, title])
      const rows = [...details.querySelectorAll('[role=list] > *')]
      expect(rows.map(({ className }) => className)).to.deep.equal(future.map(() => 'future'))
      expect(list(element).className).to.equal('continued')
    }
  })

  it('are not shown if there are none', async () => {
    for (const future of [null, [], '[]']) {
      const element = await show(past(1), { future })
      expect(part(element, 'future') === null).to.equal(true)
      expect(list(element).className).to.equal('')
      expect(part(element, 'not-configured') === null).to.equal(true)
      expect(element.value?.future ?? []).to.deep.equal([])
    }
  })

  it('are invalid if they are not a list, and the page author sees that', async () => {
    for (const future of ['{}', '[', 7 as unknown as string]) {
      const element = await show(past(1), { future })
      expect(part(element, 'not-configured')!.textContent).to.equal(
        '<wf-history> needs a list of events, or its JSON. The given value is not valid.',
      )
      expect(element.shadowRoot!.querySelectorAll('[part=event]')).to.have.length(1)
    }
  })
})

describe('<wf-history> without a request', () => {
  it('shows what the client has in its cache until the response arrives', async () => {
    const backend = createBackend()
    const add = () =>
      fixture<WfHistory>(
        html`<wf-history .client=${backend.client} form-id="6025" package-id="42"></wf-history>`,
      )
    const first = await add()
    await waitUntil(() => part(first, 'future'))
    hang(backend)
    const second = await add()
    await second.updateComplete
    expect(second.value).to.deep.equal(first.value)
    await waitUntil(() => second.matches(':state(loaded):state(busy)'))
    const texts = [first, second].map(
      ({ shadowRoot }) => shadowRoot!.querySelector('[part=base]')!.textContent,
    )
    expect(texts[1]).to.equal(texts[0])
    second.remove()
  })

  it('shows no events still to come if only the past is in the cache', async () => {
    const backend = createBackend()
    await backend.client.getHistory({ params: { formId: 6025, packageId: 42 } })
    hang(backend)
    const element = await fixture<WfHistory>(
      html`<wf-history .client=${backend.client} form-id="6025" package-id="42"></wf-history>`,
    )
    await element.updateComplete
    expect([element.value?.past.length, element.value?.future]).to.deep.equal([3, null])
    expect(part(element, 'future') === null).to.equal(true)
    element.remove()
  })

  it('writes the number of the package as it is', async () => {
    const element = await show(past(1), { packageId: 12345 })
    expect(part(element, 'package-id')!.textContent).to.equal('Request 12345')
  })

  it('leaves to other elements only what the signed-in user did to the package', async () => {
    const client = {
      getCached: (name: string) => (name === 'getSession' ? { univid: 'me' } : undefined),
    } as unknown as PageClient
    const me = { univid: 'me', displayName: 'Me' }
    for (const [given, fields, announced] of [
      [client, { '@class': 'void', person: me }, false],
      [client, { '@class': 'unvoid', person: me }, false],
      [client, { '@class': 'remove', person: me }, false],
      [client, { '@class': 're_initiate', person: me }, false],
      [client, { '@class': 'initiation', person: me }, false],
      [client, { person: me }, 'Me signed.'],
      [client, { '@class': 'void', person: { univid: 'you', displayName: 'You' } }, 'You voided it.'],
      [client, { '@class': 'void', person: null }, 'Someone voided it.'],
      [undefined, { '@class': 'void', person: me }, 'Me voided it.'],
      [
        { getCached: () => undefined } as unknown as PageClient,
        { '@class': 'void', person: null },
        'Someone voided it.',
      ],
    ] as const) {
      const element = await show(past(1), { client: given })
      const heard = announcements()
      // The completion is announced in any case, together with what comes before it.
      element.history = [...past(1), event(fields), event({ '@class': 'complete', person: null })]
      await waitUntil(() => heard.length > 0, JSON.stringify(fields))
      expect(heard[0]).to.equal(`${announced ? `${announced} ` : ''}Routing is complete.`)
      element.remove()
    }
  })
})

async function show(history: readonly unknown[], properties: object = {}): Promise<WfHistory> {
  const element = Object.assign(document.createElement('wf-history'), { history, ...properties })
  return await fixture<WfHistory>(element)
}

function event(fields: object): object {
  return {
    ...{ '@class': 'signature', actionDate: '2026-11-16T10:00:00', person: { displayName: 'Ruth' } },
    ...{ stop: { name: 'Department', stopNumber: 1 }, permission: 'SIGNATURE_REQUIRED', state: 'APPROVED' },
    ...fields,
  }
}

function past(count: number): object[] {
  return Array.from({ length: count }, () => event({}))
}

function part(element: WfHistory, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(`[part=${name}]`)
}

function list(element: WfHistory): HTMLElement {
  return element.shadowRoot!.querySelector('[part=base] > [role=list]')!
}

/** The markup of an element without the comments that mark its dynamic parts. */
function markup({ innerHTML }: Element): string {
  return innerHTML.replace(/<!--.*?-->/g, '')
}
