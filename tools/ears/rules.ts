// What every transcript has to fulfil, whatever happens in it. Each function returns the problems that it finds.

/** The lines of a transcript about what was heard; `undefined` if nobody did anything. */
export function heardIn(transcript: string): readonly string[] | undefined {
  const lines = transcript.split('\n')
  const start = lines.indexOf('Heard:')
  if (start < 0) return undefined
  const end = lines.indexOf('', start)
  return lines.slice(start + 1, end < 0 ? undefined : end)
}

/** The lines of a transcript about the content of the page. */
function readIn(transcript: string): readonly string[] {
  const lines = transcript.split('\n')
  const start = lines.findIndex((line) => line.startsWith('Read: '))
  return start < 0 ? [] : lines.slice(start + 1).filter(Boolean)
}

/** Sentences that are announced twice, objects that get the focus twice, and lines of content that repeat the previous one. */
export function saidTwice(transcript: string): readonly string[] {
  const heard = (heardIn(transcript) ?? []).flatMap((line) => {
    const [, kind = '', text = ''] = /^(\w+): (.*)$/.exec(line) ?? []
    return kind === 'focus' ? [text] : text.split(/(?<=[.!?])\s+/)
  })
  const read = readIn(transcript).map(textOf)
  return [
    ...heard.filter((sentence, at) => heard.indexOf(sentence) < at),
    ...read.filter((text, at) => text !== '' && text === read[at - 1] && /\s/.test(text)),
  ]
}

/** The text of a line of content: the name in quotation marks, or what follows the role. */
function textOf(line: string): string {
  return /"(.*)"/.exec(line)?.[1] ?? line.trim().replace(/^(?:heading \d|listitem|term|alert|status) /, '')
}

/** Whether something was done, and nothing was heard. */
export function isSilent(transcript: string): boolean {
  return heardIn(transcript)?.length === 0
}

const success = /\b(?:\d+ uploaded|was uploaded|was deleted|up to date)\b/i

/** Lines in which something that went well comes before the failure, or the failure is missing. */
export function failureComesLate(transcript: string, failure: RegExp): readonly string[] {
  const text = (heardIn(transcript) ?? []).join('\n')
  const failed = text.search(failure)
  const succeeded = text.search(success)
  if (failed < 0) return ['the failure is not heard']
  return succeeded >= 0 && succeeded < failed ? [text.slice(succeeded, failed)] : []
}

/** Controls without a name, and roles that say nothing. */
export function unnamed(transcript: string): readonly string[] {
  const control = /(?:^|[:>]) *(?:button|link|checkbox|radio|textbox|combobox|dialog|img)(?:,| >|$)/
  return transcript.split('\n').filter((line) => !line.startsWith('Read: ') && control.test(line))
}
