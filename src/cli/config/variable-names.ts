import { nearestName } from '../../proxy/rights/nearest-name.ts'
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
      const nearest = nearestName(name, allowed)
      const hint = nearest === undefined ? 'Remove it.' : `Did you mean ${nearest}?`
      return `${name}${place} is not a variable of the proxy. ${hint}`
    })
}
