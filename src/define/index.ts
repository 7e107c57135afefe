// Registers every element, and fills placeholders. Badges load when the first one appears.
import { loadBadge } from '../elements/late.ts'
import { define } from './define.ts'
import { discover } from './discovery.ts'
import './wf-context.ts'
import './fs-uploader.ts'
import './wf-attachments.ts'
import './wf-comments.ts'
import './routing-history.ts'
import './wf-history.ts'
import './wf-package-status.ts'

export { configure } from '../elements/configuration/configuration.ts'
export { addLanguage } from '../elements/text/added-languages.ts'

const tags = [
  'wf-context',
  'fs-uploader',
  'routing-history',
  'wf-attachments',
  'wf-comments',
  'wf-history',
  'wf-package-status',
]

discover({
  ...Object.fromEntries(tags.map((tag) => [tag, () => {}])),
  'wf-badge': async () => define('wf-badge', await loadBadge()),
})
