// The entry of the one-file build: registers the elements, and fills placeholders. Badges and the elements that upload files
// load when the first one appears.
import './early.ts'
import { loadBadge, loadUploadElements } from '../elements/late.ts'
import { WfContext } from '../elements/wf-context/wf-context.ts'
import { afterStatus } from './after-status.ts'
import { define } from './define.ts'
import { discover } from './discovery.ts'
import './wf-context.ts'
import './wf-comments.ts'
import './routing-history.ts'
import './wf-history.ts'
import './wf-package-status.ts'

export { configure } from '../elements/configuration/configuration.ts'
export { addLanguage } from '../elements/text/added-languages.ts'

const statusShown = afterStatus()

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

const tags = ['wf-context', 'routing-history', 'wf-comments', 'wf-history', 'wf-package-status']

// Another copy that has defined the elements before also loads the others.
const isFirst = customElements.get('wf-context') === WfContext

discover({ ...Object.fromEntries(tags.map((tag) => [tag, () => {}])), ...(isFirst && loaders) })

/** Defines an element that the script does not find by itself, because all of its kind are in shadow roots. */
export async function load(tag: keyof typeof loaders): Promise<void> {
  await loaders[tag]()
}
