import { expect, fixture, html, waitUntil } from '@open-wc/testing'
import * as uploader from '../../stories/fs-uploader.stories.ts'
import * as attachments from '../../stories/wf-attachments.stories.ts'
import * as comments from '../../stories/wf-comments.stories.ts'
import * as history from '../../stories/wf-history.stories.ts'
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
  'wf-package-status / Void': /Void Test Reason Incorrect form/,
  'wf-package-status / StateThatTheSpecDoesNotList': /On hold/,
  'wf-package-status / NotAvailable': /not available to you/,
  'wf-package-status / SignedOut': /signed out/,
  'wf-package-status / NotFound': /no such package/,
  'wf-package-status / Loading': /^Loading…$/,
  'wf-package-status / Failed': /cannot be loaded.*Try again/,
  'wf-package-status / Stale': /In routing.*out of date.*Try again/,
  'wf-package-status / NotConfigured': /needs endpoint, form-id, package-id/,
  'wf-package-status / MaySign': /In routing.*Sign Download PDF… Void…/,
  'wf-package-status / ManyActions': /In routing.*Actions/,
  'wf-package-status / Removed': /Not yet routing.*Re-initiate…/,
  'wf-package-status / StartRouting': /Not yet routing.*Start routing…/,
  'wf-package-status / DialogDownloadPdf': /Download PDF: package 42.*With the attachments/,
  'wf-package-status / DialogStartRouting': /Start routing: package 42/,
  'wf-package-status / DialogReinitiate': /Re-initiate: package 42/,
  'wf-package-status / DialogReturnToPerson': /Return to a person: package 42.*University ID/,
  'wf-package-status / DialogReturnToInitiator': /Return to initiator: package 42.*Comment/,
  'wf-package-status / DialogRestart': /Restart routing: package 42.*all approvers must sign again/,
  'wf-package-status / DialogUnvoid': /Unvoid: package 42/,
  'wf-package-status / DialogRemove': /Remove from routing: package 42/,
  'wf-package-status / DialogVoid': /Void: package 42.*Duplicate transaction/,
  'wf-package-status / DialogWithoutAnswer': /There was no answer/,
  'wf-package-status / Badge': /^In routing ?, Waiting for Daniel Reyes$/,
  'wf-package-status / BadgeNotAvailable': /^Not available$/,
  'wf-package-status / BadgeFailed': /^Not loaded$/,
  'wf-package-status / BadgeLoading': /^Loading…$/,
  'wf-attachments / Missing':
    /^0 of 1 required document.*Receipt Required before completion Missing Add Receipt…/,
  'wf-attachments / Complete': /1 of 1 required.*itinerary\.pdf 47 kB With the change.*Further attachments/,
  'wf-attachments / BeforeRouting':
    /0 of 2.*Required before routing · PDF only Missing.*once routing has begun/,
  'wf-attachments / Void': /^((?!Add ).)*Receipt Required((?!Add ).)*$/,
  'wf-attachments / Chosen': /receipt\.pdf 1\.9 MB Description \(optional\).*Upload Cancel/,
  'wf-attachments / Uploading': /receipt\.pdf.*45%/,
  'wf-attachments / NotPdf': /itinerary\.docx.*only PDF is taken here.*Remove/,
  'wf-attachments / Refused': /photo\.png.*not what its name says.*Remove/,
  'wf-attachments / None': /^There are no attachments/,
  'wf-attachments / NotAvailable': /not available to you/,
  'wf-attachments / SignedOut': /signed out/,
  'wf-attachments / NotFound': /no such package/,
  'wf-attachments / Loading': /^Loading…$/,
  'wf-attachments / Failed': /cannot be loaded.*Try again/,
  'wf-attachments / Stale': /itinerary\.pdf.*out of date.*Try again/,
  'wf-attachments / NotConfigured': /needs endpoint, form-id, package-id/,
  'wf-comments / Thread': /Hide inactive \(1\) Daniel Reyes Nov 16, 2026.*Approvers only.*Inactive/,
  'wf-comments / WithSearch': /Search comments 9 of 9 Hide inactive/,
  'wf-comments / Long': /… Show all of it$/,
  'wf-comments / TwoThousand': /2,000 of 2,000/,
  'wf-comments / Empty': /^No comments yet\.$/,
  'wf-comments / NotAvailable': /not available to you/,
  'wf-comments / SignedOut': /signed out/,
  'wf-comments / NotFound': /no such package/,
  'wf-comments / Loading': /^Loading…$/,
  'wf-comments / Failed': /cannot be loaded.*Try again/,
  'wf-comments / Stale': /grant allows.*out of date.*Try again/,
  'wf-comments / NotConfigured': /needs endpoint, form-id, package-id/,
  'fs-uploader / Empty': /^Choose files or drop or paste here Up to 50 MB each\.$/,
  'fs-uploader / Limits': /Choose a folder.*Up to 5 MB each\. Types: \.pdf, \.docx\. At most 3 files\.$/,
  'fs-uploader / Full': /One file was left out.*Uploaded/,
  'fs-uploader / Many': /45%.*Waiting for its turn/,
  'fs-uploader / Uncertain': /may or may not have been uploaded.*Try again Remove/,
  'fs-uploader / Paused': /Paused: you are signed out.*Continue Cancel/,
  'fs-uploader / Forbidden': /^You may not upload files here\.$/,
  'fs-uploader / InAForm': /Choose files/,
  'fs-uploader / WrongAttribute': /is no duration/,
  'wf-history / InRouting': /Now: waiting for Daniel Reyes.*Still to come \(1 stop\)/,
  'wf-history / Signed': /Daniel Reyes signed/,
  'wf-history / Complete': /^Routing is complete/,
  'wf-history / VoidAndUnvoid': /voided it.*took the void back/,
  'wf-history / Void': /^Priya Raman voided it/,
  'wf-history / RemovedAndStartedAgain': /removed it.*started routing again/,
  'wf-history / Delegated': /Priya Raman must sign.*delegated/,
  'wf-history / ValuesThatTheSpecDoesNotList': /Held for audit.*Sent back.*One entry could not be read/,
  'wf-history / Given': /signed automatically.*Package 42$/,
  'wf-history / GivenWithFuture': /Still to come/,
  'wf-history / GivenWhatIsNoList': /not a list of events/,
  'wf-history / Long': /Daniel Reyes signed/,
  'wf-history / Empty': /^Nothing has happened yet\./,
  'wf-history / FutureFailed': /Daniel Reyes.*What is still to come cannot be loaded/,
  'wf-history / NotAvailable': /not available to you/,
  'wf-history / SignedOut': /signed out/,
  'wf-history / NotFound': /no such package/,
  'wf-history / Loading': /^Loading…$/,
  'wf-history / Failed': /cannot be loaded.*Try again/,
  'wf-history / Stale': /Daniel Reyes.*out of date.*Try again/,
  'wf-history / NotConfigured': /needs endpoint, form-id, package-id/,

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
  for (const { default: meta, ...stories } of [status, history, comments, attachments, uploader]) {
    for (const [key, story] of Object.entries<Story>(stories)) {
      const name = `${meta.title} / ${key}`
      it(`${name} shows what it says, and is accessible`, async () => {
        const render = story.render as () => unknown
        const wrapper = await fixture<HTMLElement>(html`<div>${render()}</div>`)
        const element = wrapper.querySelector(meta.title ?? '') ?? wrapper.firstElementChild!
        const text = () => {
          const loading = element.shadowRoot!.querySelector('[part=loading]')
          if (loading) return loading.getAttribute('aria-label') ?? ''
          const find = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector)
          // An open dialog is what is seen; a badge is nothing but a span.
          const base = find('dialog[open]') ?? find('[part=base]') ?? find('span')!
          return base.innerText.replace(/\s+/g, ' ').trim()
        }

        await waitUntil(() => shown[name]?.test(text()), `${name} shows "${text()}"`, { timeout: 3000 })
        await expect(element).to.be.accessible()
      })
    }
  }
})
