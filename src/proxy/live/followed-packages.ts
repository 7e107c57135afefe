import { type Hint, packageKey } from '../changes/bus.ts'
import { streamRefusals } from './stream-refusals.ts'

/** What a stream follows. */
export interface Followed {
  readonly packages: readonly Hint[]
  /** Whether it also follows the lists of the person. */
  readonly hasList: boolean
}

/**
 * Parses what to follow: `?package=6025-42&package=6025-43`, and with `list=1` also the lists of the person. Throws `ProxyError`
 * 400 if the query contains anything else, nothing, or more than `max` packages. Default 200.
 */
export function parseFollowed(search: URLSearchParams, max = 200): Followed {
  const packages = new Map<string, Hint>()
  let hasList = false
  for (const [name, value] of search) {
    if (name === 'list' && value === '1') {
      hasList = true
      continue
    }
    const [, formId, packageId] = /^([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(value) ?? []
    const hint = { formId: Number(formId), packageId: Number(packageId) }
    if (name !== 'package' || !Number.isSafeInteger(hint.formId) || !Number.isSafeInteger(hint.packageId)) {
      throw streamRefusals.invalidQuery()
    }
    packages.set(packageKey(hint), hint)
  }
  if (packages.size === 0 && !hasList) throw streamRefusals.noPackages()
  if (packages.size > max) throw streamRefusals.tooManyPackages(max)
  return { packages: [...packages.values()], hasList }
}
