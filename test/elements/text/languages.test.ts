import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/fs-files.ts'
import '../../../src/define/fs-shares.ts'
import '../../../src/define/fs-uploader.ts'
import '../../../src/define/wf-attachments.ts'
import '../../../src/define/wf-form.ts'
import '../../../src/define/wf-history.ts'
import '../../../src/define/wf-office.ts'
import '../../../src/define/wf-overrides.ts'
import '../../../src/define/wf-package-status.ts'
import '../../../src/define/wf-route.ts'
import type { WfForm } from '../../../src/elements/wf-form/wf-form.ts'
import type { WfAttachments } from '../../../src/elements/wf-attachments/wf-attachments.ts'
import { english } from '../../../src/locales/english.ts'
import { languages } from '../../../src/locales/index.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { createOverrideBackend, replace } from '../../../stories/overrides.ts'
import { createFilesBackend, directory, sampleUuids, share } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'

/** English texts of three words or more, which no other language has, and no data of the emulator. */
const englishTexts = textsIn(english).filter((text) => / .* /.test(text) && !/[{#]/.test(text))

describe('Each language', () => {
  for (const [tag, load] of Object.entries({ en: () => Promise.resolve(english), ...languages })) {
    it(`fits into 320 pixels in nine elements, and leaves nothing in English: ${tag}`, async () => {
      const messages = await load()
      const page = await screens(tag, messages.packageStatus.waitingFor.replace(/\s/g, ' '))
      const text = [...page.children].map(shownText).join(' ')
      expect(page.scrollWidth).to.be.at.most(320)
      for (const element of page.children) {
        const inner = element.shadowRoot!.firstElementChild!
        expect(inner.scrollWidth, `${element.localName}: ${shownText(element)}`).to.be.at.most(320)
      }
      const left = englishTexts.filter((words) => text.includes(words))
      if (tag === 'en') expect(left.length, 'control').to.be.greaterThan(2)
      else expect(left).to.deep.equal([])
    })
  }

  it('would not fit with a word that cannot break (control)', async () => {
    const page = await screens('en', english.packageStatus.waitingFor)
    const wide = document.createElement('p')
    wide.textContent = 'x'.repeat(100)
    page.append(wide)
    expect(page.scrollWidth).to.be.greaterThan(320)
  })
})

describe('Lists and labels', () => {
  it('are separated as in the language of the words', async () => {
    const { client } = createBackend(null)
    const text = async (lang: string) => {
      const page = await fixture<HTMLElement>(html`
        <div lang=${lang}>
          <fs-uploader .client=${client} accept=".pdf,.docx"></fs-uploader>
          <wf-history></wf-history>
        </div>
      `)
      await waitUntil(() => !shownText(page.children[0]!).includes('Choose') || lang === 'en')
      return [...page.children].map(shownText).join(' ')
    }
    expect(await text('en'))
      .to.include('.pdf, .docx')
      .and.include('form-id, package-id')
    for (const lang of ['zh-Hans', 'ja'])
      expect(await text(lang), lang)
        .to.include('.pdf、.docx')
        .and.include('form-id、package-id')
    expect(await text('ar')).to.include('.pdf، .docx')
  })
})

/**
 * Shows a card with actions, a history, attachments with a rejected file, stored files, a replaced person, a share, a usual route, a
 * wrong office, and a form with a problem.
 */
async function screens(lang: string, waiting: string): Promise<HTMLElement> {
  const { client } = createBackend(people.initiator)
  const overrides = createOverrideBackend([replace(people.firstApprover, people.viewer)])
  const stored = createFilesBackend()
  share(stored, 'partner-app', sampleUuids[0] ?? '')
  const page = await fixture<HTMLElement>(html`
    <div lang=${lang} dir=${lang === 'ar' ? 'rtl' : 'ltr'} style="inline-size: 320px">
      <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      <wf-history .client=${client} form-id="6025" package-id="42"></wf-history>
      <wf-attachments .client=${client} form-id="6025" package-id="42"></wf-attachments>
      <fs-files .client=${stored.client} value=${sampleUuids.join(' ')}></fs-files>
      <wf-overrides .client=${overrides.client} form-id="6025" package-id="42"></wf-overrides>
      <fs-shares .client=${stored.client} .grantees=${directory} file=${sampleUuids[0] ?? ''}></fs-shares>
      <wf-route .client=${client} form-id="6025" office="11-0420"></wf-route>
      <wf-office .client=${client} aria-label="11" value="11-04"></wf-office>
      <wf-form .client=${createBackend(people.initiator).client} form-id="6025">
        <form><input name="purpose" required aria-label="A" /></form>
      </wf-form>
    </div>
  `)
  const attachments = page.querySelector<WfAttachments>('wf-attachments')!
  await waitUntil(() => attachments.shadowRoot!.querySelector('[part=type]'))
  attachments.add(2, [new File([], 'empty.pdf', { type: 'application/pdf' })])
  await waitUntil(() => shownText(page.children[0]!).includes(waiting), shownText(page.children[0]!))
  await waitUntil(() => page.children[4]!.shadowRoot!.querySelector('[part=override]'), 'no override')
  await waitUntil(() => page.children[3]!.shadowRoot!.querySelector('li'), 'no files')
  const [, , , , , shares, route, , form] = [...page.children]
  await waitUntil(() => shares!.shadowRoot!.querySelector('[part=share]'), 'no shares')
  await waitUntil(() => route!.shadowRoot!.querySelector('[part=person]'), 'no route')
  await waitUntil(() => form!.matches(':state(loaded)'), 'no form')
  await (form as WfForm).submit()
  await waitUntil(() => form!.shadowRoot!.querySelector('[part=problems]'), 'no problems')
  return page
}

/** The text of an element. */
function shownText(element: Element): string {
  return (element.shadowRoot?.textContent ?? '').replace(/\s+/g, ' ').trim()
}

function textsIn(messages: unknown): readonly string[] {
  return typeof messages === 'string' ? [messages] : Object.values(messages as object).flatMap(textsIn)
}
