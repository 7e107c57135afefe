import { ForbiddenError, NoProxyError, NotFoundError, SignedOutError } from '../../client/index.ts'
import type { Texts } from '../../locales/messages.ts'
import { stateIconPath, stateLabel, unknownStateIcon } from '../wf-package-status/labels.ts'
import type { BadgeContent } from './read-badges.ts'

/** The input of `renderBadge()`. */
export interface BadgeInput {
  /** A message for the page author, which replaces everything else; empty if the configuration is valid. */
  readonly problem: string
  readonly value: BadgeContent | undefined
  readonly error: unknown
  readonly messages: Texts['packageStatus']
  readonly common: Texts['common']
  /** Language of the messages. */
  readonly language: string
}

/** The content of a badge. */
interface Badge {
  /** The name of the CSS part. */
  readonly part: string
  /** State of the package. */
  readonly state?: string
  /** Path of the icon before the label. */
  readonly icon?: string
  /** If absent, the badge consists of `description` alone. */
  readonly label?: string
  /** Whether a warning follows the label. */
  readonly isMarked?: boolean
  /** Further information, as a tooltip and for assistive technology. */
  readonly description?: string
}

/** Badges without their descriptions. Hundreds of badges have one of a few states, and to copy one is fastest. */
const models = new Map<string, HTMLElement>()

/** Returns the element that a badge consists of. */
export function renderBadge(input: BadgeInput): HTMLElement {
  const { language } = input
  const badge = badgeOf(input)
  const { part, state, label, description } = badge
  const key = [language, part, state, label].join()
  let model = models.get(key)
  if (!model) models.set(key, (model = createModel(badge, language)))
  const root = model.cloneNode(true) as HTMLElement
  if (description) {
    root.title = description
    if (label) root.append(createElement('span', {}, `, ${description}`))
  }
  return root
}

function createModel({ part, state, icon, label, isMarked }: Badge, language: string): HTMLElement {
  return createElement(
    'span',
    { part, lang: language, ...(!label && { role: 'img' }), ...(state && { 'data-state': state }) },
    ...(icon ? [createIcon(icon)] : []),
    label ?? '\u00a0',
    ...(isMarked ? [createIcon(warningPath)] : []),
  )
}

function badgeOf({ problem, value, error, messages, common, language }: BadgeInput): Badge {
  if (problem) return { part: 'not-configured', label: problem }
  if (value) {
    const { state } = value.found
    const names = state === 'ROUTING' ? value.approvers.map(({ approver }) => approver ?? common.someone) : []
    const waiting = names.length > 0 ? `${messages.waitingFor} ${joinNames(names, language)}` : ''
    return {
      part: error ? 'state stale' : 'state',
      state,
      icon: stateIconPath(state),
      label: stateLabel(state, messages),
      isMarked: !!error,
      description: [waiting, error ? common.stale : ''].filter(Boolean).join('. '),
    }
  }
  if (!error) return { part: 'loading', description: common.loading }
  if (error instanceof ForbiddenError || error instanceof NotFoundError)
    return { part: 'failure', icon: unknownStateIcon, label: messages.notAvailable }
  if (error instanceof NoProxyError) return { part: 'no-proxy', label: common.noProxy(error.endpoint) }
  const description = error instanceof SignedOutError ? common.signedOut : common.unavailable
  return { part: 'failure', icon: warningPath, label: messages.notLoaded, description }
}

function joinNames(names: readonly string[], language: string): string {
  const [only = ''] = names
  // Creating a ListFormat takes long, and a page may have hundreds of badges.
  return names.length > 1 ? new Intl.ListFormat(language).format(names) : only
}

function createElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): HTMLElement {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...content)
  return element
}

/** Returns an icon of an SVG path in a 24 × 24 box. */
function createIcon(path: string): SVGElement {
  const create = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name)
  const icon = create('svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  icon.append(create('path'))
  icon.firstElementChild?.setAttribute('d', path)
  return icon
}

/** Marks content that could not be loaded. */
const warningPath = 'M12 4v10M12 19v.5'
