import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import '../../src/define/index.ts'
import { breakDown, createBackend, people } from '../backend.ts'
import type { Story } from '../story.ts'
import '../theme-editor.ts'
import type { Token } from '../theme-editor.ts'
import { travelRequest } from '../travel-request.ts'

const meta: Meta = { title: 'Theming', tags: ['!autodocs'] }
export default meta

/** The element that uses this backend shows an error notice. */
const unreachable = createBackend()
breakDown(unreachable)

/** Changes every custom property of the elements and shows the result at once. */
export const LiveTokens: Story = {
  render: (_args, { parameters }) => html`
    <theme-editor .tokens=${parameters['tokens'] as readonly Token[]}>
      <wf-context endpoint="/api/wf" form-id="6025" package-id="42" time-zone="UTC">
        <wf-package-status></wf-package-status>
        <wf-history></wf-history>
        <wf-attachments></wf-attachments>
        <wf-comments></wf-comments>
        <wf-comments .client=${unreachable.client}></wf-comments>
      </wf-context>
      <fs-uploader endpoint="/api/wf"></fs-uploader>
    </theme-editor>
  `,
  play: async ({ canvasElement }) => {
    const editor = canvasElement.querySelector('theme-editor')
    await editor?.updateComplete
    const type = (name: string, value: string) => {
      const input = editor?.shadowRoot?.querySelector<HTMLInputElement>(`input[id="${name}"]`)
      if (!input) throw new Error(`No field for ${name}`)
      input.value = value
      input.dispatchEvent(new Event('input'))
    }
    type('--wf-accent', '#8c1515')
    type('--wf-on-accent', '#ffffff')
    await editor?.updateComplete
    if (!editor?.css.includes('--wf-accent: #8c1515;')) throw new Error(`The CSS is ${editor?.css}`)
    for (const element of canvasElement.querySelectorAll('wf-package-status, wf-history, fs-uploader')) {
      const accent = getComputedStyle(element).getPropertyValue('--_accent')
      if (accent !== '#8c1515') throw new Error(`<${element.localName}> has the accent ${accent}`)
    }
  },
  parameters: {
    backend: () => travelRequest(people.administrator),
    shows: /In routing.*Daniel Reyes signed.*itinerary\.pdf.*travel fund.*be loaded.*Choose files/,
  },
}
