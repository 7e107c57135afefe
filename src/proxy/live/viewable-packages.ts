import { ProxyError } from '../http/problem.ts'
import type { Authorizer } from '../rights/authorizer.ts'

/**
 * Returns those of these packages that the person may view. If the service refuses the request, asks for each half, because a
 * single package can be the reason. A package that is refused alone may not be viewed. Rejects on other errors.
 */
export async function viewablePackages(
  rights: Pick<Authorizer, 'viewable'>,
  request: Parameters<Authorizer['viewable']>[0],
  formId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  try {
    return await rights.viewable(request, formId, ids)
  } catch (error) {
    const isRefused = error instanceof ProxyError && [403, 404, 422].includes(error.status)
    if (!isRefused) throw error
    if (ids.length <= 1) return new Set()
    const half = Math.ceil(ids.length / 2)
    const parts = [ids.slice(0, half), ids.slice(half)].map((part) =>
      viewablePackages(rights, request, formId, part),
    )
    return new Set((await Promise.all(parts)).flatMap((part) => [...part]))
  }
}
