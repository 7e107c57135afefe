// Settings for custom-elements.json, which contains the public interface of each element and nothing else.
// scripts/manifest.mjs writes it. test/manifest compares it with the elements.

/** The type argument that each class passes to its base class, such as `History` for `WfHistory`. */
const fillings = new Map()
/** The literals of each named union, because editors show them to choose from. */
const unions = new Map()
/** The module that exports each type that a signature may name. */
const origins = new Map()
/** The defaults of custom properties, from the styles. */
const defaults = new Map()

export default {
  // The keys of the table of transitions are the values of a property.
  globs: ['src/elements/**/*.ts', 'src/define/*.ts', 'src/contract/values/transitions.ts'],
  outdir: '.',
  litelement: true,
  packagejson: false,
  plugins: [
    {
      name: 'what-the-analyzer-leaves-out',
      analyzePhase({ ts, node, moduleDoc }) {
        if (ts.isSourceFile(node)) readDefaults(node.text)
        if (ts.isImportDeclaration(node)) {
          const from = new URL(node.moduleSpecifier.text, `file:///${moduleDoc.path}`).pathname.slice(1)
          for (const { name } of node.importClause?.namedBindings?.elements ?? [])
            if (node.moduleSpecifier.text.startsWith('.')) origins.set(name.text, from)
        }
        const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
        if (isExported && node.name && (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)))
          origins.set(node.name.text, moduleDoc.path)
        if (ts.isTypeAliasDeclaration(node)) readUnion(ts, node)
        if (ts.isClassDeclaration(node)) {
          const [base] = node.heritageClauses?.[0]?.types ?? []
          // For `Mixin(Base<T>)`, the analyzer finds only the mixin.
          const mixed =
            base && ts.isCallExpression(base.expression) ? base.expression.arguments[0] : undefined
          const { typeArguments } = mixed ?? base ?? {}
          if (typeArguments) fillings.set(node.name.text, typeArguments[0].getText())
          if (mixed && typeArguments) {
            const name = mixed.expression.getText()
            const found = moduleDoc.declarations.find((one) => one.name === node.name.text)
            found.superclass = { name, module: `/${origins.get(name)}` }
          }
          if (isExported) origins.set(node.name.text, moduleDoc.path)
        }
      },
      packageLinkPhase({ customElementsManifest: manifest }) {
        const classes = new Map(
          manifest.modules.flatMap(({ declarations = [] }) =>
            declarations.filter(({ kind }) => kind === 'class').map((found) => [found.name, found]),
          ),
        )
        const elements = [...classes.values()].filter(({ tagName }) => tagName)
        const events = [...classes.values()].filter(({ superclass }) => superclass?.name === 'ElementEvent')
        const published = [
          ...new Set([...elements.flatMap((element) => ancestry(element, classes)), ...events]),
        ]
        for (const found of published) tidy(found, classes)
        for (const module of manifest.modules) {
          module.declarations = module.declarations.filter((found) => published.includes(found))
          const names = module.declarations.map(({ name }) => name)
          module.exports = module.exports.filter(({ kind, name }) => kind === 'js' && names.includes(name))
          const element = elements.find(({ tagName }) => module.path === `src/define/${tagName}.ts`)
          if (element) module.exports.push(definition(element))
        }
        manifest.modules = manifest.modules.filter(({ exports }) => exports.length > 0)
        publish(manifest)
      },
    },
  ],
}

