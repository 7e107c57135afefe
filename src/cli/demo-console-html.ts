import type { Mail, StoredCallback } from '../emulator/state/stored-packages.ts'
import { sanitizeHtml } from '../proxy/validation/html.ts'

/** Message about the last action. */
export interface ConsoleNotice {
  readonly title: string
  readonly text: string
}

interface ConsolePerson {
  readonly univid: string
  readonly displayName: string
}

/** Fields of a package that the console shows. */
export interface ConsolePackage {
  readonly id: number
  readonly state: string
  readonly initiator: ConsolePerson
}

/** A package in the list of all. */
export interface ListedPackage {
  readonly id: number
  readonly state: string
}

/** Fields of a history event that the console shows. */
export interface ConsoleEvent {
  readonly person?: ConsolePerson
  readonly stop?: { readonly name: string | null } | null
  readonly permission?: string
  readonly isInInbox?: boolean
}

/** Fields of a comment that the console shows. */
export interface ConsoleComment {
  readonly comment: string
  readonly approversOnly: boolean
  readonly createdAt: string
  readonly person: ConsolePerson
}

/** Renders the first paragraph of the page, which gets the focus. */
export function noticeHtml(text: string): string {
  return `<p class="notice" tabindex="-1" autofocus>${escape(text)}</p>`
}

/** Renders the state of the package, with a button for each person who can act. */
export function packageHtml(
  { id, state, initiator }: ConsolePackage,
  history: readonly ConsoleEvent[],
): string {
  const rows = history.flatMap(({ person, stop, permission = '', isInInbox }) => {
    if (!isInInbox || !person) return []
    const button = permission.startsWith('SIGNATURE') ? buttonHtml(id, 'sign', 'Sign', person) : ''
    return `<span><bdi>${escape(person.displayName)}</bdi>, ${escape(stop?.name ?? '')}: ${humanizeEnum(permission)}</span>${button}`
  })
  if (state === 'DRAFT')
    rows.push(`<span>Returned to the initiator</span>${buttonHtml(id, 'submit', 'Submit', initiator)}`)
  return `<p>State: <strong>${humanizeEnum(state)}</strong></p>${listHtml(rows, 'The package is not in any inbox.')}`
}

function buttonHtml(
  id: number,
  action: string,
  verb: string,
  { univid, displayName }: ConsolePerson,
): string {
  return `<form action="/console/${action}" method="post"><input type="hidden" name="package" value="${id}" /><button name="univid" value="${escape(univid)}">${verb} as <bdi>${escape(displayName)}</bdi></button></form>`
}

export function commentHtml({ comment, approversOnly, createdAt, person }: ConsoleComment): string {
  const to = approversOnly ? ', for approvers only' : ''
  return `${timeHtml(createdAt)} <bdi>${escape(person.displayName)}</bdi>${to}: <bdi>${escape(comment)}</bdi>`
}

export function callbackHtml({ body, state }: StoredCallback): string {
  const sent = JSON.parse(body) as { createdAt: string; state: string; stop: { name: string } | null }
  const event = sent.stop ? `arrived at stop ${escape(sent.stop.name)}` : `state ${humanizeEnum(sent.state)}`
  return `${timeHtml(sent.createdAt)} ${event}: <strong>${humanizeEnum(state)}</strong>`
}

/** Renders an email, and its text, which opens on request. */
export function mailHtml(
  { sentAt, subject, recipients, html }: Mail,
  names: ReadonlyMap<string, string>,
): string {
  const to = recipients.map(({ univid, email }) => escape(names.get(univid) ?? email ?? univid))
  // The links lead to the screens of the real service.
  const text = (sanitizeHtml(html) ?? '').replace(/<a\b[^>]*>|<\/a>/g, '')
  return `<details><summary>${timeHtml(sentAt)} <bdi>${escape(subject)}</bdi>, to ${to.join(', ')}</summary><blockquote>${text}</blockquote></details>`
}

/** Returns the last six rows, newest first. */
export function latest<T>(rows: readonly T[]): readonly T[] {
  return rows.slice(-6).reverse()
}

export function listHtml(rows: readonly string[], emptyText: string): string {
  if (rows.length === 0) return `<p>${emptyText}</p>`
  return `<ul class="rows">${rows.map((row) => `<li>${row}</li>`).join('')}</ul>`
}

export function optionsHtml(rows: readonly (readonly [value: string, label: string])[]): string {
  return rows.map(([value, label]) => `<option value="${value}">${escape(label)}</option>`).join('')
}

/** Renders the packages as options. One of them is chosen. */
export function packageOptionsHtml(packages: readonly ListedPackage[], chosen: number): string {
  return packages
    .map(({ id, state }) => {
      const selected = id === chosen ? ' selected' : ''
      return `<option value="${id}"${selected}>Travel request ${id}: ${humanizeEnum(state)}</option>`
    })
    .join('')
}

export function timeHtml(local: string): string {
  return `<time datetime="${escape(local)}">${escape(local.replace('T', ' '))}</time>`
}

/** Formats an enum value: `SIGNATURE_REQUIRED` becomes `signature required`. */
function humanizeEnum(value: string): string {
  return escape(value.toLowerCase().replaceAll('_', ' '))
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
