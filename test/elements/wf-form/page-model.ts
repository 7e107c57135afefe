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

  type(values: EntryValues): void {
    for (const [name, value] of Object.entries(values)) this.controls.get(name)!.value = value
    this.read()
  }

  read(): void {
    this.#apply({ type: 'read', readings: this.#readings(true) })
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
    const { values, isStored } = effect
    this.#apply({ type: 'filled', readings: this.#readings(false), written: values, isStored })
  }

  #readings(isClaiming: boolean): Readings {
    const read = ([name, control]: [string, ModelControl]): [string, Reading] => {
      const isFresh = !this.#seen.has(control)
      if (isClaiming) this.#seen.add(control)
      return [name, { ...control, isFresh }]
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
