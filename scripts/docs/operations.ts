import {
  browserOperations,
  type OperationForBrowsers,
  type Rights,
} from '../../src/contract/browser-operations.ts'
import { ownRoutes } from '../../src/contract/own-routes.ts'
import { routes, type BrowserOperation } from '../../src/contract/routes.ts'
import { serviceRoutes } from '../../src/contract/service-routes.ts'
import { table } from './table.ts'

/** Who decides, in words. */
const decides: Readonly<Record<Rights, string>> = {
  service: 'the service, which is asked as the person',
  'signed-in': 'nobody: whoever is signed in',
  canView: '`canView`, for each package; rows without it are dropped',
  canEdit: '`canEdit`',
  void: '`canVoid`, or `canInitiatorVoid` and being the initiator, while ROUTING; `canVoidAfter` once COMPLETE',
  tool: 'your policy, and the table of transitions; without a policy nobody may',
  policy: 'your policy; without one nobody may. The service is asked with bypass then',
  owner: 'being who uploaded the file, or your policy',
  sharing: 'your policy, and for a single file also being who uploaded it',
}

/** The generated part of docs/other-stacks.md: every operation, and who decides. */
export function operationsText(): string {
  return [
    table(
      ['operation', 'a page asks', 'the service is asked', 'who decides'],
      (Object.entries(browserOperations) as [BrowserOperation, OperationForBrowsers][]).map(
        ([name, { rights }]) => [
          `\`${name}\``,
          `\`${routes[name].method} ${routes[name].path}\``,
          `\`${serviceRoutes[name].method} ${serviceRoutes[name].upstream}\``,
          decides[rights],
        ],
      ),
    ),
    '',
    'What the proxy answers itself:',
    '',
    table(
      ['operation', 'asked as', 'by'],
      Object.entries(ownRoutes).map(([name, { method, path, for: whom }]) => [
        `\`${name}\``,
        `\`${method} ${path}\``,
        whom === 'pages' ? 'pages, signed in' : 'anyone',
      ]),
    ),
  ].join('\n')
}
