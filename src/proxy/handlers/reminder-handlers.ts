import type { ReminderOperation } from '../../contract/routes/list-routes.ts'
import { EntryWithEmail } from '../../contract/schemas/entry.ts'
import type { Reminder, ReminderBody, ReminderRefusal } from '../../contract/schemas/lists.ts'
import type { Package } from '../../contract/schemas/workflow.ts'
import { eventHeader } from '../../contract/values/headers.ts'
import { maxNoteLength } from '../../contract/values/note.ts'
import { isSamePerson, personKey } from '../../contract/values/patterns.ts'
import type { Slots } from '../admission/slots.ts'
import { type ChangeRecorderOptions, createChangeRecorder } from './record-change.ts'
import { ProxyError } from '../http/problem.ts'
import { refusals } from '../http/refusals.ts'
import { jsonReply } from '../http/reply.ts'
import { type Hint, packageKey } from '../changes/bus.ts'
import type { OperationRequest } from '../operation/operation-request.ts'
import type { OwnServiceHandler } from '../rights/operation-handler.ts'
import type { Authorizer } from '../rights/authorizer.ts'
import { remind } from '../rights/policy-operations.ts'
import { ServicePausedError } from '../upstream/send.ts'
import { readStatuses } from '../upstream/package-statuses.ts'
import { parseJson } from '../validation/service-response.ts'
import type { Upstream, UpstreamCall } from '../upstream/upstream.ts'
import type { Desk, ReminderOptions } from '../desk/desk.ts'
import { isSameJson, memberText } from '../desk/entry-text.ts'
import { day, type KnownPackage, type ReminderLimits, type SentReminder } from '../desk/package-index.ts'
import { remindersPerDay, remindersPerHolders, stopNote, summaryOf } from '../desk/reminder-limits.ts'
import { noteLead, reminderText } from '../desk/reminder-text.ts'
import { digestOf } from '../desk/sweep.ts'

interface ReminderHandlersOptions extends ChangeRecorderOptions, ReminderOptions {
  readonly desk: Desk
  readonly upstream: Upstream
  readonly authorizer: Authorizer
  /** Places for one change of the entry of a package at a time. */
  readonly entryTurns: Pick<Slots, 'take'>
}

/** The facts that decide about a reminder of a package. */
interface Facts {
  readonly hint: Hint
  readonly known: KnownPackage
  /** Text that differs if other people hold the package. */
  readonly holders: string
  readonly reminder: Reminder
}

/**
 * Creates the handlers of reminders. The service has no operation that only sends an e-mail, so the proxy writes the entry of
 * the package back as it was, with a summary. Browsers choose neither the text nor the people nor the data. The policy can let
 * people add a note, which the e-mail quotes.
 */
