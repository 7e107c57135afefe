import '../define/wf-package-status.ts'
import type {
  WfBeforeChangeEvent,
  WfChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../elements/element/events.ts'
import { WfPackageStatus as WfPackageStatusElement } from '../elements/wf-package-status/wf-package-status.ts'
import type { PackageStatusContent } from '../elements/wf-package-status/content.ts'
import type { WfEditEvent, WfSignEvent } from '../elements/wf-package-status/wf-package-status.events.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-package-status>` for React. */
export const WfPackageStatus = createComponent({
  tagName: 'wf-package-status',
  elementClass: WfPackageStatusElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<PackageStatusContent>>,
    onWfBeforeChange: 'wf-before-change' as EventName<WfBeforeChangeEvent>,
    onWfChange: 'wf-change' as EventName<WfChangeEvent>,
    onWfSign: 'wf-sign' as EventName<WfSignEvent>,
    onWfEdit: 'wf-edit' as EventName<WfEditEvent>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
  },
})
