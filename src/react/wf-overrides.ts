import '../define/wf-overrides.ts'
import type {
  WfBeforeChangeEvent,
  WfErrorEvent,
  WfLoadEvent,
  WfSignedOutEvent,
} from '../elements/element/events.ts'
import type { OverrideContent } from '../elements/wf-overrides/override-content.ts'
import type { WfOverrideChangeEvent } from '../elements/wf-overrides/wf-overrides.events.ts'
import { WfOverrides as WfOverridesElement } from '../elements/wf-overrides/wf-overrides.ts'
import { createComponent, type EventName } from './create-component.ts'

/** `<wf-overrides>` for React. */
export const WfOverrides = createComponent({
  tagName: 'wf-overrides',
  elementClass: WfOverridesElement,
  events: {
    onWfLoad: 'wf-load' as EventName<WfLoadEvent<OverrideContent>>,
    onWfError: 'wf-error' as EventName<WfErrorEvent>,
    onWfSignedOut: 'wf-signed-out' as EventName<WfSignedOutEvent>,
    onWfBeforeChange: 'wf-before-change' as EventName<WfBeforeChangeEvent>,
    onWfOverrideChange: 'wf-override-change' as EventName<WfOverrideChangeEvent>,
  },
})
