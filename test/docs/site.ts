import { existsSync, readFileSync } from 'node:fs'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { listen } from '../../src/cli/listen.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import type { PackageState } from '../../src/contract/values/values.ts'
import { adminsPolicy } from '../../src/proxy/rights/admins-policy.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { everyOperation, overEmulator, people, type Role } from '../proxy/mount.ts'
import { replace } from '../../stories/overrides.ts'
import { sampleFiles, share, storeFiles } from '../../stories/stored-files.ts'

const dist = new URL('../../dist/', import.meta.url)

/** The site that docs/ describes: the built scripts, pages, and the proxy in front of an emulator. */
export interface Site {
  /** Without a trailing slash. */
  readonly url: string
  readonly emulator: Emulator
  /** Sets the body of the page at `/page`, its head, and the attributes of its `html`. */
  show: (body: string, options?: { readonly head?: string; readonly html?: string }) => void
  /** Whether requests to `unstableEndpoint` fail from now on. */
  readonly setFailing: (isFailing: boolean) => void
  readonly close: () => Promise<void>
}

/** The endpoint for a user: `/api/wf` for the initiator of package 42, `/as/ROLE/api/wf` for others. */
export function endpointAs(role: Role | 'nobody'): string {
  return role === 'initiator' ? '/api/wf' : `/as/${role}/api/wf`
}

/** Requests to this endpoint never get a response. */
export const silentEndpoint = '/silent/api/wf'

/** All requests to this endpoint fail. */
export const failingEndpoint = '/failing/api/wf'

/** The initiator's endpoint. Its requests fail after `setFailing(true)`. */
export const unstableEndpoint = '/unstable/api/wf'

/** The administrator's endpoint. Its requests fail after `setFailing(true)`. */
export const unstableAdministrator = `/as/administrator${unstableEndpoint}`

/** Ids of packages, by the state that they show. 999 does not exist. */
export const packages = {
  routing: 42,
  complete: 43,
  void: 44,
  draft: 45,
  waiting: 46,
  bare: 47,
  removed: 48,
  replaced: 49,
} as const

/** Opens the site on a free port of this machine. */
export async function openSite(): Promise<Site> {
  const emulator = createEmulator()
  seed(emulator)
  const proxies = new Map<
    string,
    { readonly proxy: Proxy; readonly listener: ReturnType<typeof createListener> }
  >()
  const proxyAt = (basePath: string) => {
    const role = /^\/as\/(\w+)\//.exec(basePath)?.[1] ?? 'initiator'
    const univid = people[role as Role] as string | undefined
    const admins = adminsPolicy([people.administrator])
    const proxy = createProxy({
      lists: {},
      ...overEmulator(emulator),
      basePath,
      identity: {
        identify: () => (univid === undefined ? null : { univid }),
        // The host of the examples lets everyone but the outsider list the shares, and the administrator change them.
        policy: (question) =>
          (question.operation === 'getShares' && univid !== people.outsider) ||
          (univid === people.administrator && /Override|Share|File/.test(question.operation)) ||
          admins(question),
      },
      operations: everyOperation,
      runtime: nodeRuntime({ fetch: emulator.fetch }),
    })
    return { proxy, listener: createListener(proxy) }
  }

  let page = ''
  let isFailing = false
  const server = await listen(
    (request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      const basePath = /^(?:\/\w+)*\/api\/wf(?=\/)/.exec(path)?.[0]
      // A stream for each endpoint would use all connections that a browser opens to one host.
      if (path.endsWith('/events')) return void response.writeHead(404).end()
      if (basePath === failingEndpoint || (isFailing && basePath?.endsWith(unstableEndpoint)))
        return void response.writeHead(500).end()
      if (basePath !== undefined) {
        const found = proxies.get(basePath) ?? proxyAt(basePath)
        proxies.set(basePath, found)
        return found.listener(request, response)
      }
      const script = path.endsWith('.js') ? distFile(path) : undefined
      if (script) return void response.setHeader('Content-Type', 'text/javascript').end(script)
      if (path === '/page') return void response.setHeader('Content-Type', 'text/html').end(page)
      // Browsers request an icon by default.
      response.writeHead(path === '/favicon.ico' ? 204 : 404).end()
    },
    0,
    '',
  )

  return {
    url: server.url.replace(/\/$/, ''),
    emulator,
    show: (body, { head = '', html = 'lang="en"' } = {}) => {
      page = `<!doctype html><html ${html}><head><meta charset="utf-8"><title>A page</title>
        <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
        ${head}</head><body>${body}</body></html>`
    },
    setFailing: (value) => {
      isFailing = value
    },
    close: async () => {
      await Promise.all([...proxies.values()].map(({ proxy }) => proxy.close()))
      await server.close()
    },
  }
}

