import { expect, fixture, html } from '@open-wc/testing'
import { sendKeys, setViewport } from '@web/test-runner-commands'
import '../../src/define/index.ts'
import { createBackend, people } from '../../stories/backend.ts'
import { sign } from '../../stories/routing.ts'
import { settled } from '../../stories/settled.ts'
import { emulateMedia } from '../media.ts'
import { waitUntil } from '../wait-until.ts'
import { flawsOf, partsOf } from './flaws.ts'

/** The text spacing that a page has to allow (WCAG 2.2, 1.4.12). */
const textSpacing = 'line-height: 1.5; letter-spacing: 0.12em; word-spacing: 0.16em'

/** How people change the display of a page. A page of 1280 × 1024 pixels has 320 × 256 at a zoom of 400 %. */
const displays = [
  { name: 'zoomed to 400 %', width: 320, height: 256, style: '' },
  { name: 'with text of 200 %', width: 640, height: 512, style: 'font-size: 200%' },
  { name: 'with more space in texts', width: 640, height: 512, style: textSpacing },
  { name: 'with more space in texts, zoomed to 400 %', width: 320, height: 256, style: textSpacing },
  { name: 'without motion', width: 640, height: 512, style: '', reducedMotion: 'reduce' },
  { name: 'from right to left, zoomed to 400 %', width: 320, height: 256, style: '', dir: 'rtl' },
  { name: 'dark', width: 640, height: 512, style: '', colorScheme: 'dark' },
  { name: 'in forced colors', width: 640, height: 512, style: '', forcedColors: 'active' },
] as const

describe('A page that a person displays in another way (F50) @engines', () => {
  afterEach(async () => {
    await setViewport({ width: 800, height: 600 })
    document.documentElement.dir = ''
    document.documentElement.style.cssText = ''
  })

  for (const { name, width, height, style, ...more } of displays) {
    it(`loses no content and no function: ${name}`, async () => {
      const { dir = '', ...media } = { dir: undefined, ...more }
      await emulateMedia(media)
      await setViewport({ width, height })
      document.documentElement.dir = dir
      document.documentElement.style.cssText = style
      const backend = createBackend(people.initiator)
      await sign(backend, people.firstApprover)
      const page = await fixture(html`
        <wf-context .client=${backend.client} form-id="6025" package-id="42">
          <wf-package-status></wf-package-status>
          <wf-history></wf-history>
          <wf-comments></wf-comments>
          <wf-attachments></wf-attachments>
          <fs-uploader></fs-uploader>
        </wf-context>
      `)
      await waitUntil(() => partsOf(page, '[part=event], [part=type], [part~=choose]').length > 5)
      await waitUntil(() => partsOf(page, '[data-action=voidPackage]').length === 1)
      await settled(page)
      expect(flawsOf(page)).to.deep.equal([])
      expect(document.documentElement.scrollWidth, 'nothing has to be scrolled sideways').to.be.at.most(width)
      if ('reducedMotion' in media) expect(movements(page)).to.deep.equal([])

      partsOf(page, '[data-action=voidPackage]')[0]!.focus()
      await sendKeys({ press: 'Enter' })
      await waitUntil(() => partsOf(page, 'dialog[open]').length === 1)
      const dialog = partsOf(page, 'dialog[open]')[0]!
      expect(flawsOf(page)).to.deep.equal([])
      await sendKeys({ press: 'ArrowDown' })
      await waitUntil(() => dialog.querySelector('input:checked'))
      await sendKeys({ press: 'Enter' })
      await waitUntil(() => backend.emulator.packages.test.get(42)!.state === 'VOID')
    }).timeout(30_000)
  }

  it('is found to lose content if it cannot adapt (control)', async () => {
    document.documentElement.style.cssText = textSpacing
    const page = await fixture(html`<div><wf-history .history=${[]}></wf-history></div>`)
    const base = page.querySelector('wf-history')!.shadowRoot!.querySelector<HTMLElement>('[part=base]')!
    base.style.cssText = 'inline-size: 60px; overflow: hidden; white-space: nowrap'
    await settled(page)
    expect(flawsOf(page).join()).to.match(/is wider/)
  })
})

/** Returns the animations and transitions that still move something. */
function movements(page: Element): string[] {
  return partsOf(page, '*').flatMap((one) => {
    const { animationName, animationDuration, transitionDuration } = getComputedStyle(one)
    const isMoving =
      (animationName !== 'none' && parseFloat(animationDuration) > 0.01) ||
      transitionDuration.split(',').some((time) => parseFloat(time) > 0.01)
    return isMoving ? [`${one.localName} ${animationName} ${transitionDuration}`] : []
  })
}
