import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PagePart, type PagePartHead, pageParts } from '../../src/contract/routes/package-page.ts'
import { type Role, setUp } from './mount.ts'

const package42 = '/forms/6025/packages/42'

/** Where each part is read on its own. */
const paths: Readonly<Record<PagePart, string>> = {
  getActions: '/forms/6025/packages/actions?id=42',
  getSession: '/session',
  getPackage: package42,
  getHistory: `${package42}/history`,
  getFutureHistory: `${package42}/future_history`,
  getComments: `${package42}/comments`,
  getAttachmentTypes: `${package42}/attachments/types`,
  getAttachments: `${package42}/attachments`,
}

const ofPackage = pageParts.filter((part) => part !== 'getActions' && part !== 'getSession')

function pagePath(parts: readonly string[], of = package42): string {
  return `${of}/page?${parts.map((part) => `part=${part}`).join('&')}`
}

interface Part extends PagePartHead {
  readonly body: unknown
}

async function partsOf(response: Response): Promise<readonly Part[]> {
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
  const lines = (await response.text()).split('\n')
  assert.equal(lines.pop(), '', 'ends with a line break')
  const values = lines.map((line) => JSON.parse(line) as unknown)
  return values.flatMap((value, index) =>
    index % 2 === 0 ? { ...(value as PagePartHead), body: values[index + 1] } : [],
  )
}

const namesOf = (parts: readonly Part[]) => parts.map(({ part }) => part)
const statusesOf = (parts: readonly Part[]) =>
  Object.fromEntries(parts.map(({ part, status }) => [part, status]))
const allOf = (names: readonly string[], status: number) =>
  Object.fromEntries(names.map((name) => [name, status]))
const isAbout = (operation: RegExp) => (request: Request) => operation.test(new URL(request.url).pathname)

