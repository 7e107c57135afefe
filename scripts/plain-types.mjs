// Rewrites the declarations of schemas in `lib/contract`, so that `routeslip` needs no schema library: pages use only the types
// that the schemas describe. Removes the modules of the schemas themselves, which `routeslip-server` publishes.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { filesBelow } from './files.mjs'

/** Stands for the schema library in the tables of operations: a schema is the type that it returns, and the one it accepts. */
const standIn = `/** A schema, as a type only. \`routeslip-server/contract\` exports the schemas themselves. */
export interface ZodType<Output = unknown, Input = unknown> {
    readonly output: Output;
    readonly input: Input;
}
export type output<Schema> = Schema extends ZodType<infer Output> ? Output : never;
export type input<Schema> = Schema extends ZodType<unknown, infer Input> ? Input : never;
`

/** A property of operations that only checks of a proxy use. */
const serverOnly = 'sample'

/** Modules whose declarations only name types of schemas. */
const generic = ['services/operation', 'services/operation-types', 'services/browser-operations']

/** Rewrites `lib/contract`. */
export function writePlainTypes() {
  const { options, fileNames } = readConfig('src/tsconfig.page.json')
  const program = ts.createProgram(fileNames, options)
  const printer = new TypePrinter(program)
  for (const file of filesBelow('src/contract')) {
    const name = file.slice('src/contract/'.length).replace(/\.ts$/, '')
    const declarations = `lib/contract/${name}.d.ts`
    if (!existsSync(declarations)) continue
    const text = readFileSync(declarations, 'utf8')
    if (!importsSchemas(name)) continue
    for (const extension of ['.js', '.js.map']) rmSync(`lib/contract/${name}${extension}`)
    const source = program.getSourceFile(file)
    writeFileSync(
      declarations,
      generic.includes(name)
        ? text.replace("import type { z } from 'zod'", importOfSchemaTypes(name))
        : printer.module(source, name),
    )
  }
  writeFileSync('lib/contract/schema-types.d.ts', standIn)
}

