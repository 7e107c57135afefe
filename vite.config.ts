import { readdirSync } from 'node:fs'
import { defineConfig, type Plugin, Visitor } from 'vite'

/** Languages that pages fetch when they need them, each a file of its own beside the script. */
const languages = readdirSync('src/locales')
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !['en', 'en-package-actions', 'index', 'plural', 'messages'].includes(name))

/**
 * Three builds: the one file that a page loads, with all elements and everything they need; the languages; and with
 * `autoload`, a script that fetches only the elements that a page uses. What is built is the same wherever and whenever
 * it is built, because pages hold it against a hash. All of it finds its other files relative to itself.
 */
export default defineConfig(({ mode }) => {
  const entry =
    mode === 'languages'
      ? Object.fromEntries(languages.map((tag) => [`locales/${tag}`, `src/locales/${tag}.ts`]))
      : mode === 'autoload'
        ? { 'routeslip-autoload': 'src/define/autoload.ts' }
        : { routeslip: 'src/define/index.ts' }
  return {
    logLevel: 'warn',
    plugins:
      mode === 'languages'
        ? []
        : [
            languagesApart(mode === 'autoload' ? '../locales' : './locales'),
            templatesOnOneLine(),
            litWithoutGlobals(),
            mode === 'autoload' ? fetchedTogether() : allAtOnce(),
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
 * What elements share, when they are fetched one by one. Not in the script itself: a page may load that under another
 * address, such as with `?v=2`, and would have it twice.
 */
const chunks = [
  // What the script needs at once: few bytes, because many pages of a site have no element at all.
  { name: 'page', tags: ['$initial' as const], test: /[/]src[/](?:elements|locales)[/]/, priority: 2 },
  // What most elements have in common, and what some.
  { name: 'lit', test: /[/]node_modules[/]/, priority: 1 },
  { name: 'core', minShareCount: 3, priority: 1 },
  { name: 'upload', test: /[/](?:elements[/]upload[/]|form-field|transfer)/, minShareCount: 2 },
]

/** Leaves languages out of the script: what imports them finds them in that folder. */
function languagesApart(folder: string): Plugin {
  return {
    name: 'languages-apart',
    enforce: 'pre',
    resolveId(source, importer) {
      const tag = /[/]locales[/]index[.]ts$/.test(importer ?? '') && /^[.][/](\w+)[.]ts$/.exec(source)?.[1]
      return tag && languages.includes(tag) ? { id: `${folder}/${tag}.js`, external: true } : undefined
    },
  }
}

/**
 * Makes ordinary imports of what elements fetch later: in the one file it is there from the start. By name, because the
 * object of a whole module would be made by a loop that a page with a patched `Object.prototype` breaks.
 */
function allAtOnce(): Plugin {
  return {
    name: 'all-at-once',
    enforce: 'pre',
    transform(code, id) {
      if (!/[/]src[/]elements[/]/.test(id)) return undefined
      const late = /const [{] (\w+) [}] = await import[(]('[^']+')[)]/g
      const imports = [...code.matchAll(late)].map(
        ([, name, file]) => `import { ${name} as late${name} } from ${file}`,
      )
      return imports.length > 0 ? [...imports, code.replace(late, 'const $1 = late$1')].join('\n') : undefined
    },
  }
}

/**
 * Fetches what an element stands on together with it, and not after it has come and said what that is: one way to the
 * server and back less.
 */
function fetchedTogether(): Plugin {
  return {
    name: 'fetched-together',
    generateBundle(_options, bundle) {
      const entry = bundle['routeslip-autoload.js']
      if (entry?.type !== 'chunk') throw new Error('There is no routeslip-autoload.js')
      const importsOf = (file: string): string[] => {
        const chunk = bundle[file]
        return chunk?.type === 'chunk' ? chunk.imports.flatMap((next) => [next, ...importsOf(next)]) : []
      }
      const present = new Set(importsOf(entry.fileName))
      let count = 0
      entry.code = entry.code.replace(/import[(]`[.][/](chunks[/][^`]+)`[)]/g, (fetch, file: string) => {
        const others = [...new Set(importsOf(file))].filter((other) => !present.has(other))
        count++
        const fetches = [fetch, ...others.map((other) => `import(\`./${other}\`)`)]
        return `Promise.all([${fetches.join()}]).then(e=>e[0])`
      })
      if (count === 0) throw new Error(`${entry.fileName} fetches no element`)
    },
  }
}

/**
 * Leaves out of Lit what it writes to the window, so that the script leaves no trace there: lists of its versions, which
 * only its development build reads, and what decorators of the standard would need, which are not ours.
 */
function litWithoutGlobals(): Plugin {
  const cuts = [
    /[,;][(]\w+[.]\w+Versions[?][?]=\[\][)][.]push[(]"[\d.]+"[)]/,
    /Symbol[.]metadata[?][?]=Symbol[(]"metadata"[)],\w+[.]litPropertyMetadata[?][?]=new WeakMap;/,
    /const \w=this\[Symbol[.]metadata\];if[(]null!==\w[)][{][^{}]*[}](?=this)/,
    /"object"==typeof \w[?]\w[(]\w,\w,\w[)]:/,
  ]
  const files: Readonly<Record<string, readonly RegExp[]>> = {
    'lit-html/lit-html.js': cuts.slice(0, 1),
    'lit-element/lit-element.js': cuts.slice(0, 1),
    'reactive-element/reactive-element.js': cuts.slice(0, 3),
    'reactive-element/decorators/property.js': cuts.slice(3),
  }
  return {
    name: 'lit-without-globals',
    transform(code, id) {
      const file = Object.keys(files).find((name) => id.endsWith(`/${name}`))
      return (
        file &&
        files[file]?.reduce((rest, cut) => {
          if (!cut.test(rest)) throw new Error(`${file} has changed: ${cut.source} is not there`)
          return rest.replace(cut, '')
        }, code)
      )
    },
  }
}

/**
 * Takes the indentation out of `html`, `svg` and `css` templates. Markup keeps one space where it had a line break, so
 * it looks the same; styles lose what separates nothing.
 */
function templatesOnOneLine(): Plugin {
  return {
    name: 'templates-on-one-line',
    transform(code, id) {
      if (!/[/]src[/]elements[/]/.test(id)) return undefined
      const edits: { readonly start: number; readonly end: number; readonly text: string }[] = []
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
      return edits
        .sort((a, b) => b.start - a.start)
        .reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code)
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
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
}
