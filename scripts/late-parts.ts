import { build, type ESTree, type Plugin, type Rolldown, Visitor } from 'vite'

/** What parts get from the script instead of having it twice: Lit, the client, and what elements share. */
const sharedModules =
  /^lit(?:[/]|$)|[/]src[/](?:client[/].+|elements[/](?:(?:configuration|element|loading|notices|text)[/])?[\w.-]+|elements[/]wf-package-status[/](?:content|labels|wf-package-status[.]events)|contract[/](?:readers[/]page-readers|values[/](?:package-states|path|values))|locales[/]en(?:-package-states|-package-status)?)[.]ts$/
/** Modules of these folders that only a part has. */
const ownModules =
  /[/](?:client[/](?:live[/].+|uploads[/](?:progress|upload-state|uploads))|elements[/](?:element[/](?:file-problem|form-field|uuids-in)|text[/](?:instant|quantities)))[.]ts$/

const sharedPrefix = 'shared:'

/**
 * For the one-file build: makes a file `late/NAME.js` of each module that `late.ts` of the client, the elements, the card and the comments import. A bundler would let
 * these files import the script, but a page may load the script from a second address, such as with `?v=2`, and would then
 * load it twice. So each part is a function instead, which the script calls with what they share.
 */
export function lateParts(plugins: readonly Plugin[]): Plugin {
  return {
    name: 'late-parts',
    resolveId: (source) => (source.startsWith('./late/') ? { id: source, external: true } : undefined),
    async transform(code, id) {
      if (!/[/]src[/](?:client|elements(?:[/]wf-(?:comments|package-status))?)[/]late[.]ts$/.test(id))
        return undefined
      const imports: { readonly path: string; readonly start: number; readonly end: number }[] = []
      new Visitor({
        ImportExpression({ source, start, end }) {
          if (source.type !== 'Literal' || typeof source.value !== 'string')
            throw new Error(`${id} must import its parts by name`)
          imports.push({ path: source.value, start, end })
        },
      }).visit(this.parse(code, { lang: 'ts' }))
      const edits: Edit[] = []
      const shared = new Map<string, string>()
      for (const { path, start, end } of imports) {
        const entry = await this.resolve(path, id)
        if (!entry) throw new Error(`${id} imports ${path}, which does not exist`)
        const name = /([\w-]+)[.]ts$/.exec(entry.id)?.[1] ?? ''
        const part = asFunction(await buildPart(entry.id, plugins), (text) => this.parse(text))
        this.emitFile({ type: 'asset', fileName: `late/${name}.js`, source: part.code })
        const given = part.imports.map(({ source, imported }) => {
          const key = `${source}#${imported}`
          if (!shared.has(key)) shared.set(key, `shared${shared.size}`)
          return shared.get(key)
        })
        edits.push({
          start,
          end,
          text: `import('./late/${name}.js').then((part) => part.default(${given.join()}))`,
        })
      }
      const statements = [...shared].map(([key, local]) => {
        const [source = '', imported] = key.split('#')
        return `import { ${imported} as ${local} } from '${source}'\n`
      })
      return statements.join('') + applyEdits(code, edits)
    },
  }
}

/** Builds a part, with imports of what it shares with the script. */
async function buildPart(entry: string, plugins: readonly Plugin[]): Promise<string> {
  const apart: Plugin = {
    name: 'shared-apart',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer) return undefined
      const found = source.startsWith('.') ? (await this.resolve(source, importer))?.id : source
      return found && sharedModules.test(found) && !ownModules.test(found)
        ? { id: sharedPrefix + found, external: true }
        : undefined
    },
  }
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [apart, ...plugins],
    build: {
      target: 'es2022',
      write: false,
      minify: 'oxc',
      lib: { entry, formats: ['es'], fileName: 'part' },
      rolldownOptions: {
        output: {
          minify: true,
          comments: false,
          codeSplitting: false,
        },
      },
    },
  })
  const [chunk] = ([built].flat() as Rolldown.RolldownOutput[]).flatMap(({ output }) => output)
  if (chunk?.type !== 'chunk') throw new Error(`${entry} was not built`)
  return chunk.code
}

interface Import {
  readonly source: string
  readonly imported: string
}

/** Turns a module into one that exports a function by default: from its imports, in order, to an object of its exports. */
function asFunction(
  code: string,
  parse: (code: string) => ESTree.Program,
): { readonly code: string; readonly imports: readonly Import[] } {
  const imports: Import[] = []
  const locals: string[] = []
  const edits: Edit[] = []
  const program = parse(code)
  new Visitor({
    ImportDeclaration({ source, specifiers, start, end }) {
      for (const specifier of specifiers) {
        if (specifier.type !== 'ImportSpecifier') throw new Error('A late part must import names')
        imports.push({
          source: source.value.replace(sharedPrefix, ''),
          imported: nameOf(specifier.imported),
        })
        locals.push(specifier.local.name)
      }
      edits.push({ start, end, text: '' })
    },
    ExportNamedDeclaration({ specifiers, start, end }) {
      const names = specifiers.map(({ exported, local }) => `${nameOf(exported)}:${nameOf(local)}`)
      edits.push({ start, end, text: `return{${names.join()}}` })
    },
  }).visit(program)
  const body = applyEdits(code, edits)
  // Every element that needs the part gets the same one.
  return { code: `let made;export default(${locals.join()})=>made??=(()=>{${body}})();\n`, imports }
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

/** A piece of the source code, and what replaces it. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export function applyEdits(code: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code)
}