/** Whether a module of the contract imports the schema library, or another module that does. */
function importsSchemas(name, seen = new Set()) {
  if (seen.has(name)) return false
  seen.add(name)
  if (generic.includes(name)) return true
  const source = readFileSync(`src/contract/${name}.ts`, 'utf8')
  if (/^import .*'zod'$/m.test(source)) return true
  const imports = [...source.matchAll(/^(?:import|export) (?!type )[^']*'([.]{1,2}[/][\w/-]+)[.]ts'$/gm)]
  return imports.some(([, other]) => importsSchemas(posix.join(posix.dirname(name), other), seen))
}

/** Returns the path by which a module imports another one of the contract. */
function pathFrom(module, other) {
  const path = posix.relative(posix.dirname(module), other)
  return path.startsWith('.') ? path : `./${path}`
}

function importOfSchemaTypes(module) {
  return `import type * as z from '${pathFrom(module, 'schema-types')}.ts'`
}

/** Prints types in full, without the schemas that they are derived from. Keeps the comments of properties. */
class TypePrinter {
  #checker
  /** The exported names of types, such as `import("./person.ts").Person`. */
  #names = new Map()

  constructor(program) {
    this.#checker = program.getTypeChecker()
    for (const source of program.getSourceFiles()) {
      const [, module] = /[/]src[/]contract[/]([\w/-]+)[.]ts$/.exec(source.fileName) ?? []
      if (!module || generic.includes(module)) continue
      for (const { name, type } of this.#aliases(source))
        if (isNamed(type) && !this.#names.has(type)) this.#names.set(type, { name, module })
    }
  }

  /** Returns the declarations of the types that a module exports, and of its table of operations. */
  module(source, module) {
    const lines = this.#aliases(source).map(({ name, type, comment }) => {
      const known = this.#names.get(type)
      const isHere = known?.name === name && known.module === module
      return `${comment}export type ${name} = ${isHere ? this.#structure(type, '', module) : this.#print(type, '', module)};`
    })
    if (module === 'services/operations') {
      const symbol = this.#exports(source).find(({ name }) => name === 'operations')
      const type = this.#checker.getTypeOfSymbol(symbol)
      lines.unshift(
        `${importOfSchemaTypes(module)};`,
        `${this.#comment(symbol, '')}export declare const operations: ${this.#structure(type, '', module)};`,
      )
    }
    return `${lines.join('\n')}\nexport {};\n`
  }

  #exports(source) {
    const symbol = this.#checker.getSymbolAtLocation(source)
    return symbol ? this.#checker.getExportsOfModule(symbol) : []
  }

  /** Returns the exported types without parameters that a module declares itself. */
  #aliases(source) {
    return this.#exports(source).flatMap((symbol) => {
      const alias = symbol.declarations?.find(
        (node) => ts.isTypeAliasDeclaration(node) && !node.typeParameters && node.getSourceFile() === source,
      )
      if (!alias) return []
      const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
      return [{ name: symbol.name, type, comment: this.#comment(symbol, '') }]
    })
  }

  #print(type, indent, module) {
    const known = this.#names.get(type)
    if (known)
      return known.module === module
        ? known.name
        : `import("${pathFrom(module, known.module)}.ts").${known.name}`
    return this.#structure(type, indent, module)
  }

  #structure(type, indent, module) {
    const checker = this.#checker
    const schema = type.getProperty('_zod')
    if (schema) {
      const inner = checker.getTypeOfSymbol(schema)
      const part = (name) => this.#print(checker.getTypeOfSymbol(inner.getProperty(name)), indent, module)
      return `z.ZodType<${part('output')}, ${part('input')}>`
    }
    if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean)) return this.#union(type, indent, module)
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type).map((item) => this.#print(item, indent, module))
      return `${type.target.readonly ? 'readonly ' : ''}[${items.join(', ')}]`
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type)
      const isReadonly = type.symbol.name === 'ReadonlyArray'
      return `${isReadonly ? 'Readonly' : ''}Array<${this.#print(item, indent, module)}>`
    }
    const isPlain =
      type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection) && type.getCallSignatures().length === 0
    if (!isPlain) return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
    return this.#object(type, indent, module)
  }

  #union(type, indent, module) {
    const members = type.types.filter((member) => !(member.flags & ts.TypeFlags.BooleanLiteral))
    const booleans = type.types.filter((member) => member.flags & ts.TypeFlags.BooleanLiteral)
    const printed = members.map((member) => this.#print(member, indent, module))
    if (booleans.length === 2) printed.push('boolean')
    else printed.push(...booleans.map((member) => this.#checker.typeToString(member)))
    // `undefined` and `null` come last, as people write them.
    const isEmpty = (text) => /^(?:undefined|null)$/.test(text)
    return [...printed.filter((text) => !isEmpty(text)), ...printed.filter(isEmpty)].join(' | ')
  }

  #object(type, indent, module) {
    const inside = `${indent}    `
    const shown = type.getProperties().filter(({ name }) => name !== serverOnly)
    const properties = shown.map((property) => {
      const isReadonly = ts.getCheckFlags(property) & ts.CheckFlags.Readonly || isDeclaredReadonly(property)
      const optional = property.flags & ts.SymbolFlags.Optional ? '?' : ''
      const name = /^[A-Za-z_$][\w$]*$/.test(property.name) ? property.name : JSON.stringify(property.name)
      const value = this.#print(this.#checker.getTypeOfSymbol(property), inside, module)
      return `${this.#comment(property, inside)}${inside}${isReadonly ? 'readonly ' : ''}${name}${optional}: ${value};`
    })
    const indexes = this.#checker
      .getIndexInfosOfType(type)
      .map(
        ({ keyType, type: value }) =>
          `${inside}[key: ${this.#checker.typeToString(keyType)}]: ${this.#print(value, inside, module)};`,
      )
    const lines = [...indexes, ...properties]
    return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}'
  }

  #comment(symbol, indent) {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).trim()
    return text ? `${indent}/** ${text.replaceAll('\n', `\n${indent} * `)} */\n` : ''
  }
}

/** Whether a type is worth a name. Others, such as `string`, are printed as they are. */
function isNamed(type) {
  return type.isUnion() || Boolean(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
}

function isDeclaredReadonly(property) {
  return (property.declarations ?? []).some(
    (node) => ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Readonly,
  )
}

function readConfig(path) {
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file))
  return ts.parseJsonConfigFileContent(config, ts.sys, 'src')
}
