import type { OverrideType } from '../../../contract/values.ts'
import type { StoredPackage } from '../../state/state.ts'

/** The override of which someone is the subject. */
export function overrideOf({ overrides }: StoredPackage, univid: string) {
  return overrides.find(({ subjectUnivid }) => subjectUnivid === univid)
}

/** Who acts in place of someone, overrides of replacements included; the person where nobody does. */
export function currentHolder(pkg: StoredPackage, univid: string): string {
  const seen = new Set<string>()
  let holder = univid
  for (;;) {
    const override = overrideOf(pkg, holder)
    if (!override || seen.has(holder)) return holder
    seen.add(holder)
    holder = override.replacementUnivid
  }
}

/** What an override has done to someone's own rights. */
export function overrideTypeOf(pkg: StoredPackage, univid: string): OverrideType | undefined {
  return overrideOf(pkg, univid)?.type
}

/** Whether someone may act as the initiator: the subject of an override may at most look. */
export function actsAsInitiator(pkg: StoredPackage, univid: string): boolean {
  return pkg.initiator === univid && !overrideOf(pkg, univid)
}

/** Whether someone stands in for one of these people, or for who does. There are no circles: none can be created. */
export function standsInFor(pkg: StoredPackage, user: string, isOne: (univid: string) => boolean): boolean {
  return pkg.overrides.some(
    ({ subjectUnivid, replacementUnivid }) =>
      replacementUnivid === user && (isOne(subjectUnivid) || standsInFor(pkg, subjectUnivid, isOne)),
  )
}
