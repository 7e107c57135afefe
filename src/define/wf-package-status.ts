import { WfPackageStatus } from '../elements/wf-package-status/wf-package-status.ts'
import { define } from './define.ts'

define('wf-package-status', WfPackageStatus)

export type { WfPackageStatus } from '../elements/wf-package-status/wf-package-status.ts'
export type * from '../elements/element/events.ts'
export type * from '../elements/wf-package-status/wf-package-status.events.ts'
