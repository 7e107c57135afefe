// Writes types of the elements for the templates of frameworks: one table from the manifest, and for each framework a file
// that maps the table to its spelling of attributes, properties and events.
//
// We tried the generators of the author of our editor data on this manifest. None passes test/manifest/frameworks.node.test.ts,
// even with the missing imports of event types added by hand:
// - In all of them, an attribute has the type of its property, so that `package-id="42"` is an error.
// - `@wc-toolkit/jsx-types` 1.8.2: `currentTarget` is not typed, and in Solid the elements are unknown.
// - `custom-element-jsx-integration` 1.6.0, `custom-element-solidjs-integration` 1.9.0, `custom-element-svelte-integration`
//   1.2.0: they omit the properties of attributes, such as `packageId`, and type all events as `CustomEvent`, whose fields are
//   unknown. Ours are subclasses of `Event`. The one for Svelte has only `on:` listeners.
// - `custom-element-vuejs-integration` 1.4.0: `strictTemplates` rejects `:package-id` and `@wf-load`.

/** Returns the content of each file by path. `elements` come from the manifest; each has the `module` that exports it. */
export function typesOf(elements) {
  const files = { elements: table(elements), ...frameworks }
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`dist/types/${name}.d.ts`, text.trimStart()]),
  )
}

function table(elements) {
  const imports = new Map(elements.map(({ name, module }) => [name, module]))
  for (const { type } of elements.flatMap(({ events = [] }) => events))
    for (const { name, module } of type.references ?? []) imports.set(name, module)
  return `
// The attributes, properties and events of each element, in no framework's spelling. Generated from custom-elements.json.
${[...imports].map(([name, module]) => `import type { ${name} } from '../../${module}'`).join('\n')}

export interface Elements {
${elements.map(entry).join('\n')}
}

/** Attributes and properties of an element, and its listeners, named \`on\` and the event's name. */
export type Props<Tag extends keyof Elements> = Partial<
  Elements[Tag]['attributes'] & Elements[Tag]['properties'] & Listeners<Tag, 'on'>
>

/** Listeners of an element, each named after the event with a prefix. */
export type Listeners<Tag extends keyof Elements, Before extends string> = {
  [Name in keyof Elements[Tag]['events'] as \`\${Before}\${Name & string}\`]:
    | ((event: Elements[Tag]['events'][Name] & { readonly currentTarget: Elements[Tag]['element'] }) => void)
    | undefined
}
`
}

function entry({ tagName, name, description, attributes = [], members, events = [] }) {
  const apart = attributes.filter((attribute) => attribute.name !== attribute.fieldName)
  const properties = members.filter(({ kind, readonly }) => kind === 'field' && !readonly)
  return `${comment(description, 2)}
  '${tagName}': {
    element: ${name}
    attributes: {
${lines(apart, (attribute) => `'${attribute.name}': ${written(attribute.type.text)} | undefined`)}
    }
    properties: {
${lines(properties, (property) => `${property.name}: ${name}['${property.name}'] | undefined`)}
    }
    events: {
${lines(events, (event) => `'${event.name}': ${event.type.text}`)}
    }
  }`
}

function lines(items, line) {
  return items.map((item) => `${comment(item.description, 6)}\n      ${line(item)}`).join('\n')
}

function comment(text, indent) {
  const space = ' '.repeat(indent)
  const [first, ...more] = text.replaceAll('*/', '* /').split('\n')
  if (more.length === 0) return `${space}/** ${first} */`
  return [
    `${space}/**`,
    ...[first, ...more].map((line) => `${space} * ${line}`.trimEnd()),
    `${space} */`,
  ].join('\n')
}

/** Returns the type of an attribute. Numbers may be text, because ids often come from a URL. */
function written(type) {
  return type === 'number' ? 'number | string' : type
}

/** Returns the comment that explains how to enable the types of a framework. */
function head(framework, name) {
  return `
// Types of the elements in ${framework}. Enable them once, in any module of your application:
//
//   import type {} from 'routeslip/types/${name}'
//
// or in tsconfig.json: "compilerOptions": { "types": ["routeslip/types/${name}"] }. They describe the elements and
// load nothing: \`import 'routeslip/define/wf-history'\` registers one element, \`import 'routeslip/define'\` all of them.`
}

