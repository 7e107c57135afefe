// The rules for a text that a person adds to an e-mail of the service. Browser and proxy apply the same ones.

/** Maximum length of a note, in characters. */
export const maxNoteLength = 300

/**
 * Why a note is not sent: it is longer than the maximum, contains part of an address, or a character that controls how other text
 * is read or shown.
 */
export type NoteProblem = 'length' | 'address' | 'control'

/** Returns a text as it would be sent: in one line, with each letter as one character. Empty if nothing in it is visible. */
export function cleanNote(text: string): string {
  const line = text
    .normalize('NFC')
    .replace(/[^\S\ufeff]+/g, ' ')
    .trim()
  return withoutInvisible(line).trim() === '' ? '' : line
}

/** Returns the number of characters of a clean note: a letter with its accent is one, and so is 😀. */
export function noteLength(note: string): number {
  return [...note].length
}

/** Returns the first problem with a clean note; `undefined` if it may be sent. `limit`: the maximum length. */
export function noteProblem(note: string, limit = maxNoteLength): NoteProblem | undefined {
  if (controls.test(note)) return 'control'
  // Addresses are found as mail programs might read them: wide letters are letters, and what is invisible is nothing.
  if (/:\/\/|www[.。]|@/i.test(withoutInvisible(note.normalize('NFKC')))) return 'address'
  return noteLength(note) > limit ? 'length' : undefined
}

/** Control characters, halves of characters, and those that reverse the direction of text. */
const controls = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u

/** Returns a text without characters that nobody sees. Some of them belong into words, such as in Persian. */
function withoutInvisible(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}
