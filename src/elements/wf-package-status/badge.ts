import { html, nothing, type TemplateResult } from 'lit'
import { ForbiddenError, NoProxyError, NotFoundError, SignedOutError } from '../../client/index.ts'
import type { Texts } from '../../locales/messages.ts'
import { renderIcon } from '../icon.ts'
import { holdersOf, type PackageStatusContent } from './content.ts'
import { stateIconPath, stateLabel, unknownStateIcon } from './labels.ts'

/** The content of a badge. */
interface Badge {
  /** The name of the CSS part. */
  readonly part: string
  /** State of the package. */
  readonly state?: string
  /** Path of the icon before the label. */
  readonly iconPath?: string
  /** If absent, the badge consists of `description` alone. */
  readonly label?: string
  /** Icon after the label. */
  readonly mark?: TemplateResult | undefined
  /** Further information, as a tooltip and for assistive technology. */
  readonly description?: string
}

/** The input of `renderBadge()`. */
export interface BadgeInput {
  readonly value: PackageStatusContent | undefined
  readonly error: unknown
  readonly messages: Texts['packageStatus']
  readonly common: Texts['common']
  /** Language of the messages. */
  readonly language: string
}

/** Renders a badge. Every state has the same markup, because hundreds of badges may change state at the same time. */
export function renderBadge(input: BadgeInput): TemplateResult {
  const { part, state, iconPath, label, mark, description } = badgeOf(input)
  return html`<span
    part=${part}
    role=${label ? nothing : 'img'}
    data-state=${state ?? nothing}
    lang=${input.language}
    title=${description || nothing}
    ><svg viewBox="0 0 24 24" aria-hidden="true" ?hidden=${!iconPath}><path d=${iconPath ?? ''}></path></svg
    >${label ?? '\u00a0'}${mark}<span class="announcement" ?hidden=${!label || !description}
      >${description && `, ${description}`}</span
    ></span
  >`
}

function badgeOf({ value, error, messages, common, language }: BadgeInput): Badge {
  if (value) {
    const { state } = value.found
    const { holders } = holdersOf(state === 'ROUTING' ? value.inbox : null)
    const names = holders.map(({ approver }) => approver ?? common.someone)
    const waiting = names.length > 0 ? `${messages.waitingFor} ${joinNames(names, language)}` : ''
    return {
      part: error ? 'state stale' : 'state',
      state,
      iconPath: stateIconPath(state),
      label: stateLabel(state, messages),
      mark: error ? warningIcon : undefined,
      description: [waiting, error ? common.stale : ''].filter(Boolean).join('. '),
    }
  }
  if (!error) return { part: 'loading', description: common.loading }
  if (error instanceof ForbiddenError || error instanceof NotFoundError)
    return { part: 'failure', iconPath: unknownStateIcon, label: messages.notAvailable }
  if (error instanceof NoProxyError) return { part: 'no-proxy', label: common.noProxy(error.endpoint) }
  const description = error instanceof SignedOutError ? common.signedOut : common.unavailable
  return { part: 'failure', iconPath: warningPath, label: messages.notLoaded, description }
}

function joinNames(names: readonly string[], language: string): string {
  const [only = ''] = names
  // Creating a ListFormat takes long, and a page may have hundreds of badges.
  return names.length > 1 ? new Intl.ListFormat(language).format(names) : only
}

/** Marks content that could not be loaded. */
const warningPath = 'M12 4v10M12 19v.5'
const warningIcon = renderIcon(warningPath)
