import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AllowedActions, Session } from '../../../src/contract/schemas/session.ts'
import type { Reminder } from '../../../src/contract/schemas/lists.ts'
import type { PackageIndex } from '../../../src/proxy/desk/package-index.ts'
import { memberText } from '../../../src/proxy/desk/entry-text.ts'
import { noteLead, reminderLanguages, reminderText } from '../../../src/proxy/desk/reminder-text.ts'
import type { Emulator } from '../../../src/emulator/emulator.ts'
import type { Policy } from '../../../src/proxy/rights/policy.ts'
import { createProxy } from '../../../src/proxy/mount/proxy.ts'
import { personaCookie } from '../../../src/proxy/identity/identity.ts'
import { overEmulator, people, requestOf, type Role, setUp } from '../mount.ts'
import { until } from '../until.ts'
import { heldBy } from './index-contract.ts'
import { withIndex } from './with-index.ts'

const hint = { formId: 6025, packageId: 42 }
const path = '/forms/6025/packages/42/reminder'
const hour = 60 * 60_000
const never = 2 ** 40
/** Lets initiators and administrators remind people. */
const policy: Policy = async (question) =>
  question.operation === 'remind' &&
  (question.person.univid === people.administrator ||
    (await question.loadPackage()).initiator?.univid === question.person.univid)

/** Creates a mount that has known package 42 for 80 hours. */
async function withPackage(options: Parameters<typeof withIndex>[0] = {}) {
  const clock = { now: Date.UTC(2026, 10, 20, 10) }
  const mount = withIndex({
    identity: { policy },
    ...options,
    lists: { interval: never, now: () => clock.now, ...options.lists },
  })
  await mount.index.add([hint], 0)
  await until(async () => (await mount.index.due(1, 1)).length === 0)
  clock.now += 80 * hour
  mount.journal.splice(0)
  const call = async (as: Role, method = 'GET', body = {}) =>
    await mount.request(path, { as, method, ...(method === 'POST' && { json: body }) })
  return {
    ...mount,
    clock,
    call,
    read: async (as: Role = 'initiator') => {
      const response = await call(as)
      assert.equal(response.status, 200, await response.clone().text())
      return (await response.json()) as Reminder
    },
    send: async (as: Role = 'initiator', body = {}) => (await call(as, 'POST', body)).status,
    mails: () => [...mount.emulator.outbox.values()].filter(({ kind }) => kind === 'edit_notification'),
    writes: () => mount.journal.filter(({ method }) => method === 'PUT'),
  }
}

/** Replies to the calls of the entry of packages; undefined lets the emulator reply. */
const onEntry =
  (reply: (request: Request, emulator: Emulator) => Response | undefined | Promise<Response>) =>
  async (request: Request, emulator: Emulator) =>
    (request.url.endsWith('/entry') && (await reply(request, emulator))) || (await emulator.fetch(request))

