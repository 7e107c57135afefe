// Builds our elements for the benchmarks, with the settings of vite.config.ts.
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { addedTags } from './limits.ts'
import { build, loadConfigFromFile, type Plugin, type Rolldown } from 'vite'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file of a build: its name and content. */
export interface File {
  readonly name: string
  readonly code: string
}

/** The files that a page loads at once, and those that it loads on demand. */
export interface Build {
  readonly first: readonly File[]
  readonly later: readonly File[]
}

/** Kilobytes, 1 kB = 1,000 bytes. Each file is compressed by itself, as a server does. */
export interface Weight {
  readonly min: number
  readonly gzip: number
  readonly brotli: number
}

export interface BuildOptions {
  /** Whether to build a single file, without chunks that load on demand. Default false. */
  readonly isOneFile?: boolean
  /** Changes to the sources that a budget must detect. Default: none. */
  readonly seeds?: readonly Plugin[]
}

/** Builds a module of the repository, with everything it needs. */
export async function buildOwn(
  entry: string,
  { isOneFile = false, seeds = [] }: BuildOptions = {},
): Promise<Build> {
  const env = { command: 'build', mode: 'autoload' } as const
  const loaded = await loadConfigFromFile(env, `${root}vite.config.ts`, root)
  if (!loaded) throw new Error('vite.config.ts cannot be read')
  const own = loaded.config.plugins as readonly Plugin[]
  return await bundle(entry, {
    // It only affects the chunks of the autoloader.
    plugins: [...seeds, ...own.filter(({ name }) => name !== 'fetched-together')],
    isOneFile,
  })
}

/** Builds an alternative: a page of `peers/`. */
export async function buildPeer(name: string): Promise<Build> {
  return await bundle(`tools/bench/peers/${name}`, { plugins: [], isOneFile: true })
}

/** Builds the published script with all elements. */
export async function buildDropIn({ seeds = [] }: Pick<BuildOptions, 'seeds'> = {}): Promise<Build> {
  return parts(await buildScript('production', seeds))
}

/**
 * Builds the published autoloader. Returns the build as pages with some tags see it: `first` contains the elements with
 * these tags, and `later` the others.
 */
export async function buildAutoload({ seeds = [] }: Pick<BuildOptions, 'seeds'> = {}): Promise<
  (...tags: readonly string[]) => Build
> {
  const built = await buildScript('autoload', seeds)
  return (...tags) => parts(built, tags)
}

async function buildScript(mode: string, seeds: readonly Plugin[]): Promise<Built> {
  const configFile = `${root}vite.config.ts`
  const plugins = [...seeds]
  return await build({ root, configFile, mode, plugins, logLevel: 'error', build: { write: false } })
}

interface BundleOptions {
  readonly plugins: readonly Plugin[]
  readonly isOneFile: boolean
}

async function bundle(entry: string, { plugins, isOneFile }: BundleOptions): Promise<Build> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [...plugins],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      minify: 'oxc',
      write: false,
      lib: { entry, formats: ['es'], fileName: 'main' },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: { minify: true, comments: false, codeSplitting: isOneFile ? false : { groups: [atOnce] } },
      },
    },
  })
  return parts(built)
}

/** What a page needs at once is one file. The bundler would put what files on demand share with it into further ones. */
const atOnce = { name: 'first', tags: ['$initial' as const] }

type Built = Awaited<ReturnType<typeof build>>

/** Separates the static imports of the first file, and of the elements with these tags, from its other dynamic imports. */
function parts(built: Built, tags: readonly string[] = []): Build {
  const outputs = ([built].flat() as Rolldown.RolldownOutput[]).flatMap(({ output }) => output)
  const chunks = outputs.filter((file) => file.type === 'chunk')
  // The parts of the one-file build.
  const assets = outputs
    .filter((file) => file.type === 'asset')
    .filter(({ fileName }) => fileName.endsWith('.js'))
  const start = chunks.find(({ isEntry }) => isEntry)
  if (!start) throw new Error('nothing was built')
  const elements = tags.map((tag) => {
    const chunk = chunks.find(({ name }) => name === tag)
    if (!chunk) throw new Error(`<${tag}> has no chunk`)
    return chunk.fileName
  })
  const first = new Set([start.fileName, ...elements])
  // The loop also visits names that are added to the set meanwhile.
  for (const name of first) {
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) first.add(next)
  }
  const files = chunks.map(({ fileName, code }) => ({ name: fileName, code }))
  return {
    first: files.filter(({ name }) => first.has(name)),
    later: [
      ...files.filter(({ name }) => !first.has(name)),
      ...assets.map(({ fileName, source }) => ({ name: fileName, code: String(source) })),
    ],
  }
}

export function weigh(files: readonly File[]): Weight {
  const sum = (size: (code: Buffer) => number) =>
    files.reduce((total, { code }) => total + size(Buffer.from(code)), 0) / 1000
  return {
    min: sum((code) => code.length),
    gzip: sum((code) => gzipSync(code, { level: 9 }).length),
    brotli: sum(
      (code) => brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
    ),
  }
}

/** What an element adds to a page. */
export interface AddedWeight {
  /** What the page fetches at once. */
  readonly first: Weight
  /** What it fetches when somebody needs it. */
  readonly later: Weight
}

/** Returns how much larger a script with all other elements becomes if it also has this one. */
export async function addedWeight(
  tag: string,
  { seeds = [] }: Pick<BuildOptions, 'seeds'> = {},
): Promise<AddedWeight> {
  const entry = 'src/define/index.ts'
  const built = async (tags: readonly string[]) => {
    const imports = tags.map((each) => `import './${each}.ts'`).join('\n')
    const added: Plugin = {
      name: 'added-elements',
      enforce: 'pre',
      transform: (code, id) => (id.endsWith(`/${entry}`) ? `${code}\n${imports}` : undefined),
    }
    return await buildOwn(entry, { seeds: [added, ...seeds] })
  }
  const small = await built(addedTags.filter((other) => other !== tag))
  const large = await built(addedTags)
  const [first, later] = (['first', 'later'] as const).map((part) => {
    const [less, more] = [weigh(small[part]), weigh(large[part])]
    return { min: more.min - less.min, gzip: more.gzip - less.gzip, brotli: more.brotli - less.brotli }
  }) as [Weight, Weight]
  if (first.min === 0) throw new Error(`<${tag}> was not added`)
  return { first, later }
}

/** Replaces code in a file of `src/`. Throws if the file does not contain it exactly once. */
export function seed(file: string, from: string, to: string): Plugin {
  return {
    name: 'seeded',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith(`/src/${file}`)) return undefined
      if (code.split(from).length !== 2)
        throw new Error(`src/${file} must contain this exactly once: ${from}`)
      return code.replace(from, () => to)
    },
  }
}

/**
 * Adds a dependency to a module of `src/define`; every element needs the default. `size` is in kilobytes after compression.
 */
export function heavyDependency(size: number, module = 'define'): Plugin {
  // Random data does not compress, except for the two bits of each byte that base64 leaves unused.
  const text = randomBytes(size * 1000).toString('base64')
  return {
    name: 'seeded-dependency',
    enforce: 'pre',
    transform(code, id) {
      return id.endsWith(`/src/define/${module}.ts`)
        ? `${code}\nObject.assign(globalThis, { heavy: '${text}' })`
        : undefined
    },
  }
}
