// Compares custom-elements.json, and the files that are generated from it, with the sources. elements.test.ts compares it
// with the elements in a page.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, it } from 'node:test'
import ts from 'typescript'

interface Entry {
  readonly kind?: string
  readonly name: string
  readonly description?: string
  readonly type?: {
    readonly text: string
    readonly references?: readonly { readonly name: string; readonly module: string }[]
  }
  readonly readonly?: boolean
  readonly fieldName?: string
}

interface Declaration extends Entry {
  readonly tagName?: string
  readonly summary?: string
  readonly superclass?: { readonly name: string; readonly package?: string; readonly module?: string }
  readonly members?: readonly Entry[]
  readonly attributes?: readonly Entry[]
  readonly events?: readonly Entry[]
  readonly slots?: readonly Entry[]
  readonly cssParts?: readonly Entry[]
  readonly cssProperties?: readonly Entry[]
  readonly cssStates?: readonly Entry[]
}

interface Module {
  readonly path: string
  readonly declarations: readonly Declaration[]
  readonly exports: readonly {
    readonly kind: string
    readonly name: string
    readonly declaration: { readonly name: string; readonly module: string }
  }[]
}

const { modules } = json('custom-elements.json') as { readonly modules: readonly Module[] }
const declarations = modules.flatMap((module) => module.declarations)
const elements = declarations.filter(({ tagName }) => tagName)

