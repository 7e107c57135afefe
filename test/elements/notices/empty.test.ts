import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/fs-files.ts'
import '../../../src/define/fs-shares.ts'
import '../../../src/define/wf-list.ts'
import { people } from '../../../stories/backend.ts'
import { createListBackend } from '../../../stories/listed-requests.ts'
import { createFilesBackend, sampleUuids } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'

describe('An element with nothing to show', () => {
  const files = () => createFilesBackend(people.initiator).client
  const list = () => createListBackend(people.outsider).client
  for (const [name, show] of [
    ['fs-files', (words: unknown) => html`<fs-files .client=${files()} value="">${words}</fs-files>`],
    [
      'fs-shares',
      (words: unknown) => html`<fs-shares .client=${files()} file=${sampleUuids[2]!}>${words}</fs-shares>`,
    ],
    ['wf-list', (words: unknown) => html`<wf-list .client=${list()} view="mine">${words}</wf-list>`],
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
})
