/** Returns a readable form of a value that the spec does not list: `ON_HOLD` becomes `On hold`. */
export function humanize(value: string): string {
  return capitalize(value.replace(/_/g, ' ').toLowerCase())
}

/** Begins a text with a capital letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
