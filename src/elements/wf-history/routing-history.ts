import { WfHistory } from './wf-history.ts'

/**
 * `<wf-history>` under the name of the routing service's own component, so that it can replace that component in a page.
 * `history` is the service's JSON response; `package-id` is shown below the events.
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
