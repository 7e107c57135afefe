import { type PageClient, packageScope } from '../../client/index.ts'
import { isId } from '../../contract/values/path.ts'
import type { Settings } from '../configuration/settings.ts'

/** A package, and the client that reads it. */
export type PackageTarget = readonly [client: PageClient, formId: number, packageId: number]

/** Returns the package that an element shows; `undefined` if the element is not configured. */
export function targetOf(settings: Settings, client: PageClient | undefined): PackageTarget | undefined {
  const formId = settings.get('formId')
  const packageId = settings.get('packageId')
  return client && isId(formId) && isId(packageId) ? [client, formId, packageId] : undefined
}

/** Returns the attributes that have no valid id. */
export function missingIds(settings: Settings): readonly string[] {
  return [
    ...(isId(settings.get('formId')) ? [] : ['form-id']),
    ...(isId(settings.get('packageId')) ? [] : ['package-id']),
  ]
}

/** Returns the scope of a package, for `PageClient.watch`. */
export function scopeOf([, formId, packageId]: PackageTarget): string {
  return packageScope(formId, packageId)
}
