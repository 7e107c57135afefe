import { humanize } from '../../text/humanize.ts'
import { isBox } from './form-controls.ts'
import type { FormFields } from './form-fields.ts'

/** Returns what names a field on the screen: its label, the legend of several controls, or the first cell of its row. */
export function captionOf(fields: FormFields, name: string): HTMLElement | undefined {
  const [control, ...others] = fields.controlsOf(name)
  if (!control) return undefined
  if (others.length > 0 || control.type === 'radio') {
    const group = legendOf(control) ?? rowHeadingOf(control)
    // The label of one choice does not name the question.
    if (group || (others.length > 0 && isBox(control))) return group
  }
  const root = control.getRootNode() as Document | ShadowRoot
  return (
    labelledBy(control)[0] ??
    control.labels?.[0] ??
    control.closest('label') ??
    (control.id ? root.querySelector<HTMLElement>(`label[for="${CSS.escape(control.id)}"]`) : null) ??
    (control.title || control.ariaLabel ? undefined : rowHeadingOf(control))
  )
}

function legendOf(control: Element): HTMLElement | undefined {
  const [title] = labelledBy(control.closest('[role=group], [role=radiogroup]'))
  return title ?? control.closest('fieldset')?.querySelector<HTMLElement>(':scope > legend') ?? undefined
}

/** Returns the elements that `aria-labelledby` names. */
function labelledBy(element: Element | null): readonly HTMLElement[] {
  const ids = element?.getAttribute('aria-labelledby')?.match(/\S+/g) ?? []
  const root = element?.getRootNode() as Document | ShadowRoot
  return ids.flatMap((id) => root.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ?? [])
}

/** In old pages, tables place labels beside controls. */
function rowHeadingOf(control: Element): HTMLElement | undefined {
  const [heading] = control.closest('tr')?.cells ?? []
  return heading && !heading.contains(control) && textOf(heading) ? heading : undefined
}

/** Returns the name of a field for people: `data-label`, the text of its label or legend, or else the natural key. */
export function labelOf(fields: FormFields, name: string): string {
  const control = fields.controlOf(name)
  const caption = captionOf(fields, name)
  const all = labelledBy(control ?? null)
  return (
    control?.dataset.label ??
    ((all.includes(caption!) ? all : [caption]).map(textOf).join(' ') ||
      control?.getAttribute('aria-label') ||
      control?.getAttribute('label') ||
      control?.title ||
      markless(control?.getAttribute('placeholder') ?? '') ||
      humanize(name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1_')))
  )
}

/** Returns the text of a label without the controls in it, and without the mark of required fields. */
export function textOf(caption: HTMLElement | null | undefined): string {
  return markless(caption ? textIn(caption) : '')
}

function markless(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\s*:]+$/, '')
    .trim()
}

function textIn(node: Node): string {
  if (node instanceof Text) return node.data
  if (node instanceof Element && node.matches('input, select, textarea, button, output, [aria-hidden=true]'))
    return ''
  return node instanceof Element && node.localName.includes('-')
    ? ''
    : [...node.childNodes].map(textIn).join('')
}
