/** A piece of the source code, and what replaces it. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function applyEdits(code: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code)
}
