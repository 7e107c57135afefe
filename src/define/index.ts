// Every tag of the kit: what the one script of a page loads.
// Styles stand together: compression finds what they have in common only where it is near.
import '../elements/controls.styles.ts'
import '../elements/upload/upload.styles.ts'
import '../elements/fs-uploader/fs-uploader.styles.ts'
import '../elements/wf-attachments/wf-attachments.styles.ts'
import '../elements/wf-comments/wf-comments.styles.ts'
import '../elements/wf-history/wf-history.styles.ts'
import '../elements/wf-package-status/wf-package-status.styles.ts'
import { discover } from './discovery.ts'
import './wf-context.ts'
import './fs-uploader.ts'
import './routing-history.ts'
import './wf-attachments.ts'
import './wf-comments.ts'
import './wf-history.ts'
import './wf-package-status.ts'

export { configure } from '../elements/configuration.ts'
export { addLanguage } from '../elements/messages.ts'

const tags = [
  'wf-context',
  'fs-uploader',
  'routing-history',
  'wf-attachments',
  'wf-comments',
  'wf-history',
  'wf-package-status',
]

discover(Object.fromEntries(tags.map((tag) => [tag, () => {}])))