describe('the page of a package', () => {
  for (const role of ['initiator', 'firstApprover', 'administrator', 'outsider'] satisfies Role[]) {
    it(`has the parts as the ${role} gets them one by one, the rights first`, async () => {
      const { request } = setUp()
      const response = await request(pagePath(pageParts), { as: role })
      assert.equal(response.status, 200)
      const session = (await (await request('/session', { as: role })).json()) as { univid: string }
      assert.equal(response.headers.get('x-routeslip-person'), session.univid)
      const parts = await partsOf(response)
      assert.deepEqual([...namesOf(parts)].sort(), [...pageParts].sort())
      assert.equal(
        namesOf(parts).find((name) => name !== 'getSession'),
        'getActions',
      )
      for (const { part, status, body } of parts) {
        const own = await request(paths[part], { as: role })
        assert.equal(own.status, status, part)
        if (status === 200) assert.deepEqual(body, await own.json(), part)
      }
    })
  }

  it('has only the requested parts, and takes the rights into account once', async () => {
    const { request, journal } = setUp()
    const names = ['getHistory', 'getComments', 'getAttachments', 'getHistory']
    const parts = await partsOf(await request(pagePath(names), { as: 'firstApprover' }))
    assert.deepEqual(statusesOf(parts), allOf(names, 200))
    assert.equal(parts.length, 3)
    assert.equal(journal.filter(isAbout(/\/actions$/)).length, 1)
    assert.equal(journal.filter(isAbout(/\/history$/)).length, 1)
    const one = await partsOf(await request(pagePath(['getPackage']), { as: 'firstApprover' }))
    assert.deepEqual(statusesOf(one), { getPackage: 200 })
  })

  it('does not ask the service about a package that the person may not view', async () => {
    const { request, journal } = setUp()
    const parts = await partsOf(await request(pagePath(pageParts), { as: 'outsider' }))
    assert.deepEqual(statusesOf(parts), { ...allOf(ofPackage, 403), getActions: 200, getSession: 200 })
    assert.deepEqual(journal.filter(isAbout(/\/42\b/)), [])
    // The control: the same request of an approver asks the service.
    await partsOf(await request(pagePath(pageParts), { as: 'firstApprover' }))
    assert.ok(journal.some(isAbout(/\/42\/comments$/)))
  })

  it('does not reveal whether a package exists, as the parts on their own do not', async () => {
    const { request } = setUp()
    const missing = await partsOf(
      await request(pagePath(ofPackage, '/forms/6025/packages/4711'), { as: 'outsider' }),
    )
    for (const { part, status } of missing) {
      const own = await request(paths[part].replace('42', '4711'), { as: 'outsider' })
      assert.equal(status, own.status, part)
    }
    const foreign = await partsOf(
      await request(pagePath(pageParts, '/forms/1/packages/42'), { as: 'outsider' }),
    )
    assert.deepEqual(statusesOf(foreign), { ...allOf([...ofPackage, 'getActions'], 404), getSession: 200 })
  })

  it('sends a part that fails with its status and wait, and the others as usual', async () => {
    const { request } = setUp({
      intercept: (sent, emulator) =>
        isAbout(/\/comments$/)(sent)
          ? new Response(null, { status: 503, headers: { 'retry-after': '7' } })
          : emulator.fetch(sent),
    })
    const own = await request(paths.getComments, { as: 'initiator' })
    const parts = await partsOf(await request(pagePath(pageParts), { as: 'initiator' }))
    const failed = parts.find(({ part }) => part === 'getComments')
    assert.equal(failed?.status, own.status)
    assert.equal(failed?.retryAfter ?? null, own.headers.get('retry-after'))
    assert.deepEqual({ ...statusesOf(parts), getComments: 200 }, allOf(pageParts, 200))
  })

  it('leaves the decision to the service if the rights cannot be read', async () => {
    const { request } = setUp({
      intercept: (sent, emulator) =>
        isAbout(/\/actions$/)(sent) ? new Response(null, { status: 500 }) : emulator.fetch(sent),
    })
    const parts = async (as: Role) =>
      statusesOf(await partsOf(await request(pagePath(['getActions', 'getComments']), { as })))
    assert.equal((await parts('initiator'))['getComments'], 200)
    assert.equal((await parts('outsider'))['getComments'], 403)
  })

  it('sends each part as soon as it is ready', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { request } = setUp({
      intercept: async (sent, emulator) => {
        if (isAbout(/\/history$/)(sent)) await held
        return await emulator.fetch(sent)
      },
    })
    const response = await request(pagePath(['getHistory', 'getComments']), { as: 'initiator' })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (text.split('\n').length < 3) text += (await reader.read()).value ?? ''
    assert.match(text, /^\{"part":"getComments","status":200\}\n\[.*\]\n$/)
    release()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
    }
    assert.match(text, /\n\{"part":"getHistory","status":200\}\n\[.*\]\n$/)
  })

  it('stops calling the services when the browser has left', async () => {
    const aborted: string[] = []
    let begun = () => {}
    const calling = new Promise<void>((resolve) => (begun = resolve))
    const { request } = setUp({
      intercept: (sent, emulator) => {
        if (!isAbout(/\/history$/)(sent)) return emulator.fetch(sent)
        begun()
        return new Promise((_, reject) =>
          sent.signal.addEventListener('abort', () => {
            aborted.push(sent.url)
            reject(sent.signal.reason as Error)
          }),
        )
      },
    })
    const leave = new AbortController()
    const response = await request(pagePath(['getHistory', 'getComments']), {
      as: 'initiator',
      signal: leave.signal,
    })
    await calling
    leave.abort()
    await response.body!.cancel().catch(() => {})
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(aborted.length, 1)
  })

  it('refuses other parameters, other parts and none, before any call', async () => {
    const { request, journal } = setUp()
    for (const search of [
      '',
      '?',
      '?part=',
      '?part=getPdf',
      '?part=voidPackage',
      '?part=getHistory,getComments',
      '?part=getHistory&as=10000009',
      '?parts=getHistory',
      `?${'part=getHistory&'.repeat(9)}`.slice(0, -1),
    ]) {
      const response = await request(`${package42}/page${search}`, { as: 'initiator' })
      assert.equal(response.status, 400, search)
    }
    assert.equal(journal.length, 0)
  })

  it('is for signed-in people and pages of this site', async () => {
    const { request, journal } = setUp()
    assert.equal((await request(pagePath(pageParts))).status, 401)
    const foreign = { 'x-routeslip': null }
    assert.equal((await request(pagePath(pageParts), { as: 'initiator', headers: foreign })).status, 403)
    assert.equal(journal.length, 0)
  })

  it('has no operations that the mount does not serve', async () => {
    const { request } = setUp({ operations: ['getActions', 'getHistory'] })
    const parts = await partsOf(await request(pagePath(pageParts), { as: 'initiator' }))
    const served = { getActions: 200, getHistory: 200, getSession: 200 }
    assert.deepEqual(statusesOf(parts), { ...allOf(pageParts, 404), ...served })
  })
})
