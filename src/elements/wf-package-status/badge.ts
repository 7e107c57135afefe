import { html, nothing, type TemplateResult } from 'lit'

/** What a badge shows. */
export interface Badge {
  /** Which part of the element it is. */
  readonly part: string
  /** State of the package. */
  readonly state?: string
  /** Drawing before the label, as an SVG path in a square of 24. */
  readonly path?: string
  /** Absent: `about` is all that can be said. */
  readonly label?: string
  /** Drawing after the label. */
  readonly mark?: TemplateResult | undefined
  /** More about it, for those who point at it or listen. */
  readonly about?: string
}

/** One word in a line, by the same markup in all its conditions: hundreds of badges change theirs in one moment. */
export function renderBadge(
  { part, state, path, label, mark, about }: Badge,
  language: string,
): TemplateResult {
  return html`<span
    part=${part}
    role=${label ? nothing : 'img'}
    data-state=${state ?? nothing}
    lang=${language}
    title=${about || nothing}
    ><svg viewBox="0 0 24 24" aria-hidden="true" ?hidden=${!path}><path d=${path ?? ''}></path></svg
    >${label ?? '\u00a0'}${mark}<span class="announcement" ?hidden=${!label || !about}
      >${about && `, ${about}`}</span
    ></span
  >`
}
