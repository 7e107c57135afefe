import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AllowedActions } from '../../src/contract/schemas/session.ts'
import type { Attachment } from '../../src/contract/schemas/attachments.ts'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import type { Policy } from '../../src/proxy/rights/policy.ts'
import { connectionOf } from '../../src/proxy/http/connection.ts'
import { everyOperation, people, requestOf, type Role, setUp, type SetUp } from './mount.ts'
import { until } from './until.ts'

const package42 = '/forms/6025/packages/42'
const allFlags = {
  ...{ canView: true, canEdit: true, canSign: true, canVoid: true },
  ...{ canInitiatorVoid: true, canAddApprover: true, canVoidAfter: true },
}
const pdf = new File(['%PDF-1.7\n%%EOF\n'], 'itinerary.pdf', { type: 'application/pdf' })

/** A policy that allows everything to the administrator. */
const administrators: Policy = ({ person }) => person.univid === people.administrator

describe('createProxy()', () => {
  it('refuses parameters that an operation does not have, before any call (T14)', async () => {
    const { request, journal } = setUp()
    for (const path of ['/session', package42, `${package42}/history`, `${package42}/attachments/types`]) {
      for (const parameter of ['as=10000009', 'bypass=true', 'expiresIn=7d']) {
        const { status } = await request(`${path}?${parameter}`, { as: 'initiator' })
        assert.equal(status, 400, `${path}?${parameter}`)
      }
    }
    assert.equal(journal.length, 0)
  })

  describe('operations that the service authorizes', () => {
    for (const path of [
      '',
      '/history',
      '/future_history',
      '/comments',
      '/entry',
      '/attachments',
      '/attachments/types',
      '/pdf?includeRouting=true',
    ]) {
      it(`are available to approvers but not to outsiders: ${path || 'the package'}`, async () => {
        const { request } = setUp()
        for (const as of ['initiator', 'firstApprover'] as const) {
          assert.equal((await request(package42 + path, { as })).status, 200)
        }
        assert.equal((await request(package42 + path, { as: 'outsider' })).status, 403)
      })
    }

    it('contain contact details only of people who are not restricted (T30)', async () => {
      const initiator = async (personFields: 'common' | 'extended', directoryRestricted: boolean) => {
        const { request, emulator } = setUp({ emulator: { specOptions: { personFields } } })
        Object.assign(emulator.people.get(people.initiator)!, { directoryRestricted })
        const found = (await (await request(package42, { as: 'firstApprover' })).json()) as {
          initiator: object
        }
        assert.match(JSON.stringify(found.initiator), /Amara Okafor/)
        return JSON.stringify(found.initiator)
      }
      assert.match(await initiator('extended', false), /amara-okafor@.*aokafor/)
      assert.doesNotMatch(await initiator('extended', true), /@|aokafor/)
      // The service sends no such mark here.
      assert.doesNotMatch(await initiator('common', false), /@/)
    })
  })

  describe('a package', () => {
    const detailsOf = async (details: string) => {
      const { request, emulator } = setUp()
      emulator.packages.test.get(42)!.packageDetails = details
      const response = await request(package42, { as: 'initiator' })
      assert.equal(response.status, 200)
      return ((await response.json()) as Package).emailContent?.packageDetails
    }

    it('has only HTML that is allowed in e-mails, whoever wrote it (T19)', async () => {
      const hostile = '<p onclick="x()">Bring <b>boots</b><script>alert(1)</script><img src=x onerror=y></p>'
      assert.equal(await detailsOf(hostile), '<p>Bring <b>boots</b></p>')
      assert.equal(await detailsOf('<script>alert(1)</script>'), null)
    })

    it('has no details that are too long (T23)', async () => {
      const lengthOf = async (html: string) => (await detailsOf(html))?.length
      assert.equal(await lengthOf('x'.repeat(20_000)), 20_000)
      assert.equal(await lengthOf('x'.repeat(20_001)), undefined)
    })
  })

  describe('tools without a flag', () => {
    const tools = [
      ['unvoid', 'VOID', undefined],
      ['restart', 'ROUTING', undefined],
      ['return', 'COMPLETE', { univid: people.firstApprover }],
      ['remove', 'ROUTING', undefined],
      ['returnToInitiator', 'ROUTING', { comment: 'Please add the receipt.' }],
    ] as const

    for (const [tool, state, json] of tools) {
      it(`are denied without a policy, and call no service: ${tool} (T4)`, async () => {
        const { request, journal } = setUp()
        for (const as of Object.keys(people) as Role[]) {
          const { status } = await request(`${package42}/${tool}`, { as, method: 'PUT', json })
          assert.equal(status, 403)
        }
        assert.equal(journal.length, 0)
      })

      it(`run only for people that the policy allows: ${tool} (T4)`, async () => {
        for (const as of Object.keys(people) as Role[]) {
          const { request, emulator, mutations } = setUp({ identity: { policy: administrators } })
          Object.assign(emulator.packages.test.get(42)!, { state, heldState: 'ROUTING' })
          const { status } = await request(`${package42}/${tool}`, { as, method: 'PUT', json })
          assert.equal(status, as === 'administrator' ? 200 : 403, as)
          assert.equal(mutations().length, as === 'administrator' ? 1 : 0)
        }
      })

      it(`do not run in a state from which they cannot start: ${tool}`, async () => {
        const { request, emulator, mutations } = setUp({ identity: { policy: administrators } })
        Object.assign(emulator.packages.test.get(42)!, { state: 'DRAFT' })
        const { status } = await request(`${package42}/${tool}`, { as: 'administrator', method: 'PUT', json })
        assert.equal(status, 409)
        assert.equal(mutations().length, 0)
      })
    }

    it('do not reveal which packages exist to people that the policy does not allow (T4)', async () => {
      const { request } = setUp({ identity: { policy: administrators }, operations: everyOperation })
      const problemOf = async (packageId: number, tool: string, method = 'PUT') => {
        const response = await request(`/forms/6025/packages/${packageId}/${tool}`, {
          as: 'outsider',
          method,
        })
        return { ...((await response.json()) as { status: number }), requestId: '' }
      }
      for (const [tool, method] of [
        ['restart', 'PUT'],
        ['overrides', 'GET'],
        ['notification_locks/1', 'DELETE'],
      ] as const) {
        const found = await problemOf(42, tool, method)
        assert.deepEqual(await problemOf(987_654, tool, method), found, tool)
        assert.equal(found.status, 403)
      }
    })

    it('require that the policy returns true, and are denied if it fails', async () => {
      const policies: readonly (() => unknown)[] = [
        () => 'yes',
        () => 1,
        () => undefined,
        () => ({}),
        () => {
          throw new Error('the directory is down')
        },
        () => Promise.reject(new Error('the directory is down')),
      ]
      for (const policy of policies) {
        const { request, mutations } = setUp({ identity: { policy: policy as Policy } })
        const { status } = await request(`${package42}/restart`, { as: 'administrator', method: 'PUT' })
        assert.ok(status === 403 || status === 500, String(status))
        assert.equal(mutations().length, 0)
      }
    })

    it('are listed among the allowed actions exactly if they may run', async () => {
      const offered = async (as: Role, state: string, policy?: Policy) => {
        const { request, emulator } = setUp({ identity: policy ? { policy } : {} })
        Object.assign(emulator.packages.test.get(42)!, { state })
        const response = await request('/forms/6025/packages/actions?id=42', { as })
        return ((await response.json()) as AllowedActions[])[0]?.tools
      }
      assert.deepEqual(await offered('initiator', 'ROUTING'), ['voidPackage'])
      assert.deepEqual(await offered('secondApprover', 'ROUTING'), [])
      assert.deepEqual(await offered('initiator', 'COMPLETE'), [])
      assert.deepEqual(await offered('administrator', 'ROUTING', administrators), [
        'voidPackage',
        'restartPackage',
        'removePackage',
        'returnToInitiator',
      ])
      assert.deepEqual(await offered('administrator', 'COMPLETE', administrators), [
        'voidPackage',
        'returnPackage',
        'removePackage',
      ])
      assert.deepEqual(await offered('administrator', 'VOID', administrators), [
        'unvoidPackage',
        'removePackage',
      ])
      assert.deepEqual(await offered('administrator', 'DRAFT', administrators), [])
      assert.deepEqual(await offered('outsider', 'ROUTING', administrators), [])
    })
  })

  describe('entry data', () => {
    const update = async (options: SetUp, as: Role, json: unknown, version = '1.1') => {
      const mount = setUp(options)
      const found = mount.emulator.packages.test.get(42)!
      found.packageDetails = '<p>What was there before</p>'
      const entry = structuredClone(found.entry)
      const response = await mount.request(`${package42}/entry`, {
        as,
        method: 'PUT',
        json: typeof json === 'function' ? (json as (entry: object) => unknown)(entry) : json,
        headers: { accept: `application/vnd.workflow+json;version=${version}` },
      })
      return { ...mount, response }
    }

    it('can be changed only by people who may edit the package (T4)', async () => {
      for (const [as, status] of [
        ['firstApprover', 200],
        ['administrator', 200],
        ['initiator', 403],
        ['viewer', 403],
        ['outsider', 403],
      ] as const) {
        const { response, mutations } = await update({}, as, (entry: object) => ({ entry }))
        assert.equal(response.status, status, as)
        assert.equal(mutations().length, status === 200 ? 1 : 0)
      }
    })

    describe('read with bypass', () => {
      const bypassHeader = 'x-workflow-bypass-authorization'
      /** Reads the entry of package 42. Returns the status, and the calls for the entry: with bypass or without. */
      const read = async (as: Role, options: SetUp = {}, change: object = {}) => {
        const { request, emulator, journal } = setUp(options)
        Object.assign(emulator.packages.test.get(42)!, change)
        const { status } = await request(`${package42}/entry`, { as })
        const calls = journal.filter(({ url }) => url.endsWith('/entry'))
        return { status, bypasses: calls.map(({ headers }) => headers.get(bypassHeader) === 'true'), journal }
      }

      it('is for the people whom the service refuses although they may edit, and for no others (T4)', async () => {
        for (const [as, state, status, bypasses] of [
          ['administrator', 'ROUTING', 200, [false, true]],
          ['administrator', 'PRE_ROUTING', 200, [false, true]],
          // Nobody may edit these, so an administrator need not read them.
          ['administrator', 'COMPLETE', 403, [false]],
          ['administrator', 'VOID', 403, [false]],
          ['outsider', 'ROUTING', 403, [false]],
          ['outsider', 'PRE_ROUTING', 403, [false]],
          ['initiator', 'ROUTING', 200, [false]],
          ['firstApprover', 'ROUTING', 200, [false]],
          ['viewer', 'ROUTING', 200, [false]],
        ] as const) {
          const found = await read(as, {}, { state })
          assert.deepEqual([found.status, found.bypasses], [status, bypasses], `${as}, ${state}`)
        }
      })

      it('is not for an administrator whose access an override removes (T4)', async () => {
        for (const type of ['CHANGE', 'DELEGATE'] as const) {
          const override = {
            subjectUnivid: people.administrator,
            type,
            reason: 'CONFLICT_OF_INTEREST',
            replacementUnivid: people.outsider,
          }
          const { status, bypasses } = await read('administrator', {}, { overrides: [override] })
          assert.deepEqual([status, bypasses], [403, [false]], type)
        }
      })

      it('needs one clear row of flags, read without bypass, and the package of this form (T5)', async () => {
        const { journal, bypasses } = await read('administrator')
        assert.deepEqual(bypasses, [false, true])
        for (const { url, headers } of journal)
          if (!url.endsWith('/entry')) assert.equal(headers.get(bypassHeader), null, url)
        const yes = { ...allFlags, packageId: 42, signatureId: null }
        for (const rows of [[], [yes, yes], [{ ...yes, packageId: 43 }], [{ ...yes, canEdit: 'true' }]]) {
          const intercept: SetUp['intercept'] = (sent, emulator) =>
            sent.url.includes('/actions') ? Response.json(rows) : emulator.fetch(sent)
          const found = await read('administrator', { intercept })
          assert.deepEqual([found.status, found.bypasses], [403, [false]], JSON.stringify(rows))
        }
        const intercept: SetUp['intercept'] = (sent, emulator) =>
          sent.url.endsWith('/packages/42') ? new Response(null, { status: 404 }) : emulator.fetch(sent)
        const elsewhere = await read('administrator', { intercept })
        assert.deepEqual([elsewhere.status, elsewhere.bypasses], [404, [false]])
      })

      it('does not turn a failure of the service into a refusal', async () => {
        for (const path of ['/actions', '/entry']) {
          const intercept: SetUp['intercept'] = (sent, emulator) =>
            sent.url.includes(path) ? new Response(null, { status: 500 }) : emulator.fetch(sent)
          const { status, bypasses } = await read('administrator', { intercept })
          assert.deepEqual([status, bypasses], [502, [false]], path)
        }
      })
    })

    it('are available in both versions', async () => {
      const { response } = await update({}, 'administrator', (entry: object) => entry, '1.0')
      assert.equal(response.status, 200)
      assert.equal(((await response.json()) as { nights: number }).nights, 4)
    })

    it('return the errors by field if they are not valid (F19)', async () => {
      const { response } = await update({}, 'administrator', (entry: object) => ({
        entry: { ...entry, nights: 'four' },
      }))
      assert.equal(response.status, 422)
      assert.deepEqual(((await response.json()) as { errors: unknown }).errors, {
        "entry['nights']": ['validation.badAnswerType'],
      })
    })

    it('contain only HTML that is allowed in e-mails when they are sent (T19)', async () => {
      const { response, emulator } = await update(
        { identity: { policy: () => true } },
        'administrator',
        (entry: object) => ({
          entry,
          emailContent: { packageDetails: '<p onclick="x()">Hello<script>alert(1)</script></p>' },
        }),
      )
      assert.equal(response.status, 200)
      assert.equal(emulator.packages.test.get(42)?.packageDetails, '<p>Hello</p>')
    })

    it('are refused if sanitizing makes their HTML longer than allowed (T19)', async () => {
      const put = (html: string) =>
        update({ identity: { policy: () => true } }, 'administrator', (entry: object) => ({
          entry,
          emailContent: { packageDetails: html },
        }))
      const fits = `${'&'.repeat(3999)}xxxxx`
      assert.equal((await put(fits)).response.status, 200)
      const stored = (await put(fits)).emulator.packages.test.get(42)?.packageDetails ?? ''
      assert.equal(stored.length, 20_000)
      for (const html of [
        `${fits}x`,
        '<'.repeat(20_000),
        '&'.repeat(20_000),
        '<a href=https://a.example>x</a>'.repeat(600),
      ]) {
        const { response, mutations } = await put(html)
        assert.equal(response.status, 422, html.slice(0, 10))
        assert.equal(mutations().length, 0)
      }
    })

    it('are refused if sanitizing leaves nothing, which would clear the stored value (T19)', async () => {
      for (const html of ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<p>&nbsp;</p>']) {
        const { response, mutations } = await update(
          { identity: { policy: () => true } },
          'administrator',
          (entry: object) => ({
            entry,
            emailContent: { packageDetails: html },
          }),
        )
        assert.equal(response.status, 422, html)
        assert.equal(mutations().length, 0)
      }
      const { emulator } = await update(
        { identity: { policy: () => true } },
        'administrator',
        (entry: object) => ({
          entry,
          emailContent: { packageDetails: '' },
        }),
      )
      assert.equal(emulator.packages.test.get(42)?.packageDetails, null)
    })

    it('are refused if they are too deep, contain a prototype field or are compressed (T23)', async () => {
      const { request, mutations } = setUp()
      const send = async (body: string, headers: Record<string, string> = {}) =>
        (
          await request(`${package42}/entry`, {
            as: 'administrator',
            method: 'PUT',
            body,
            headers: { 'content-type': 'application/json', ...headers },
          })
        ).status
      assert.equal(await send(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), 400)
      assert.equal(await send('{"a":{"__proto__":{"x":1}}}'), 400)
      assert.equal(await send('{"a":1}', { 'content-encoding': 'gzip' }), 415)
      assert.equal(mutations().length, 0)
      assert.equal(await send('{"a":1}', { 'content-encoding': 'Identity' }), 422, 'the service decides')
      // Brackets in text do not count as depth.
      assert.notEqual(await send(JSON.stringify({ purpose: '['.repeat(100) + '\\"' })), 400)
    })
  })

  describe('attachments', () => {
    const attach = (
      mount: ReturnType<typeof setUp>,
      type: number,
      file: File,
      description?: string,
      as: Role = 'initiator',
    ) => {
      const body = new FormData()
      if (description !== undefined) body.append('description', description)
      body.append('file', file)
      return mount.request(`${package42}/attachments/types/${type}`, { as, method: 'POST', body })
    }

    it('are uploaded with a description and downloaded with headers of the proxy (T16)', async () => {
      const mount = setUp()
      const uploaded = await attach(mount, 1, pdf, 'Both ways\u202e')
      assert.equal(uploaded.status, 200)
      const { id, description } = (await uploaded.json()) as Attachment
      assert.equal(description, 'Both ways')
      const response = await mount.request(`${package42}/attachments/${id}`, {
        as: 'firstApprover',
        headers: { 'x-routeslip': null },
      })
      assert.deepEqual(Object.fromEntries(response.headers), {
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="itinerary.pdf"; filename*=UTF-8''itinerary.pdf`,
        'content-length': '15',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-type': 'application/pdf',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        vary: 'Cookie, Authorization, Origin',
        'x-content-type-options': 'nosniff',
        'x-routeslip': '1',
      })
      assert.equal(await response.text(), await pdf.text())
    })

    it('must match the requirements of their type (T22)', async () => {
      const mount = setUp()
      const text = new File(['hello'], 'notes.txt', { type: 'text/plain' })
      assert.equal((await attach(mount, 1, text)).status, 415)
      assert.equal(
        (await attach(mount, 1, new File(['hello'], 'a.pdf', { type: 'application/pdf' }))).status,
        415,
      )
      assert.equal(mount.mutations().length, 0)
      assert.equal((await attach(mount, 3, text)).status, 200)
    })

    it('must have a type of the form (T6)', async () => {
      const mount = setUp()
      for (const type of [11, 99]) assert.equal((await attach(mount, type, pdf)).status, 404)
      assert.equal(mount.mutations().length, 0)
    })

    it('are available only below their own package (T6)', async () => {
      const mount = setUp()
      const { id } = (await (await attach(mount, 1, pdf)).json()) as Attachment
      const other = { ...mount.emulator.packages.test.get(42)!, id: 43, attachments: [], inbox: [] }
      mount.emulator.packages.test.set(43, other)
      const before = mount.journal.length
      const response = await mount.request(`/forms/6025/packages/43/attachments/${id}`, { as: 'initiator' })
      assert.equal(response.status, 404)
      const sent = mount.journal.slice(before).map(({ url }) => url)
      assert.deepEqual(
        sent.filter((url) => url.endsWith(`/attachments/${id}`)),
        [],
      )
    })

    it('include a PDF of the package, but never an HTML page in its place', async () => {
      const { request } = setUp()
      const response = await request(`${package42}/pdf`, {
        as: 'initiator',
        headers: { 'x-routeslip': null },
      })
      assert.match(response.headers.get('content-disposition') ?? '', /package-42\.pdf/)
      assert.match(await response.text(), /^%PDF-/)
      const page = setUp({
        intercept: () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } }),
      })
      assert.equal((await page.request(`${package42}/pdf`, { as: 'initiator' })).status, 502)
    })
  })

  describe('stored files', () => {
    it('can be renamed and described by their owner, but keep their extension (T13)', async () => {
      const { request, upload, emulator } = setUp()
      const { uuid } = await upload('initiator', { metadata: { purpose: 'travel' } })
      const change = (json: unknown, as: Role = 'initiator') =>
        request(`/files/${uuid}/meta`, { as, method: 'PUT', json })
      assert.equal((await change({ filename: 'b.txt', metadata: { purpose: null } })).status, 200)
      assert.equal((await change({ filename: 'b.html' })).status, 422)
      assert.equal((await change({ metadata: { 'routeslip-owner': null } })).status, 422)
      assert.equal((await change({ metadata: { ' Routeslip-Owner': '10000008' } })).status, 422)
      assert.equal((await change({ filename: 'c.txt' }, 'outsider')).status, 404)
      const { filename, metadata } = emulator.files.test.get(uuid)!.asset
      assert.deepEqual(
        { filename, metadata },
        { filename: 'b.txt', metadata: { 'routeslip-owner': people.initiator } },
      )
    })

    it('expire after the maximum lifetime of the host or earlier (T13)', async () => {
      const { request, upload, emulator } = setUp({ limits: { maxExpiresIn: 3600 } })
      const { uuid } = await upload('initiator')
      assert.notEqual(emulator.files.test.get(uuid)?.asset.expirationDate, null)
      for (const expiresIn of ['0', 'P1D', '3601']) {
        const { status } = await request(`/files/${uuid}/meta`, {
          as: 'initiator',
          method: 'PUT',
          json: { expiresIn },
        })
        assert.equal(status, 422, expiresIn)
      }
      const { status } = await request(`/files/${uuid}/meta`, {
        as: 'initiator',
        method: 'PUT',
        json: { expiresIn: '30m' },
      })
      assert.equal(status, 200)
    })
  })

  describe('pages on other origins', () => {
    const origin = 'https://forms.northfield.test'
    const from = { origin, 'sec-fetch-site': 'same-site' }

    it('may call and read responses if they are listed', async () => {
      const { request } = setUp({ identity: { origins: [origin] } })
      const preflight = await request(package42, {
        method: 'OPTIONS',
        headers: { ...from, 'x-routeslip': null },
      })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
      const response = await request(package42, { as: 'initiator', headers: from })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('access-control-allow-origin'), origin)
      assert.equal(response.headers.get('access-control-allow-credentials'), 'true')
      assert.equal(
        response.headers.get('access-control-expose-headers'),
        'Retry-After, x-routeslip, x-routeslip-person, x-routeslip-event, idempotency-replayed',
      )
      // Errors are readable, too.
      const refused = await request(package42, { as: 'outsider', headers: from })
      assert.equal(refused.headers.get('access-control-allow-origin'), origin)
    })

    it('are refused if they are not listed, omit the header or are opaque (T30)', async () => {
      const { request, journal } = setUp({ identity: { origins: [origin] } })
      for (const headers of [
        { ...from, origin: 'https://evil.northfield.test' },
        { ...from, origin: `${origin}.evil.test` },
        { ...from, origin: 'null' },
        { ...from, 'x-routeslip': null },
        { 'sec-fetch-site': 'same-site' },
      ]) {
        assert.equal(
          (await request(package42, { as: 'initiator', headers })).status,
          403,
          JSON.stringify(headers),
        )
      }
      const foreign = await request(package42, {
        headers: { ...from, origin: 'https://evil.northfield.test' },
      })
      assert.equal(foreign.headers.get('access-control-allow-origin'), null)
      assert.equal(journal.length, 0)
      for (const bad of ['*', 'null', 'https://forms.northfield.test/', 'forms.northfield.test']) {
        assert.throws(() => setUp({ identity: { origins: [bad] } }), RangeError)
      }
    })
  })

  describe('limits and service failures', () => {
    it('limits concurrent requests per person without affecting others (F34)', async () => {
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      const { request } = setUp({
        limits: { requestsPerPerson: 3 },
        intercept: async (request, emulator) => {
          if (request.headers.get('x-workflow-request-user') === people.initiator) await held
          return await emulator.fetch(request)
        },
      })
      const running = [1, 2, 3].map(() => request(package42, { as: 'initiator' }))
      const refused = await request(package42, { as: 'initiator' })
      assert.equal(refused.status, 429)
      assert.equal(refused.headers.get('retry-after'), '1')
      assert.equal((await request(package42, { as: 'firstApprover' })).status, 200)
      release()
      for (const response of await Promise.all(running)) assert.equal(response.status, 200)
      assert.equal((await request(package42, { as: 'initiator' })).status, 200)
    })

    it('counts a request until its response has been sent', async () => {
      const sent: (() => void)[] = []
      const { proxy } = setUp({ limits: { filesPerPerson: 2 } })
      const request = (path: string, { as }: { readonly as: Role }) => {
        const request = requestOf(path, { as })
        return proxy.handle(request, { ...connectionOf(request), onEnd: (done) => void sent.push(done) })
      }
      const pdf = () => request(`${package42}/pdf`, { as: 'initiator' })
      assert.deepEqual([(await pdf()).status, (await pdf()).status, (await pdf()).status], [200, 200, 429])
      // Files have a limit of their own, and other people are not affected.
      assert.equal((await request(package42, { as: 'initiator' })).status, 200)
      assert.equal((await request(`${package42}/pdf`, { as: 'firstApprover' })).status, 200)
      sent[0]?.()
      assert.equal((await pdf()).status, 200)
    })

    it('uses a changed secret as soon as the service refuses the old one (F16)', async (t) => {
      t.mock.method(performance, 'now', () => 0)
      let secret = 'old-secret'
      const { request, emulator } = setUp({
        services: {
          workflow: { baseUrl: 'http://emulator.test/wf', clientId: 'demo-app', clientSecret: () => secret },
        },
      })
      assert.equal((await request(package42, { as: 'initiator' })).status, 502)
      secret = emulator.clients.get('demo-app')!.secret
      assert.equal((await request(package42, { as: 'initiator' })).status, 200)
    })

    it('forwards Retry-After, limited to a minute (F20)', async () => {
      for (const [given, expected] of [
        ['7', '7'],
        ['0', '1'],
        ['999999999', '60'],
        ['-5', '5'],
        ['soon', '5'],
        [new Date(Date.now() + 3_600_000).toUTCString(), '60'],
      ] as const) {
        const { request } = setUp({
          intercept: () => new Response('', { status: 503, headers: { 'retry-after': given } }),
        })
        const response = await request(package42, { as: 'initiator' })
        assert.equal(response.status, 503)
        assert.equal(response.headers.get('retry-after'), expected, given)
      }
    })

    it('applies the body timeout to JSON bodies and to callbacks (T23)', async (t) => {
      const { request } = setUp({ limits: { bodyTimeout: 20 } })
      let isRead = false
      const silent = () => new ReadableStream({ pull: () => void (isRead = true) }, { highWaterMark: 0 })
      const headers = { 'content-type': 'application/json' }
      const call = { as: 'administrator', method: 'PUT', headers } as const
      assert.equal((await request(`${package42}/entry`, { ...call, body: silent() })).status, 408)
      t.mock.timers.enable({ apis: ['setTimeout'] })
      isRead = false
      const response = request('/callbacks', { method: 'POST', body: silent() })
      await until(() => isRead)
      // The default of the receiver is 15 seconds.
      t.mock.timers.tick(20)
      assert.equal((await response).status, 408)
    })

    it('serves the health check and the OpenAPI document to anyone', async () => {
      const { request, journal } = setUp()
      const plain = { headers: { 'x-routeslip': null, 'sec-fetch-site': null } }
      assert.deepEqual(await (await request('/healthz', plain)).json(), { status: 'ok' })
      assert.equal((await request('/openapi.json', plain)).status, 200)
      assert.equal((await request('/metrics', plain)).status, 404)
      assert.equal(journal.length, 0)
    })
  })
})
