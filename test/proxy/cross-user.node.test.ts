import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { personaCookie, personaCookieName } from '../../src/proxy/identity/identity.ts'
import { createListener } from '../../src/proxy/node/listener.ts'
import { createProxy } from '../../src/proxy/mount/proxy.ts'
import { fetchRuntime } from '../../src/proxy/mount/runtime.ts'
import type { Send } from '../../src/proxy/upstream/send.ts'
import { people } from './mount.ts'
import { agreeable, jsonResponse, forEachOf, random, sendRaw, serve, watch } from './oracle.ts'

describe('responses to concurrent people', () => {
  const univids = Array.from({ length: 50 }, (_, index) => String(20_000_001 + index))
  const kinds = [
    '',
    '/history',
    '/comments',
    '/entry',
    '/attachments',
    '/actions',
    '/status',
    '/meta',
  ] as const
  const resources = Array.from({ length: 40 }, (_, index) => ({ kind: kinds[index % 8]!, id: 100 + index }))

  const uuidOf = (id: number) => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
  /** The owner of each file. */
  const ownerOf = (id: number) => univids[id % univids.length]!
  const mayView = (univid: string, id: number) => (Number(univid) + id) % 3 > 0

  function pathOf({ kind, id }: (typeof resources)[number]): string {
    if (kind === '/meta') return `/files/${uuidOf(id)}/meta`
    if (kind === '/actions' || kind === '/status') return `/forms/6025/packages${kind}?id=${id}`
    return `/forms/6025/packages/${id}${kind}`
  }

  /** Services that name the recipient in every response, and respond after random delays. */
  function marking(next: () => number): Send {
    return async ({ url, headers }) => {
      if (next() < 0.5) await new Promise(setImmediate)
      const univid = headers['x-workflow-request-user'] ?? ''
      const path = new URL(url).pathname
      const last = path.slice(path.lastIndexOf('/') + 1)
      const mark = `for-${univid}`
      const uuid = /files\/([^/]+)/.exec(path)?.[1]
      if (uuid !== undefined) {
        const owner = ownerOf(Number(uuid.slice(-12)))
        return jsonResponse({ uuid, filename: `for-${owner}`, metadata: { 'routeslip-owner': owner } })
      }
      const id = Number(/id=(\d+)/.exec(url)?.[1] ?? /packages\/(\d+)/.exec(url)?.[1])
      if (last === 'actions') {
        const flags = ['canEdit', 'canSign', 'canVoid', 'canInitiatorVoid', 'canAddApprover', 'canVoidAfter']
        const bits = flags.map((flag, bit) => [flag, ((Number(univid) >> bit) & 1) === 1] as const)
        const row = { ...Object.fromEntries(bits), canView: mayView(univid, id) }
        return jsonResponse([{ ...row, packageId: id, signatureId: Number(univid) }])
      }
      if (last === 'status') return jsonResponse([{ id, state: mark }])
      if (last === 'history') return jsonResponse([{ '@class': 'initiation', context: mark }])
      if (last === 'comments')
        return jsonResponse([{ id: 1, comment: mark, canDelete: Number(univid) % 2 === 0 }])
      if (last === 'attachments') return jsonResponse([{ id: 1, fileName: mark }])
      if (last === 'entry') return jsonResponse({ purpose: mark })
      return jsonResponse({ id, state: 'ROUTING', voidReason: mark })
    }
  }

  /**
   * Sends requests, many concurrently. Returns the responses that belong to someone else, and the number of the others with
   * content. Sends no more after the first few that belong to someone else.
   */
  async function drive(send: Send, next: () => number, calls: number) {
    const proxy = createProxy({
      env: 'test',
      forms: [6025],
      identity: { identify: personaCookie(univids) },
      runtime: { ...fetchRuntime(), send },
      services: {
        workflow: { baseUrl: 'http://wf.test', clientId: 'demo-app', clientSecret: 'demo-secret' },
        storage: { baseUrl: 'http://fs.test', clientId: 'demo-app', clientSecret: 's', objectOrigins: [] },
      },
    })
    const foreign: string[] = []
    let own = 0
    const turns = Array.from(
      { length: calls },
      () =>
        [
          univids[Math.floor(next() * univids.length)]!,
          resources[Math.floor(next() * resources.length)]!,
        ] as const,
    )
    await forEachOf(turns, 200, async ([univid, resource]) => {
      if (foreign.length >= 5) return
      const headers = {
        cookie: `${personaCookieName}=${univid}`,
        'x-routeslip': '1',
        'sec-fetch-site': 'same-origin',
        // Headers that reveal whether the response is cached for someone else.
        'if-none-match': '*',
      }
      const request = new Request(`https://northfield.test/api/wf${pathOf(resource)}`, { headers })
      const response = await proxy(request)
      const text = await response.text()
      const { kind, id } = resource
      const isThere = kind === '/meta' ? ownerOf(id) === univid : true
      const marks = [...text.matchAll(/for-(\d+)|"signatureId":(\d+)/g)].map(
        ([, mark, signature]) => mark ?? signature,
      )
      const isEmpty = kind === '/status' && !mayView(univid, id)
      const isOwn = isThere
        ? response.status === 200 && (isEmpty ? text === '[]' : marks.length > 0)
        : response.status === 404 && marks.length === 0
      const isNew = response.headers.get('cache-control') === 'no-store' && !response.headers.has('etag')
      if (!isOwn || !isNew || marks.some((mark) => mark !== univid)) {
        foreign.push(`${univid} ${kind} ${response.status}: ${text}`)
      } else if (marks.length > 0) own += 1
    })
    return { foreign, own }
  }

  it('never contain data of another person: 50 people, 40 resources, 10,000 calls (T25)', async () => {
    const next = random(25)
    const { foreign, own } = await drive(marking(next), next, 10_000)
    assert.deepEqual(foreign.slice(0, 5), [])
    assert.ok(own > 7000, String(own))
  })

  it('would, if responses were cached by their address alone (T25)', async () => {
    const next = random(25)
    const sendMarked = marking(next)
    const kept = new Map<string, ReturnType<Send>>()
    const sharing: Send = (request) => {
      const found = kept.get(request.url) ?? sendMarked(request)
      kept.set(request.url, found)
      return found
    }
    assert.notDeepEqual((await drive(sharing, next, 500)).foreign, [])
  })

  it('are not available under an address that looks like a static file (T25)', async () => {
    const mount = watch({ via: agreeable() })
    const node = await serve(createListener(mount.proxy))
    try {
      const cookie = `Cookie: ${personaCookieName}=${people.administrator}\r\n`
      for (const ending of [
        '/x.css',
        '.css',
        ';.css',
        '%2fx.js',
        '%0ax.css',
        '%00.png',
        '#.css',
        '/..%2fx.css',
        '?x.css',
      ]) {
        const path = `/api/wf/forms/6025/packages/42/comments${ending}`
        const headers = { cookie: cookie.slice(8, -2), 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }
        if (!ending.startsWith('#')) {
          const response = await mount.proxy(new Request(`https://northfield.test${path}`, { headers }))
          assert.ok(response.status === 404 || response.status === 400, ending)
          assert.equal(response.headers.get('cache-control'), 'no-store')
        }
        const raw = await sendRaw(
          node.port,
          `GET ${path} HTTP/1.1\r\nHost: x\r\n${cookie}x-routeslip: 1\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n`,
        )
        assert.ok(raw.status === 404 || raw.status === 400, `${ending} ${raw.text}`)
      }
      assert.deepEqual(mount.sent, [])
    } finally {
      await node.close()
    }
  })
})
