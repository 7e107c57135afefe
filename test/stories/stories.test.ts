import { expect, fixture, html, waitUntil } from '@open-wc/testing'
import * as uploader from '../../stories/fs-uploader.stories.ts'
import * as status from '../../stories/wf-package-status.stories.ts'

interface Story {
  readonly render?: unknown
}

/** What each story is there to show. */
const shown: Readonly<Record<string, RegExp>> = {
  'wf-package-status / InRouting': /In routing.*Daniel Reyes/,
  'wf-package-status / MayVoid': /In routing.*Void…/,
  'wf-package-status / Draft': /Draft/,
  'wf-package-status / NotYetRouting': /Not yet routing/,
  'wf-package-status / Complete': /Complete/,
  'wf-package-status / Void': /Void Reason Incorrect form/,
  'wf-package-status / StateThatTheSpecDoesNotList': /On hold/,
  'wf-package-status / NotAvailable': /not available to you/,
  'wf-package-status / SignedOut': /signed out/,
  'wf-package-status / NotFound': /no such package/,
  'wf-package-status / Loading': /^Loading the status…$/,
  'wf-package-status / Failed': /cannot be loaded.*Try again/,
  'wf-package-status / Stale': /In routing.*out of date.*Try again/,
  'wf-package-status / NotConfigured': /needs endpoint, form-id, package-id/,
  'fs-uploader / Empty': /^Choose files or drop them here Up to 50 MB each\.$/,
  'fs-uploader / Uploaded': /itinerary\.pdf.*Uploaded.*Reference/,
  'fs-uploader / Uploading': /itinerary\.pdf.*45%/,
  'fs-uploader / WaitingForConfirmation': /Waiting for confirmation/,
  'fs-uploader / Failed': /Not uploaded.*Try again Remove/,
  'fs-uploader / TooLarge': /larger than 977 kB/,
  'fs-uploader / SignedOut': /signed out/,
  'fs-uploader / Stale': /Uploaded.*out of date/,
  'fs-uploader / NotConfigured': /needs endpoint/,
}

describe('stories', () => {
  for (const { default: meta, ...stories } of [status, uploader]) {
    for (const [key, story] of Object.entries<Story>(stories)) {
      const name = `${meta.title} / ${key}`
      it(`${name} shows what it says, and is accessible`, async () => {
        const render = story.render as () => unknown
        const wrapper = await fixture<HTMLElement>(html`<div>${render()}</div>`)
        const element = wrapper.firstElementChild!
        const text = () => {
          const loading = element.shadowRoot!.querySelector('[part=loading]')
          if (loading) return loading.getAttribute('aria-label') ?? ''
          const base = element.shadowRoot!.querySelector<HTMLElement>('[part=base]')!
          return base.innerText.replace(/\s+/g, ' ').trim()
        }

        await waitUntil(() => shown[name]?.test(text()), `${name} shows "${text()}"`, { timeout: 3000 })
        await expect(element).to.be.accessible()
      })
    }
  }
})
