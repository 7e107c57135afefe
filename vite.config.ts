import { readdirSync } from 'node:fs'
import { defineConfig, type ESTree, type Plugin, Visitor } from 'vite'
import { applyEdits, type Edit, lateParts } from './scripts/late-parts.ts'

/** The languages besides English. A page loads them when it needs them, so each is a file beside the script. */
const languages = readdirSync('src/locales')
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => /^[a-z]{2,3}(?:-[A-Z]\w+)?$/.test(name) && name !== 'en')

/**
 * Makes one of three builds, by mode: `production`, one script with all elements; `languages`; and `autoload`, a script that
 * loads only the elements that a page uses. Builds are reproducible, because pages check them against a hash. Each script
 * finds its other files relative to itself.
 */
export default defineConfig(({ mode }) => {
  const entry =
    mode === 'languages'
      ? Object.fromEntries(languages.map((tag) => [`locales/${tag}`, `src/locales/${tag}.ts`]))
      : mode === 'autoload'
        ? { 'routeslip-autoload': 'src/define/autoload.ts' }
        : { routeslip: 'src/define/drop-in.ts' }
  return {
    logLevel: 'warn',
    plugins:
      mode === 'languages'
        ? []
        : [
            languagesApart(mode === 'autoload' ? '../locales' : './locales'),
            templatesOnOneLine(),
            mode === 'autoload' ? fetchedTogether() : lateParts([templatesOnOneLine()]),
          ],
    build: {
      target: 'es2022',
      outDir: 'dist',
      emptyOutDir: false,
      minify: 'oxc',
      lib: { entry, formats: ['es'], fileName: (_format, name) => `${name}.js` },
      rolldownOptions: {
        output: {
          minify: true,
          comments: false,
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: mode === 'autoload' ? { groups: chunks } : mode === 'languages',
        },
      },
    },
  }
})

/**
 * The chunks that elements share in the `autoload` build. The script itself has no shared code: a page may load it from a
 * second address, such as with `?v=2`, and would load that code twice.
 */
const chunks = [
  // Needed at once, so kept small: many pages of a site have no element at all.
  {
    name: 'page',
    tags: ['$initial' as const],
    test: /[/]src[/](?:client|contract|elements|locales)[/]/,
    priority: 2,
  },
  // Lit and what most elements need. The bundler puts what fewer share into a chunk for each set of elements: a chunk for
  // all of it would weigh twice as much as a page with comments.
  { name: 'core', minShareCount: 8, priority: 1 },
]

/** Leaves the languages out of the script, and imports them from that folder. */
function languagesApart(folder: string): Plugin {
  return {
    name: 'languages-apart',
    enforce: 'pre',
    resolveId(source, importer) {
      const tag = /[/]locales[/]index[.]ts$/.test(importer ?? '') && /^[.][/]([\w-]+)[.]ts$/.exec(source)?.[1]
      return tag && languages.includes(tag) ? { id: `${folder}/${tag}.js`, external: true } : undefined
    },
  }
}

/**
 * Loads the chunks that an element imports together with the element, which saves a round trip. Vite does this for pages
 * that it builds itself (`modulepreload`), but not for libraries.
 */
function fetchedTogether(): Plugin {
  return {
    name: 'fetched-together',
    generateBundle(_options, bundle) {
      const entry = bundle['routeslip-autoload.js']
      if (entry?.type !== 'chunk') throw new Error('The build has no routeslip-autoload.js')
      const importsOf = (file: string): string[] => {
        const chunk = bundle[file]
        return chunk?.type === 'chunk' ? chunk.imports.flatMap((next) => [next, ...importsOf(next)]) : []
      }
      const present = new Set(importsOf(entry.fileName))
      const edits: Edit[] = []
      new Visitor({
        ImportExpression({ source, start, end }) {
          const chunk = literalText(source)
          if (!chunk?.startsWith('./chunks/')) return
          const others = [...new Set(importsOf(chunk.slice(2)))].filter((other) => !present.has(other))
          const fetches = [entry.code.slice(start, end), ...others.map((other) => `import(\`./${other}\`)`)]
          edits.push({ start, end, text: `Promise.all([${fetches.join()}]).then(e=>e[0])` })
        },
      }).visit(this.parse(entry.code))
      if (edits.length === 0) throw new Error(`${entry.fileName} does not import any element`)
      entry.code = applyEdits(entry.code, edits)
    },
  }
}

/**
 * Removes the indentation of `html`, `svg` and `css` templates, which minifiers leave alone. Markup keeps one space for
 * each line break, so it looks the same; styles lose all white space that separates nothing.
 */
function templatesOnOneLine(): Plugin {
  return {
    name: 'templates-on-one-line',
    transform(code, id) {
      if (!/[/]src[/]elements[/]/.test(id)) return undefined
      const edits: Edit[] = []
      new Visitor({
        TaggedTemplateExpression({ tag, quasi }) {
          const name = tag.type === 'Identifier' ? tag.name : ''
          const shorten =
            name === 'css' ? shortenStyles : /^(?:html|svg)$/.test(name) ? shortenMarkup : undefined
          if (shorten)
            for (const { start, end, value } of quasi.quasis)
              edits.push({ start, end, text: shorten(value.raw) })
        },
      }).visit(this.parse(code))
      return applyEdits(code, edits)
    },
  }
}

function shortenMarkup(text: string): string {
  return text.replace(/\s*\n\s*>/g, '>').replace(/\s*\n\s*/g, ' ')
}

function shortenStyles(text: string): string {
  return text
    .replace(/[/][*].*?[*][/]/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: | !/g, (text) => text.trim())
    .replace(/;}/g, '}')
    .replace(/(?<![\d.])0(?=\.\d)/g, '')
    .trimStart()
}

/** Returns the text of a string, or of a template without expressions. Minifiers write either. */
function literalText(expression: ESTree.Expression): string | undefined {
  if (expression.type === 'TemplateLiteral') return expression.quasis[0]?.value.cooked ?? undefined
  return expression.type === 'Literal' && typeof expression.value === 'string' ? expression.value : undefined
}