describe('custom-elements.json', () => {
  for (const element of elements) {
    const source = sourceOf(element)

    it(`names the public members of ${element.name}`, () => {
      const found = ancestry(source).flatMap(publicMembersOf)
      assert.deepEqual(names(element.members), sorted(found))
    })

    it(`names the events that <${element.tagName}> fires, and their classes`, () => {
      const found = reach(source).flatMap(eventsIn)
      const described = (element.events ?? []).map(
        ({ name, type }) => `${name} ${type?.text.replace(/<.*/, '')}`,
      )
      assert.deepEqual(sorted(described), sorted(found))
    })

    it(`names every part, slot and custom property in the templates and styles of <${element.tagName}>`, () => {
      const text = reach(source).map(read).join('\n')
      const found = (pattern: RegExp) =>
        sorted([...text.matchAll(pattern)].flatMap(([, list = '']) => list.split(' ')))
      const { cssParts, slots, cssProperties } = element
      const parts = found(/\bpart(?:="|: ')([\w -]+)["']/g)
      assert.deepEqual(
        parts.filter((name) => !names(cssParts).includes(name)),
        [],
      )
      assert.deepEqual(
        found(/<slot name="([\w-]+)"/g).filter((name) => !names(slots).includes(name)),
        [],
      )
      const [properties, allowed] = [found(/var\((--wf-[\w-]+)/g), names(cssProperties)]
      assert.deepEqual(
        allowed.filter((name) => !properties.includes(name)),
        [],
      )
    })
  }

  it('describes everything it names, with a summary and an example of each element', () => {
    for (const declaration of declarations) {
      assert.ok(declaration.description, declaration.name)
      for (const list of Object.values(declaration).filter(Array.isArray) as (readonly Entry[])[])
        for (const { name, description } of list) assert.ok(description, `${declaration.name}: ${name}`)
    }
    for (const { name, summary, description = '' } of elements) {
      assert.match(summary ?? '', /^[^\n]+\.$/, name)
      assert.match(description, /```html\n<[^]+>\n```$/, name)
    }
  })

  it('names the published path of each module, and the module that defines each tag', () => {
    const paths = modules.flatMap(({ path, declarations, exports }) => [
      path,
      ...exports.map(({ declaration }) => declaration.module),
      ...declarations.flatMap(({ superclass }) => superclass?.module ?? []),
    ])
    for (const path of paths) assert.ok(existsSync(inSource(path)), path)
    for (const { tagName, name } of elements) {
      const [found] = modules.filter(({ exports }) =>
        exports.some(
          (one) =>
            one.kind === 'custom-element-definition' && one.name === tagName && one.declaration.name === name,
        ),
      )
      assert.equal(found?.path, `lib/define/${tagName}.js`)
      assert.match(read(inSource(found?.path ?? '')), new RegExp(`define\\('${tagName}', ${name}\\)`))
    }
    const defined = readdirSync('src/define').filter((file) => /^(?:fs|routing|wf)-/.test(file))
    assert.deepEqual(sorted(elements.map(({ tagName }) => `${tagName}.ts`)), sorted(defined))
  })

  it('links each type to the module that exports it, and lists the values of unions', () => {
    const inBrowsers = new Set([
      'File',
      'Iterable',
      'HTMLFormElement',
      'ValidityState',
      'Promise',
      'Readonly',
      'Record',
      'T',
    ])
    for (const { name, members = [], attributes = [], events = [] } of declarations)
      for (const entry of [...members, ...attributes, ...events]) {
        const { text = '', references = [] } = entry.type ?? {}
        const left = text.match(/\b[A-Z]\w*/g)?.filter((one) => !inBrowsers.has(one)) ?? []
        assert.deepEqual(sorted(left), sorted(references.map((one) => one.name)), `${name}: ${entry.name}`)
        for (const reference of references)
          assert.match(
            read(inSource(reference.module)),
            new RegExp(
              `export (?:type|interface|class|.*\\btype) ${reference.name}\\b|  type ${reference.name},|export (?:type )?{[^}]*\\b${reference.name}\\b`,
            ),
          )
      }
    const [operation] = declarations.find(({ name }) => name === 'WfBeforeChangeEvent')?.members ?? []
    assert.match(
      operation?.type?.text ?? '',
      /^'routePackage' \| .*'voidPackage'.* \| 'uploadAttachment' \|.* 'updateEntry'$/,
    )
  })
})

/** Attributes of all elements that the examples use. */
const globalAttributes = ['id', 'slot']

describe('examples', () => {
  it('use tags and attributes that exist', () => {
    const texts = [...elements.map(({ description = '' }) => description), read('llms.txt')]
    let count = 0
    for (const text of texts)
      for (const [, tag = '', rest = ''] of text
        .replace(/`<[^`]*>`/g, '')
        .matchAll(/<([a-z]+-[a-z-]+)\b([^>]*)>/g)) {
        const element = elements.find(({ tagName }) => tagName === tag)
        assert.ok(element, tag)
        const used = [...rest.matchAll(/([\w-]+)(?:="[^"]*")?/g)].map(([, name = '']) => name)
        const known = [...names(element.attributes), ...globalAttributes]
        assert.deepEqual(
          used.filter((name) => !known.includes(name)),
          [],
          tag,
        )
        count++
      }
    assert.ok(count >= elements.length * 2, 'there are examples')
  })
})

describe('dist/editors', () => {
  it('offers VS Code every tag, attribute and value', () => {
    const { tags } = json('dist/editors/vscode.html-custom-data.json') as {
      readonly tags: readonly (Entry & {
        readonly attributes: readonly (Entry & {
          readonly values?: readonly Entry[]
          readonly valueSet?: string
        })[]
      })[]
    }
    assert.deepEqual(names(tags), sorted(elements.map(({ tagName = '' }) => tagName)))
    for (const { name, attributes, description } of tags) {
      assert.deepEqual(names(attributes), names(elements.find(({ tagName }) => tagName === name)?.attributes))
      assert.doesNotMatch(description ?? '', /undefined_/)
    }
    const valuesOf = (tag: string, attribute: string) =>
      tags.find(({ name }) => name === tag)?.attributes.find(({ name }) => name === attribute)
    assert.deepEqual(names(valuesOf('wf-attachments', 'require')?.values), ['completion', 'routing'])
    assert.equal(valuesOf('fs-uploader', 'required')?.valueSet, 'v')
  })

  it('offers VS Code and JetBrains every part and custom property once', () => {
    const css = json('dist/editors/vscode.css-custom-data.json') as Readonly<
      Record<'properties' | 'pseudoElements', readonly Entry[]>
    >
    const { contributions } = json('dist/editors/web-types.json') as {
      readonly contributions: {
        readonly css: Readonly<Record<string, readonly Entry[]>>
        readonly html: { readonly elements: readonly Declaration[] }
      }
    }
    const parts = sorted(elements.flatMap(({ cssParts }) => names(cssParts)))
    const properties = sorted(elements.flatMap(({ cssProperties }) => names(cssProperties)))
    const inOrder = (list: readonly Entry[] = []) => list.map(({ name }) => name).sort()
    assert.deepEqual(inOrder(css.properties), properties)
    assert.deepEqual(
      inOrder(css.pseudoElements),
      parts.map((name) => `::part(${name})`),
    )
    assert.deepEqual(inOrder(contributions.css['properties']), properties)
    assert.deepEqual(
      inOrder(contributions.css['pseudo-elements']),
      parts.map((name) => `part(${name})`),
    )
    assert.equal(
      (json('package.json') as Readonly<Record<string, string>>)['web-types'],
      'dist/editors/web-types.json',
    )

    for (const { name, attributes, events } of contributions.html.elements) {
      const element = elements.find(({ tagName }) => tagName === name)
      assert.deepEqual(names(attributes), names(element?.attributes))
      assert.deepEqual(names(events), names(element?.events))
    }
  })
})

describe('src/react', () => {
  it('has a component for each element, with a property for each event', () => {
    const index = read('src/react/index.ts')
    assert.deepEqual(
      sorted(
        [...index.matchAll(/export \{ (\w+) \} from '\.\/([\w-]+)\.ts'/g)].map(
          ([, name, tag]) => `${name} ${tag}`,
        ),
      ),
      sorted(elements.map(({ name, tagName }) => `${name} ${tagName}`)),
    )
    for (const { name, tagName, events = [] } of elements) {
      const source = read(`src/react/${tagName}.ts`)
      assert.ok(
        source.includes(`elementClass: ${name}Element,`) && source.includes(`tagName: '${tagName}',`),
        name,
      )
      assert.ok(source.includes(`import '../define/${tagName}.ts'`), name)
      assert.deepEqual(
        sorted(
          [...source.matchAll(/(\w+): '([\w-]+)' as EventName<([^\n]+)>,/g)].map((match) =>
            match.slice(1).join(' '),
          ),
        ),
        sorted(events.map((event) => [camelCased(event.name), event.name, event.type?.text].join(' '))),
      )
    }
  })
})

describe('llms.txt', () => {
  it('has the format of llmstxt.org, and links only to existing files', () => {
    const text = read('llms.txt')
    assert.match(text, /^# Routeslip\n\n> [^\n]+\n\n/)
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): /gm)].map(([, path = '']) => path)
    assert.ok(links.length >= 4, 'there are links')
    for (const path of links) assert.ok(existsSync(path), path)
  })

  it('names every tag, attribute and event', () => {
    const text = read('llms.txt')
    for (const { tagName, attributes, events } of elements) {
      const [section = ''] = text.split(`### \`<${tagName}>\``)[1]?.split('\n### ') ?? []
      for (const name of [...names(attributes), ...names(events)])
        assert.ok(section.includes(`- \`${name}\` (`), `${tagName}: ${name}`)
    }
  })
})

/** A class in its file. */
interface Source {
  readonly file: string
  readonly name: string
}

function sourceOf({ name }: Declaration): Source {
  const module = modules.find((one) => one.declarations.some((declaration) => declaration.name === name))
  return { file: inSource(module?.path ?? ''), name }
}

/** Returns the class, its ancestors within the package, and the classes of their mixins. */
function ancestry({ file, name }: Source): readonly ts.ClassDeclaration[] {
  const tree = parse(file)
  const found = tree.statements.find((one) => ts.isClassDeclaration(one) && one.name?.text === name)
  assert.ok(found && ts.isClassDeclaration(found), name)
  const base = found.heritageClauses?.[0]?.types[0]?.expression
  if (!base) return [found]
  if (!ts.isCallExpression(base)) return [found, ...imported(tree, base.getText()).flatMap(ancestry)]
  const [argument] = base.arguments
  assert.ok(argument)
  const baseName = ts.isExpressionWithTypeArguments(argument) ? argument.expression : argument
  return [
    found,
    ...imported(tree, base.expression.getText()).map(mixinClassOf),
    ...imported(tree, baseName.getText()).flatMap(ancestry),
  ]
}

/** Returns the source of an imported name. Returns nothing if it comes from another package. */
function imported(tree: ts.SourceFile, name: string): readonly Source[] {
  const from = tree.statements.find(
    (one) => ts.isImportDeclaration(one) && one.importClause?.getText().match(`\\b${name}\\b`),
  )
  const path = from && ts.isImportDeclaration(from) ? (from.moduleSpecifier as ts.StringLiteral).text : ''
  return path.startsWith('.') ? [{ file: join(dirname(tree.fileName), path), name }] : []
}

/** Returns the class that a mixin creates. */
function mixinClassOf({ file, name }: Source): ts.ClassDeclaration {
  const mixin = parse(file).statements.find((one) => ts.isFunctionDeclaration(one) && one.name?.text === name)
  assert.ok(mixin && ts.isFunctionDeclaration(mixin), name)
  const found = mixin.body?.statements.find((one) => ts.isClassDeclaration(one))
  assert.ok(found && ts.isClassDeclaration(found), name)
  return found
}

/** Returns the names of public members, except for those that only browsers and Lit call. */
function publicMembersOf({ members }: ts.ClassDeclaration): string[] {
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword]
  return members.flatMap((member) => {
    const name = member.name?.getText() ?? 'constructor'
    const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : []
    const isHidden = modifiers.some(({ kind }) => hidden.includes(kind))
    return isHidden || /^#|^constructor$|Callback$/.test(name) ? [] : [name]
  })
}

/** Returns the files of a class, of its ancestors, and of their imports in src/elements, without other elements. */
function reach(source: Source): readonly string[] {
  const own = ancestry(source).map((one) => one.getSourceFile().fileName)
  const others = declarations.filter(({ superclass }) => superclass).map((one) => sourceOf(one).file)
  const known = new Set(own)
  for (const file of known)
    // Types leave no code behind.
    for (const [, path = ''] of read(file)
      .replaceAll(/^import type [^]*?from '[^']+'$/gm, '')
      .matchAll(/(?:from |import[( ])'(\.[^']+)'/g)) {
      const imported = join(dirname(file), path)
      if (imported.startsWith('src/elements/') && !others.includes(imported)) known.add(imported)
    }
  return [...known]
}

/** Returns the name and the class of each event that a file dispatches. */
function eventsIn(file: string): string[] {
  const fired = [...read(file).matchAll(/\bnew ((?:Wf|Fs)\w+Event)\(/g)]
  return fired.map(([, name = '']) => {
    const event = declarations.find((one) => one.name === name)
    assert.ok(event, `${name} is described`)
    const type = new RegExp(`class ${name}\\b[^]*?static override readonly type = '([\\w-]+)'`).exec(
      read(sourceOf(event).file),
    )?.[1]
    return `${type} ${name}`
  })
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2022, true)
}

function inSource(path: string): string {
  assert.match(path, /^lib\/.*\.js$/)
  return path.replace(/^lib/, 'src').replace(/js$/, 'ts')
}

function camelCased(event: string): string {
  return `on${event.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`
}

function names(entries: readonly Entry[] = []): string[] {
  return sorted(entries.map(({ name }) => name))
}

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].sort()
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

function json(file: string): unknown {
  return JSON.parse(read(file))
}
