import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The public interface of an element, from the comment of its class. */
export interface ElementFacts {
  readonly tagName: string
  readonly description: string
  readonly summary: string
  readonly attributes: readonly Attribute[]
  readonly events: readonly (Named & { readonly type?: { readonly text: string } })[]
  readonly slots: readonly Named[]
  readonly cssParts: readonly Named[]
  readonly cssProperties: readonly (Named & { readonly default?: string })[]
}

export interface Named {
  readonly name: string
  readonly description?: string
}

export interface Attribute extends Named {
  /** `number`, `boolean`, `string`, or a union of literals such as `'always' | 'never'`. */
  readonly type: { readonly text: string }
}

let elements: readonly ElementFacts[] | undefined

/** Returns the public interface of each element, in the order of the documents. Analyzes the sources once. */
export function readElements(): readonly ElementFacts[] {
  return (elements ??= analyze())
}

function analyze(): readonly ElementFacts[] {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-manifest-'))
  try {
    const cem = join(root, 'node_modules/@custom-elements-manifest/analyzer/cem.js')
    // The analyzer takes a relative path only.
    const outdir = relative(root, folder)
    execFileSync(process.execPath, [cem, 'analyze', '--quiet', '--outdir', outdir], {
      cwd: root,
      stdio: 'pipe',
    })
    const { modules } = JSON.parse(readFileSync(join(folder, 'custom-elements.json'), 'utf8')) as {
      readonly modules: readonly { readonly declarations?: readonly Partial<ElementFacts>[] }[]
    }
    return modules
      .flatMap(({ declarations = [] }) => declarations)
      .filter((declaration) => declaration.tagName !== undefined)
      .map(
        ({
          tagName = '',
          summary = '',
          description = '',
          attributes,
          events,
          slots,
          cssParts,
          cssProperties,
        }) => ({
          ...{ tagName, summary, description },
          attributes: attributes ?? [],
          events: events ?? [],
          slots: slots ?? [],
          cssParts: cssParts ?? [],
          cssProperties: cssProperties ?? [],
        }),
      )
      .sort((a, b) => tags.indexOf(a.tagName) - tags.indexOf(b.tagName))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The tags in the order of the documents. */
export const tags: readonly string[] = [
  'wf-package-status',
  'wf-badge',
  'wf-history',
  'routing-history',
  'wf-comments',
  'wf-attachments',
  'fs-uploader',
  'fs-files',
  'fs-shares',
  'wf-form',
  'wf-office',
  'wf-route',
  'wf-overrides',
  'wf-list',
  'wf-context',
]
