// Writes the pages "Reference" of the documentation site, from the types and comments that both packages publish:
// node --import tsx scripts/docs/reference.ts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { z } from 'zod'
import * as contract from '../../src/contract/index.ts'
import type { OperationForBrowsers } from '../../src/contract/services/browser-operations.ts'
import { readElements } from './manifest.ts'
import { table } from './table.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the written pages: one Markdown file each. */
export const referenceFolder = 'node_modules/.cache/routeslip/reference'

/** A page of the reference, and what it is about. */
interface Page {
  readonly title: string
  readonly lead: string
  /** The public modules that the page describes, by the names under which they are imported. */
  readonly modules: Readonly<Record<string, string>>
  /** The exports to begin with. The others follow in the order of the modules. */
  readonly first?: readonly string[]
  /** Which exports of its modules the page describes. Default: all that no earlier page describes. */
  readonly includes?: (name: string) => boolean
}

/** The pages, by file name. */
export const pages: Readonly<Record<string, Page>> = {
  client: {
    title: 'Client',
    lead: 'Calls the proxy from scripts of your own. The elements of a page use the same client.',
    modules: { 'routeslip/client': 'src/client/index.ts' },
    first: ['createClient', 'ClientOptions', 'Client', 'CallOptions', 'UploadOptions', 'ClientError'],
  },
  configuration: {
    title: 'Configuration',
    lead: 'Configures all elements of a page, and adds languages, without loading the elements.',
    modules: {
      'routeslip/configure': 'src/configure.ts',
      'routeslip/languages': 'src/languages.ts',
    },
    first: ['configure', 'PageConfiguration', 'Configuration', 'addLanguage', 'Messages'],
  },
  events: {
    title: 'Events',
    lead: 'The events of each element, and the values that they carry. All events bubble and cross shadow roots.',
    modules: { routeslip: 'src/index.ts' },
  },
  values: {
    title: 'Values',
    lead: 'What the client returns and what the values of events contain. The fields of both services are described in their own documentation.',
    modules: { 'routeslip/contract': 'src/contract/for-pages.ts' },
    includes: (name) => name in contract && contract[name as keyof typeof contract] instanceof z.ZodType,
  },
  proxy: {
    title: 'Proxy',
    lead: 'Runs the proxy in a server of your own, as one function from a request to a response.',
    modules: { 'routeslip-server/proxy': 'src/proxy/index.ts' },
    first: [
      'createProxy',
      'ProxyOptions',
      'ProxyServices',
      'Service',
      'ProxyIdentity',
      'ProxyLimits',
      'CallbackOptions',
      'ListOptions',
      'ReminderOptions',
      'ProxyStorage',
      'ProxyObservation',
      'Proxy',
    ],
  },
  node: {
    title: 'Node',
    lead: 'The parts of the proxy that need Node: connections, storage, Redis, scanners, logs and metrics.',
    modules: { 'routeslip-server/proxy/node': 'src/proxy/node/index.ts' },
    first: ['nodeRuntime', 'NodeRuntimeOptions', 'createListener', 'openStorage', 'createRedis'],
  },
  testing: {
    title: 'Testing',
    lead: 'The real proxy in front of both emulated services, for tests of your pages, and a check of a proxy in any language.',
    modules: {
      'routeslip-server/testing': 'src/testing/index.ts',
      'routeslip-server/emulator': 'src/emulator/index.ts',
      'routeslip-server/conformance': 'src/conformance/index.ts',
    },
    first: ['createBackend', 'BackendOptions', 'Backend', 'RoutedRequest', 'scenarios', 'Emulator'],
    includes: (name) =>
      /^(?:Backend|createBackend|RoutedRequest|scenarios|Emulator$|Fault|checkConformance|CheckResult|Target)/.test(
        name,
      ),
  },
}

/** One export, as a page describes it. */
interface Section {
  readonly name: string
  readonly symbol: ts.Symbol
  /** The name with what follows it in a heading: the parentheses of a function. */
  readonly title: string
  readonly description: string
  /** Its declaration; empty if the table shows all of it. */
  readonly signature: string
  readonly members: readonly Member[]
}

