import type { ServerResponse } from 'node:http'
import { listen } from '../../src/cli/listen.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import type { Field } from '../../src/emulator/state/stored-forms.ts'
import type { StoredPackage } from '../../src/emulator/state/stored-packages.ts'
import { personaCookie } from '../../src/proxy/identity/identity.ts'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { builtScript } from '../e2e/site.ts'
import { overEmulator, requestOf } from '../proxy/mount.ts'
import type { ExpectedPage, Run } from './expected.ts'

const formId = 7001

/** The site of one run: its page, with a proxy and an emulator that has the form of the page. */
export interface ForeignSite {
  /** Address of the page. */
  readonly url: string
  /** University ids of all people, by name. */
  readonly people: ReadonlyMap<string, string>
  /** All requests of the form, oldest first. */
  readonly packages: () => readonly StoredPackage[]
  /** Whether a request of the page is in progress. The stream of live events does not count. */
  readonly isBusy: () => boolean
  /** From now on, the service, or a server before the proxy, responds with this status to all requests. */
  readonly respond: (by: 'service' | 'front', status: number | 'ok') => void
  readonly close: () => Promise<void>
}

/** Returns the type and the content of a file at a path; `undefined` if there is none. */
export type FindFile = (path: string) => readonly [type: string, content: string | Buffer] | undefined

/**
 * Starts a site. `html` is the source of the page, which is served with the values of this site. `findFile` adds files to those of
 * the build.
 */
export async function startForeignSite(
  { fields, subTypes = [] }: ExpectedPage,
  { service }: Run,
  html: string,
  findFile: FindFile = () => undefined,
): Promise<ForeignSite> {
  const emulator = createEmulator()
  const travel = emulator.forms.test.get(6025)!
  const destination = { type: 'PERSON', univid: '10000002', permission: 'SIGNATURE_REQUIRED' } as const
  emulator.forms.test.set(formId, {
    ...travel,
    id: formId,
    name: 'Foreign page',
    fields: Object.entries(fields).map(([naturalKey, kind]): Field => ({
      naturalKey,
      kind: kind.replace('!', '') as Field['kind'],
      required: kind.endsWith('!'),
    })),
    subTypes,
    attachmentTypes: [],
    route: [{ name: 'Department', destinations: [destination] }],
  })
  const people = new Map(
    [...emulator.people.values()].map(({ displayName, univid }) => [displayName ?? '', univid ?? '']),
  )

  const statuses: Record<'service' | 'front', number | 'ok'> = { service: 'ok', front: 'ok' }
  const proxy = createProxy({
    ...overEmulator(emulator),
    forms: [formId],
    identity: { identify: personaCookie([...people.values()]) },
    runtime: nodeRuntime({
      fetch: async (input, init) =>
        statuses.service === 'ok'
          ? await emulator.fetch(input, init)
          : Response.json({ title: 'Refused', status: statuses.service }, { status: statuses.service }),
    }),
  })
  const packageId = service ? await createPackage() : ''
  const page = html.replaceAll('{{form-id}}', String(formId)).replaceAll('{{package-id}}', String(packageId))

  async function createPackage(): Promise<number> {
    const entry = { ...Object.fromEntries(Object.keys(fields).map((key) => [key, null])), ...service }
    const json = { state: 'PRE_ROUTING', entry }
    const path = `/forms/${formId}/packages`
    const response = await proxy(requestOf(path, { as: 'initiator', method: 'POST', json }))
    if (!response.ok) throw new Error(`The service refused the entry: ${await response.text()}`)
    return ((await response.json()) as { readonly id: number }).id
  }

  const api = createListener(proxy)
  const open = new Set<ServerResponse>()
  const server = await listen(
    (request, response) => {
      const path = (request.url ?? '').replace(/[?#].*/, '')
      if (!path.startsWith('/api/wf/events')) {
        open.add(response)
        response.once('close', () => open.delete(response))
      }
      if (path.startsWith('/api/wf/')) {
        if (statuses.front === 'ok') return api(request, response)
        response.writeHead(statuses.front, { 'Content-Type': 'text/html' })
        return response.end('<!doctype html><title>Blocked</title><p>This request was blocked.')
      }
      const [type, content] = path.startsWith('/dist/')
        ? (builtScript(path.slice('/dist/'.length)) ?? [])
        : (findFile(path) ?? [
            'text/html',
            path === '/page' ? page : '<!doctype html><title>Another page</title>',
          ])
      if (type) response.setHeader('Content-Type', `${type}; charset=utf-8`).end(content)
      else response.writeHead(404).end()
    },
    0,
    '',
  )
  return {
    url: `http://127.0.0.1:${server.port}/page`,
    people,
    packages: () => [...emulator.packages.test.values()].filter((each) => each.formId === formId),
    isBusy: () => open.size > 0,
    respond: (by, status) => (statuses[by] = status),
    close: async () => {
      await proxy.close()
      await server.close()
    },
  }
}
