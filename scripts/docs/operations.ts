import {
  browserOperations,
  type OperationForBrowsers,
} from '../../src/contract/services/browser-operations.ts'
import { ownRoutes } from '../../src/contract/routes/own-routes.ts'
import type { Rights } from '../../src/contract/routes/rights.ts'
import { table } from './table.ts'

/** Who decides, for each kind of rights. */
const decides: Readonly<Record<Rights, string>> = {
  service: 'the service',
  'service-or-canEdit': 'the service; if it refuses, `canEdit` (bypass)',
  'signed-in': 'every signed-in user may',
  creation: 'every signed-in user may, up to `packagesPerHour`',
  canView: '`canView` of each package; rows without it are dropped',
  canEdit: '`canEdit`',
  void: 'while ROUTING `canVoid`, or `canInitiatorVoid` for the initiator; if COMPLETE `canVoidAfter`',
  tool: 'your policy, if the state allows it',
  policy: 'your policy (bypass)',
  owner: 'the owner of the file, and your policy',
  sharing: 'your policy, and for a single file its owner',
}

/** Returns the generated part of docs/other-stacks.md: every operation, and who may use it. */
export function operationsText(): string {
  const forAnyone = Object.entries(ownRoutes).flatMap(([name, route]) =>
    route.for === 'pages' ? [] : [name],
  )
  return [
    table(
      ['operation', 'browser to proxy', 'path at the service (same method)', 'who decides'],
      Object.entries<OperationForBrowsers>(browserOperations).map(
        ([name, { method, path, upstream, rights }]) => [
          `\`${name}\``,
          `\`${method} ${path}\``,
          `\`${upstream}\``,
          decides[rights],
        ],
      ),
    ),
    '',
    `Routes of the proxy itself. Anyone may call ${forAnyone.map((name) => `\`${name}\``).join(', ')}; the others are for pages of signed-in users:`,
    '',
    table(
      ['operation', 'route'],
      Object.entries(ownRoutes).map(([name, { method, path }]) => [`\`${name}\``, `\`${method} ${path}\``]),
    ),
  ].join('\n')
}