interface Member {
  readonly name: string
  readonly type: string
  readonly description: string
}

/** The reference: its pages in Markdown, and the names of what has no description. */
export interface Reference {
  readonly pages: Readonly<Record<string, string>>
  readonly undescribed: readonly string[]
}

/** Returns the reference of some pages. */
export function createReference(chosen: Readonly<Record<string, Page>> = pages): Reference {
  const reader = new Reader(Object.values(chosen).flatMap(({ modules }) => Object.values(modules)))
  /** The page of each export. An export of two modules is described where it comes first. */
  const places = new Map<ts.Symbol, string>()
  const exported = new Set<ts.Symbol>()
  const sections = new Map(
    Object.entries(chosen).map(([id, { modules, first = [], includes = () => true }]) => {
      const all = Object.values(modules).flatMap((file) => reader.sections(file))
      for (const { symbol } of all) exported.add(symbol)
      const found = all.filter(({ name, symbol }) => includes(name) && !places.has(symbol))
      for (const { symbol } of found) places.set(symbol, id)
      const leading = first.flatMap((name) => found.find((section) => section.name === name) ?? [])
      return [id, [...leading, ...found.filter((section) => !leading.includes(section))]] as const
    }),
  )
  const byName = pagesByName(places, exported)
  const link = (text: string, from: string) => linked(text, from, byName)
  return {
    pages: Object.fromEntries(
      [...sections].map(([id, found]) => [id, pageText(id, chosen[id]!, found, (text) => link(text, id))]),
    ),
    undescribed: [...sections].flatMap(([id, found]) =>
      // The documentation of the services describes their values.
      id === 'values' ? [] : found.flatMap(undescribedIn),
    ),
  }
}

/** Returns the page of each name, except of names that two different exports have. */
function pagesByName(
  places: ReadonlyMap<ts.Symbol, string>,
  exported: ReadonlySet<ts.Symbol>,
): ReadonlyMap<string, string> {
  const names = [...exported].map(({ name }) => name)
  const isUnique = (name: string) => names.indexOf(name) === names.lastIndexOf(name)
  return new Map([...places].flatMap(([{ name }, id]) => (isUnique(name) ? [[name, id]] : [])))
}

function undescribedIn({ name, description, members }: Section): readonly string[] {
  const missing = members.filter((member) => !member.description).map((member) => `${name}.${member.name}`)
  return description ? missing : [name, ...missing]
}

function pageText(
  id: string,
  { title, lead, modules }: Page,
  sections: readonly Section[],
  link: (text: string) => string,
): string {
  const from = Object.keys(modules).map((module) => `\`${module}\``)
  return [
    `# ${title}`,
    lead,
    `Import from ${from.join(' or ')}.`,
    ...(id === 'events' ? elementEvents(sections, link) : []),
    ...sections.flatMap(({ title, description, signature, members }) => [
      `## ${title}`,
      ...(description ? [description] : []),
      ...(signature ? [`\`\`\`ts\n${signature}\n\`\`\``] : []),
      ...(members.length > 0 ? [memberTable(members, link)] : []),
    ]),
    '',
  ].join('\n\n')
}

function memberTable(members: readonly Member[], link: (text: string) => string): string {
  return table(
    ['name', 'description'],
    members.map(({ name, type, description }) => [
      `\`${name}\``,
      `${description}${description && '<br>'}${link(type)}`,
    ]),
  )
}