/** Returns the file of dist/ for a path below any folder: `/assets/0.1.0/locales/es.js` is `locales/es.js`. */
export function distFile(path: string): Buffer | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '..')
  for (const index of steps.keys()) {
    const file = new URL(steps.slice(index).join('/'), dist)
    if (existsSync(file)) return readFileSync(file)
  }
  return undefined
}

function seed(emulator: Emulator): void {
  const {
    packages: { test },
  } = emulator
  const first = test.get(packages.routing)
  if (!first) throw new Error('The emulator has no package 42')
  const inState = (id: number, state: PackageState, more: object = {}) =>
    test.set(id, { ...structuredClone(first), id, state, inbox: [], ...more })
  inState(packages.complete, 'COMPLETE')
  inState(packages.void, 'VOID', { voidReason: 'INCORRECT_FORM', heldState: 'ROUTING' })
  inState(packages.draft, 'DRAFT')
  inState(packages.waiting, 'PRE_ROUTING')
  inState(packages.bare, 'PRE_ROUTING', { history: [] })
  const removal = {
    class: 'remove',
    actionDate: first.routingDate,
    person: null,
    stop: null,
    signature: null,
  }
  inState(packages.removed, 'PRE_ROUTING', { isRemoved: true, history: [...first.history, removal] })
  // One that the inboxes do not show yet, and one of a later stop.
  const overrides = [
    replace(people.firstApprover, people.viewer),
    replace(people.secondApprover, people.outsider, 'CHANGE'),
  ]
  inState(packages.replaced, 'ROUTING', { inbox: first.inbox, overrides })

  const [itinerary = '', receipt = ''] = storeFiles({ emulator }, [
    ...sampleFiles,
    { filename: 'a thesis that expired.pdf', age: 40 },
  ])
  share({ emulator }, 'partner-app', null, 9)
  share({ emulator }, 'storage-admin', itinerary, 4)
  share({ emulator }, 'storage-admin', receipt, 2)

  const texts = ['The grant allows it.', 'Please add the receipt.', 'Done, thank you. '.repeat(90)]
  first.comments.push(
    ...Array.from({ length: 9 }, (_, index) => ({
      id: 300 + index,
      comment: texts[index % texts.length] ?? '',
      approversOnly: index === 4,
      createdAt: `2026-11-17T10:0${index}:00`,
      person: index % 2 ? people.firstApprover : people.initiator,
      state: index === 5 ? ('INACTIVE' as const) : ('ACTIVE' as const),
    })),
  )
  const facts = { contentType: 'application/pdf', fileSize: 48_213, object: 'seed' }
  first.attachments.push(
    ...[1, 99].map((type) => ({
      id: 500 + type,
      type,
      fileName: type === 1 ? 'itinerary.pdf' : 'notes, of a retired attachment type.pdf',
      description: type === 1 ? 'With the change of 14 November' : '',
      person: people.initiator,
      uploadTimestamp: '2026-11-16T09:40:00',
      ...facts,
    })),
  )
}
