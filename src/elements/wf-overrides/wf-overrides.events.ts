import type { RoutingOverride } from '../../contract/schemas/overrides.ts'

/** An override was created or ended. */
export class WfOverrideChangeEvent extends Event {
  static readonly type = 'wf-override-change'
  /** The override, as it is or was. */
  readonly override: RoutingOverride
  /** Whether the override was ended. */
  readonly isEnded: boolean

  constructor(override: RoutingOverride, isEnded: boolean) {
    super(WfOverrideChangeEvent.type, { bubbles: true, composed: true })
    this.override = override
    this.isEnded = isEnded
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'wf-override-change': WfOverrideChangeEvent
  }
}
