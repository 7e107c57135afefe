import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-badge.ts'
import { packageStates } from '../../../src/contract/values/values.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { emulateMedia } from '../../media.ts'
import { waitUntil } from '../../wait-until.ts'

describe('<wf-badge>', () => {
  for (const [colorScheme, forcedColors, direction] of [
    ['light', 'none', 'ltr'],
    ['dark', 'none', 'rtl'],
    ['light', 'active', 'ltr'],
  ] as const)
    it(`is accessible in every state, ${colorScheme}, forced colors ${forcedColors}, ${direction}`, async () => {
      await emulateMedia({ colorScheme, forcedColors })
      for (const state of packageStates) {
        const backend = createBackend(people.initiator)
        Object.assign(backend.emulator.packages.test.get(42)!, {
          state,
          voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
        })
        const badge = await fixture<HTMLElement>(
          html`<wf-badge
            .client=${backend.client}
            form-id="6025"
            package-id="42"
            dir=${direction}
          ></wf-badge>`,
        )
        await waitUntil(() => badge.shadowRoot!.querySelector('[part=state]'))
        await expect(badge).to.be.accessible(
          forcedColors === 'active' ? { ignoredRules: ['color-contrast'] } : {},
        )
      }
    })
})
