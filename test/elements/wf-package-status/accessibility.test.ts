import { expect } from '@open-wc/testing'
import { createBackend, people } from '../../../stories/backend.ts'
import { emulateMedia } from '../../media.ts'
import { show, inState, dialog, enter, openDialog, submit } from './element.ts'

describe('<wf-package-status> for everyone', () => {
  for (const [name, scheme, direction] of [
    ['light', 'light', 'ltr'],
    ['dark', 'dark', 'ltr'],
    ['right-to-left', 'light', 'rtl'],
    ['forced colours', 'light', 'ltr'],
  ] as const) {
    // In forced colours the visitor's own system decides on contrast.
    const isForced = name === 'forced colours'
    const rules = isForced ? { ignoredRules: ['color-contrast'] } : {}

    it(`is accessible in every state, ${name}`, async () => {
      await emulateMedia({ colorScheme: scheme, forcedColors: isForced ? 'active' : 'none' })
      const states = ['PRE_ROUTING', 'DRAFT', 'ROUTING', 'COMPLETE', 'VOID'] as const
      for (const state of states) {
        const backend = createBackend(people.administrator)
        Object.assign(backend.emulator.packages.test.get(42)!, {
          state,
          voidReason: state === 'VOID' ? 'INCORRECT_FORM' : null,
        })
        const { element } = await show(backend)
        element.dir = direction
        await expect(element).to.be.accessible(rules)
      }
    })

    it(`is accessible with its menu and each dialog, ${name}`, async () => {
      await emulateMedia({ colorScheme: scheme, forcedColors: isForced ? 'active' : 'none' })
      for (const [state, names] of [
        ['ROUTING', ['voidPackage', 'returnToInitiator', 'restartPackage']],
        ['COMPLETE', ['returnPackage', 'getPdf']],
      ] as const) {
        const { element } = await show(inState(createBackend(people.administrator), state))
        element.dir = direction
        element.shadowRoot!.querySelector('summary')!.click()
        await expect(element).to.be.accessible(rules)
        for (const action of names) {
          await openDialog(element, action)
          if (action === 'returnPackage') await enter(element, { univid: people.outsider })
          else if (action !== 'restartPackage' && action !== 'getPdf') submit(element)
          await element.updateComplete
          await expect(element).to.be.accessible(rules)
          dialog(element).close()
        }
      }
    })
  }
})
