import { expect, fixture } from '@open-wc/testing'
import '../../src/define/index.ts'
import '../../src/define/wf-badge.ts'
import { createBackend, pageNotFound } from '../../stories/backend.ts'
import { waitUntil } from '../wait-until.ts'

// Every element, because each must show what is missing.
describe('without a proxy at the endpoint', () => {
  const tags = [
    '<wf-package-status></wf-package-status>',
    '<wf-badge></wf-badge>',
    '<wf-history></wf-history>',
    '<wf-comments></wf-comments>',
    '<wf-attachments></wf-attachments>',
    '<fs-uploader></fs-uploader>',
  ]
  for (const tag of tags) {
    it(`${tag} shows what is missing, with nothing to try again`, async () => {
      const element = await show(tag, { fetch: pageNotFound })
      await waitUntil(() => part(element, 'no-proxy'), 'no message')
      expect(part(element, 'no-proxy')!.textContent.replace(/\s+/g, ' ').trim()).to.equal(
        'No Routeslip proxy found at https://northfield.test/api/wf.',
      )
      expect(part(element, 'try-again') === null).to.equal(true)
      expect(part(element, 'zone') === null).to.equal(true)
      await expect(element).to.be.accessible()
    })

    it(`${tag} does not report a network failure as a missing proxy`, async () => {
      const element = await show(tag, { fetch: () => Promise.reject(new TypeError('down')) })
      await waitUntil(() => part(element, 'failure'), 'no outage')
      expect(part(element, 'no-proxy') === null).to.equal(true)
    })
  }
})

async function show(tag: string, options: Parameters<typeof createBackend>[1]): Promise<HTMLElement> {
  const context = await fixture<HTMLElement>(
    `<wf-context form-id="6025" package-id="42" lang="en">${tag}</wf-context>`,
  )
  Object.assign(context, { client: createBackend(undefined, options).client })
  return context.firstElementChild as HTMLElement
}

function part(element: HTMLElement, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector(`[part~="${name}"]`)
}
