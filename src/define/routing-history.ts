import { RoutingHistory } from '../elements/wf-history/routing-history.ts'
import { define } from './define.ts'

define('routing-history', RoutingHistory)

export type { RoutingHistory } from '../elements/wf-history/routing-history.ts'
export type * from '../elements/element/events.ts'