/** The events of each element, with the class of each, and the type of its value. */
function elementEvents(sections: readonly Section[], link: (text: string) => string): readonly string[] {
  const classes = new Map(sections.map((section) => [section.name, section]))
  return readElements()
    .filter(({ events }) => events.length > 0)
    .flatMap(({ tagName, events }) => [
      `## \`<${tagName}>\``,
      table(
        ['event', 'description, class and fields'],
        events.map(({ name, description = '', type }) => {
          const [, event = '', filling] = /^(\w+)(?:<(.*)>)?$/.exec(type?.text ?? '') ?? []
          const fields = classes.get(event)?.members ?? []
          const carried = fields.map((field) => {
            const type = field.type.replace(/^T$/, filling ?? 'unknown')
            // The section of the class shows the whole type.
            return link(type.length > longestType ? field.name : `${field.name}: ${type}`)
          })
          return [`\`${name}\``, [description, link(event), ...carried].join('<br>')]
        }),
      ),
    ])
}

/** Number of characters that the type of a field may have in the tables of the elements. */
const longestType = 60

/** Returns a type as code, in which names that the reference describes lead there. */
function linked(type: string, from: string, described: ReadonlyMap<string, string>): string {
  return type
    .split(/\b([A-Za-z]\w+)\b/)
    .map((part, at) => {
      const page = at % 2 === 1 ? described.get(part) : undefined
      if (page === undefined) return part
      const address = `#${part.toLowerCase()}`
      return { part, href: page === from ? address : `?path=/docs/reference-${page}--docs${address}` }
    })
    .reduce<(string | { readonly part: string; readonly href: string })[]>((parts, part) => {
      const last = parts.at(-1)
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
      else parts.push(part)
      return parts
    }, [])
    .map((part) => (typeof part === 'string' ? part && `\`${part}\`` : `[\`${part.part}\`](${part.href})`))
    .join('')
}

/** Reads public modules with the compiler. */
class Reader {
  #program
  #checker
  /** The exported names of types whose declaration is a schema. */
  #names = new Map<ts.Type, string>()

