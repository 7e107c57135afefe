import { expect, fixture, html } from '@open-wc/testing'
import '../../src/define/index.ts'
import { createBackend } from '../../stories/backend.ts'
import { emulateMedia } from '../media.ts'
import { waitUntil } from '../wait-until.ts'

describe('the colors and directions of all elements', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`draws focus and progress with a contrast of 3:1, whatever the accent color is, ${colorScheme}`, async () => {
      await emulateMedia({ colorScheme })
      const parent = await fixture(html`
        <div
          style="color-scheme: ${colorScheme}; color: CanvasText; --wf-accent: ${colorScheme === 'light' ? '#ffe' : '#111'}"
        >
          <fs-uploader .client=${createBackend().client}></fs-uploader>
        </div>
      `)
      const root = parent.querySelector('fs-uploader')!.shadowRoot!
      const button = await waitForButton(root)
      const background = colorScheme === 'light' ? '#ffffff' : '#1d2126'
      button.focus({ focusVisible: true })
      expect(contrast(getComputedStyle(button).outlineColor, background)).to.be.above(3)

      const progress = document.createElement('progress')
      button.after(progress)
      const track = getComputedStyle(progress)
      expect(track.outlineStyle).to.equal('solid')
      expect(contrast(track.outlineColor, background)).to.be.above(3)
    })
  }

  it('writes dates in the language of the words, so that a right-to-left page keeps their order', async () => {
    const { client } = createBackend()
    const parent = await fixture(html`
      <div lang="he" dir="rtl">
        <wf-history .client=${client} form-id="6025" package-id="42"></wf-history>
      </div>
    `)
    const root = parent.querySelector('wf-history')!.shadowRoot!
    await waitUntil(() => root.querySelector('.now .time'))
    for (const selector of ['.now .time', 'summary']) {
      const line = root.querySelector(selector)!
      expect(line.textContent).to.match(/^(since Nov 16, 2026|Still to come)/)
      const lefts = positions(line)
      expect(lefts, selector).to.deep.equal(lefts.toSorted((a, b) => a - b))
    }
  })
})

async function waitForButton(root: ShadowRoot): Promise<HTMLButtonElement> {
  await waitUntil(() => root.querySelector('button'))
  return root.querySelector('button')!
}

/** The left edges of the visible characters of a line, in the order of the text. */
function positions(line: Element): number[] {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  const lefts: number[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < (node.textContent ?? '').length; at++) {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      const [rect] = range.getClientRects()
      if (rect && rect.width > 0) lefts.push(rect.left)
    }
  }
  return lefts
}

/** The contrast of a color, as drawn on an opaque background (WCAG 2.2). */
function contrast(color: string, background: string): number {
  const [one, other] = [luminance(color, background), luminance(background, background)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function luminance(color: string, background: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!
  for (const fill of [background, color]) {
    context.fillStyle = fill
    context.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
    const part = byte / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
