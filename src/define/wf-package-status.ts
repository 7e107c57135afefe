import { WfPackageStatus } from '../elements/wf-package-status/wf-package-status.ts'
import { define } from './define.ts'

define('wf-package-status', WfPackageStatus)
