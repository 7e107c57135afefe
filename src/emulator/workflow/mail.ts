import { displayName } from './directory.ts'
import type { Mail } from '../state/stored-packages.ts'
import { type PackageRecord, nextId, type EmulatorContext } from '../context.ts'

/** Notifies approvers who have received the package: the link, the details from the application, and the summary (spec, Create a package). */
export function notifyApprovers(
  context: EmulatorContext,
  record: PackageRecord,
  approvers: readonly string[],
): void {
  const { form, pkg } = record
  send(context, 'approver_notification', record, approvers, `${form.name} ${pkg.id} is in your inbox`, [
    linkTo(record),
    pkg.packageDetails ?? '',
    summary(context, record),
  ])
}

/** Notifies the current approvers after an edit. `deltaSummary` is HTML. */
export function notifyEdit(
  context: EmulatorContext,
  record: PackageRecord,
  approvers: readonly string[],
  deltaSummary: string | null,
): void {
  const { form, pkg } = record
  send(context, 'edit_notification', record, approvers, `${form.name} ${pkg.id} was edited`, [
    linkTo(record),
    deltaSummary ?? '',
    summary(context, record),
  ])
}

/** Notifies the initiator that the package was returned. */
export function notifyInitiator(context: EmulatorContext, record: PackageRecord, comment: string): void {
  const { form, pkg } = record
  const subject = `${form.name} ${pkg.id} was returned to you`
  send(context, 'return_to_initiator', record, [pkg.initiator], subject, [
    linkTo(record),
    `<p>${escapeHtml(comment)}</p>`,
    summary(context, record),
  ])
}

/** Notifies the owners of the form that an application did not accept a callback. */
export function notifyOwners(
  context: EmulatorContext,
  record: PackageRecord,
  url: string,
  reason: string,
): void {
  const { form, pkg } = record
  send(context, 'callback_failure', record, form.owners, `A callback of ${form.name} failed`, [
    `<p>${escapeHtml(url)} did not accept the callback for package ${pkg.id}: ${escapeHtml(reason)}.</p>`,
  ])
}

/** Writes the mail that the real service would send to the outbox. */
function send(
  context: EmulatorContext,
  kind: Mail['kind'],
  { env, form, pkg }: PackageRecord,
  to: readonly string[],
  subject: string,
  paragraphs: readonly string[],
): void {
  const { state, clock, isSilent } = context
  // Client applications have no mailbox.
  const recipients = [...new Set(to)].flatMap((univid) => {
    const person = state.people.get(univid)
    return person ? [{ univid, email: person.email }] : []
  })
  if (isSilent || recipients.length === 0) return
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
