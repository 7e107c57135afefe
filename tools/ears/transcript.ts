// A transcript: what assistive technology receives in one moment, in lines that a person can read and review.

/** What the browser reports about an object: its role, its name and so on, in the words of ARIA. */
export interface Described {
  readonly role: string
  readonly name: string
  readonly description?: string
  /** Such as `expanded` or `not checked`. */
  readonly states?: readonly string[]
  /** The text in a field. */
  readonly value?: string
  /** Of a heading. */
  readonly level?: number
}

/** A line of the content of a page: text, or an object with or without content of its own. */
export type ReadLine = { readonly text: string } | (Described & { readonly children?: readonly ReadLine[] })

/** An event. */
export type Heard =
  /** The focus has moved. `entered` are the objects around it that were not around the previous one. */
  | ({ readonly kind: 'focus'; readonly entered: readonly Described[] } & Described)
  /** The text of a live region has changed. */
  | { readonly kind: 'live'; readonly live: string; readonly role: string | null; readonly text: string }
  /** An alert has appeared, with its text. */
  | { readonly kind: 'alert'; readonly text: string }
  /** Something was added to a live region. */
  | { readonly kind: 'added'; readonly live: string; readonly text: string }
  /** An option of a list has become the active one, while the focus stays in its field. */
  | { readonly kind: 'option'; readonly text: string }
  /** A screen reader has said something. */
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'announcement' | 'error'; readonly text: string }
  | { readonly kind: 'read'; readonly lines: readonly ReadLine[] | null }
  | { readonly kind: 'ready' | 'pressed' }

/** Roles of containers that a screen reader does not mention when the focus enters them. */
const silent = new Set(['document', 'main', 'listitem', 'list', 'region', 'complementary', 'article'])

/** Returns the lines about events. One announcement that the browser reports in several ways is one line. */
export function heardLines(heard: readonly Heard[]): readonly string[] {
  const lines: string[] = []
  for (const one of heard) {
    if (one.kind === 'focus') {
      const around = one.entered.filter(({ role, name }) => !silent.has(role) && (name || role === 'dialog'))
      lines.push(`focus: ${[...around, one].map(describe).join(' > ')}`)
    } else if (one.kind === 'live' || one.kind === 'added' || one.kind === 'alert') {
      const text = tidy(one.text)
      if (!text) continue
      const isUrgent = one.kind === 'alert' || one.live === 'assertive'
      const line = `${isUrgent ? 'alert' : 'status'}: ${text}`
      // The same change of the same region, as another kind of event.
      const last = lines.at(-1) ?? ''
      const isEcho = isUrgent ? last.startsWith(line) : one.kind !== 'live' && last === line
      if (isUrgent && last !== '' && line.startsWith(last)) lines.pop()
      if (!isEcho) lines.push(line)
    } else if (one.kind === 'option') {
      const line = `option: ${tidy(one.text)}`
      // Some engines report it as a move of the focus, too.
      const isEcho = lines.some((other) => other === line || other.includes(`option "${tidy(one.text)}"`))
      if (!isEcho) lines.push(line)
    } else if (one.kind === 'said') lines.push(`said: ${tidy(one.text)}`)
    else if (one.kind === 'announcement') lines.push(`announcement: ${tidy(one.text)}`)
    else if (one.kind === 'error') lines.push(`error: ${one.text}`)
  }
  return lines
}

/** Returns the lines about the content of a page, indented by their depth. */
export function readLines(lines: readonly ReadLine[], depth = 0): readonly string[] {
  const indent = '  '.repeat(depth)
  return lines.flatMap((line) => {
    if ('text' in line) return [indent + tidy(line.text)]
    // Live regions that are empty at present say nothing.
    const isRegion = line.role === 'status' || line.role === 'alert'
    if (isRegion && !line.name && !line.children?.length) return []
    const only = line.children?.length === 1 ? line.children[0] : undefined
    // A heading or an item with one text is one line.
    if (only && 'text' in only && (!line.name || tidy(only.text) === tidy(line.name)))
      return [`${indent}${describe({ ...line, name: '' })} ${tidy(only.text)}`]
    return [indent + describe(line), ...readLines(line.children ?? [], depth + 1)]
  })
}

/** Returns one object as a line: role, name, value, states and description. */
function describe({ role, name, description, states = [], value, level }: Described): string {
  const head = [role, level, name && `"${tidy(name)}"`].filter(Boolean).join(' ')
  const isRepeated = !description || tidy(description) === tidy(name)
  return [
    head,
    ...(value ? [`= "${tidy(value)}"`] : []),
    ...states,
    ...(isRepeated ? [] : [`(${tidy(description)})`]),
  ].join(', ')
}

/** Replaces what differs from run to run, as the header of the transcripts states. */
function tidy(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      // Chromium leaves out some spaces between two parts of a line.
      .replace(/(?<=\S)\s*·\s*/g, ' · ')
      .replace(/(?<=\w\w[.!?])(?=[A-Z])/g, ' ')
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '{uuid}')
  )
}
