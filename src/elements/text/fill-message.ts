/** Stands for the part while the message is filled in. No text contains it. */
const mark = '\uFFFC'

/** Fills in the placeholder of a message with something rendered, such as a name in bold, where the language wants it. */
export function fillMessage(fill: (mark: string) => string, part: unknown): readonly unknown[] {
  const [before, after] = fill(mark).split(mark)
  return [before, part, after]
}
