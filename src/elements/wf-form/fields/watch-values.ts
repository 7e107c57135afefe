import { writtenForms } from '../../element/form-element.ts'
import type { Readings } from '../state/field-state.ts'
import type { FormEvent, FormState } from '../state/form-state.ts'
import { editEvents } from './form-buttons.ts'
import type { FormControl } from './form-controls.ts'
import type { Press } from './press.ts'

/** Milliseconds between two looks at a form. */
const pause = 1000

/** The fields that people change; see `FormFields`. */
interface Touched {
  readonly press: Press
  entered(control: FormControl, isOwn: boolean): string | undefined
  peek(): Readings
}

/** The form that is watched. */
interface Watched {
  readonly form: HTMLFormElement | undefined
  readonly fields: Touched | undefined
  readonly known: FormState
  /** Reads the screen, which scripts of the page may have changed. */
  look(): void
  note(event: FormEvent): void
}

/**
 * Looks at a form whenever scripts of the page may have changed values without an event: after a click anywhere, because calendars
 * may stand elsewhere on the page, when the focus moves, also into a frame, before the page is hidden, and each second while it is
 * visible. Notes what people do before the page learns of it. Returns a function that ends this.
 */
export function watchValues(element: Element, watched: Watched): () => void {
  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  const look = () => watched.look()
  const touched = ({ type, target, isTrusted }: Event) => {
    const { form, fields } = watched
    if (!fields || writtenForms.has(form!)) return
    // Extensions that fill in forms press keys that nobody has.
    const isEdit = !isTrusted || editEvents.includes(type)
    const name = isEdit && target instanceof HTMLElement ? fields.entered(target, isTrusted) : undefined
    if (name !== undefined) watched.note({ type: 'entered', name })
    if (watched.known.origins?.isUntouched === false) return
    // A click alone, as of a screen reader, comes when its box has already changed.
    if (type !== 'click') look()
    fields.press.forget()
    watched.note({ type: 'touched' })
  }
  const pressed = ({ target }: Event) => {
    const { form, fields } = watched
    if (!fields || target !== form) return
    fields.press.note()
    watched.note({ type: 'pressed', readings: fields.peek() })
  }
  const timer = setInterval(() => document.hidden || look(), pause)
  const root = element.getRootNode()
  // Libraries stop some of them.
  for (const type of ['pointerdown', 'keydown', 'beforeinput', 'click'])
    window.addEventListener(type, touched, options)
  for (const type of editEvents) root.addEventListener(type, touched, options)
  root.addEventListener('submit', pressed, options)
  // After all listeners of the page.
  for (const type of ['click', 'focusin', 'focusout', 'blur'])
    window.addEventListener(type, () => setTimeout(look), options)
  for (const type of ['visibilitychange', 'pagehide']) window.addEventListener(type, look, options)
  return () => {
    ending.abort()
    clearInterval(timer)
  }
}
