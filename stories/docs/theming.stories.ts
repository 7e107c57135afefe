import type { Meta } from '@storybook/web-components-vite'
import { html } from 'lit'
import bootstrap3 from '../../docs/themes/bootstrap-3.css?raw'
import bootstrap5 from '../../docs/themes/bootstrap-5.css?raw'
import drupal from '../../docs/themes/drupal.css?raw'
import goldAndBlack from '../../docs/themes/gold-and-black.css?raw'
import govuk from '../../docs/themes/govuk.css?raw'
import uswds from '../../docs/themes/uswds.css?raw'
import wordpress from '../../docs/themes/wordpress.css?raw'
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

/** One for each scheme: several elements with the same failure show it once. */
const failing = { light: unreachable, dark: createBackend() }
breakDown(failing.dark)

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
    const warnings = () => editor?.shadowRoot?.querySelector('.weak')?.textContent?.trim() ?? ''
    type('--wf-on-accent', '#b06a6a')
    await editor?.updateComplete
    await editor?.updateComplete
    if (!/--wf-on-accent on --wf-accent has a contrast of 2\.\d:1 in light/.test(warnings()))
      throw new Error(`The warnings are "${warnings()}"`)
    type('--wf-on-accent', '#ffffff')
    await editor?.updateComplete
    await editor?.updateComplete
    if (warnings().includes('--wf-on-accent')) throw new Error(`The warnings are "${warnings()}"`)
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

export const Uswds = tokenSheet(uswds, 'uswds')

export const GovUk = tokenSheet(govuk, 'govuk')

export const Bootstrap3 = tokenSheet(bootstrap3, 'bootstrap-3')

export const Bootstrap5 = tokenSheet(bootstrap5, 'bootstrap-5')

export const Drupal = tokenSheet(drupal, 'drupal')

export const WordPress = tokenSheet(wordpress, 'wordpress')

export const GoldAndBlack = tokenSheet(goldAndBlack, 'gold-and-black')

/** Shows a token sheet in light and in dark. It applies to the story only. */
function tokenSheet(css: string, name: string): Story {
  return {
    render: () => html`
      <style>
        ${css.replaceAll(':root', `.${name}`)}
      </style>
      ${(['light', 'dark'] as const).map(
        (scheme) => html`
          <div
            class=${name}
            style="color-scheme: ${scheme}; padding: 1.5rem; background: var(--wf-surface); color: var(--wf-text)"
          >
            <wf-context endpoint="/api/wf" form-id="6025" package-id="42" time-zone="UTC">
              <wf-package-status></wf-package-status>
              <wf-attachments></wf-attachments>
              <wf-comments .client=${failing[scheme].client}></wf-comments>
              <fs-uploader></fs-uploader>
            </wf-context>
          </div>
        `,
      )}
    `,
    parameters: {
      backend: () => travelRequest(people.administrator),
      shows: /In routing.*be loaded.*Choose files.*In routing.*be loaded.*Choose files/,
    },
  }
}
