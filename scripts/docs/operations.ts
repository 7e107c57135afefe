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

/** Returns the generated part of docs/other-stacks.md: each operation, its path at the service, and who may use it. */
export function operationsText(): string {
  const list = (holds: (entry: readonly [string, { readonly for: string }]) => boolean): string =>
    Object.entries(ownRoutes)
      .filter(holds)
      .map(([name]) => `\`${name}\``)
      .join(', ')
  return [
    table(
      ['operation', 'at the service', 'who decides'],
      Object.entries<OperationForBrowsers>(browserOperations).map(([name, { method, upstream, rights }]) => [
        `\`${name}\``,
        `\`${method} ${upstream}\``,
        decides[rights],
      ]),
    ),
    '',
    `The proxy itself responds to ${list(([, route]) => route.for === 'pages')} for pages of signed-in users, and to ${list(([, route]) => route.for !== 'pages')} for anyone.`,
  ].join('\n')
}
