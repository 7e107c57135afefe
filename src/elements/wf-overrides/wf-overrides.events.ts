import type { RoutingOverride } from '../../contract/schemas/overrides.ts'
import { ElementEvent } from '../element/element-event.ts'

/** An override was created or ended. */
export class WfOverrideChangeEvent extends ElementEvent {
  static override readonly type = 'wf-override-change'
  /** The override, as it is or was. */
  readonly override: RoutingOverride
  /** Whether the override was ended. */
  readonly isEnded: boolean

  constructor(override: RoutingOverride, isEnded: boolean) {
    super()
    this.override = override
    this.isEnded = isEnded
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'wf-override-change': WfOverrideChangeEvent
  }
}
