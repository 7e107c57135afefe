import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/index.ts'
import '../../../src/define/fs-files.ts'
import '../../../src/define/fs-shares.ts'
import '../../../src/define/wf-list.ts'
import '../../../src/define/wf-overrides.ts'
import '../../../src/define/wf-route.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { createListBackend } from '../../../stories/listed-requests.ts'
import { createOverrideBackend } from '../../../stories/overrides.ts'
import { createFilesBackend, sampleUuids } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'

describe('An element with nothing to show', () => {
  const files = () => createFilesBackend(people.initiator).client
  const list = () => createListBackend(people.outsider).client
  const all = () => createBackend().client
  const without = (path: string) => withoutRows(createBackend(), path).client
  for (const [name, show] of [
    ['fs-files', (words: unknown) => html`<fs-files .client=${files()} value="">${words}</fs-files>`],
    [
      'fs-shares',
      (words: unknown) => html`<fs-shares .client=${files()} file=${sampleUuids[2]!}>${words}</fs-shares>`,
    ],
    ['wf-list', (words: unknown) => html`<wf-list .client=${list()} view="mine">${words}</wf-list>`],
    [
      'wf-history, of a request',
      (words: unknown) => html`
        <wf-history .client=${without('history')} form-id="6025" package-id="42">${words}</wf-history>
      `,
    ],
    [
      'wf-history, with its own events',
      (words: unknown) => html`<wf-history .history=${[]}>${words}</wf-history>`,
    ],
    ['routing-history', (words: unknown) => html`<routing-history history="[]">${words}</routing-history>`],
    [
      'wf-route, of a request',
      (words: unknown) => html`
        <wf-route .client=${without('history')} form-id="6025" package-id="42">${words}</wf-route>
      `,
    ],
    [
      'wf-route, without an office',
      (words: unknown) => html`<wf-route .client=${all()} form-id="6025">${words}</wf-route>`,
    ],
    [
      'wf-route, of an office without one',
      (words: unknown) => html`
        <wf-route .client=${all()} form-id="6025" office="05-0100">${words}</wf-route>
      `,
    ],
    [
      'wf-route, without the type of the request',
      (words: unknown) => html`
        <wf-route
          .client=${createBackend(people.initiator, {}, [6026]).client}
          form-id="6026"
          office="11-0420"
          >${words}</wf-route
        >
      `,
    ],
    [
      'wf-comments',
      (words: unknown) => html`
        <wf-comments .client=${all()} form-id="6025" package-id="42">${words}</wf-comments>
      `,
    ],
    [
      'wf-attachments',
      (words: unknown) => html`
        <wf-attachments .client=${without('attachments')} form-id="6025" package-id="42"
          >${words}</wf-attachments
        >
      `,
    ],
    [
      'wf-overrides',
      (words: unknown) => html`
        <wf-overrides .client=${createOverrideBackend().client} form-id="6025" package-id="42"
          >${words}</wf-overrides
        >
      `,
    ],
  ] as const) {
    it(`shows the words of the page instead of its own: ${name}`, async () => {
      for (const words of [undefined, html`<p slot="empty">Ask the travel office.</p>`]) {
        const element = await fixture<HTMLElement>(show(words))
        const own = () => element.shadowRoot!.querySelector('slot[name=empty] [part=empty]')
        await waitUntil(() => own(), 'it is not empty')
        expect(own()!.checkVisibility()).to.equal(!words)
        if (words) expect(element.querySelector('p')!.checkVisibility()).to.equal(true)
      }
    })
  }

  for (const tag of ['wf-history', 'wf-route'])
    it(`shows the words of the page only if it is empty: ${tag}`, async () => {
      const element = await fixture<HTMLElement>(
        tag === 'wf-history'
          ? html`<wf-history .client=${all()} form-id="6025" package-id="42"
              ><p slot="empty">Ask the travel office.</p></wf-history
            >`
          : html`<wf-route .client=${all()} form-id="6025" package-id="42"
              ><p slot="empty">Ask the travel office.</p></wf-route
            >`,
      )
      await waitUntil(() => element.shadowRoot!.querySelector('[part=list], [part=stops]'), 'it is empty')
      expect(element.querySelector('p')!.checkVisibility()).to.equal(false)
    })
})

/** Lets the service respond with no rows to requests whose path contains a word. */
function withoutRows(backend: Backend, word: string): Backend {
  backend.intercept = ({ url }) => (url.includes(word) ? Promise.resolve(Response.json([])) : undefined)
  return backend
}
