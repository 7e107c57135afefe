/** Returns the name that differs least from a text; `undefined` if each differs in more than four letters or half of them. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, steps: editDistance(text, name) }))
    .sort((a, b) => a.steps - b.steps)
  return nearest && nearest.steps <= Math.min(4, text.length / 2) ? nearest.name : undefined
}

/** Returns the Levenshtein distance of two words. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1]
    for (const [index, other] of [...to].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