  constructor(files: readonly string[]) {
    const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) => ts.sys.readFile(path)) as {
      config: object
    }
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
    this.#program = ts.createProgram(
      files.map((file) => root + file),
      options,
    )
    this.#checker = this.#program.getTypeChecker()
    for (const source of this.#program.getSourceFiles())
      if (source.fileName.includes('/src/contract/schemas/'))
        for (const symbol of this.#exports(source))
          if (symbol.declarations?.some(ts.isTypeAliasDeclaration)) {
            const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
            if (type.flags & ts.TypeFlags.Object) this.#names.set(type, symbol.name)
          }
  }

  sections(file: string): readonly Section[] {
    const source = this.#program.getSourceFile(root + file)
    if (!source) throw new Error(`${file} does not exist`)
    return this.#exports(source)
      .map((symbol) =>
        symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol,
      )
      .flatMap((symbol) => {
        const found = this.#isElement(symbol) ? undefined : this.#describe(symbol)
        return found
          ? [{ name: symbol.name, symbol, title: symbol.name, description: this.#comment(symbol), ...found }]
          : []
      })
  }

  #exports(source: ts.SourceFile): readonly ts.Symbol[] {
    const symbol = this.#checker.getSymbolAtLocation(source)
    return symbol ? this.#checker.getExportsOfModule(symbol) : []
  }

  /** Whether a class is one of an element. The pages of the elements describe it. */
  #isElement({ declarations: [found] = [] }: ts.Symbol): boolean {
    if (!found || !ts.isClassDeclaration(found)) return false
    return Boolean(this.#checker.getTypeAtLocation(found).getProperty('attachShadow'))
  }

  /** Returns `undefined` for a schema without a type of its own. */
  #describe(symbol: ts.Symbol): (Pick<Section, 'signature' | 'members'> & Partial<Section>) | undefined {
    const { name, declarations = [] } = symbol
    const isType = (node: ts.Node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
    const found = declarations.find(isType) ?? declarations[0]
    if (!found) throw new Error(`${name} is not declared`)
    const declared = this.#checker.getDeclaredTypeOfSymbol(symbol)
    const properties = () => this.#checker.getPropertiesOfType(declared).filter(isOurs)

    if (ts.isFunctionDeclaration(found))
      return { title: `${name}()`, signature: signatures(symbol).join('\n'), members: [] }
    if (ts.isVariableDeclaration(found)) {
      const type = this.#checker.getTypeOfSymbol(symbol)
      if (type.getProperty('_zod')) return undefined
      return { signature: `const ${name}: ${this.#print(type)}`, members: [] }
    }
    if (ts.isClassDeclaration(found)) {
      const members = found.members.filter(isPublic).flatMap(({ name }) =>
        // The name of an error is that of its class.
        name && name.getText() !== 'name' ? (this.#checker.getSymbolAtLocation(name) ?? []) : [],
      )
      return { signature: `class ${name}${basesOf(found)}`, members: members.map((one) => this.#member(one)) }
    }
    if (ts.isInterfaceDeclaration(found)) {
      const calls = found.members.filter(ts.isCallSignatureDeclaration).map(textOf)
      return { signature: calls.join('\n'), members: properties().map((one) => this.#member(one)) }
    }
    if (!ts.isTypeAliasDeclaration(found)) throw new Error(`${name} cannot be described`)
    if (this.#names.get(declared) === name || name === 'Client')
      return {
        signature: '',
        members: properties().map((one) => clientMember(one.name) ?? this.#member(one)),
      }
    const isDerived = textOf(found.type).startsWith('z.')
    const type = isDerived ? this.#structure(declared) : textOf(found.type)
    return { signature: `type ${name}${typeParameters(found)} = ${type}`, members: [] }
  }

  #member(symbol: ts.Symbol): Member {
    const isOptional = symbol.flags & ts.SymbolFlags.Optional
    return {
      name: `${symbol.name}${isOptional ? '?' : ''}`,
      type: memberType(symbol) ?? this.#print(this.#checker.getTypeOfSymbol(symbol)),
      description: (this.#comment(symbol) || this.#commentOfType(symbol)).replaceAll(/\n+/g, ' '),
    }
  }

  /** The comment of the type of an option whose name says all else. */
  #commentOfType(symbol: ts.Symbol): string {
    const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(symbol))
    const named = type.aliasSymbol ?? type.symbol
    return named?.declarations?.some(({ parent }) => ts.isSourceFile(parent)) && isOurs(named)
      ? this.#comment(named)
      : ''
  }

  #comment(symbol: ts.Symbol): string {
    return ts
      .displayPartsToString(symbol.getDocumentationComment(this.#checker))
      .replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
  }

  #print(type: ts.Type): string {
    return this.#names.get(type) ?? this.#structure(type)
  }

  #structure(type: ts.Type): string {
    if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) {
      const isEmpty = (text: string) => /^(?:undefined|null)$/.test(text)
      const printed = type.types.map((member) => this.#print(member))
      return [...new Set([...printed.filter((one) => !isEmpty(one)), ...printed.filter(isEmpty)])]
        .join(' | ')
        .replace(/false \| true|true \| false/, 'boolean')
    }
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference)
      const printed = item ? this.#print(item) : 'unknown'
      return /[ |]/.test(printed) ? `(${printed})[]` : `${printed}[]`
    }
    return this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
  }
}

/** Returns the declarations of a function, with a name for a parameter that it takes apart. */
function signatures({ name, declarations = [] }: ts.Symbol): readonly string[] {
  const functions = declarations.filter(ts.isFunctionDeclaration)
  const overloads = functions.filter(({ body }) => !body)
  return (overloads.length > 0 ? overloads : functions).map(
    (found) => `function ${name}${typeParameters(found)}(${parameters(found)}): ${textOf(found.type)}`,
  )
}

function typeParameters({
  typeParameters: found,
}: ts.SignatureDeclaration | ts.TypeAliasDeclaration): string {
  return found ? `<${found.map(textOf).join(', ')}>` : ''
}

function parameters({ parameters: found }: ts.SignatureDeclaration): string {
  return found
    .map(({ name, dotDotDotToken, questionToken, initializer, type }) => {
      // Named like its type: `options` for `ClientOptions`.
      const [word = ''] = /[A-Z][a-z]+(?=<|$)/.exec(textOf(type)) ?? []
      const text = ts.isIdentifier(name) ? name.text : word.toLowerCase()
      return `${dotDotDotToken ? '...' : ''}${text}${questionToken || initializer ? '?' : ''}: ${textOf(type)}`
    })
    .join(', ')
}

function basesOf({ heritageClauses: clauses }: ts.ClassDeclaration): string {
  return clauses?.map((clause) => ` ${textOf(clause).trim()}`).join('') ?? ''
}

/** Returns the type of a member as its first declaration states it; `undefined` if it does not. */
function memberType({ declarations: [found] = [] }: ts.Symbol): string | undefined {
  if (!found) return undefined
  if (ts.isMethodSignature(found) || ts.isMethodDeclaration(found))
    return `${typeParameters(found)}(${parameters(found)}) => ${textOf(found.type)}`
  if (ts.isPropertySignature(found) || ts.isPropertyDeclaration(found))
    return found.type && textOf(found.type)
  return undefined
}

const printer = ts.createPrinter({ removeComments: true })

/** Returns the text of a node on one line, without comments. */
function textOf(node: ts.Node | undefined): string {
  if (!node) return 'void'
  return printer
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replaceAll(/\s+/g, ' ')
    .replace(/^\| /, '')
    .replaceAll('; }', ' }')
}

function isPublic(member: ts.ClassElement): boolean {
  if (!member.name || ts.isPrivateIdentifier(member.name) || ts.isConstructorDeclaration(member)) return false
  const flags = ts.getCombinedModifierFlags(member)
  return !(flags & (ts.ModifierFlags.Static | ts.ModifierFlags.Private | ts.ModifierFlags.Protected))
}

/** Whether a member is declared in these packages, and not in the language or a dependency. */
function isOurs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.every((found) => !found.getSourceFile().fileName.includes('/node_modules/'))
}

/** Returns the method of an operation, from the table of operations. */
function clientMember(name: string): Member | undefined {
  const operation = Object.entries<OperationForBrowsers>(contract.browserOperations).find(
    ([one]) => one === name,
  )?.[1]
  if (!operation) return undefined
  const { path, query, body, requestBody, result, results = {}, summary } = operation
  const params = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param)
  const parts = [
    ...(params.length > 0 ? [`params: { ${params.join(', ')} }`] : []),
    ...(query ? [`query: ${schemaName(query)}`] : []),
    ...(requestBody === 'multipart' ? ['file: File'] : []),
    ...(body ? [`body: ${schemaName(body)}`] : []),
  ]
  const versions = Object.entries(results).map(
    ([version, schema]) => ` With \`version: '${version}'\` it returns \`${schemaName(schema)}\`.`,
  )
  const options = requestBody === 'multipart' ? 'UploadOptions' : 'CallOptions'
  return {
    name,
    type: `(input: { ${parts.join(', ')} }, options?: ${options}) => Promise<${result ? schemaName(result) : 'undefined'}>`,
    description: `${summary}.${versions.join('')}`,
  }
}

/** Returns the exported name of a schema. One that has none is a list, a string, or an object with few fields. */
function schemaName(schema: z.ZodType): string {
  const [name] = Object.entries(contract).find(([, value]) => value === schema) ?? []
  if (schema instanceof z.ZodArray) return `${schemaName(schema.element as z.ZodType)}[]`
  if (name !== undefined) return name
  // A row that cannot be read becomes null, and is left out.
  if (schema instanceof z.ZodCatch || schema instanceof z.ZodNullable)
    return schemaName(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodObject) return `{ ${Object.keys(schema.shape).join(', ')} }`
  return schema instanceof z.ZodString ? 'string' : 'unknown'
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { pages: written } = createReference()
  const folder = new URL(`../../${referenceFolder}/`, import.meta.url)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(written)) writeFileSync(new URL(`${name}.md`, folder), text)
}
