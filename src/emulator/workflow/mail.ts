import { displayName } from './directory.ts'
import type { Mail } from '../state/stored-packages.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/** Writes the mail that the real service would send to the outbox. */
export interface Mailer {
  /** Notifies approvers who have received the package. */
  readonly notifyApprovers: (record: PackageRecord, approvers: readonly string[]) => void
  /** Notifies the current approvers after an edit. `deltaSummary` is HTML. */
  readonly notifyEdit: (
    record: PackageRecord,
    approvers: readonly string[],
    deltaSummary: string | null,
  ) => void
  /** Notifies the initiator that the package was returned. */
  readonly returnToInitiator: (record: PackageRecord, comment: string) => void
  /** Notifies the owners of the form that an application did not accept a callback. */
  readonly callbackFailed: (record: PackageRecord, url: string, reason: string) => void
}

/** Creates a mailer. */
export function createMailer(context: EmulatorContext): Mailer {
  const { state, clock } = context

  function send(
    kind: Mail['kind'],
    { env, form, pkg }: PackageRecord,
    to: readonly string[],
    subject: string,
    paragraphs: readonly string[],
  ): void {
    // Client applications have no mailbox.
    const recipients = [...new Set(to)].flatMap((univid) => {
      const person = state.people.get(univid)
      return person ? [{ univid, email: person.email }] : []
    })
    if (recipients.length === 0) return
    const id = nextId(context)
    const about = { env, formId: form.id, packageId: pkg.id }
    state.outbox.set(id, {
      id,
      kind,
      sentAt: clock.localNow(),
      recipients,
      subject,
      html: paragraphs.filter((html) => html !== '').join('\n'),
      ...about,
    })
  }

  return {
    // The link, then the details from the application, then the summary (spec, Create a package).
    notifyApprovers: (record, approvers) => {
      const { form, pkg } = record
      send('approver_notification', record, approvers, `${form.name} ${pkg.id} is in your inbox`, [
        linkTo(record),
        pkg.packageDetails ?? '',
        summary(context, record),
      ])
    },

    notifyEdit: (record, approvers, deltaSummary) => {
      const { form, pkg } = record
      send('edit_notification', record, approvers, `${form.name} ${pkg.id} was edited`, [
        linkTo(record),
        deltaSummary ?? '',
        summary(context, record),
      ])
    },

    returnToInitiator: (record, comment) => {
      const { form, pkg } = record
      send('return_to_initiator', record, [pkg.initiator], `${form.name} ${pkg.id} was returned to you`, [
        linkTo(record),
        `<p>${escapeHtml(comment)}</p>`,
        summary(context, record),
      ])
    },

    callbackFailed: (record, url, reason) => {
      const { form, pkg } = record
      send('callback_failure', record, form.owners, `A callback of ${form.name} failed`, [
        `<p>${escapeHtml(url)} did not accept the callback for package ${pkg.id}: ${escapeHtml(reason)}.</p>`,
      ])
    },
  }
}

function linkTo({ env, form, pkg }: PackageRecord): string {
  const url = `https://workflow.example/${env}/forms/${form.id}/packages/${pkg.id}`
  return `<p><a href="${url}">${url}</a></p>`
}

function summary(context: EmulatorContext, { form, pkg }: PackageRecord): string {
  const initiator = displayName(context, pkg.initiator)
  return `<p>${escapeHtml(form.name)}, package ${pkg.id}, initiated by ${escapeHtml(initiator)}, ${pkg.state}</p>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
