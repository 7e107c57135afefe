import { ownRoutes } from '../../src/contract/routes/own-routes.ts'
import { pageParts } from '../../src/contract/routes/package-page.ts'
import { type BrowserOperation, routes } from '../../src/contract/routes/routes.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { people } from '../../src/emulator/scenarios/small.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'

/** The file that the previews show. */
const uuid = '00000000-0000-4000-8000-000000000000'

const samples: Readonly<Record<string, string>> = {
  formId: '6025',
  packageId: '42',
  officeKey: '05-0333',
  routeId: '701',
  uuid,
}

/** The reads of the elements that need a query. */
const queries: Partial<Readonly<Record<BrowserOperation, string>>> = {
  getActions: '?id=42',
  getStatus: '?id=42',
  searchOffices: '?searchTerm=05',
  findOffices: '?key=05-0333',
}

const now = Date.parse('2026-11-19T15:00:00Z')

/**
 * Returns the responses that the previews in the WordPress editor show, by path below the endpoint, as JSON. They are those
 * of a proxy in front of the emulator, to the initiator of package 42.
 */
export async function exampleResponses(): Promise<string> {
  const emulator = createEmulator({ control: true, now: () => now })
  const credentials = { clientId: 'demo-app', clientSecret: 'demo-secret' }
  const proxy = createProxy({
    env: 'test',
    forms: [6025],
    services: {
      workflow: { baseUrl: 'http://emulator.test/wf', ...credentials },
      storage: {
        baseUrl: 'http://emulator.test/fs/test',
        objectOrigins: ['http://emulator.test'],
        ...credentials,
      },
    },
    operations: Object.keys(routes) as BrowserOperation[],
    identity: {
      identify: () => ({ univid: people.initiator }),
      policy: ({ operation }) => operation === 'getOverrides' || operation === 'getShares',
    },
    runtime: fetchRuntime(emulator.fetch),
  })
  const call = (path: string, init?: RequestInit) =>
    proxy(
      new Request(`http://site.test/api/wf${path}`, {
        ...init,
        headers: { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' },
      }),
    )
  const form = (name: string, type: string) => {
    const body = new FormData()
    body.append('file', new File(['An itinerary'], name, { type }))
    return { method: 'POST', body }
  }

  await emulator.fetch('http://emulator.test/_emulator/test/forms/6025/packages/42/comments', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ univid: people.firstApprover, comment: 'Which budget pays for the train?' }),
  })
  const attached = await call(
    '/forms/6025/packages/42/attachments/types/2',
    form('receipt.txt', 'text/plain'),
  )
  if (!attached.ok) throw new Error(`The attachment: ${attached.status} ${await attached.text()}`)
  const stored = (await (await call('/files', form('itinerary.txt', 'text/plain'))).json()) as {
    readonly uuid: string
  }

  // What people with more rights have done. The page may not, so the previews offer none of it.
  const service = async (path: string, body: object) => {
    const { clientId, clientSecret } = credentials
    const response = await emulator.fetch(`http://emulator.test${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
        'Content-Type': 'application/json',
        'x-workflow-request-user': people.administrator,
        'x-workflow-bypass-authorization': 'true',
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  await service('/fs/test/api/v1/shares', { granteeClientId: 'partner-app', fileAssetUuid: stored.uuid })

  const responses: Record<string, unknown> = {
    '/session': (await (await call('/session')).json()) as unknown,
  }
  for (const [name, route] of Object.entries(routes)) {
    if (route.method !== 'GET' || route.response !== 'json') continue
    const path = samplePath(route.path)
    const query = queries[name as BrowserOperation] ?? ''
    const response = await call(path.replace(uuid, stored.uuid) + query)
    if (!response.ok) throw new Error(`${path}${query}: ${response.status} ${await response.text()}`)
    responses[path] = JSON.parse((await response.text()).replaceAll(stored.uuid, uuid))
  }
  // After the others: they name the person who is replaced, which the service does not do any more.
  await service('/wf/test/api/developer/forms/6025/packages/42/routing/overrides', {
    subjectUnivid: people.secondApprover,
    type: 'DELEGATE',
    reason: 'CONFLICT_OF_INTEREST',
    replacementUnivid: people.viewer,
  })
  const overrides = samplePath(routes.getOverrides.path)
  responses[overrides] = (await (await call(overrides)).json()) as unknown
  // The parts of the page of a package, by name: the paths of their responses.
  responses[samplePath(ownRoutes.getPage.path)] = Object.fromEntries(
    pageParts.map((part) => [part, samplePath({ ...routes, ...ownRoutes }[part].path)]),
  )
  await proxy.close()
  return JSON.stringify(responses)
}

function samplePath(path: string): string {
  return path.replace(/:(\w+)/g, (_, key: string) => samples[key] ?? '0')
}
