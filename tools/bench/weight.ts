// Measures the bytes that a page has to load: our elements and their alternatives, each with all dependencies.
import { readFileSync } from 'node:fs'
import {
  addedWeight,
  type Build,
  buildAutoload,
  buildDropIn,
  buildOwn,
  buildPeer,
  heavyDependency,
  weigh,
  type Weight,
} from './builds.ts'
import {
  addedLimits,
  autoloadLimit,
  autoloadedLimits,
  dropInLimit,
  dropInWithUploadsLimit,
  elementLimits,
  type Limit,
  type Tag,
} from './limits.ts'
import type { Budget, Options, Report } from './report.ts'

/** Pages of `peers/` by description, with their style sheets. */
const peers: Readonly<Record<string, readonly [page: string, ...styles: string[]]>> = {
  'Lit alone': ['lit.js'],
  'Lit, task, context, repeat': ['lit-task-context.js'],
  'React, query, zod': ['react-query-zod.js'],
  'Uppy core, drag-drop, xhr': [
    'uppy-drag-drop.js',
    '@uppy/core/dist/style.min.css',
    '@uppy/drag-drop/dist/style.min.css',
  ],
  'Uppy core, dashboard, xhr': [
    'uppy-dashboard.js',
    '@uppy/core/dist/style.min.css',
    '@uppy/dashboard/dist/style.min.css',
  ],
  'FilePond, two validators': ['filepond.js', 'filepond/dist/filepond.min.css'],
  'Vaadin upload': ['vaadin-upload.js'],
  'Web Awesome, six parts': ['webawesome.js'],
  'one schema in zod': ['schema-zod.js'],
  'one schema in zod/mini': ['schema-zod-mini.js'],
  'one schema in valibot': ['schema-valibot.js'],
  DOMPurify: ['dompurify.js'],
}

export async function measure({ isSlowed = false }: Options): Promise<Report> {
  const seeded = (module: string) => ({ seeds: isSlowed ? [heavyDependency(20, module)] : [] })
  const rows = []
  const budgets: Budget[] = []
  const check = (what: string, { first }: Build, limit: Limit) =>
    budgets.push({ what: `${what}, min + gzip`, found: weigh(first).gzip, ...limit, unit: 'kB' })

  for (const [tag, limit] of Object.entries(elementLimits) as [Tag, Limit][]) {
    const built = await buildOwn(`src/define/${tag}.ts`, seeded('define'))
    rows.push(rowOf(`<${tag}> alone`, built))
    check(`<${tag}> alone`, built, limit)
  }
  for (const [tag, limit] of Object.entries(addedLimits)) {
    const { first, later } = await addedWeight(tag, seeded(tag))
    const what = `<${tag}> beside the others`
    rows.push({ what, ...sizes(first), 'CSS gzip': '-', 'later gzip': orNone(later.gzip) })
    budgets.push({ what: `${what}, min + gzip`, found: first.gzip, ...limit, unit: 'kB' })
  }
  const dropIn = await buildDropIn(seeded('discovery'))
  rows.push(rowOf('routeslip.js', dropIn))
  check('routeslip.js', dropIn, dropInLimit)
  const withUploads = withPart(dropIn, 'late/upload-elements.js')
  rows.push(rowOf('routeslip.js on a page with uploads', withUploads))
  check('routeslip.js on a page with uploads', withUploads, dropInWithUploadsLimit)
  const autoload = await buildAutoload(seeded('discovery'))
  rows.push(rowOf('routeslip-autoload.js, all elements later', autoload()))
  check('routeslip-autoload.js', autoload(), autoloadLimit)
  for (const { tags, ...limit } of autoloadedLimits) {
    const what = `routeslip-autoload.js on a page with ${tags.join(', ')}`
    rows.push(rowOf(what, autoload(...tags)))
    check(what, autoload(...tags), limit)
  }
  rows.push(rowOf('our readers of all responses', await buildOwn('src/contract/readers/readers.ts')))
  for (const [what, [page, ...styles]] of Object.entries(peers)) {
    const sheets = styles.map((name) => ({
      name,
      code: readFileSync(new URL(`node_modules/${name}`, import.meta.url), 'utf8'),
    }))
    rows.push(rowOf(what, await buildPeer(page), weigh(sheets).gzip))
  }
  return { title: 'kB that a page fetches; each file compressed by itself', rows, budgets }
}

/** Counts a part as what a page fetches at once. */
function withPart({ first, later }: Build, part: string): Build {
  return {
    first: [...first, ...later.filter(({ name }) => name === part)],
    later: later.filter(({ name }) => name !== part),
  }
}

function rowOf(what: string, { first, later }: Build, styles = 0): Report['rows'][number] {
  return {
    what,
    ...sizes(weigh(first)),
    'CSS gzip': orNone(styles),
    'later gzip': orNone(weigh(later).gzip),
  }
}

function orNone(size: number): string {
  return size < 0.05 ? '-' : size.toFixed(1)
}

function sizes({ min, gzip, brotli }: Weight) {
  return { min: min.toFixed(1), 'min + gzip': gzip.toFixed(1), 'min + brotli': brotli.toFixed(1) }
}