/** Returns each custom property that styles read, with its default. */
function readDefaults(source) {
  for (const [, name, start] of source.matchAll(/var\((--wf-[\w-]+), *(?=(.*))/g)) {
    let depth = 1
    const end = [...start].findIndex((sign) => (depth += { '(': 1, ')': -1 }[sign] ?? 0) === 0)
    if (end > 0 && !start.startsWith('var(--_')) defaults.set(name, start.slice(0, end))
  }
}

/** Returns the literals of a type that is a union of strings, or the keys of a table in the same module. */
function readUnion(ts, { name, type }) {
  if (type.types?.every(ts.isLiteralTypeNode)) unions.set(name.text, unionOnOneLine(type.getText()))
  const [, table] = /^keyof typeof (\w+)$/.exec(type.getText()) ?? []
  if (!table) return
  const found = type
    .getSourceFile()
    .statements.flatMap((statement) => statement.declarationList?.declarations ?? [])
    .find((declaration) => declaration.name.text === table)
  let value = found?.initializer
  while (value && !ts.isObjectLiteralExpression(value)) value = value.expression
  if (value) unions.set(name.text, value.properties.map((entry) => `'${entry.name.text}'`).join(' | '))
}

/** Reduces a class to its public interface, with descriptions that do not depend on the source. */
function tidy(found, classes) {
  const filling = ancestry(found, classes)
    .map(({ name }) => fillings.get(name))
    .find(Boolean)
  // Inherited members are the same objects as those of the base class.
  for (const list of lists) if (found[list]) found[list] = structuredClone(found[list])
  found.members = found.members?.filter(isPublic) ?? []
  // The list above already contains their members.
  delete found.mixins
  // For `dispatchEvent(new SomeEvent())`, the analyzer adds a second event besides the one from `@fires`.
  found.events = found.events?.filter(({ description }) => description)
  for (const attribute of found.attributes ?? []) attribute.type = { text: typeInMarkup(attribute.type.text) }
  for (const property of found.cssProperties ?? [])
    if (defaults.has(property.name)) property.default = defaults.get(property.name)

  // For an event, this would be the name of the constructor's parameter.
  if (found.superclass?.name === 'ElementEvent') for (const member of found.members) delete member.default

  for (const item of [found, ...lists.flatMap((list) => found[list] ?? [])]) {
    if (item.description) item.description = onOneLine(item.description)
    const types = [item.type, item.return?.type, ...(item.parameters ?? []).map(({ type }) => type)]
    for (const type of types.filter(Boolean)) {
      type.text = unionOnOneLine(type.text).replace(/\b[A-Z]\w*/g, (name) =>
        name === 'T' ? (filling ?? name) : (unions.get(name) ?? name),
      )
      refer(type)
    }
  }
  found.summary = found.description?.match(/^[^]*?[.:](?=\s|$)/)?.[0].replace(/:$/, '.')
}

const lists = ['members', 'attributes', 'events', 'slots', 'cssParts', 'cssProperties', 'cssStates']

function isPublic({ name, privacy, static: isStatic }) {
  return !isStatic && !/private|protected/.test(privacy) && !/^[_#]|^form\w+Callback$/.test(name)
}

/** Returns the type of an attribute: a union of strings, a number, a boolean or a string. */
function typeInMarkup(type) {
  const kinds = unionOnOneLine(type)
    .split(' | ')
    .filter((kind) => /^(?:number|boolean|'.+')$/.test(kind))
  return kinds.length > 0 ? kinds.join(' | ') : 'string'
}

/** Joins the lines of a comment, except in examples. */
function onOneLine(text) {
  return text
    .split(/(```[^]*?```)/)
    .map((part, index) => (index % 2 ? part : part.replace(/(?<!\n)\n(?!\n)(?=.)/g, ' ')))
    .join('')
}

/** Returns a type without the line breaks of a long union. */
function unionOnOneLine(type) {
  return type.replace(/\n\s*\|/g, ' |').replace(/^\s*\| /, '')
}

/** Adds the modules from which the names in a type can be imported. */
function refer(type) {
  const names = new Set(type.text.match(/\b[A-Z]\w*/g)?.filter((name) => origins.has(name)))
  if (names.size > 0) type.references = [...names].map((name) => ({ name, module: origins.get(name) }))
}

/** Returns a class and all its base classes in the package. */
function ancestry(found, classes) {
  return found ? [found, ...ancestry(classes.get(found.superclass?.name), classes)] : []
}

function definition({ name, tagName }) {
  return {
    kind: 'custom-element-definition',
    name: tagName,
    declaration: { name, module: origins.get(name) },
  }
}

/** Returns the published path of a module. */
function publish(value) {
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) publish(inner)
    else if (key === 'module' || key === 'path')
      value[key] = inner.replace(/^\/?src\//, 'lib/').replace(/\.ts$/, '.js')
  }
}
