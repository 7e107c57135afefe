// A model of a page with a form: controls that come and go, and a person who types into them.
import type { EntryValues } from '../../../src/elements/wf-form/state/entry-merge.ts'
import type { Reading, Readings } from '../../../src/elements/wf-form/state/field-state.ts'
import {
  type Effect,
  type FormEvent,
  type FormState,
  next,
} from '../../../src/elements/wf-form/state/form-state.ts'

export interface ModelControl {
  value: unknown
  isOff?: boolean
  isSecret?: boolean
  /** The choices of a list that it has got by now. */
  newChoices?: readonly unknown[]
}

export class PageModel {
  readonly controls = new Map<string, ModelControl>()
  /** What happens in the page after a value was written. */
  onWrite: (name: string) => void = () => {}
  /** How a control shows a value. */
  shows: (name: string, value: unknown) => unknown = (_, value) => value
  state: FormState = { fields: new Map(), own: {}, sending: {} }
  readonly #next: typeof next
  #seen = new WeakSet<ModelControl>()

  constructor(controls: Readonly<Record<string, unknown>>, of: typeof next = next) {
    this.#next = of
    for (const [name, value] of Object.entries(controls)) this.controls.set(name, { value })
    this.read()
  }

  get screen(): EntryValues {
    return Object.fromEntries([...this.controls].map(([name, { value }]) => [name, value]))
  }

  /** A person changes values, and each control fires an event, which may be the first thing that happens. */
  type(values: EntryValues): void {
    for (const name of this.#write(values)) this.enter(name)
    this.touch()
    this.read()
  }

  /** A script of the page changes values without an event. */
  script(values: EntryValues): void {
    this.#write(values)
    this.read()
  }

  /** The page draws a control again. */
  draw(name: string, value: unknown): void {
    this.controls.set(name, { value })
    this.read()
  }

  /** Somebody does something on the page. */
  touch(): void {
    if (this.state.origins?.isUntouched ?? true) this.read()
    this.#apply({ type: 'touched' })
  }

  /** A control fires an event. */
  enter(name: string): void {
    this.#apply({ type: 'entered', name })
  }

  /** A control has the key of another one by now. */
  gone(name: string): void {
    this.controls.delete(name)
    const readings = new Map(this.#readings(true)).set(name, { value: null, isGone: true })
    this.#apply({ type: 'read', readings })
  }

  /** The form is sent, and a script of the page changes values before it is read. */
  submit(values: EntryValues): void {
    this.#apply({ type: 'pressed', readings: this.#readings(false) })
    this.script(values)
  }

  read(isInEditor = false): void {
    this.#apply({ type: 'read', readings: this.#readings(true), isInEditor })
  }

  #write(values: EntryValues): readonly string[] {
    for (const [name, value] of Object.entries(values)) this.controls.get(name)!.value = value
    return Object.keys(values)
  }

  dispatch(event: FormEvent): void {
    this.read()
    this.#apply(event)
  }

  #apply(event: FormEvent): void {
    const [state, ...effects] = this.#next(frozen(this.state), event)
    this.state = state
    for (const effect of effects) this.#do(effect)
    if (effects.length > 0) this.read()
  }

  #do(effect: Effect): void {
    if (effect.do === 'empty') {
      for (const [name, control] of this.controls) control.value = this.state.own[name] ?? null
      this.#seen = new WeakSet()
      return
    }
    for (const [name, value] of Object.entries(effect.values)) {
      const control = this.controls.get(name)
      if (control) control.value = this.shows(name, value)
      if (control) this.onWrite(name)
    }
    this.#apply({ ...effect, type: 'filled', readings: this.#readings(false) })
  }

  #readings(isClaiming: boolean): Readings {
    const read = ([name, control]: [string, ModelControl]): [string, Reading] => {
      const newControls = this.#seen.has(control) ? undefined : 'all'
      const reading = { ...control, newControls } as const
      if (isClaiming) this.#seen.add(control)
      if (isClaiming) delete control.newChoices
      return [name, reading]
    }
    return new Map([...this.controls].map(read))
  }
}

/** An object that `next` must not change. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const one of value instanceof Map ? value.values() : Object.values(value)) frozen(one)
  return value
}
