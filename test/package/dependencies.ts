import { readFileSync } from 'node:fs'
import type { PackageName } from './packed.ts'

/** A package in package-lock.json. */
export interface Locked {
  readonly name: string
  readonly version: string
  readonly license?: string
  /** The folder in which it is installed. */
  readonly path: string
}

interface Entry {
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Returns every package that an application installs with a package: its dependencies, and their dependencies. */
export function productionPackages(name: PackageName): readonly Locked[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>
  }
  const found = new Map<string, Locked>()

  function visit(path: string): void {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entryAt(path)
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const place = placeOf(name, path)
      if (!place || found.has(place)) continue
      const { version, license } = entryAt(place)
      found.set(place, { name, version, path: place, ...(license !== undefined && { license }) })
      visit(place)
    }
  }

  function entryAt(path: string): Entry {
    const entry = packages[path]
    if (!entry) throw new Error(`package-lock.json has no ${path}`)
    return entry
  }

  /** Returns the folder in which Node finds a package that a package at `from` imports. */
  function placeOf(name: string, from: string): string | undefined {
    const inside = `${from ? `${from}/` : ''}node_modules/${name}`
    if (packages[inside]) return inside
    return from
      ? placeOf(name, from.replace(/(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?)?[^/]+$/, ''))
      : undefined
  }

  visit(name === 'routeslip' ? '' : 'server')
  return [...found.values()]
}
