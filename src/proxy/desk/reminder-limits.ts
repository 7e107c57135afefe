import type { SentReminder } from './package-index.ts'

/** Maximum number of reminders of a package for the same people. */
export const remindersPerHolders = 5
/** Maximum number of reminders that a person sends in 24 hours. */
export const remindersPerDay = 20

/** Name of the note that no reminders are sent for a form. `routeslip desk resume` removes it. */
export function stopNote(formId: number): string {
  return `stopped ${formId}`
}

/** Returns what was sent about a package. `sent`: the latest first. `holders`: text that differs if other people hold it. */
export function summaryOf(sent: readonly SentReminder[], holders: string) {
  const [last] = sent
  return {
    sentAt: last ? new Date(last.at).toISOString() : null,
    isUncertain: last?.isConfirmed === false,
    count: sent.filter((one) => one.holders === holders).length,
    limit: remindersPerHolders,
  }
}
