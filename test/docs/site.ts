import { existsSync, readFileSync } from 'node:fs'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { listen } from '../../src/cli/listen.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import type { PackageState } from '../../src/contract/values.ts'
import { adminsPolicy } from '../../src/proxy/rights/admins-policy.ts'
import { createProxy, type Proxy } from '../../src/proxy/proxy.ts'
import { everyOperation, overEmulator, people, type Role } from '../proxy/mount.ts'

const dist = new URL('../../dist/', import.meta.url)

/** A site as docs/ speaks of it: the built scripts, pages, and the proxy in front of an emulator of its own. */
export interface Site {
  /** Without a slash at its end. */
  readonly url: string
  readonly emulator: Emulator
  /** Body of the page at `/page`, and what stands in its head and on its `html`. */
  show: (body: string, options?: { readonly head?: string; readonly html?: string }) => void
  /** From now on nothing succeeds below `wornEndpoint`, or all does again. */
  readonly wear: (isWorn: boolean) => void
  readonly close: () => Promise<void>
}

/** Below `/api/wf` answers the proxy for the initiator of package 42; for others below `/as/ROLE/api/wf`. */
export function endpointAs(role: Role | 'nobody'): string {
  return role === 'initiator' ? '/api/wf' : `/as/${role}/api/wf`
}

/** For pages that let nothing below it be answered. */
export const silentEndpoint = '/silent/api/wf'

/** Below this endpoint everything fails. */
export const failingEndpoint = '/failing/api/wf'

/** Below this endpoint answers the proxy for the initiator, until `wear` is called. */
export const wornEndpoint = '/worn/api/wf'

/** Packages by what they are there to show; 999 does not exist. */
export const packages = {
  routing: 42,
  complete: 43,
  void: 44,
  draft: 45,
  waiting: 46,
  bare: 47,
  removed: 48,
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
    const proxy = createProxy({
      ...overEmulator(emulator),
      basePath,
      identify: () => (univid === undefined ? null : { univid }),
      policy: adminsPolicy([people.administrator]),
      operations: everyOperation,
      runtime: nodeRuntime({ fetch: emulator.fetch }),
    })
    return { proxy, listener: createListener(proxy) }
  }

  let page = ''
  let isWorn = false
  const server = await listen(
    (request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      const basePath = /^(?:\/\w+)*\/api\/wf(?=\/)/.exec(path)?.[0]
      // A stream for each endpoint would take all connections that a browser has for one host.
      if (path.endsWith('/events')) return void response.writeHead(404).end()
      if (basePath === failingEndpoint || (isWorn && basePath === wornEndpoint))
        return void response.writeHead(500).end()
      if (basePath !== undefined) {
        const found = proxies.get(basePath) ?? proxyAt(basePath)
        proxies.set(basePath, found)
        return found.listener(request, response)
      }
      const script = path.endsWith('.js') ? distFile(path) : undefined
      if (script) return void response.setHeader('Content-Type', 'text/javascript').end(script)
      if (path === '/page') return void response.setHeader('Content-Type', 'text/html').end(page)
      // A browser asks for it by itself.
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
    wear: (value) => {
      isWorn = value
    },
    close: async () => {
      await Promise.all([...proxies.values()].map(({ proxy }) => proxy.close()))
      await server.close()
    },
  }
}

/** A file of dist/, wherever a page takes dist/ to be: `/assets/0.1.0/locales/es.js` is `locales/es.js`. */
export function distFile(path: string): Buffer | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '..')
  for (const index of steps.keys()) {
    const file = new URL(steps.slice(index).join('/'), dist)
    if (existsSync(file)) return readFileSync(file)
  }
  return undefined
}

function seed({ packages: { test } }: Emulator): void {
  const first = test.get(packages.routing)
  if (!first) throw new Error('The emulator has no package 42')
  const inState = (id: number, state: PackageState, more: object = {}) =>
    test.set(id, { ...structuredClone(first), id, state, inbox: [], ...more })
  inState(packages.complete, 'COMPLETE')
  inState(packages.void, 'VOID', { voidReason: 'INCORRECT_FORM', heldState: 'ROUTING' })
  inState(packages.draft, 'DRAFT')
  inState(packages.waiting, 'PRE_ROUTING')
  inState(packages.bare, 'PRE_ROUTING', { history: [] })
  inState(packages.removed, 'PRE_ROUTING', { isRemoved: true })

  const said = ['The grant allows it.', 'Please add the receipt.', 'Done, thank you. '.repeat(90)]
  first.comments.push(
    ...Array.from({ length: 9 }, (_, index) => ({
      id: 300 + index,
      comment: said[index % said.length] ?? '',
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
      fileName: type === 1 ? 'itinerary.pdf' : 'notes, of an attachment type that is no more.pdf',
      description: type === 1 ? 'With the change of 14 November' : '',
      person: people.initiator,
      uploadTimestamp: '2026-11-16T09:40:00',
      ...facts,
    })),
  )
}
