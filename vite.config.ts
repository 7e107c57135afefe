import { readdirSync } from 'node:fs'
import { defineConfig, type ESTree, type Plugin, Visitor } from 'vite'
import { applyEdits, type Edit } from './scripts/edits.ts'
import { internalNames, shortNames } from './scripts/internal-names.ts'
import { lateParts } from './scripts/late-parts.ts'

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
            leanLit(),
            leanDecorators(),
            mode === 'autoload' ? fetchedTogether() : lateParts([templatesOnOneLine(), leanDecorators()]),
          ],
    build: {
      target: 'es2022',
      outDir: 'dist',
      emptyOutDir: false,
      minify: 'oxc',
      lib: { entry, formats: ['es'], fileName: (_format, name) => `${name}.js` },
      rolldownOptions: {
        // Getters without side effects, as ours are, let the bundler inline more.
        treeshake: { propertyReadSideEffects: false },
        optimization: { inlineConst: { mode: 'all', pass: 3 } },
        output: {
          minify: {
            compress: true,
            mangle: true,
            codegen: { removeWhitespace: true },
            // Lit's names begin with `_$`. The bundler shortens properties only if there is one file.
            ...(mode === 'production' && {
              mangleProps: {
                include: new RegExp(`^(?:_[$].+|${internalNames.join('|')})$`),
                cache: { ...shortNames },
              },
            }),
          },
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
  // Shared by most elements, with Lit: one file is smaller than two.
  { name: 'core', minShareCount: 3, priority: 1 },
  // Shared by the two elements that upload files.
  { name: 'upload', test: /[/](?:elements[/]upload[/]|form-field|transfer)/, minShareCount: 2 },
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
 * Removes from Lit what no page needs. Its globals become local to its modules, so that the script adds nothing to the
 * page's window: Lit uses them for a warning of its development build, and for standard decorators, which these elements
 * do not use. Its errors lose their messages, which are about mistakes in templates and styles that our tests would find.
 * Its hooks for polyfills and its `<style>` elements are for browsers without shadow roots or constructable style sheets,
 * none of which run these scripts.
 */
function leanLit(): Plugin {
  const names = /^(?:litHtmlVersions|litElementVersions|reactiveElementVersions|litPropertyMetadata)$/
  const hooks = /^(?:litHtml|litElement|reactiveElement)(?:Polyfill|Hydrate)Support$/
  return {
    name: 'lean-lit',
    transform(code, id) {
      if (!/[/]node_modules[/](?:@lit|lit-html|lit-element)[/]/.test(id)) return undefined
      const edits: Edit[] = []
      const locals = new Set<string>()
      new Visitor({
        MemberExpression({ object, property, computed, start, end }) {
          if (computed || property.type !== 'Identifier') return
          if (hooks.test(property.name)) edits.push({ start, end, text: 'undefined' })
          const isSymbol = object.type === 'Identifier' && object.name === 'Symbol'
          if (!(isSymbol ? property.name === 'metadata' : names.test(property.name))) return
          edits.push({ start, end, text: property.name })
          locals.add(property.name)
        },
        LogicalExpression({ right, start, end }) {
          if (right.type !== 'BinaryExpression' || right.operator !== 'in') return
          if (right.left.type === 'Literal' && right.left.value === 'replace')
            edits.push({ start, end, text: 'true' })
        },
        CallExpression({ callee, arguments: [message] }) {
          if (callee.type === 'Identifier' && callee.name === 'Error' && message)
            edits.push({ start: message.start, end: message.end, text: '' })
        },
      }).visit(this.parse(code))
      if (edits.length === 0) return undefined
      const rest = applyEdits(code, edits)
      return locals.size > 0 ? `let ${[...locals].join()};${rest}` : rest
    },
  }
}

/** Shortens the helper that calls decorators. Those of these elements return nothing. */
function leanDecorators(): Plugin {
  return {
    name: 'lean-decorators',
    transform: (_code, id) =>
      /[/]helpers[/]esm[/]decorate[.]js$/.test(id)
        ? 'export default (all, prototype, name) => all.forEach((each) => each(prototype, name))'
        : undefined,
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
