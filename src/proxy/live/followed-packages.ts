import { ProxyError } from '../problem.ts'
import { type Hint, packageKey } from './bus.ts'

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
      throw new ProxyError(400, 'The query may only contain packages. Write each as package=FORM-PACKAGE.')
    }
    packages.set(packageKey(hint), hint)
  }
  if (packages.size === 0)
    throw new ProxyError(400, 'The query names no package to follow. Write each as package=FORM-PACKAGE.')
  if (packages.size > max) throw tooManyPackages(max)
  return [...packages.values()]
}

/** The error for a stream that follows more than `max` packages. */
export function tooManyPackages(max: number): ProxyError {
  return new ProxyError(400, `A stream can follow up to ${max} packages. Name fewer packages.`)
}
