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

  it('prints no buttons and no zone for files, and keeps what belongs together on a page @engines', async () => {
    const { client } = createBackend()
    const page = await fixture<HTMLElement>(html`
      <div>
        <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
        <wf-history .client=${client} form-id="6025" package-id="42"></wf-history>
        <fs-uploader .client=${client}></fs-uploader>
      </div>
    `)
    const all = (selector: string) =>
      [...page.children].flatMap((element) => [
        ...element.shadowRoot!.querySelectorAll<HTMLElement>(selector),
      ])
    const shown = () => all('button, .button, [part=zone]').filter((control) => control.checkVisibility())
    await waitUntil(() => shown().length > 2 && all('[part=event]').length > 1)
    await emulateMedia({ media: 'print' })
    await waitUntil(() => shown().length === 0)
    for (const event of all('[part=event]')) expect(getComputedStyle(event).breakInside).to.equal('avoid')
  })

  it('keeps headings and other elements away by --wf-space, even if the page removes all margins @engines', async () => {
    const { client } = createBackend()
    const page = await fixture<HTMLElement>(html`
      <div>
        <style>
          * {
            margin: 0;
          }
        </style>
        <h2>Before</h2>
        <wf-history .client=${client} form-id="6025" package-id="42"></wf-history>
        <fs-uploader .client=${client}></fs-uploader>
        <h2>After</h2>
        <div><wf-comments .client=${client} form-id="6025" package-id="42"></wf-comments></div>
      </div>
    `)
    await waitUntil(() => page.querySelector('wf-history')!.shadowRoot!.querySelector('[part=event]'))
    await waitUntil(() => page.querySelector('wf-comments')!.shadowRoot!.querySelector('[part=empty]'))
    const gaps = () => {
      const boxes = [...page.querySelectorAll('h2, wf-history, fs-uploader')].map((one) =>
        (one.shadowRoot?.querySelector('[part=base]') ?? one).getBoundingClientRect(),
      )
      return boxes.slice(1).map(({ top }, at) => Math.round(top - boxes[at]!.bottom))
    }
    expect(gaps()).to.deep.equal([16, 16, 16])
    page.style.setProperty('--wf-space', '40px')
    expect(gaps()).to.deep.equal([40, 40, 40])
    page.style.setProperty('--wf-space', '0px')
    expect(gaps(), 'control').to.deep.equal([0, 0, 0])

    page.style.setProperty('--wf-space', '40px')
    const only = page.querySelector('wf-comments')!
    const inner = only.shadowRoot!.querySelector('[part=base]')!.getBoundingClientRect()
    expect(inner.height, 'nothing around it in its container').to.equal(
      only.parentElement!.getBoundingClientRect().height,
    )
  })

  it('rounds everything by --wf-radius, except the marks of a history', async () => {
    const { client } = createBackend()
    const page = await fixture<HTMLElement>(html`
      <wf-context .client=${client} form-id="6025" package-id="42">
        <wf-package-status></wf-package-status>
        <wf-history></wf-history>
        <wf-attachments></wf-attachments>
        <fs-uploader></fs-uploader>
      </wf-context>
    `)
    const root = (tag: string) => page.querySelector(tag)!.shadowRoot!
    await waitUntil(() => root('wf-package-status').querySelector('[part=state]'))
    await waitUntil(() => root('wf-history').querySelector('[part=event]'))
    await waitUntil(() => root('wf-attachments').querySelector('[part=type]'))
    const rounded = () =>
      [...page.children].flatMap(({ shadowRoot }) =>
        [...shadowRoot!.querySelectorAll('*')]
          .filter((one) => !/^(?:0px|50%)$/.test(getComputedStyle(one).borderRadius))
          .map((one) => one.getAttribute('part') ?? one.className),
      )
    expect(rounded(), 'control').to.include('state')
    page.style.setProperty('--wf-radius', '0px')
    expect(rounded()).to.deep.equal([])
  })

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
