import {
  browserOperations,
  type OperationForBrowsers,
} from '../../src/contract/services/browser-operations.ts'
import { ownRoutes } from '../../src/contract/routes/own-routes.ts'
import type { Rights } from '../../src/contract/routes/rights.ts'
import { table } from './table.ts'

/** Who decides, for each kind of rights. */
const decides: Readonly<Record<Rights, string>> = {
  service: 'the service, which checks the signed-in user',
  'signed-in': 'nobody: every signed-in user may',
  creation: 'nobody: every signed-in user may, up to `packagesPerHour`',
  canView: '`canView` of each package; rows without it are dropped',
  canEdit: '`canEdit`',
  void: 'while ROUTING `canVoid`, or `canInitiatorVoid` for the initiator; if COMPLETE `canVoidAfter`',
  tool: 'your policy and the table of transitions; denied without a policy',
  policy: 'your policy; denied without one. The proxy then calls the service with bypass authorization',
  owner: 'the user who uploaded the file, and your policy',
  sharing: 'your policy, and for a single file also the user who uploaded it',
}

/** Returns the generated part of docs/other-stacks.md: every operation, and who may use it. */
export function operationsText(): string {
  return [
    table(
      ['operation', 'what it does', 'browser to proxy', 'proxy to service', 'who decides'],
      Object.entries<OperationForBrowsers>(browserOperations).map(
        ([name, { method, path, upstream, rights, summary }]) => [
          `\`${name}\``,
          summary,
          `\`${method} ${path}\``,
          `\`${method} ${upstream}\``,
          decides[rights],
        ],
      ),
    ),
    '',
    'Routes of the proxy itself:',
    '',
    table(
      ['operation', 'route', 'called by'],
      Object.entries(ownRoutes).map(([name, { method, path, for: caller }]) => [
        `\`${name}\``,
        `\`${method} ${path}\``,
        caller === 'pages' ? 'pages, signed in' : 'anyone',
      ]),
    ),
  ].join('\n')
}
