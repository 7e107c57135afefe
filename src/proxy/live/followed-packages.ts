import { type Hint, packageKey } from '../changes/bus.ts'
import { streamRefusals } from './stream-refusals.ts'

/**
 * Parses the packages to follow: `?package=6025-42&package=6025-43`. Throws `ProxyError` 400 if the query contains anything
 * else, no package, or more than `max` packages. Default 200.
 */
export function parseFollowedPackages(search: URLSearchParams, max = 200): readonly Hint[] {
  const packages = new Map<string, Hint>()
  for (const [name, value] of search) {
    const [, formId, packageId] = /^([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(value) ?? []
    const hint = { formId: Number(formId), packageId: Number(packageId) }
    if (name !== 'package' || !Number.isSafeInteger(hint.formId) || !Number.isSafeInteger(hint.packageId)) {
      throw streamRefusals.invalidQuery()
    }
    packages.set(packageKey(hint), hint)
  }
  if (packages.size === 0) throw streamRefusals.noPackages()
  if (packages.size > max) throw streamRefusals.tooManyPackages(max)
  return [...packages.values()]
}
