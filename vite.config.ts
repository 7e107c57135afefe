import { readdirSync } from 'node:fs'
import { defineConfig, type Plugin, Visitor } from 'vite'

/** Languages that pages fetch when they need them, each a file of its own beside the script. */
const languages = readdirSync('src/locales')
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !['en', 'en-actions', 'index', 'plural', 'words'].includes(name))

/**
 * Three builds: the one file that a page loads, with all elements and everything they need; the languages; and with
 * `autoload`, a script that fetches only the elements that a page uses.
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
        : [languagesApart(), templatesOnOneLine(), ...(mode === 'production' ? [allAtOnce()] : [])],
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
          chunkFileNames: 'routeslip-[name]-[hash].js',
          ...(mode === 'production' && { codeSplitting: false }),
        },
      },
    },
  }
})

/** Leaves languages out of the script: what imports them finds them beside itself. */
function languagesApart(): Plugin {
  return {
    name: 'languages-apart',
    enforce: 'pre',
    resolveId(source, importer) {
      const tag = /[/]locales[/]index[.]ts$/.test(importer ?? '') && /^[.][/](\w+)[.]ts$/.exec(source)?.[1]
      return tag && languages.includes(tag) ? { id: `./locales/${tag}.js`, external: true } : undefined
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
