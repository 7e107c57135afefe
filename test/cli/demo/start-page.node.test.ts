import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RequestList } from '../../../src/contract/schemas/lists.ts'
import { type Demo, serveDemo } from '../../../src/cli/demo.ts'
import { personas } from '../../../src/cli/demo-page.ts'
import { scenarios } from '../../../src/emulator/scenarios/index.ts'
import { personaCookieName } from '../../../src/proxy/identity/identity.ts'
import { until } from '../../proxy/until.ts'

// The proxy limits how often a person may ask.
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50))

describe('the start page of the demo', () => {
  let demo: Demo

  before(async () => {
    demo = await serveDemo({ port: 0, linkSeconds: 60 })
  })
  after(async () => await demo.close())

  const headersOf = (univid: string) => ({
    cookie: `${personaCookieName}=${univid}`,
    'x-routeslip': '1',
    'sec-fetch-site': 'same-origin',
  })

  async function listed(univid: string, view: string): Promise<readonly (number | undefined)[]> {
    const response = await fetch(`${demo.url}api/wf/list?view=${view}`, { headers: headersOf(univid) })
    assert.equal(response.status, 200)
    return ((await response.json()) as RequestList).rows.map((row) => row?.packageId)
  }

  it('has the lists of each of its people', async () => {
    const [amara, daniel, ...others] = personas
    await until(async () => (await listed(amara.univid, 'mine')).length > 0, pause)
    assert.deepEqual(await listed(amara.univid, 'mine'), [42])
    assert.deepEqual(await listed(daniel.univid, 'waiting'), [42])
    for (const { univid, name } of others) assert.deepEqual(await listed(univid, 'mine'), [], name)
    for (const { univid, name } of personas) {
      const response = await fetch(`${demo.url}start`, { headers: headersOf(univid) })
      const html = await response.text()
      assert.match(html, /<wf-list\b[^]*detail-url="\/requests\/{packageId}"/)
      assert.match(html, new RegExp(`selected>${name}`))
    }
  })

  it('has its first lists and files again after a reset', async () => {
    const [amara] = personas
    const send = (path: string, body: BodyInit, type?: string) =>
      fetch(demo.url + path, {
        method: 'POST',
        headers: { ...headersOf(amara.univid), ...(type !== undefined && { 'content-type': type }) },
        body,
        redirect: 'manual',
      })
    const { entry } = scenarios.small().packages.test.get(42)!
    assert.equal(
      (
        await send(
          'api/wf/forms/6025/packages',
          JSON.stringify({ state: 'PRE_ROUTING', entry }),
          'application/json',
        )
      ).status,
      200,
    )
    await until(async () => (await listed(amara.univid, 'mine')).length === 2, pause)
    const uuid = '00000000-0000-4000-8000-000000000000'
    await send('working-files', new URLSearchParams({ uuid }))
    const isRemembered = async () =>
      (await (await fetch(demo.url, { headers: headersOf(amara.univid) })).text()).includes(uuid)
    assert.equal(await isRemembered(), true)

    assert.equal((await send('console/reset', new URLSearchParams())).status, 303)
    await until(async () => (await listed(amara.univid, 'mine')).length > 0, pause)
    assert.deepEqual(await listed(amara.univid, 'mine'), [42])
    assert.equal(await isRemembered(), false)
  })

  it('stays when another person signs in', async () => {
    const switchTo = async (from: string) => {
      const init = {
        method: 'POST',
        headers: { ...headersOf(personas[0].univid), referer: demo.url + from },
        body: new URLSearchParams({ univid: personas[1].univid }),
        redirect: 'manual' as const,
      }
      return (await fetch(`${demo.url}persona`, init)).headers.get('location')
    }
    assert.equal(await switchTo('start'), '/start')
    assert.equal(await switchTo('requests/42'), '/')
  })
})
