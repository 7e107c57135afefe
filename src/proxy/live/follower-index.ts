import { type Hint, packageKey } from '../changes/bus.ts'

/** Finds the followers of a package. */
interface FollowerIndex<Follower> {
  readonly add: (follower: Follower, packages: readonly Hint[]) => void
  /** Removes a follower from these packages, and forgets the packages that nobody follows any more. */
  readonly remove: (follower: Follower, packages: readonly Hint[]) => void
  /** Returns the followers of a package. */
  readonly of: (hint: Hint) => Iterable<Follower>
  /** Returns the packages that have followers, each once. */
  readonly packages: () => readonly Hint[]
}

/** Creates an empty index. */
export function createFollowerIndex<Follower>(): FollowerIndex<Follower> {
  const entries = new Map<string, { readonly hint: Hint; readonly followers: Set<Follower> }>()
  return {
    add(follower, packages) {
      for (const hint of packages) {
        const key = packageKey(hint)
        const entry = entries.get(key) ?? { hint, followers: new Set() }
        entry.followers.add(follower)
        entries.set(key, entry)
      }
    },
    remove(follower, packages) {
      for (const hint of packages) {
        const key = packageKey(hint)
        const entry = entries.get(key)
        entry?.followers.delete(follower)
        if (entry?.followers.size === 0) entries.delete(key)
      }
    },
    of: (hint) => entries.get(packageKey(hint))?.followers ?? [],
    packages: () => [...entries.values()].map(({ hint }) => hint),
  }
}
