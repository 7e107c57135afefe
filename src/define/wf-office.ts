import { WfOffice } from '../elements/wf-office/wf-office.ts'
import { define } from './define.ts'

define('wf-office', WfOffice)
