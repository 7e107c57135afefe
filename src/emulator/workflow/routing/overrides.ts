import type { OverrideType } from '../../../contract/values/values.ts'
import type { StoredPackage } from '../../state/stored-packages.ts'

/** Returns the override of which a person is the subject. */
function overrideOf({ overrides }: StoredPackage, univid: string) {
  return overrides.find(({ subjectUnivid }) => subjectUnivid === univid)
}

/** Returns who acts for a person, following overrides of replacements. Without an override, returns the person. */
export function currentHolder(pkg: StoredPackage, univid: string): string {
  const visited = new Set<string>()
  let holder = univid
  for (;;) {
    const override = overrideOf(pkg, holder)
    if (!override || visited.has(holder)) return holder
    visited.add(holder)
    holder = override.replacementUnivid
  }
}

/** Returns the type of the override of which a person is the subject. */
export function overrideTypeOf(pkg: StoredPackage, univid: string): OverrideType | undefined {
  return overrideOf(pkg, univid)?.type
}

/** Whether a person may act as the initiator. The subject of an override may at most view the package. */
export function actsAsInitiator(pkg: StoredPackage, univid: string): boolean {
  return pkg.initiator === univid && !overrideOf(pkg, univid)
}

/** Whether a user replaces, directly or indirectly, one of the people that `isOne` accepts. Overrides never form a circle. */
export function replacesOne(pkg: StoredPackage, user: string, isOne: (univid: string) => boolean): boolean {
  return pkg.overrides.some(
    ({ subjectUnivid, replacementUnivid }) =>
      replacementUnivid === user && (isOne(subjectUnivid) || replacesOne(pkg, subjectUnivid, isOne)),
  )
}
