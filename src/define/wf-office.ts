import { WfOffice } from '../elements/wf-office/wf-office.ts'
import { define } from './define.ts'

define('wf-office', WfOffice)

export type { WfOffice } from '../elements/wf-office/wf-office.ts'
export type * from '../elements/element/events.ts'
