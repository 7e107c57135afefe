/** Returns a readable form of a value that the spec does not list: `ON_HOLD` becomes `On hold`. */
export function humanize(value: string): string {
  const words = value.replace(/_/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