describe('reminders', () => {
  it('has the service email the approvers once, and changes nothing of the package', async () => {
    const { emulator, read, send, mails, writes, log } = await withPackage()
    const before = JSON.stringify(emulator.packages.test.get(42))
    const text =
      'Amara Okafor asks you to act on this request. It has been waiting since November 16, 2026. Nothing in this request has changed.'
    const first = await read()
    assert.match(
      first.text,
      /^Amara Okafor asks you .* since \w+ \d+, \d{4}\. Nothing in this request has changed\.$/,
    )
    assert.deepEqual(
      { ...first, text },
      {
        text,
        language: 'en',
        noteLimit: null,
        noteLead: null,
        sentAt: null,
        isUncertain: false,
        count: 0,
        limit: 5,
        refusal: null,
        nextAt: null,
      },
    )
    assert.equal(await send(), 200)
    const [mail, ...others] = mails()
    assert.deepEqual(others, [])
    assert.deepEqual(mail?.recipients.map(({ univid }) => univid).sort(), [
      people.firstApprover,
      people.viewer,
    ])
    assert.ok(mail?.html.includes(`<p>${first.text}</p>`))
    assert.equal(JSON.stringify(emulator.packages.test.get(42)), before)
    assert.equal(writes().length, 1)

    const second = await read()
    assert.deepEqual([second.count, second.refusal, second.isUncertain], [1, 'wait', false])
    assert.equal(Date.parse(second.nextAt ?? '') - Date.parse(second.sentAt ?? ''), 72 * hour)
    assert.equal(await send(), 409)
    assert.equal(mails().length, 1)
    const [entry] = log.filter((line) => line.startsWith('info sendReminder'))
    assert.match(entry ?? '', /"packageId":42,"univid":"10000001"/)
  })

  describe('with a note', () => {
    const both: Policy = async (question) =>
      question.operation === 'remindNote' || (await policy(question)) === true
    const withNotes = async (options: Parameters<typeof withPackage>[0] = {}) =>
      await withPackage({ identity: { policy: both }, ...options })
    const detailOf = async (response: Response) =>
      [response.status, ((await response.json()) as { detail: string }).detail] as const

    it('quotes it as text below the name of the person who has written it (T19)', async () => {
      const { emulator, read, send, mails, log } = await withNotes()
      const before = JSON.stringify(emulator.packages.test.get(42))
      const { text, noteLimit, noteLead: lead } = await read()
      assert.deepEqual([noteLimit, lead], [300, 'Amara Okafor writes:'])
      assert.equal(
        await send('initiator', { note: ' The visa office\ncloses <on> Friday & "Monday". ' }),
        200,
      )
      assert.ok(
        mails()[0]?.html.includes(
          `<p>${text}</p><p>Amara Okafor writes:</p><blockquote><p dir="auto">The visa office closes &lt;on&gt; Friday &amp; "Monday".</p></blockquote>`,
        ),
      )
      assert.equal(JSON.stringify(emulator.packages.test.get(42)), before)
      assert.ok(!log.some((line) => line.includes('visa')), 'the note is not logged')
    })

    it('names the administrator, and nobody whose name is not known', async () => {
      const { send, mails } = await withNotes()
      assert.equal(await send('administrator', { note: 'Please look.' }), 200)
      assert.match(mails()[0]?.html ?? '', /<p>An administrator writes:<\/p><blockquote>/)
      assert.equal(noteLead('de', { name: null }), 'Die antragstellende Person schreibt:')
      const leads = reminderLanguages.map((language) => noteLead(language, { name: 'Amara $& <Okafor>' }))
      for (const lead of leads) assert.match(lead, /Amara \$& <Okafor>.*[:：]$/)
    })

    it('is as without if nothing in the note is visible', async () => {
      const { send, mails } = await withNotes()
      assert.equal(await send('initiator', { note: ' \u200b\n' }), 200)
      assert.ok(!mails()[0]?.html.includes('writes'))
    })

    it('needs its own permission, and sends nothing without (T19)', async () => {
      const { read, call, mails, writes, send } = await withPackage()
      assert.equal((await read()).noteLimit, null)
      assert.deepEqual(await detailOf(await call('initiator', 'POST', { note: 'Please look.' })), [
        403,
        'You may not add a note to this reminder. Send it without one.',
      ])
      assert.deepEqual([mails(), writes()], [[], []])
      assert.equal((await read()).refusal, null, 'the reminder is free')
      assert.equal(await send('initiator', { note: '' }), 200, 'control: an empty note is none')
      const onlyNotes = await withPackage({
        identity: { policy: ({ operation }) => operation === 'remindNote' },
      })
      assert.equal(await onlyNotes.send('initiator', { note: 'Please look.' }), 403)
    })

    it('sends nothing if the note is not acceptable (T19)', async () => {
      const { call, mails, writes, read } = await withNotes()
      for (const note of ['x'.repeat(301), 'see www.evil.example', 'me＠evil.example', 'a\u0007']) {
        const [status, detail] = await detailOf(await call('initiator', 'POST', { note }))
        assert.equal(status, 400, note)
        assert.match(detail, /^note: must have at most 300 characters/)
        assert.ok(!detail.includes('evil'))
      }
      assert.deepEqual([mails(), writes(), (await read()).refusal], [[], [], null])
    })
  })

  it('is denied without a policy, to others, and to people who may not view the package', async () => {
    const denied = await withPackage({ identity: { policy: () => false } })
    for (const as of ['initiator', 'administrator'] as const)
      assert.deepEqual([(await denied.call(as)).status, await denied.send(as)], [403, 403], as)
    const { call, send, mails, writes } = await withPackage({
      identity: { policy: ({ operation }) => operation === 'remind' },
    })
    assert.deepEqual([(await call('outsider')).status, await send('outsider')], [403, 403])
    assert.deepEqual([mails(), writes()], [[], []])
    assert.equal(await send('administrator'), 200, 'control')
    assert.match(mails()[0]?.html ?? '', /An administrator asks you/)
  })

  it('exists only if the site keeps lists', async () => {
    const { request } = setUp({ identity: { policy } })
    for (const method of ['GET', 'POST'])
      assert.equal(
        (await request(path, { as: 'initiator', method, ...(method === 'POST' && { json: {} }) })).status,
        404,
      )
    const operations = async (mount: Pick<ReturnType<typeof setUp>, 'request'>) =>
      ((await (await mount.request('/session', { as: 'initiator' })).json()) as Session).allows.operations
    assert.ok(!(await operations({ request })).includes('sendReminder'))
    assert.ok((await operations(await withPackage())).includes('sendReminder'), 'control')
  })

  it('is offered with the actions of packages that are routing, and costs nobody else a call', async () => {
    const { request, change, journal } = await withPackage()
    const toolsOf = async (mount: Pick<ReturnType<typeof setUp>, 'request'>, as: Role) => {
      const response = await mount.request('/forms/6025/packages/actions?id=42', { as })
      return ((await response.json()) as AllowedActions[]).flatMap(({ tools }) => tools)
    }
    assert.ok((await toolsOf({ request }, 'initiator')).includes('sendReminder'))
    assert.equal(journal.length, 3, 'actions, status, and the package for the policy')
    assert.ok(!(await toolsOf({ request }, 'firstApprover')).includes('sendReminder'))
    journal.splice(0)
    assert.ok(!(await toolsOf({ request }, 'outsider')).includes('sendReminder'))
    assert.equal(journal.length, 2, 'as without reminders')
    for (const mount of [
      await withPackage({ identity: { policy: () => false } }),
      setUp({ identity: { policy } }),
    ])
      assert.ok(!(await toolsOf(mount, 'initiator')).includes('sendReminder'))
    await change('/remove')
    assert.ok(!(await toolsOf({ request }, 'initiator')).includes('sendReminder'))
  })

  it('is offered in the list of own packages that are routing, with what was sent', async () => {
    const { getList, send, change, journal } = await withPackage()
    const rows = async (as: Role, view: string) =>
      (await getList(as, `view=${view}`)).rows.map((row) => row?.reminder)
    assert.deepEqual(await rows('initiator', 'mine'), [
      { sentAt: null, isUncertain: false, count: 0, limit: 5 },
    ])
    assert.equal(journal.length, 3, 'one call besides those of the list: the policy reads one package a form')
    assert.deepEqual(await rows('firstApprover', 'waiting'), [null])
    assert.equal(await send(), 200)
    const [row] = await rows('initiator', 'mine')
    assert.deepEqual([row?.isUncertain, row?.count, typeof row?.sentAt], [false, 1, 'string'])
    await change('/remove')
    assert.deepEqual(await rows('initiator', 'mine'), [null])
    const denied = await withPackage({ identity: { policy: () => false } })
    assert.equal((await denied.getList('initiator', 'view=mine')).rows[0]?.reminder, null)
  })

  it('is offered for the packages that the person may sign if the policy is about those, and for no others', async () => {
    const approvers: Policy = async (question) =>
      question.operation === 'remind' && (await question.loadActions())?.canSign === true
    const { getList, addCopies } = await withPackage({
      identity: { policy: approvers },
      async intercept(sent, emulator) {
        const response = await emulator.fetch(sent)
        if (!sent.url.includes('/actions')) return response
        const rows = (await response.json()) as { packageId: number }[]
        return Response.json(rows.map((row) => (row.packageId === 1001 ? { ...row, canSign: true } : row)))
      },
    })
    await addCopies(2)
    const { rows } = await getList('initiator', 'view=mine')
    assert.deepEqual(rows.map((row) => [row?.packageId, row?.reminder !== null]).sort(), [
      [1001, true],
      [1002, false],
      [42, false],
    ])
  })

  it('is not for packages that are not routing, and not if only the user holds one', async () => {
    const { change, send, read, index, mails } = await withPackage()
    const [pkg] = await index.due(Number.MAX_SAFE_INTEGER, 1)
    assert.ok(pkg)
    await index.record([{ pkg, holders: [heldBy(people.initiator)] }])
    assert.deepEqual([(await read()).refusal, await send()], ['nobody', 409])
    await index.record([{ pkg, holders: [heldBy(people.viewer)] }])
    assert.equal((await read()).refusal, null, 'control')
    await change('/remove')
    assert.equal(await send(), 409)
    assert.deepEqual(mails(), [])
  })

  it('waits after somebody has got the package, also if the index does not know it yet', async () => {
    const { clock, control, read, send, mails, index } = await withPackage()
    await control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    const found = await read()
    assert.deepEqual([found.refusal, Date.parse(found.nextAt ?? '')], ['wait', clock.now + 72 * hour])
    await until(async () => ((await index.find(hint))?.pkg.changedAt ?? 0) === clock.now)
    clock.now += 71 * hour
    assert.deepEqual([(await read()).refusal, await send()], ['wait', 409])
    clock.now += hour
    assert.deepEqual([(await read()).refusal, await send()], [null, 200])
    assert.ok(mails()[0]?.recipients.some(({ univid }) => univid === people.secondApprover))
  })

  it('is possible five times for the same people, and again for others', async () => {
    const { clock, control, read, send, mails, index } = await withPackage()
    for (let time = 0; time < 5; time++) {
      assert.equal(await send(), 200)
      clock.now += 72 * hour
    }
    const last = await read()
    assert.deepEqual([last.count, last.refusal, last.nextAt, await send()], [5, 'limit', null, 409])
    await control('POST', 'test/forms/6025/packages/42/sign', { univid: people.firstApprover })
    await read()
    await until(async () => ((await index.find(hint))?.pkg.changedAt ?? 0) === clock.now)
    clock.now += 72 * hour
    assert.deepEqual([(await read()).count, await send()], [0, 200])
    assert.equal(mails().length, 6)
  })

  it('lets a person send 20 a day', async () => {
    const { clock, index, read, send } = await withPackage()
    const limits = { wait: 0, perHolders: 1000, perDay: 1000 }
    for (let number = 1; number <= 20; number++) {
      const other = { formId: 6025, packageId: 1000 + number }
      await index.add([other], clock.now)
      const sent = { at: clock.now + number, person: people.initiator, holders: 'x', isConfirmed: true }
      assert.equal(await index.claimReminder(other, sent, limits), true)
    }
    clock.now += 1000
    const found = await read()
    assert.deepEqual([found.refusal, await send()], ['day', 409])
    assert.equal(Date.parse(found.nextAt ?? ''), clock.now - 1000 + 1 + 24 * hour)
    assert.equal(await send('administrator'), 200, 'control: another person')
  })

  it('sends one mail for 50 requests at once to two proxies that share an index', async () => {
    const { proxy, emulator, index, clock, mails } = await withPackage()
    const other = createProxy({
      ...overEmulator(emulator),
      identity: { identify: personaCookie(Object.values(people)), policy },
      observe: { log: () => {} },
      storage: { packageIndex: index },
      lists: { interval: never, now: () => clock.now },
    })
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, number) => {
        const request = requestOf(path, {
          as: number % 3 === 0 ? 'administrator' : 'initiator',
          method: 'POST',
          json: {},
        })
        return (await (number % 2 === 0 ? proxy : other)(request)).status
      }),
    )
    await other.close()
    assert.deepEqual([replies.filter((status) => status === 200).length, mails().length], [1, 1])
    assert.deepEqual(
      [...new Set(replies)].sort(),
      [200, 409, 429].filter((one) => replies.includes(one)),
    )
  })

  it('is stored before the service gets it', async () => {
    const states: unknown[] = []
    const stored = async (index: PackageIndex) =>
      (await index.find(hint))?.reminders.map(({ isConfirmed }) => isConfirmed)
    const mount: Awaited<ReturnType<typeof withPackage>> = await withPackage({
      intercept: onEntry(async (request, emulator) => {
        states.push(request.method, await stored(mount.index))
        return await emulator.fetch(request)
      }),
    })
    assert.equal(await mount.send(), 200)
    assert.deepEqual(states, ['GET', [false], 'PUT', [false]])
    assert.deepEqual(await stored(mount.index), [true])
  })

  it('is free again if the service refused it, and counts as sent if the reply was lost', async () => {
    let reply: Response | undefined
    const { read, call, mails } = await withPackage({
      intercept: onEntry((request) => (request.method === 'PUT' ? reply : undefined)),
    })
    reply = Response.json({ "entry['reason']": ['REQUIRED'] }, { status: 400 })
    const invalid = await call('initiator', 'POST')
    assert.deepEqual(
      [invalid.status, ((await invalid.json()) as { detail: string }).detail],
      [422, 'The service did not accept the stored data, so nobody was emailed. Ask the owner of the form.'],
    )
    assert.deepEqual([(await read()).refusal, (await read()).count], [null, 0])
    reply = new Response('', { status: 500 })
    assert.equal((await call('initiator', 'POST')).status, 502)
    const { refusal, count, isUncertain } = await read()
    assert.deepEqual([refusal, count, isUncertain, mails().length], ['wait', 1, true, 0])
  })

  it('is free again if the entry cannot be read', async () => {
    let isDown = true
    const { read, send, mails } = await withPackage({
      intercept: onEntry((request) =>
        isDown && request.method === 'GET' ? new Response('', { status: 500 }) : undefined,
      ),
    })
    assert.deepEqual([await send(), (await read()).refusal], [502, null])
    isDown = false
    assert.deepEqual([await send(), mails().length], [200, 1])
  })

  it('writes the text of the entry back as it was, numbers included', async () => {
    const entry =
      '{ "a\\"b": {"n": [1.10, {"entry": "}"}]} ,"big": 12345678901234567890, "tiny":1e-400,"text":"\\u0041,{[" }'
    const { send, writes, read } = await withPackage({
      intercept: onEntry((request) =>
        request.method === 'GET'
          ? new Response(`{"emailContent":{"packageDetails":"<p>x</p>"}, "entry" : ${entry}}`)
          : new Response(`{"entry":${entry},"emailContent":null}`),
      ),
    })
    const { text } = await read()
    assert.equal(await send(), 200)
    const [write] = writes()
    const emailContent = { deltaSummary: `<p>${text}</p>`, packageDetails: null }
    assert.equal(
      await write?.text(),
      `{"entry":${entry},"sendDeltaEmail":true,"emailContent":${JSON.stringify(emailContent)}}`,
    )
  })

  it('sends no more for a form after the service has changed an entry', async () => {
    let isChanged = true
    const { read, send, log, clock } = await withPackage({
      intercept: onEntry((request) =>
        isChanged && request.method === 'PUT'
          ? Response.json({ entry: { other: 1 }, emailContent: null })
          : undefined,
      ),
    })
    assert.equal(await send(), 200)
    isChanged = false
    clock.now += 72 * hour
    assert.deepEqual([(await read()).refusal, await send('administrator')], ['stopped', 409])
    assert.equal(log.filter((line) => line.startsWith('error A reminder changed the data')).length, 1)
    assert.ok(!log.some((line) => line.includes('other')), 'no data in the log')
  })

  it('lets no change of the entry come between through this proxy', async () => {
    const order: string[] = []
    let goOn = () => {}
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    const { send, request, emulator } = await withPackage({
      intercept: onEntry(async (asked, service) => {
        order.push(asked.method)
        if (order.length === 1) await waiting
        return await service.fetch(asked)
      }),
    })
    const reminder = send()
    await until(() => order.length >= 1)
    const entry = { ...emulator.packages.test.get(42)?.entry, purpose: 'Changed meanwhile' }
    const change = request('/forms/6025/packages/42/entry', {
      as: 'firstApprover',
      method: 'PUT',
      json: entry,
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(order, ['GET'])
    goOn()
    assert.deepEqual([await reminder, (await change).status], [200, 200])
    assert.deepEqual(order, ['GET', 'PUT', 'PUT'])
    assert.equal(emulator.packages.test.get(42)?.entry['purpose'], 'Changed meanwhile')
  })

  it('has its text in each language, with what is known', () => {
    const asker = { name: 'Amara $& <Okafor>' }
    const texts = reminderLanguages.map((language) => reminderText(language, asker, '2026-03-05T10:00:00'))
    assert.equal(new Set(texts).size, 12)
    for (const text of texts) assert.match(text, /Amara \$& <Okafor>.*(?:5|٥).*[.。।]$/)
    assert.equal(
      reminderText('de', { name: null }, null),
      'Die antragstellende Person bittet Sie, diesen Antrag zu bearbeiten. An diesem Antrag hat sich nichts geändert.',
    )
    assert.match(
      reminderText('en', 'administrator', '2026-03-05T10:00:00'),
      /^An administrator .* March 5, 2026\./,
    )
  })
})

describe('memberText()', () => {
  it('finds a member as it was written', () => {
    assert.equal(memberText('{"a":1.0,"b":[{"a":2}]}', 'a'), '1.0')
    assert.equal(memberText('{"a":1.0,"b":[{"a":2}] }', 'b'), '[{"a":2}]')
    assert.equal(memberText('{"a":1,"\\u0061":{}}', 'a'), '{}')
    for (const json of ['{}', '{"b":"a"}', '{"b":{"a":1}}', '[1]', '"a"'])
      assert.equal(memberText(json, 'a'), undefined, json)
  })
})
