// Defines only the tags that a page uses, each fetched when the first of its kind appears.
import { discover } from './discovery.ts'

export { configure } from '../elements/configuration.ts'
export { addLanguage } from '../elements/words.ts'

discover({
  'wf-context': () => import('./wf-context.ts'),
  'fs-uploader': () => import('./fs-uploader.ts'),
  'routing-history': () => import('./routing-history.ts'),
  'wf-attachments': () => import('./wf-attachments.ts'),
  'wf-comments': () => import('./wf-comments.ts'),
  'wf-history': () => import('./wf-history.ts'),
  'wf-package-status': () => import('./wf-package-status.ts'),
})
