import type { AllowedActions } from '../../../contract/schemas/session.ts'
import type { Package } from '../../../contract/schemas/workflow.ts'
import type { Texts } from '../../../locales/messages.ts'

/** The common texts, and how to write times and lists. */
export interface HintTexts {
  readonly common: Texts['common']
  readonly language: string | undefined
  /** Returns a time of day for people. */
  readonly timeOf: (time: number) => string
}

/** Returns who gets an email if the person saves; empty if nobody does. `notify` as in `<wf-form>`. */
export function mailText(
  found: Package | undefined,
  actions: AllowedActions | undefined,
  notify: string,
  { common, language }: Pick<HintTexts, 'common' | 'language'>,
  messages: Texts['formHints'],
): string {
  const inboxes = actions?.inboxSignatures ?? []
  if (found?.state !== 'ROUTING' || notify === 'never' || inboxes.length === 0) return ''
  const names = inboxes.map((row) => row?.approver ?? common.someone)
  const list = new Intl.ListFormat(language).format(names)
  return notify === 'always' ? messages.mailsAll(list) : messages.mailsChange(list)
}
