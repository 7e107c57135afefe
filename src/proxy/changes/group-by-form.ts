import { maxIds } from '../../contract/values/values.ts'
import type { Hint } from './bus.ts'

/** Groups packages into calls, each for one form and at most 100 packages. */
export function groupByForm(
  packages: Iterable<Hint>,
): readonly (readonly [formId: number, ids: readonly number[]])[] {
  const forms = new Map<number, number[][]>()
  for (const { formId, packageId } of packages) {
    const chunks = forms.get(formId) ?? []
    const last = chunks.at(-1)
    if (last && last.length < maxIds) last.push(packageId)
    else chunks.push([packageId])
    forms.set(formId, chunks)
  }
  return [...forms].flatMap(([formId, chunks]) => chunks.map((ids) => [formId, ids] as const))
}
