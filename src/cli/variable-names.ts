import { MountVariables, ProcessVariables } from './proxy-variables.ts'

export const mountNames: readonly string[] = Object.keys(MountVariables.shape)
export const allNames: readonly string[] = [...Object.keys(ProcessVariables.shape), ...mountNames]

/** Variables that a configuration file may contain. */
export const fileNames: readonly string[] = allNames.filter((name) => name !== 'ROUTESLIP_CONFIG')

/** Variables of secrets: those with a `_FILE` variant. */
export const secretNames: readonly string[] = allNames.filter((name) => allNames.includes(`${name}_FILE`))

/** Returns a message for each name that is not allowed. `place` names the mount, and is empty if there is only one. */
export function checkNames(
  names: readonly string[],
  allowed: readonly string[],
  place = '',
): readonly string[] {
  return names
    .filter((name) => !allowed.includes(name))
    .map((name) => {
      if (name === 'ROUTESLIP_CONFIG') return `${name} is the path of this file. Remove it from the file.`
      if (allNames.includes(name)) return `${name}${place} applies to all mounts. Move it out of mounts.`
      const [nearest] = allowed
        .map((other) => ({ other, steps: editDistance(name, other) }))
        .sort((a, b) => a.steps - b.steps)
      const hint = nearest && nearest.steps <= 4 ? `Did you mean ${nearest.other}?` : 'Remove it.'
      return `${name}${place} is not a variable of the proxy. ${hint}`
    })
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
