import { WfHistory } from './wf-history.ts'

/**
 * `<wf-history>` under the name that the routing service's own component has, in place of which it can be put into a
 * page: `history` is the service's answer as JSON, `package-id` is printed below it.
 *
 * ```html
 * <routing-history history="[]" package-id="42"></routing-history>
 * ```
 *
 * @element routing-history
 */
export class RoutingHistory extends WfHistory {}

declare global {
  interface HTMLElementTagNameMap {
    'routing-history': RoutingHistory
  }
}
