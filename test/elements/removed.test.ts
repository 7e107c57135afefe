import { expect, fixture, html } from '@open-wc/testing'
import { english } from '../../src/locales/english.ts'
import '../../src/define/wf-attachments.ts'
import '../../src/define/wf-comments.ts'
import '../../src/define/wf-context.ts'
import '../../src/define/wf-history.ts'
import '../../src/define/wf-package-status.ts'
import type { PackageElement } from '../../src/elements/element/package-element.ts'
import { createBackend } from '../../stories/backend.ts'
import { settled } from '../../stories/settled.ts'
import { waitUntil } from '../wait-until.ts'

describe('A package that is removed while a page shows it (F18) @engines', () => {
  const controls = {
    'wf-package-status': '[data-action=voidPackage]',
    'wf-attachments': '[part=add]',
  } as const

  for (const [tag, control] of Object.entries(controls)) {
    it(`is replaced by a neutral message, which gets the focus that the package had: <${tag}>`, async () => {
      const backend = createBackend()
      const name = backend.emulator.people.get('10000002')!.displayName
      const page = await fixture(html`
        <wf-context .client=${backend.client} form-id="6025" package-id="42">
          ${tag === 'wf-attachments' ? html`<wf-attachments></wf-attachments>` : ''}
          <wf-package-status></wf-package-status>
          <wf-history></wf-history>
          <wf-comments></wf-comments>
        </wf-context>
      `)
      const elements = [...page.children] as PackageElement<unknown>[]
      const element = page.querySelector<PackageElement<unknown>>(tag)!
      const found = () => element.shadowRoot!.querySelector<HTMLElement>(control)
      await waitUntil(() => found() && elements.every(({ value }) => value !== undefined))
      expect(textOf(elements), 'people are shown (control)').to.include(name)
      found()!.focus()
      expect(element.shadowRoot!.activeElement).to.equal(found())

      backend.emulator.packages.test.delete(42)
      for (const one of elements) await one.refresh()
      await waitUntil(() => elements.every((one) => one.shadowRoot!.querySelector('[part=missing]')))
      await waitUntil(() => element.shadowRoot!.activeElement?.getAttribute('part') === 'missing', 'no focus')
      expect(textOf(elements)).to.equal(english.common.missing)
      for (const one of elements)
        expect(one.shadowRoot!.querySelectorAll('button'), `${one.localName} offers nothing`).to.have.length(
          0,
        )
      await expect(element).to.be.accessible()
    }).timeout(30_000)
  }

  it('does not take the focus from the page', async () => {
    const backend = createBackend()
    const page = await fixture(html`
      <div>
        <input aria-label="Search" />
        <wf-package-status .client=${backend.client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    const [input, element] = page.children as unknown as [HTMLElement, PackageElement<unknown>]
    await waitUntil(() => element.value !== undefined)
    input.focus()
    backend.emulator.packages.test.delete(42)
    await element.refresh()
    await waitUntil(() => element.shadowRoot!.querySelector('[part=missing]'))
    await settled(element)
    expect(document.activeElement).to.equal(input)
  })
})

/** The text of several elements, without what only assistive technology announces. */
function textOf(elements: readonly Element[]): string {
  return elements
    .map((element) => element.shadowRoot!.querySelector<HTMLElement>('[part=base]')!.innerText)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}
