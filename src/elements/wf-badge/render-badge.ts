import type { InboxSignature, PackageStatus12 } from '../../contract/schemas/workflow.ts'
import { loading } from '../../locales/en-loading.ts'
import { packageStates } from '../../locales/en-package-states.ts'
import type { ShownPackage } from '../element/events.ts'
import { causeOf, failureText } from '../loading/loadable.ts'
import { messagesFor, messagesLanguage } from '../text/messages.ts'
import { approversOf } from '../wf-package-status/content.ts'
import { stateIconPath, stateLabel, unknownStateIcon } from '../wf-package-status/labels.ts'

/** The content of a `<wf-badge>`. */
export interface BadgeContent {
  /** The id and state of the package. */
  readonly found: ShownPackage
  /** The people who have to act, as far as they are known. */
  readonly approvers: readonly InboxSignature[]
}

/** The content of a badge. */
export interface BadgeView {
  /** A message for the page author, which replaces everything else; empty if the configuration is valid. */
  readonly problem: string
  readonly value: BadgeContent | undefined
  readonly error: unknown
}

/** Returns the content from the row of a package, if there is one. */
export function contentOf([found]: readonly (PackageStatus12 | null)[] = []): BadgeContent | undefined {
  return found ? { found, approvers: approversOf(found.inboxSignatures) } : undefined
}

/** Returns the element that a badge consists of, in the language of its host. */
export function renderBadge(host: Element, view: BadgeView): HTMLElement {
  const { part, state, icon, label, isMarked, description } = describe(host, view)
  const badge = document.createElement('span')
  badge.setAttribute('part', part)
  badge.lang = messagesLanguage(host)
  if (state) badge.dataset['state'] = state
  if (icon) badge.append(createIcon(icon))
  badge.append(label ?? '\u00a0')
  if (isMarked) badge.append(createIcon(warningPath))
  if (description) badge.title = description
  if (!label) badge.setAttribute('role', 'img')
  else if (description) {
    badge.appendChild(document.createElement('span')).append(`, ${description}`)
    badge.tabIndex = 0
  }
  return badge
}

interface Badge {
  /** The name of the CSS part. */
  readonly part: string
  /** State of the package. */
  readonly state?: string
  /** Path of the icon before the label. */
  readonly icon?: string
  /** If absent, the badge is an image with the description. */
  readonly label?: string
  /** Whether a warning follows the label. */
  readonly isMarked?: boolean
  /** Further information: as a tooltip, in the badge while it has the focus, and for assistive technology. */
  readonly description?: string
}

function describe(host: Element, { problem, value, error }: BadgeView): Badge {
  const texts = messagesFor(host, 'common', loading)
  const messages = messagesFor(host, 'packageStatus', packageStates)
  if (problem) return { part: 'not-configured', label: problem }
  if (value) {
    const { state } = value.found
    const names = state === 'ROUTING' ? value.approvers.map(({ approver }) => approver ?? texts.someone) : []
    const waiting =
      names.length > 0 ? `${messages.waitingFor} ${joinNames(names, messagesLanguage(host))}` : ''
    return {
      part: error ? 'state stale' : 'state',
      state,
      icon: stateIconPath(state),
      label: stateLabel(state, messages),
      isMarked: !!error,
      description: [waiting, error ? texts.stale : ''].filter(Boolean).join('. '),
    }
  }
  if (!error) return { part: 'loading', description: texts.loading }
  const cause = causeOf(error)
  if (cause === 'forbidden' || cause === 'missing')
    return { part: 'failure', icon: unknownStateIcon, label: messages.notAvailable }
  const description = failureText(error, texts)
  if (cause === 'no-proxy') return { part: cause, label: description }
  return { part: 'failure', icon: warningPath, label: messages.notLoaded, description }
}

function joinNames(names: readonly string[], language: string): string {
  // Creating a ListFormat takes long, and a page may have hundreds of badges.
  return names.length > 1 ? new Intl.ListFormat(language).format(names) : names.join()
}

/** Returns an icon of an SVG path in a 24 × 24 box. */
function createIcon(path: string): SVGElement {
  const icon = document.createElementNS(svg, 'svg')
  const line = document.createElementNS(svg, 'path')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  icon.append(line)
  line.setAttribute('d', path)
  return icon
}

const svg = 'http://www.w3.org/2000/svg'

/** Marks content that could not be loaded. */
const warningPath = 'M12 4v10M12 19v.5'