const frameworks = {
  react: `${head('React 19', 'react')}
//
// React 18 neither sets properties of elements nor listens to their events: use the components of 'routeslip/react'.
import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { Elements, Props } from './elements.js'

type InReact = {
  [Tag in keyof Elements]: Props<Tag> &
    Omit<DetailedHTMLProps<HTMLAttributes<Elements[Tag]['element']>, Elements[Tag]['element']>, keyof Props<Tag>>
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends InReact {}
  }
}
`,

  preact: `${head('Preact', 'preact')}
import type { HTMLAttributes } from 'preact'
import type { Elements, Props } from './elements.js'

type InPreact = {
  [Tag in keyof Elements]: Props<Tag> & Omit<HTMLAttributes<Elements[Tag]['element']>, keyof Props<Tag>>
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends InPreact {}
  }
}
`,

  solid: `${head('Solid', 'solid')}
//
// Solid sets properties unless a value is a literal, so the type of an attribute applies only after \`attr:\`.
import type { JSX } from 'solid-js'
import type { Elements, Listeners, Props } from './elements.js'

type WithPrefix<T, Prefix extends string> = { [Name in keyof T as \`\${Prefix}\${Name & string}\`]?: T[Name] }

/** A number in markup. */
type Written<T> = { [Name in keyof T]?: number extends T[Name] ? number | \`\${number}\` | undefined : T[Name] }

type InSolid = {
  [Tag in keyof Elements]: Written<Elements[Tag]['attributes']> &
    Omit<Props<Tag>, keyof Elements[Tag]['attributes']> &
    WithPrefix<Elements[Tag]['attributes'], 'attr:'> &
    WithPrefix<Elements[Tag]['properties'], 'prop:'> &
    Partial<Listeners<Tag, 'on:'>> &
    Omit<JSX.HTMLAttributes<Elements[Tag]['element']>, keyof Props<Tag>>
}

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends InSolid {}
  }
}
`,

  svelte: `${head('Svelte 5', 'svelte')}
import type { HTMLAttributes } from 'svelte/elements'
import type { Elements, Listeners, Props } from './elements.js'

type InSvelte = {
  [Tag in keyof Elements]: Props<Tag> &
    Partial<Listeners<Tag, 'on:'>> &
    Omit<HTMLAttributes<Elements[Tag]['element']>, keyof Props<Tag>>
}

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends InSvelte {}
}
`,

  vue: `${head('Vue 3', 'vue')}
//
// Unknown attributes and events are errors with "vueCompilerOptions": { "strictTemplates": true }. Vue's compiler has to
// know which tags are elements: compilerOptions.isCustomElement: (tag) => /^(wf|fs|routing)-/.test(tag).
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue'
import type { Elements, Props } from './elements.js'

type Camel<Name extends string> = Name extends \`\${infer First}-\${infer Rest}\`
  ? \`\${First}\${Capitalize<Camel<Rest>>}\`
  : Name

/** Vue does not distinguish an attribute from the property of the same name. */
type InTemplates<Tag extends keyof Elements> = {
  [Name in keyof Elements[Tag]['attributes'] as Camel<Name & string>]?: Elements[Tag]['attributes'][Name]
} & {
  [Name in Exclude<
    keyof Elements[Tag]['properties'],
    Camel<keyof Elements[Tag]['attributes'] & string>
  >]?: Elements[Tag]['properties'][Name]
}

type Emits<Tag extends keyof Elements> = {
  [Name in keyof Elements[Tag]['events']]: (event: Elements[Tag]['events'][Name]) => void
}

type InVue = {
  [Tag in keyof Elements]: new () => Elements[Tag]['element'] & {
    /** For the type checker only. Elements do not have this property. */
    readonly $props: InTemplates<Tag> & Omit<HTMLAttributes, keyof InTemplates<Tag>> & PublicProps
    /** For the type checker only. Elements do not have this property. */
    readonly $emit: EmitFn<Emits<Tag>>
  }
}

declare module 'vue' {
  interface GlobalComponents extends InVue {}
}
`,
}
