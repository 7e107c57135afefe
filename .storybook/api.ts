/** The part of custom-elements.json that the table needs. */
interface Manifest {
  readonly modules: readonly { readonly declarations?: readonly Declaration[] }[]
}

interface Declaration {
  readonly tagName?: string
  readonly attributes?: readonly Item[]
  readonly members?: readonly Item[]
  readonly events?: readonly Item[]
  readonly slots?: readonly Item[]
  readonly cssProperties?: readonly Item[]
  readonly cssParts?: readonly Item[]
}

interface Item {
  readonly name: string
  readonly kind?: string
  readonly attribute?: string
  readonly description?: string
  readonly default?: string
  readonly type?: { readonly text: string }
  readonly parameters?: readonly Item[]
  readonly return?: { readonly type?: { readonly text: string } }
}

/**
 * Returns the API table of an element, from the manifest. Attributes come first and have controls. Members that share a
 * name, such as a slot and a part, have a row each.
 */
export function argTypesOf(manifest: Manifest, tag: string): Record<string, object> {
  const found = manifest.modules
    .flatMap(({ declarations = [] }) => declarations)
    .find(({ tagName }) => tagName === tag)
  if (!found) throw new Error(`<${tag}> is not in custom-elements.json`)
  const members = found.members ?? []
  const rows = (category: string, items: readonly Item[] = [], type?: (item: Item) => string | undefined) =>
    items.map((item) => [`${category} ${item.name}`, rowOf(category, item, type?.(item))] as const)

  return Object.fromEntries([
    ...(found.attributes ?? []).map((item) => [item.name, attributeRow(item)] as const),
    ...rows(
      'properties',
      members.filter(({ kind, attribute }) => kind === 'field' && !attribute),
      ({ type }) => type?.text,
    ),
    ...rows(
      'methods',
      members.filter(({ kind }) => kind === 'method'),
      ({ parameters = [], return: returned }) =>
        `(${parameters.map(({ name, type }) => `${name}: ${type?.text}`).join(', ')}) => ${returned?.type?.text ?? 'void'}`,
    ),
    ...rows('events', found.events, ({ type }) => type?.text),
    ...rows('slots', found.slots),
    ...rows('custom properties', found.cssProperties),
    ...rows('parts', found.cssParts),
  ])
}

function attributeRow(item: Item): object {
  const text = item.type?.text ?? 'string'
  const row = rowOf('attributes', item, text)
  const words = [...text.matchAll(/'([^']*)'/g)].map(([, word]) => word)
  if (words.length > 0)
    return { ...row, control: { type: 'select' }, options: [undefined, ...words.filter(Boolean)] }
  const type =
    /^(?:number|boolean)\b/.exec(text)?.[0] ?? (/Record|unknown\[\]/.test(text) ? 'object' : 'text')
  return { ...row, control: { type } }
}

function rowOf(category: string, { name, description, default: initial }: Item, type?: string): object {
  return {
    name: name || 'default',
    description,
    control: false,
    table: {
      category,
      ...(type && { type: { summary: type } }),
      ...(initial !== undefined && { defaultValue: { summary: initial } }),
    },
  }
}

/** The purpose of the custom properties that elements describe differently: each names only what it colors itself. */
const uses: Readonly<Record<string, string>> = {
  '--wf-accent': 'Color of main buttons, of what is in progress, and of whoever has the request now.',
  '--wf-danger': 'Color of failures, and of what takes something away.',
  '--wf-success': 'Color of what is done: signed, uploaded, in force.',
  '--wf-surface': 'Background of dialogs and of lists that open.',
  '--wf-text': 'Text color of dialogs and of lists that open.',
}

/** Returns each documented custom property once. */
export function tokensOf({
  modules,
}: Manifest): readonly { readonly name: string; readonly description: string }[] {
  const found = modules.flatMap(({ declarations = [] }) =>
    declarations.flatMap(({ cssProperties = [] }) => cssProperties),
  )
  const tokens = new Map(
    found.map(({ name, description = '' }) => [name, { name, description: uses[name] ?? description }]),
  )
  return [...tokens.values()]
}
