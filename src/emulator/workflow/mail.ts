import { nameOf } from './directory.ts'
import type { Mail } from '../state.ts'
import { type Located, nextId, type EmulatorContext } from '../context.ts'

/** Puts the mail into the outbox that the real service would send. */
export interface Mailer {
  /** To approvers who have received the package. */
  readonly notifyApprovers: (located: Located, approvers: readonly string[]) => void
  /** To current approvers after an edit; `deltaSummary` is HTML. */
  readonly notifyEdit: (located: Located, approvers: readonly string[], deltaSummary: string | null) => void
  /** To the initiator, whose package came back. */
  readonly returnToInitiator: (located: Located, comment: string) => void
  /** To the owners of the form, when an application did not accept a callback. */
  readonly callbackFailed: (located: Located, url: string, reason: string) => void
}

/** Creates a mailer. */
export function createMailer(world: EmulatorContext): Mailer {
  const { state, clock } = world

  function send(
    kind: Mail['kind'],
    { env, form, found }: Located,
    to: readonly string[],
    subject: string,
    paragraphs: readonly string[],
  ): void {
    // People only: a client application has no mailbox.
    const recipients = [...new Set(to)].flatMap((univid) => {
      const person = state.people.get(univid)
      return person ? [{ univid, email: person.email }] : []
    })
    if (recipients.length === 0) return
    const id = nextId(world)
    const about = { env, formId: form.id, packageId: found.id }
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
    // The address first, what the application adds below it, and the summary last (spec, Create a package).
    notifyApprovers: (located, approvers) => {
      const { form, found } = located
      send('approver_notification', located, approvers, `${form.name} ${found.id} is in your inbox`, [
        linkTo(located),
        found.packageDetails ?? '',
        summary(world, located),
      ])
    },

    notifyEdit: (located, approvers, deltaSummary) => {
      const { form, found } = located
      send('edit_notification', located, approvers, `${form.name} ${found.id} was edited`, [
        linkTo(located),
        deltaSummary ?? '',
        summary(world, located),
      ])
    },

    returnToInitiator: (located, comment) => {
      const { form, found } = located
      send('return_to_initiator', located, [found.initiator], `${form.name} ${found.id} came back to you`, [
        linkTo(located),
        `<p>${escape(comment)}</p>`,
        summary(world, located),
      ])
    },

    callbackFailed: (located, url, reason) => {
      const { form, found } = located
      send('callback_failure', located, form.owners, `A callback of ${form.name} failed`, [
        `<p>${escape(url)} did not accept the callback for package ${found.id}: ${escape(reason)}.</p>`,
      ])
    },
  }
}

function linkTo({ env, form, found }: Located): string {
  const url = `https://workflow.example/${env}/forms/${form.id}/packages/${found.id}`
  return `<p><a href="${url}">${url}</a></p>`
}

function summary(world: EmulatorContext, { form, found }: Located): string {
  const initiator = nameOf(world, found.initiator)
  return `<p>${escape(form.name)}, package ${found.id}, initiated by ${escape(initiator)}, ${found.state}</p>`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
