// What custom-elements.json names, and what elements of a page have.

interface Entry {
  readonly name: string
  readonly attribute?: string
  readonly fieldName?: string
  readonly default?: string
  readonly reflects?: boolean
}

type List = 'attributes' | 'members' | 'slots' | 'cssParts' | 'cssProperties' | 'cssStates'
type Declaration = { readonly tagName?: string } & { readonly [Name in List]?: readonly Entry[] }

const { modules } = (await (await fetch('/custom-elements.json')).json()) as {
  readonly modules: readonly { readonly declarations: readonly Declaration[] }[]
}
export const declarations = modules.flatMap((module) => module.declarations).filter(({ tagName }) => tagName)

export const declarationOf = (tag: string): Declaration | undefined =>
  declarations.find(({ tagName }) => tagName === tag)
export const namesOf = (tag: string, list: List): readonly string[] =>
  sorted(declarationOf(tag)?.[list]?.map(({ name }) => name) ?? [])
export const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort()

/** The kinds of names that depend on what an element renders. */
export const renderedLists = ['cssParts', 'slots', 'cssStates', 'cssProperties'] as const

export type Rendered = Readonly<Record<(typeof renderedLists)[number], Set<string>>>

/** All states. `src/elements/element/routeslip-element.ts` lists them. */
const states =
  'not-configured no-proxy loading loaded empty busy stale forbidden signed-out missing failed'.split(' ')

/** Adds everything that each element of a page has now, also in shadow roots, to what those of its tag have had. */
export function record(page: ParentNode, all: Map<string, Rendered>): void {
  for (const element of page.querySelectorAll('*')) {
    const { localName: tag, shadowRoot: root } = element
    if (!root) continue
    record(root, all)
    if (!declarationOf(tag)) continue
    const rendered = all.get(tag) ?? {
      cssParts: new Set(),
      slots: new Set(),
      cssStates: new Set(),
      cssProperties: new Set(),
    }
    all.set(tag, rendered)
    for (const { part } of root.querySelectorAll('[part]'))
      for (const name of part) rendered.cssParts.add(name)
    for (const { name } of root.querySelectorAll('slot')) rendered.slots.add(name)
    for (const state of new Set([...states, ...namesOf(tag, 'cssStates')]))
      if (element.matches(`:state(${state})`)) rendered.cssStates.add(state)
    for (const name of propertiesIn(root)) rendered.cssProperties.add(name)
  }
}

/** Returns the names of the `--wf-*` properties in the rules that match an element of the shadow root. */
function propertiesIn(root: ShadowRoot): readonly string[] {
  const rules = root.adoptedStyleSheets.flatMap(({ cssRules }) => rulesIn(cssRules))
  const declared = rules.flatMap(({ selectorText, style }) =>
    style.cssText.split(';').map((text) => [selectorText, text.trim()] as const),
  )
  // The properties that each private property reads.
  const readBy = new Map(
    declared.flatMap(([, text]) =>
      text.startsWith('--_') ? [[text.split(':')[0] ?? '', namesIn(text)] as const] : [],
    ),
  )
  return declared
    .filter(
      ([selector, text]) => !text.startsWith('--_') && text.includes('var(') && matchesIn(root, selector),
    )
    .flatMap(([, text]) => namesIn(text))
    .flatMap((name) => (name.startsWith('--_') ? (readBy.get(name) ?? []) : [name]))
    .filter((name) => name.startsWith('--wf-'))
}

function rulesIn(rules: CSSRuleList): readonly CSSStyleRule[] {
  return [...rules].flatMap((rule) =>
    rule instanceof CSSStyleRule ? [rule] : 'cssRules' in rule ? rulesIn(rule.cssRules as CSSRuleList) : [],
  )
}

function namesIn(value: string): readonly string[] {
  return [...value.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name)
}

/** Whether a selector matches an element of the shadow root, regardless of hover and focus. */
function matchesIn(root: ShadowRoot, selector: string): boolean {
  const plain = selector
    .replace(/::[\w-]+/g, '')
    .replaceAll(':focus-visible', ':is(a[href], button, input, summary, textarea, [tabindex])')
    .replace(/:hover|:dir\(\w+\)|:host(?:\([^)]*\))? *>? */g, '')
    .split(',')
    .map((part) => part.trim() || '*')
    .join()
  return root.querySelector(plain) !== null
}
