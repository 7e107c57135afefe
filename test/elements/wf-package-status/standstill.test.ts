import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/wf-package-status.ts'
import { WfEditEvent } from '../../../src/elements/wf-package-status/wf-package-status.events.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { call, receipt, returnIt, skipToEnd, tool } from '../../../stories/routing.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'

const scope = { params: { formId: 6025, packageId: 42 } }

describe('<wf-package-status> of a package that is in no inbox', () => {
  describe('because it is a draft', () => {
    it('shows everyone who returned it and why, and who has to submit it', async () => {
      const backend = createBackend(people.administrator)
      await comment(backend, people.firstApprover, 'Is the hotel too expensive?')
      await returnIt(backend)
      await comment(backend, people.firstApprover, 'I agree.', '2h')
      const element = await show(backend)

      await waitUntil(() => textOf(element).includes('Returned by'))
      expect(textOf(element)).to.match(
        /^Draft Test Waiting for Amara Okafor Must correct it and submit it again Returned by Priya Raman · \w+ \d+, 20\d\d, [\d:]+ [AP]M Add the <b>receipts<\/b>\. On file 3 comments/,
      )
      expect(part(element, 'edit') === null).to.equal(true)
    })

    it('shows the latest comment if none belongs to the return', async () => {
      const backend = createBackend(people.administrator)
      await returnIt(backend)
      await comment(backend, people.firstApprover, 'See the guidelines.', '2h')
      await comment(backend, people.initiator, 'Which ones?')
      pkg(backend).actionDate = '2026-11-16T09:42:12'
      const element = await show(backend)

      await waitUntil(() => textOf(element).includes('Returned. Latest comment by Daniel Reyes'))
      expect(textOf(element)).to.include('See the guidelines.')
      expect(textOf(element)).not.to.include('Returned by')
    })

    it('asks only its initiator to submit it on the page that `edit-url` names', async () => {
      const backend = createBackend(people.initiator)
      await returnIt(backend)
      const element = await show(backend, { editUrl: '/edit?form={formId}&package={packageId}' })
      await waitUntil(() => part(element, 'edit'))
      const link = part<HTMLAnchorElement>(element, 'edit')!
      expect(link).to.have.trimmed.text('Edit and submit')
      expect(link.getAttribute('href')).to.equal(`${location.origin}/edit?form=6025&package=42`)

      element.addEventListener(WfEditEvent.type, (event) => event.preventDefault())
      const edited = oneEvent<WfEditEvent>(element, WfEditEvent.type)
      link.click()
      expect((await edited).url).to.equal(link.href)

      element.editUrl = 'javascript:alert(1)'
      await element.updateComplete
      expect(part(element, 'edit') === null).to.equal(true)

      const elsewhere = createBackend(people.administrator)
      await returnIt(elsewhere)
      const other = await show(elsewhere, { editUrl: '/edit' })
      await waitUntil(() => textOf(other).includes('Returned by'))
      expect(part(other, 'edit')).to.have.trimmed.text('Edit')
      expect(textOf(other)).not.to.include('where you filled it in')
    })

    it('names the next step to its initiator if the page has no `edit-url`', async () => {
      const backend = createBackend(people.initiator)
      await returnIt(backend)
      const element = await show(backend)

      await waitUntil(() =>
        textOf(element).includes('Edit and submit it on the page where you filled it in.'),
      )
      expect(part(element, 'edit') === null).to.equal(true)
    })
  })

  describe('because it was removed from routing', () => {
    it('shows who removed it, and offers to re-initiate it', async () => {
      const backend = createBackend(people.administrator)
      await tool(backend, 'PUT', '/remove')
      const element = await show(backend)

      await waitUntil(() => offers(element, 'reinitiatePackage'))
      expect(textOf(element)).to.match(/^Not in routing Test Removed from routing by Priya Raman /)
    })
  })

  describe('although it is routing', () => {
    it('names the missing document, until it is there', async () => {
      const backend = createBackend()
      await skipToEnd(backend)
      const element = await show(backend)
      await waitUntil(() =>
        textOf(element).includes(
          'Waiting for Receipt Required document. The initiator or an approver must upload it.',
        ),
      )

      pkg(backend).attachments.push(receipt)
      await element.refresh()
      await waitUntil(() =>
        textOf(element).includes(
          'Waiting for nobody This request isn’t in anyone’s inbox. We don’t know why. Ask the owner of the form.',
        ),
      )
    })

    it('gives no reason while it has not loaded one', async () => {
      const backend = createBackend()
      await skipToEnd(backend)
      backend.intercept = (request) =>
        request.url.endsWith('/future_history') ? Promise.reject(new TypeError('down')) : undefined
      const element = await show(backend)

      await waitUntil(() => backend.client.getCached('getAttachments', scope))
      await settled(element)
      expect(textOf(element)).to.match(/Waiting for nobody Initiator/)
      expect(textOf(element)).to.match(/The rest of the route could not be checked\.$/)

      backend.intercept = () => undefined
      await element.refresh()
      await waitUntil(() => textOf(element).includes('Receipt'))
    })
  })
})

async function show(backend: Backend, properties: Partial<WfPackageStatus> = {}): Promise<WfPackageStatus> {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${backend.client} form-id="6025" package-id="42"></wf-package-status>
  `)
  Object.assign(element, properties)
  await waitUntil(() => part(element, 'environment'))
  return element
}

function pkg({ emulator }: Backend) {
  return emulator.packages.test.get(42)!
}

async function comment(backend: Backend, univid: string, text: string, later = '0s'): Promise<void> {
  await call(backend, 'POST', '/_emulator/clock', { advance: later })
  await call(backend, 'POST', '/_emulator/test/forms/6025/packages/42/comments', { univid, comment: text })
}

function offers(element: WfPackageStatus, name: string): boolean {
  return element.shadowRoot!.querySelector(`[data-action=${name}]`) !== null
}

function part<Found extends Element>(element: WfPackageStatus, name: string): Found | null {
  return element.shadowRoot!.querySelector<Found>(`[part="${name}"]`)
}

function textOf(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'base')!.innerText.replace(/\s+/g, ' ').trim()
}
