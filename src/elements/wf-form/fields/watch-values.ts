import { editEvents } from './form-buttons.ts'
import type { FormControl } from './form-controls.ts'

/** Milliseconds between two looks at a form. */
const pause = 1000

/** The fields that people change; see `FormFields`. */
interface Touched {
  touch(look: () => void): void
  entered(control: FormControl, isOwn: boolean): void
}

/** The form that is watched. */
interface Watched {
  readonly fields: Touched | undefined
  /** Reads the screen, which scripts of the page may have changed. */
  look(): void
}

/**
 * Looks at a form whenever scripts of the page may have changed values without an event: after a click anywhere, because calendars
 * may stand elsewhere on the page, when the focus moves, also into a frame, before the page is hidden, and each second while it is
 * visible. Notes what people do before the page learns of it. Returns a function that ends this.
 */
export function watchValues(element: Element, form: Watched): () => void {
  const ending = new AbortController()
  const options = { capture: true, signal: ending.signal }
  const look = () => form.look()
  // A click alone, as of a screen reader, comes when its box has already changed.
  const touch = ({ type, target, isTrusted }: Event) => {
    // Extensions that fill in forms press keys that nobody has.
    if (!isTrusted && target instanceof HTMLElement) form.fields?.entered(target, false)
    form.fields?.touch(type === 'click' ? () => {} : look)
  }
  const timer = setInterval(() => document.hidden || look(), pause)
  for (const type of ['pointerdown', 'keydown', 'click']) window.addEventListener(type, touch, options)
  const onEdit = (event: Event) => {
    form.fields?.entered(event.target as FormControl, event.isTrusted)
    touch(event)
  }
  for (const type of editEvents) element.getRootNode().addEventListener(type, onEdit, options)
  // After all listeners of the page.
  for (const type of ['click', 'focusin', 'focusout', 'blur'])
    window.addEventListener(type, () => setTimeout(look), options)
  for (const type of ['visibilitychange', 'pagehide']) window.addEventListener(type, look, options)
  return () => {
    ending.abort()
    clearInterval(timer)
  }
}
