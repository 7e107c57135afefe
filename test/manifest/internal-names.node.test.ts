import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import ts from 'typescript'
import { internalNames } from '../../scripts/internal-names.ts'

// `dist/routeslip.js` shortens these names everywhere. A name that something outside of the script uses would break it.

describe('internal names', () => {
  const libraries = dirname(createRequire(import.meta.url).resolve('typescript'))
  const browser = namesIn(filesBelow(libraries).filter((file) => /[/]lib[.][\w.]+[.]d[.]ts$/.test(file)))
  const data = namesIn([
    ...filesBelow('src/contract'),
    ...filesBelow('src/locales'),
    // Tabs with other versions of the script send each other messages.
    'src/client/live-stream.ts',
  ])
  const parameters = parametersIn(filesBelow('src/contract'))
  const page = namesIn([
    ...filesBelow('src/elements').filter((file) => /events[.]ts$/.test(file)),
    'src/client/errors.ts',
    'src/elements/configuration.ts',
    'src/elements/added-languages.ts',
  ])
  const elements = membersOfElements()
  const dependencies = usedBy(packagesBelow(['lit', '@lit/task']))

  it('belong to no browser, no data, no messages, no public interface and no dependency', () => {
    const owners = { browser, data, parameters, page, elements, dependencies }
    for (const [owner, names] of Object.entries(owners))
      assert.deepEqual(
        internalNames.filter((name) => names.has(name)),
        [],
        owner,
      )
  })

  it('are not written as text, which is not shortened', () => {
    const sources = [...filesBelow('src/elements'), ...filesBelow('src/client'), ...filesBelow('src/define')]
    const text = sources.map((file) => readFileSync(file, 'utf8')).join('\n')
    // As a string, or as the property in a template: `.value=${…}`.
    const quoted = new Set(text.match(/(?<=['"`])[A-Za-z]\w*(?=['"`])|(?<=[.])\w+(?==[$]{)/g))
    assert.deepEqual(
      internalNames.filter((name) => quoted.has(name)),
      [],
    )
    assert.ok(quoted.has('packageId') && quoted.has('value'), 'control')
  })

  it('are compared with the names that matter', () => {
    assert.ok(browser.has('addEventListener') && browser.has('getCanonicalLocales'))
    assert.ok(data.has('canVoid') && data.has('waitingFor'))
    assert.ok(parameters.has('attachmentId'))
    assert.ok(page.has('endpoint') && page.has('retryAfter'))
    assert.ok(elements.has('packageId'))
    // Of Lit, as a property and as text; and of what it depends on.
    assert.ok(dependencies.has('elementProperties') && dependencies.has('finalized'))
    assert.ok(dependencies.has('setConnected') && dependencies.has('addInitializer'))
  })
})

/** Returns the names of all properties in these files. In declarations, also those of variables and functions. */
function namesIn(files: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      const isNamed = isProperty(node) || (file.endsWith('.d.ts') && isGlobal(node))
      const name = isNamed ? (node as ts.NamedDeclaration).name : undefined
      if (name && (ts.isIdentifier(name) || ts.isStringLiteral(name))) names.add(name.text)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest))
  }
  return names
}

/** Returns the names that these scripts use as properties, and those that they write as text. */
function usedBy(files: readonly string[]): Set<string> {
  const names = namesIn(files)
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name)) names.add(node.name.text)
      if (ts.isStringLiteralLike(node)) names.add(node.text)
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest))
  }
  return names
}

/** Returns the scripts of these packages and of all packages that they depend on, as they are bundled. */
function packagesBelow(packages: readonly string[]): string[] {
  const all = new Set(packages)
  // The loop also visits names that are added to the set meanwhile.
  for (const name of all) {
    const manifest = readFileSync(`node_modules/${name}/package.json`, 'utf8')
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> }
    for (const other of Object.keys(dependencies)) all.add(other)
  }
  return [...all].flatMap((name) =>
    filesBelow(`node_modules/${name}`).filter(
      (file) =>
        file.endsWith('.js') && !/[/](?:development|node|node_modules[/].*[/]node_modules)[/]/.test(file),
    ),
  )
}

function isProperty(node: ts.Node): boolean {
  return (
    ts.isTypeElement(node) ||
    ts.isClassElement(node) ||
    (ts.isObjectLiteralElement(node) && !ts.isSpreadAssignment(node))
  )
}

function isGlobal(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)
}

/** Returns the names of the parameters in the paths of operations, such as `/forms/:formId`. */
function parametersIn(files: readonly string[]): Set<string> {
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/(?<=[/]:|[{])\w+/g) ?? []))
}

function membersOfElements(): Set<string> {
  const { modules } = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as Manifest
  const members = modules.flatMap(({ declarations }) => declarations.flatMap(({ members = [] }) => members))
  return new Set(members.filter(({ privacy }) => !privacy || privacy === 'public').map(({ name }) => name))
}

interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly {
      readonly members?: readonly { readonly name: string; readonly privacy?: string }[]
    }[]
  }[]
}

function filesBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.map((entry) => join(entry.parentPath, entry.name))
}