export function createReminderHandlers({
  desk,
  upstream,
  authorizer,
  entryTurns,
  hours = 72,
  language = 'en',
  ...recorderOptions
}: ReminderHandlersOptions): Readonly<Record<ReminderOperation, OwnServiceHandler>> {
  const { log } = recorderOptions
  const recordChange = createChangeRecorder(recorderOptions)
  const { index, now } = desk
  const limits: ReminderLimits = {
    wait: hours * hour,
    perHolders: remindersPerHolders,
    perDay: remindersPerDay,
  }

  /** Decides by the policy, as about the operation that sends. */
  const authorize: Authorizer['authorize'] = (request) =>
    authorizer.authorize({ ...request, name: remind as OperationRequest['name'] })

  /** Reads what decides. Throws `ProxyError` if the package is not routing, or the person may not view it. */
  async function read(request: OperationRequest): Promise<Facts> {
    const { person, requestId, signal, params } = request
    const hint = { formId: Number(params['formId']), packageId: Number(params['packageId']) }
    const { formId, packageId } = hint
    const call = { as: person, requestId, signal }
    const actions = await authorizer.actions(request, formId, [packageId])
    if (!actions.get(packageId)?.canView) throw refusals.notAllowedHere()
    const [{ rows }, found] = await Promise.all([
      readStatuses(upstream, formId, [packageId], call),
      upstream.call('getPackage', { ...call, params: hint }) as Promise<Package>,
    ])
    const status = rows.get(packageId)
    if (!status) throw refusals.unexpectedResponse()
    if (status.state !== 'ROUTING') throw refusals.wrongState()
    await desk.learn([hint])
    const known = await index.find(hint)
    if (!known) throw refusals.cannotRunOnce(undefined)
    const holders = await digestOf(status)
    if (holders !== known.pkg.digest) desk.correct(hint)
    const { initiator } = found
    const isInitiator = isSamePerson(initiator?.univid, person.univid)
    const asker = isInitiator ? { name: initiator?.displayName ?? null } : 'administrator'
    const [since = null] = known.holders.flatMap(({ received }) => received ?? []).sort()
    const mayAddNote = await authorizer.mayAddNote(request, { ...hint, state: status.state })
    const texts = {
      text: reminderText(language, asker, since),
      language,
      noteLimit: mayAddNote ? maxNoteLength : null,
      noteLead: mayAddNote ? noteLead(language, asker) : null,
    }
    const sent = await describe(hint, known, holders, personKey(person.univid))
    return { hint, known, holders, reminder: { ...texts, ...sent } }
  }

  /** Returns what was sent, and why nothing can be sent now. */
  async function describe(
    { formId }: Hint,
    { pkg, holders: people, reminders }: KnownPackage,
    holders: string,
    person: string,
  ): Promise<Omit<Reminder, 'text' | 'language' | 'noteLimit' | 'noteLead'>> {
    const [last] = reminders
    const summary = summaryOf(reminders, holders)
    const time = now()
    const today = await index.reminderTimes(person, time - day)
    // Nobody is reminded of what the proxy has only just learnt of.
    const heldSince = pkg.digest === holders ? Math.max(pkg.changedAt, pkg.learntAt) : time
    const next = Math.max(heldSince, last?.at ?? 0) + limits.wait
    const nextOfDay = (today[0] ?? 0) + day
    const isAlone = people.length > 0 && people.every((one) => one.person === person)
    // The first one that is true.
    const reasons: readonly (readonly [ReminderRefusal, boolean, number?])[] = [
      ['stopped', (await index.readNote(stopNote(formId))) !== undefined],
      ['nobody', isAlone],
      ['limit', summary.count >= limits.perHolders],
      ['wait', next > time, next],
      ['day', today.length >= limits.perDay, nextOfDay],
    ]
    const [refusal, , nextAt] = reasons.find(([, isTrue]) => isTrue) ?? [null]
    return {
      ...summary,
      refusal,
      nextAt: nextAt === undefined ? null : new Date(nextAt).toISOString(),
    }
  }

  /** Sends a reminder. The claim comes first, so that neither a second request nor a crash sends it twice. */
  async function send(request: OperationRequest): Promise<Reminder> {
    const { person, requestId, signal } = request
    const { hint, holders, reminder } = await read(request)
    const { note = '' } = request.body?.value as ReminderBody
    if (note !== '' && reminder.noteLimit === null) throw refusals.noteNotAllowed()
    if (reminder.refusal !== null) throw refusals.notRemindable()
    const call = {
      as: person,
      requestId,
      signal,
      params: { ...hint },
      version: '1.1',
      bypassAuthorization: true,
    }
    const leave = await entryTurns.take({ holder: packageKey(hint), signal })
    try {
      const sent = { at: now(), person: personKey(person.univid), holders, isConfirmed: false }
      if (!(await index.claimReminder(hint, sent, limits))) throw refusals.notRemindable()
      let mayBeSent = false
      try {
        const { entry, text } = await readEntry(call)
        mayBeSent = true
        await writeBack(call, hint.formId, entry, withReminder(text, htmlOf(reminder, note)))
      } catch (error) {
        if (!mayBeSent || isRefused(error)) await index.settleReminder(hint, sent.at, false)
        throw isInvalid(error) ? refusals.dataNotAccepted() : error
      }
      await index.settleReminder(hint, sent.at, true)
      return after(reminder, sent)
    } finally {
      leave()
    }
  }

  /** Reads the entry of a package, and its text, whose numbers are as the service wrote them. */
  async function readEntry(call: UpstreamCall): Promise<{ readonly entry: unknown; readonly text: string }> {
    const json = await upstream.callForText('getEntry', call)
    const { entry } = EntryWithEmail.safeParse(parseJson(json)).data ?? {}
    const text = entry && memberText(json, 'entry')
    if (text === undefined) throw refusals.unexpectedResponse()
    return { entry, text }
  }

  /** Writes an entry back as it was. Nothing can prevent that somebody has changed it since it was read. */
  async function writeBack(
    call: UpstreamCall,
    formId: number,
    entry: unknown,
    jsonText: string,
  ): Promise<void> {
    const written = (await upstream.call('updateEntry', { ...call, body: { jsonText } })) as EntryWithEmail
    if (isSameJson(written.entry, entry)) return
    log(
      'error',
      'A reminder changed the data of a package. No more are sent for this form until "routeslip desk resume".',
      {
        ...call.params,
        requestId: call.requestId,
      },
    )
    await index.writeNote(stopNote(formId), new Date(now()).toISOString())
  }

  function after(reminder: Reminder, { at }: SentReminder): Reminder {
    return {
      ...reminder,
      sentAt: new Date(at).toISOString(),
      isUncertain: false,
      count: reminder.count + 1,
      refusal: 'wait' satisfies ReminderRefusal,
      nextAt: new Date(at + limits.wait).toISOString(),
    }
  }

  return {
    getReminder: {
      authorize,
      handle: async ({ operationRequest }) =>
        jsonReply((await read(operationRequest)).reminder, operationRequest.person.univid),
    },
    sendReminder: {
      authorize,
      async handle({ operationRequest }) {
        const { result, eventId } = await recordChange(operationRequest, () => send(operationRequest))
        const reply = jsonReply(result, operationRequest.person.univid)
        return eventId === undefined
          ? reply
          : { ...reply, headers: { ...reply.headers, [eventHeader]: eventId } }
      },
    },
  }
}

/** Returns the HTML of a reminder. A note stands in a paragraph of its own, below the name of the person who has written it. */
function htmlOf({ text, noteLead: lead }: Reminder, note: string): string {
  const quote = `<p>${escaped(lead ?? '')}</p><blockquote><p dir="auto">${escaped(note)}</p></blockquote>`
  return `<p>${escaped(text)}</p>${note === '' ? '' : quote}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Returns the body that writes an entry back and emails a text. `entry` is JSON. */
function withReminder(entry: string, deltaSummary: string): string {
  const emailContent = { deltaSummary, packageDetails: null }
  return `{"entry":${entry},"sendDeltaEmail":true,"emailContent":${JSON.stringify(emailContent)}}`
}

/** Whether an error shows that the service has emailed nobody. */
function isRefused(error: unknown): boolean {
  return error instanceof ProxyError && (error.status < 500 || error.cause instanceof ServicePausedError)
}

function isInvalid(error: unknown): boolean {
  return error instanceof ProxyError && error.status === 422 && error.refusedBy === 'service'
}

const hour = 60 * 60_000
