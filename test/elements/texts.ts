import { compileMessages, numberRules } from '../../src/elements/text/compile-messages.ts'
import type { Compiled } from '../../src/locales/messages.ts'

/** The texts of English messages, as elements get them. */
export function textsOf<English>(messages: English): Compiled<English> {
  return compileMessages(messages, messages, numberRules('en'))
}
