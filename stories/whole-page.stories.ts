import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../src/define/index.ts'
import { settled } from './settled.ts'
import type { Story } from './story.ts'
import { travelRequest } from './travel-request.ts'

const meta: Meta = { title: 'Whole page' }
export default meta

/** A page about one travel request with all five elements. */
export const TravelRequest: Story = {
  render: travelPage,
  parameters: {
    backend: travelRequest,
    shows: /In routing.*Mei-Ling Zhou.*signed.*itinerary\.pdf.*travel fund.*Choose files/,
  },
}

/** A page that becomes narrow after everything has been shown, such as a side panel that opens. */
export const NarrowedLate: Story = {
  render: () => html`<div class="panel" style="inline-size: 100%">${travelPage()}</div>`,
  parameters: TravelRequest.parameters,
  play: async ({ canvasElement }) => {
    await settled(canvasElement)
    const panel = canvasElement.querySelector<HTMLElement>('.panel')
    if (!panel) return
    panel.style.inlineSize = '18rem'
    await settled(panel)
    if (panel.scrollWidth > panel.clientWidth) throw new Error(`The content is ${panel.scrollWidth} px wide`)
  },
}

/** For content editors that remove unknown tags. */
export const Placeholders: Story = {
  render: () => html`
    <h1>Travel request 42</h1>
    <div data-wf="package-status" data-endpoint="/api/wf" data-form-id="6025" data-package-id="42">
      <a href="#travel-42">See where this request stands</a>
    </div>
    <h2>History</h2>
    <div data-wf="history" data-endpoint="/api/wf" data-form-id="6025" data-package-id="42"></div>
    <h2>Documents</h2>
    <div data-wf="attachments" data-endpoint="/api/wf" data-form-id="6025" data-package-id="42"></div>
    <h2>Comments</h2>
    <div data-wf="comments" data-endpoint="/api/wf" data-form-id="6025" data-package-id="42"></div>
    <h2>Files</h2>
    <div data-wf="uploader" data-endpoint="/api/wf"></div>
  `,
  parameters: {
    backend: travelRequest,
    shows: /In routing.*Mei-Ling Zhou.*signed.*itinerary\.pdf.*travel fund.*Choose files/,
  },
}

function travelPage() {
  return html`
    <h1>Travel request 42</h1>
    <wf-context endpoint="/api/wf" form-id="6025" package-id="42" time-zone="UTC">
      <wf-package-status></wf-package-status>
      <h2>History</h2>
      <wf-history></wf-history>
      <h2>Documents</h2>
      <wf-attachments></wf-attachments>
      <h2>Comments</h2>
      <wf-comments></wf-comments>
    </wf-context>
    <h2>Files for the travel office</h2>
    <fs-uploader endpoint="/api/wf"></fs-uploader>
  `
}
