// The entry of the one-file build: registers the elements, and fills placeholders. Badges and the elements that upload files
// load when the first one appears.
import { isFirst, isRequested } from './early.ts'
import { loadBadge, loadUploadElements } from '../elements/late.ts'
import { WfComments } from '../elements/wf-comments/wf-comments.ts'
import { RoutingHistory } from '../elements/wf-history/routing-history.ts'
import { WfHistory } from '../elements/wf-history/wf-history.ts'
import { afterStatus } from './after-status.ts'
import { define } from './define.ts'
import { discover } from './discovery.ts'
import './wf-context.ts'
import './wf-package-status.ts'

export { configure } from '../elements/configuration/configuration.ts'
export { addLanguage } from '../elements/text/added-languages.ts'

const statusShown = afterStatus()

const others = { 'routing-history': RoutingHistory, 'wf-history': WfHistory, 'wf-comments': WfComments }

/** The page does not move when the elements replace the content of their tags. Matches nothing once they are defined. */
const heightsOfPlaceholders =
  ':where(wf-history,wf-comments):not(:defined,[hidden]){display:flow-root;min-block-size:8.1em;margin-block:1em}' +
  ':where(wf-history):not(:defined){min-block-size:12.6em}'

/**
 * Defines the elements that the page shows beside the status. If the package is on its way, they come after the frame with the
 * status, which would wait for them otherwise. Until then, they have the height of their placeholders. Another copy, which came
 * first, defines its own before.
 */
async function defineOthers(): Promise<void> {
  if (isRequested) {
    const heights = new CSSStyleSheet()
    heights.replaceSync(heightsOfPlaceholders)
    document.adoptedStyleSheets.push(heights)
  }
  if (isRequested || !isFirst) await statusShown
  for (const [tag, element] of Object.entries(others))
    if (isFirst || !customElements.get(tag)) define(tag, element)
}

const othersDefined = defineOthers()

/** Loads the elements that upload files, which render after the status of the page. */
async function loadLater() {
  const elements = await loadUploadElements()
  await statusShown
  return elements
}

const loaders = {
  'fs-uploader': async () => define('fs-uploader', (await loadLater()).FsUploader),
  'wf-attachments': async () => define('wf-attachments', (await loadLater()).WfAttachments),
  'wf-badge': async () => define('wf-badge', await loadBadge()),
}

const defined = () => othersDefined

// Another copy that has defined the elements before also loads those that upload files. A placeholder gets its element when this
// is defined, because it shows which attributes to copy.
discover({
  'wf-context': defined,
  'wf-package-status': defined,
  'routing-history': defined,
  'wf-history': defined,
  'wf-comments': defined,
  ...(isFirst && loaders),
})

/** Defines an element that the script does not find by itself, because all of its kind are in shadow roots. */
export function load(tag: keyof typeof loaders): Promise<void> {
  return loaders[tag]()
}
