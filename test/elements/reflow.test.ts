import { expect, fixture, html } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'
import '../../src/define/fs-uploader.ts'
import '../../src/define/wf-comments.ts'
import '../../src/define/wf-history.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import { createBackend, people } from '../../stories/backend.ts'
import { rendered, settled } from '../../stories/settled.ts'
import { waitUntil } from '../wait-until.ts'

/** Browsers remember the sizes of content that they skip, and must not reserve a remembered width (WCAG 1.4.10). */
describe('A long list, in a window that becomes narrow after the list was scrolled @engines', () => {
  afterEach(async () => {
    await setViewport({ width: 800, height: 600 })
    scrollTo(0, 0)
  })

  it('is as narrow as the window: <wf-history>', async () => {
    const history = Array.from({ length: 100 }, (_, index) => ({
      '@class': 'signature',
      actionDate: '2026-11-16T10:00:00',
      person: { displayName: `Approver ${index}`, title: 'Department Administrator' },
      stop: { name: 'Department', stopNumber: 1 + Math.floor(index / 10) },
      permission: 'SIGNATURE_REQUIRED',
      state: 'APPROVED',
    }))
    const element = await fixture<HTMLElement>(html`<wf-history .history=${history}></wf-history>`)
    await expectToReflow(element, '[part=event]')
  })

  it('is as narrow as the window: <wf-comments>', async () => {
    const { client, emulator } = createBackend()
    const emulated = emulator.packages.test.get(42)!
    for (let id = 1; id <= 150; id++) {
      emulated.comments.push({
        id,
        comment: 'The amount of the second flight is missing. '.repeat(4),
        approversOnly: false,
        createdAt: '2026-11-16T10:00:00',
        person: people.firstApprover,
        state: 'ACTIVE',
      })
    }
    const element = await fixture<HTMLElement>(
      html`<wf-comments .client=${client} form-id="6025" package-id="42"></wf-comments>`,
    )
    await waitUntil(() => element.shadowRoot!.querySelectorAll('[part=comment]').length === 150)
    await expectToReflow(element, '[part=comment]')
  })

  it('is as narrow as the window: <fs-uploader>', async () => {
    const { client } = createBackend()
    const element = await fixture<FsUploader>(
      html`<fs-uploader max-size="1" .client=${client}></fs-uploader>`,
    )
    element.add(Array.from({ length: 60 }, (_, index) => new File(['two bytes'], `receipt-${index}.pdf`)))
    await expectToReflow(element, '[part=file]')
  })
})

async function expectToReflow(element: HTMLElement, row: string): Promise<void> {
  await waitUntil(() => element.shadowRoot!.querySelectorAll(row).length >= 60)
  await settled(element)
  await setViewport({ width: 1200, height: 600 })
  await settled(element)
  const { scrollHeight } = document.documentElement
  for (let top = 0; top < scrollHeight; top += 300) {
    scrollTo(0, top)
    await rendered()
  }
  expect(element.clientWidth, 'the list was wide').to.be.above(1000)
  await setViewport({ width: 320, height: 600 })
  await settled(element)
  expect(element.scrollWidth).to.be.at.most(element.clientWidth)
  expect(element.clientWidth, 'the window is narrow').to.be.at.most(320)
}
