import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'

/** Name of an event, with the type of the event. */
export type EventName<Type extends Event = Event> = string & { readonly __type: Type }

type EventNames = Readonly<Record<string, EventName>>

type Listeners<Events extends EventNames> = {
  [Name in keyof Events]?: ((event: Events[Name]['__type']) => void) | undefined
}

/** The properties of an element besides those that all elements have. */
type Properties<E> = { [Name in Exclude<keyof E, keyof HTMLElement>]?: E[Name] | undefined }

/** Properties of the element, listeners, and what React accepts for every element. */
type ComponentProps<E extends HTMLElement, Events extends EventNames> = Omit<
  HTMLAttributes<E>,
  keyof Events | keyof Properties<E>
> &
  Listeners<Events> &
  Properties<E>

/** A React component that renders an element. Its ref is the element. */
type Component<E extends HTMLElement, Events extends EventNames> = ForwardRefExoticComponent<
  ComponentProps<E, Events> & RefAttributes<E>
>

interface ComponentOptions<E extends HTMLElement, Events extends EventNames> {
  readonly tagName: string
  readonly elementClass: new () => E
  /** The events by the name of the prop. */
  readonly events?: Events
}

/**
 * Creates a component that renders an element. Strings, numbers and booleans become attributes, so that a server renders
 * them and the element can load before React has hydrated the page. On the client, the component sets all properties of the
 * element, and listens to its events.
 */
export function createComponent<
  E extends HTMLElement,
  Events extends EventNames = Readonly<Record<never, never>>,
>({ tagName, elementClass, events = {} as Events }: ComponentOptions<E, Events>): Component<E, Events> {
  const attributes = attributesOf(elementClass as Observing)
  const prototype: object = (elementClass as { prototype: object }).prototype

  const component = forwardRef<E, Readonly<Record<string, unknown>>>((props, ref) => {
    const element = useRef<E | null>(null)
    const latest = useRef(props)
    const applied = useRef<Readonly<Record<string, unknown>>>({})

    useClientEffect(() => {
      latest.current = props
      const target = element.current as Record<string, unknown> | null
      const before = applied.current
      for (const name of new Set([...Object.keys(before), ...Object.keys(props)])) {
        if (isOwn(name) && target && before[name] !== props[name]) target[name] = props[name]
      }
      applied.current = props
    })

    useClientEffect(() => {
      const target = element.current
      const stop = new AbortController()
      for (const [name, type] of Object.entries(events)) {
        const listen = (event: Event) =>
          (latest.current[name] as ((event: Event) => void) | undefined)?.(event)
        target?.addEventListener(type, listen, { signal: stop.signal })
      }
      return () => stop.abort()
    }, [])

    const setElement = useCallback(
      (node: E | null) => {
        element.current = node
        if (typeof ref === 'function') ref(node)
        else if (ref) ref.current = node
      },
      [ref],
    )
    const rendered: Record<string, unknown> = { ref: setElement }
    for (const [name, value] of Object.entries(props)) {
      const attribute = attributes.get(name)
      if (!isOwn(name) && !(name in events)) rendered[name === 'className' ? 'class' : name] = value
      else if (attribute !== undefined && isWritable(value)) rendered[attribute] = value
    }
    return createElement(tagName, rendered)
  })
  component.displayName = elementClass.name
  return component

  /** Whether a prop is a property of this element, which React itself would not set in every version. */
  function isOwn(name: string): boolean {
    return attributes.has(name) || (name in prototype && !(name in inherited))
  }
}

/** The properties that all elements have. */
const inherited: object = typeof HTMLElement === 'undefined' ? {} : HTMLElement.prototype

/** React warns of layout effects on a server, where no effect runs. */
const useClientEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** The static member of a class that is an element. */
interface Observing {
  readonly observedAttributes?: readonly string[]
}

/** Returns the attributes of an element, by the property: `formId` for `form-id`. */
function attributesOf({ observedAttributes = [] }: Observing): ReadonlyMap<string, string> {
  return new Map(
    observedAttributes.map((name) => [
      name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      name,
    ]),
  )
}

/** Whether a value can be the text of an attribute. An absent attribute is `false`. */
function isWritable(value: unknown): boolean {
  return value === true || typeof value === 'string' || typeof value === 'number'
}
