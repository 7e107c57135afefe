import assert from 'node:assert/strict'
import type { Package } from '../../src/contract/schemas/workflow.ts'
import type { FieldKind } from '../../src/contract/values/values.ts'
import { complete, describeSection, people, sign, type System, travelEntry } from './system.ts'

const required = 'validation.required'
const badAnswerType = 'validation.badAnswerType'
const notFound = 'validation.notFound'
const invalidValue = 'validation.invalidValue'

/** The entry of package 42. */
const entry42 = {
  purpose: 'Annual meeting of the Society for Freshwater Science',
  departure: '2027-05-14',
  website: 'https://rivers.example/2026',
  contact: 'amara-okafor@northfield.example',
  nights: 4,
  cost: 1250.5,
  notice: null,
  traveler: '10000001',
  org: '05',
  department: '05-0333',
  sub_department: '05-0333-0001',
  position: '00012345',
}

const voided = { id: 42, state: 'VOID', voidReason: 'INCORRECT_FORM' }

// Entry

/** Valid values of each kind of field, and invalid ones with their error codes. */
const kinds: Readonly<
  Record<
    FieldKind,
    {
      readonly field: keyof typeof entry42
      readonly good: readonly unknown[]
      readonly bad: readonly (readonly [code: string, ...values: unknown[]])[]
    }
  >
> = {
  text: {
    field: 'purpose',
    good: ['x', 'Zürich ✈ 東京', '<b>&amp;</b>', 'null', '7'],
    bad: [
      [required, null, ''],
      [badAnswerType, 7, true, [], ['x'], {}],
    ],
  },
  date: {
    field: 'departure',
    good: ['2026-12-07', '2028-02-29', '1970-01-01', '9999-12-31'],
    bad: [
      [required, null, ''],
      [badAnswerType, 20261207, 'tomorrow', '07.12.2026', '2026-12-7', '2026-12-07T09:00:00', [], {}],
      [badAnswerType, ' 2026-12-07', '2026-12-07\n', '２０２６-12-07', '2026-1-1'],
      [invalidValue, '2026-02-30', '2027-02-29', '2026-13-01', '2026-00-10'],
    ],
  },
  url: {
    field: 'website',
    good: [null, 'https://rivers.example/a?b=c#d', 'http://localhost:8080/', 'HTTPS://RIVERS.EXAMPLE'],
    bad: [
      [badAnswerType, 7, false, [], {}],
      [
        invalidValue,
        '',
        'rivers.example',
        '/2026',
        'https://',
        'javascript:alert(1)',
        'ftp://rivers.example',
      ],
    ],
  },
  email: {
    field: 'contact',
    good: [null, 'amara-okafor@northfield.example', "o'brien+x@a.example"],
    bad: [
      [badAnswerType, 7, true, ['amara@northfield.example'], {}],
      [invalidValue, '', 'amara', 'amara@', '@northfield.example', 'a b@c.example', 'a@b@c.example'],
    ],
  },
  number: {
    field: 'nights',
    good: [null, 0, 7, -1, 2 ** 53 - 1],
    bad: [[badAnswerType, '7', '', 1.5, 2 ** 53, true, [7], {}]],
  },
  currency: {
    field: 'cost',
    good: [0, 7, 12.34, -0.01, 1e12],
    bad: [
      [required, null, ''],
      [badAnswerType, '12.34', '$12', true, [1], {}],
    ],
  },
  no_answer: {
    field: 'notice',
    good: [null],
    bad: [[badAnswerType, '', 'read', 0, false, {}]],
  },
  university_id: {
    field: 'traveler',
    good: [null, people.initiator, people.outsider],
    bad: [
      [badAnswerType, 10000001, '', 'x1', ' 1', '1\n', '-1', '1.0', '１', {}],
      [notFound, '99999999', '010000001'],
    ],
  },
  org: {
    field: 'org',
    good: [null, '05'],
    bad: [
      [badAnswerType, 5, '', '5', '005', '05-0333', '05\n', 'AB', {}],
      [notFound, '99'],
    ],
  },
  department: {
    field: 'department',
    good: [null, '05-0333', '05-0100'],
    bad: [
      [badAnswerType, 50333, '', '05', '05-333', '050333', '05_0333', '05-0333-0001', {}],
      [notFound, '05-9999', '99-0333'],
    ],
  },
  sub_department: {
    field: 'sub_department',
    good: [null, '05-0333-0001'],
    bad: [
      [badAnswerType, 1, '', '05', '05-0333', '05-0333-001', '05-0333-0001-1', {}],
      [notFound, '05-0333-9999', '05-0100-0001'],
    ],
  },
  position: {
    field: 'position',
    good: [null, '00012345'],
    bad: [
      [badAnswerType, 12345, '', 'x', '1-2', {}],
      [notFound, '00099999', '12345'],
    ],
  },
}

describeSection('routing/Entry', (it) => {
  for (const [kind, { field, good, bad }] of Object.entries(kinds)) {
    it(`a field of kind ${kind} accepts its values and returns them unchanged`, async (system) => {
      for (const value of good) {
        const entry = travelEntry({ [field]: value })
        const { id } = await system.ok<Package>('createPackage', { body: { state: 'DRAFT', entry } })
        assert.deepEqual(await system.ok('getEntry', { params: { packageId: id } }), entry)
        assert.deepEqual(await system.ok('updateEntry', { body: entry }), entry)
        assert.deepEqual(await system.ok('getEntry'), entry)
      }
    })

    it(`a field of kind ${kind} rejects other values`, async (system) => {
      for (const [code, ...values] of bad) {
        for (const value of values) {
          const entry = travelEntry({ [field]: value })
          const expected = { [`entry['${field}']`]: [code] }
          for (const response of [
            await system.call('createPackage', { body: { state: 'DRAFT', entry } }),
            await system.call('updateEntry', { body: entry }),
            await system.call('updateEntry', { body: { entry }, version: '1.1' }),
          ]) {
            assert.equal(response.status, 400, `${JSON.stringify(value)}: ${response.text}`)
            assert.deepEqual(response.json, expected, JSON.stringify(value))
          }
        }
      }
      assert.deepEqual(await system.ok('getEntry'), entry42)
    })
  }

  it('all fields must be sent', async (system) => {
    for (const field of Object.keys(entry42)) {
      const entry = without(field)
      const expected = { [`entry['${field}']`]: [required] }
      const created = await system.refused(400, 'createPackage', { body: { state: 'DRAFT', entry } })
      assert.deepEqual(created.json, expected)
      const updated = await system.refused(400, 'updateEntry', { body: entry })
      assert.deepEqual(updated.json, expected)
    }
  })

  it('all fields except required ones may be null', async (system) => {
    const entry = Object.fromEntries(Object.keys(entry42).map((field) => [field, null]))
    const response = await system.refused(400, 'updateEntry', { body: entry })
    assert.deepEqual(response.json, {
      "entry['purpose']": [required],
      "entry['departure']": [required],
      "entry['cost']": [required],
    })
    const filled = { ...entry, purpose: 'Field work', departure: '2026-12-07', cost: 0 }
    assert.deepEqual(await system.ok('updateEntry', { body: filled }), filled)
  })

  it('an entry must be an object', async (system) => {
    for (const entry of [null, [], 'text', 7, true]) {
      await system.refused(400, 'createPackage', { body: { state: 'DRAFT', entry } })
      await system.refused(400, 'updateEntry', { body: entry })
    }
    assert.deepEqual(await system.ok('getEntry'), entry42)
  })
})

describeSection('routing/Get entry data', (it) => {
  for (const version of [undefined, '1.0']) {
    it(`the response is the plain entry with ${version ? `version ${version}` : 'no requested version'}`, async (system) => {
      assert.deepEqual(await system.ok('getEntry', version === undefined ? {} : { version }), entry42)
    })
  }

  it('version 1.1 wraps the entry and adds the e-mail content', async (system) => {
    assert.deepEqual(await system.ok('getEntry', { version: '1.1' }), {
      entry: entry42,
      emailContent: { packageDetails: null },
    })
    const entry = travelEntry()
    const { id } = await system.ok<Package>('createPackage', {
      body: { state: 'DRAFT', emailContent: { packageDetails: '<b>Soon</b>' }, entry },
    })
    assert.deepEqual(await system.ok('getEntry', { params: { packageId: id }, version: '1.1' }), {
      entry,
      emailContent: { packageDetails: '<b>Soon</b>' },
    })
  })

  it('among people, only the initiator and approvers may read the entry, not even administrators', async (system) => {
    const { initiator, firstApprover, secondApprover, viewer, outsider, administrator } = people
    for (const user of [initiator, firstApprover, secondApprover, viewer]) {
      assert.deepEqual(await system.ok('getEntry', { user }), entry42, user)
    }
    for (const user of [outsider, administrator]) {
      for (const version of ['1.0', '1.1']) await system.refused(403, 'getEntry', { user, version })
      await system.refused(403, 'getEntry', { user, bypass: false })
    }
  })

  it('with bypass, anyone may read the entry', async (system) => {
    for (const user of [people.administrator, people.outsider]) {
      await system.refused(403, 'getEntry', { user })
      assert.deepEqual(await system.ok('getEntry', { user, bypass: true }), entry42)
    }
  })

  it('a client may read the entry on its own behalf', async (system) => {
    assert.deepEqual(await system.ok('getEntry', { user: 'demo-app' }), entry42)
    assert.deepEqual(await system.ok('getEntry', { user: 'partner-app' }), entry42)
    await system.refused(403, 'getEntry', { user: people.administrator })
  })

  it('an administrator who is an approver may read the entry', async (system) => {
    await system.refused(403, 'getEntry', { user: people.administrator })
    const body = {
      subjectUnivid: people.firstApprover,
      type: 'DELEGATE',
      reason: 'CONFLICT_OF_INTEREST',
      replacementUnivid: people.administrator,
    }
    await system.ok('createOverride', { body })
    await system.ok('getEntry', { user: people.administrator })
    await system.ok('getEntry', { user: people.firstApprover })
  })

  it('the subject of a CHANGE override may no longer read the entry', async (system) => {
    await system.ok('getEntry', { user: people.firstApprover })
    const body = {
      subjectUnivid: people.firstApprover,
      type: 'CHANGE',
      reason: 'CONFLICT_OF_INTEREST',
      replacementUnivid: people.outsider,
    }
    await system.ok('createOverride', { body })
    await system.refused(403, 'getEntry', { user: people.firstApprover })
    await system.ok('getEntry', { user: people.outsider })
  })

  it('approvers may read the entry after signing, but not after the package was removed', async (system) => {
    await complete(system)
    for (const user of [people.firstApprover, people.secondApprover, people.viewer]) {
      await system.ok('getEntry', { user })
    }
    await system.ok('removePackage')
    for (const user of [people.firstApprover, people.secondApprover, people.viewer]) {
      await system.refused(403, 'getEntry', { user })
    }
    await system.ok('getEntry')
  })

  it('the package must exist', async (system) => {
    await system.refused(404, 'getEntry', { params: { packageId: 7 } })
    await system.refused(404, 'getEntry', { params: { formId: 6026 } })
    await system.refused(404, 'getEntry', { env: 'prod', user: 'demo-app' })
    await system.ok('getEntry')
  })
})

describeSection('routing/Update entry data', (it) => {
  for (const version of [undefined, '1.0']) {
    it(`request and response body are the plain entry with ${version ? `version ${version}` : 'no requested version'}`, async (system) => {
      const entry = { ...entry42, nights: 5 }
      const call = { body: entry, ...(version !== undefined && { version }) }
      assert.deepEqual(await system.ok('updateEntry', call), entry)
      assert.deepEqual(await system.ok('getEntry'), entry)
    })
  }

  it('request and response body of version 1.1 wrap the entry', async (system) => {
    const entry = { ...entry42, nights: 5 }
    const wrapped = { entry, emailContent: { packageDetails: null } }
    assert.deepEqual(await system.ok('updateEntry', { body: { entry }, version: '1.1' }), wrapped)
    assert.deepEqual(await system.ok('getEntry', { version: '1.1' }), wrapped)
  })

  it('neither version accepts the body of the other', async (system) => {
    const entry = { ...entry42, nights: 5 }
    await system.refused(400, 'updateEntry', { body: entry, version: '1.1' })
    const response = await system.refused(400, 'updateEntry', { body: { entry } })
    assert.deepEqual((response.json as Record<string, unknown>)["entry['entry']"], [invalidValue])
    assert.deepEqual(await system.ok('getEntry'), entry42)
    await system.ok('updateEntry', { body: { entry }, version: '1.1' })
  })

  it('version 1.1 accepts only its own fields, each of the right type', async (system) => {
    for (const extra of [
      { sendDeltaEmail: 'true' },
      { sendDeltaEmail: 1 },
      { deltaSummary: 'x' },
      { emailContent: 'x' },
      { emailContent: { deltaSummary: 7 } },
      { emailContent: { packageDetails: false } },
      { emailContent: { summary: 'x' } },
    ]) {
      await system.refused(400, 'updateEntry', { body: { entry: entry42, ...extra }, version: '1.1' })
    }
    await system.refused(400, 'updateEntry', { body: { sendDeltaEmail: true }, version: '1.1' })
    assert.deepEqual(await mails(system), [])
    await system.ok('updateEntry', {
      body: {
        entry: entry42,
        sendDeltaEmail: true,
        emailContent: { deltaSummary: 'x', packageDetails: 'y' },
      },
      version: '1.1',
    })
  })

  for (const sendDeltaEmail of [true, false, null, undefined]) {
    for (const deltaSummary of ['<p>Cost <b>raised</b></p>', '', null, undefined]) {
      for (const isChanged of [true, false]) {
        const isSent = sendDeltaEmail ?? (typeof deltaSummary === 'string' || isChanged)
        const given = `sendDeltaEmail ${sendDeltaEmail}, deltaSummary ${JSON.stringify(deltaSummary)}`
        it(`${given}, data ${isChanged ? 'changed' : 'the same'}: ${isSent ? 'an e-mail' : 'no e-mail'}`, async (system) => {
          const entry = isChanged ? { ...entry42, cost: 1300 } : entry42
          const body = { entry, sendDeltaEmail, emailContent: { deltaSummary } }
          await system.ok('updateEntry', { body, version: '1.1' })
          const [mail, ...others] = await mails(system)
          assert.deepEqual(others, [])
          if (!isSent) return assert.equal(mail, undefined)
          assert.ok(mail)
          assert.equal(mail.kind, 'edit_notification')
          assert.equal(mail.packageId, 42)
          assert.deepEqual(mail.recipients, [
            { univid: people.firstApprover, email: 'daniel-reyes@northfield.example' },
            { univid: people.viewer, email: 'ruth-lindqvist@northfield.example' },
          ])
          assert.equal(mail.html.includes('<p>Cost <b>raised</b></p>'), Boolean(deltaSummary))
          assert.doesNotMatch(mail.html, /null|undefined/)
        })
      }
    }
  }

  it('without any e-mail content, an e-mail is sent if data changed', async (system) => {
    for (const emailContent of [null, undefined]) {
      const update = (entry: unknown) =>
        system.ok('updateEntry', { body: { entry, emailContent }, version: '1.1' })
      const before = (await mails(system)).length
      await update(entry42)
      assert.equal((await mails(system)).length, before)
      await update({ ...entry42, cost: 1300 })
      assert.equal((await mails(system)).length, before + 1)
      await update(entry42)
    }
  })

  it('in version 1.0 an e-mail is sent if data changed', async (system) => {
    await system.ok('updateEntry', { body: entry42 })
    await system.ok('updateEntry', { body: Object.fromEntries(Object.entries(entry42).toReversed()) })
    assert.deepEqual(await mails(system), [])
    await system.ok('updateEntry', { body: { ...entry42, cost: 1300 } })
    const [mail, ...others] = await mails(system)
    assert.deepEqual(others, [])
    assert.deepEqual(
      mail?.recipients.map(({ univid }) => univid),
      [people.firstApprover, people.viewer],
    )
  })

  it('a change of any field counts as changed data', async (system) => {
    const other: Readonly<Record<string, unknown>> = {
      purpose: 'Something else',
      departure: '2026-12-08',
      website: null,
      contact: null,
      nights: 0,
      cost: 0,
      traveler: null,
      org: null,
      department: null,
      sub_department: null,
      position: null,
    }
    for (const [index, [field, value]] of Object.entries(other).entries()) {
      await system.ok('updateEntry', { body: { ...entry42, [field]: value } })
      assert.equal((await mails(system)).length, 2 * index + 1, field)
      await system.ok('updateEntry', { body: entry42 })
    }
  })

  it('the e-mail goes to current approvers', async (system) => {
    await sign(system, people.firstApprover)
    await system.ok('updateEntry', { body: { ...entry42, cost: 1300 } })
    const [mail] = await mails(system)
    assert.deepEqual(
      mail?.recipients.map(({ univid }) => univid),
      [people.secondApprover],
    )
  })

  for (const [title, prepare] of [
    ['waits for the next approver', () => Promise.resolve()],
    [
      'is complete',
      async (system: System) => {
        await system.ok('uploadAttachment', { params: { attachmentTypeId: 2 }, user: 'demo-app' })
        await sign(system, people.secondApprover)
      },
    ],
    ['is void', (system: System) => system.ok('voidPackage', { body: voided })],
    ['is a draft again', (system: System) => system.ok('returnToInitiator', { body: { comment: 'Why?' } })],
  ] as const) {
    it(`with sendDeltaEmail, an e-mail goes to everyone who received a package that ${title}`, async (system) => {
      await sign(system, people.firstApprover)
      await prepare(system)
      await system.ok('updateEntry', { body: { entry: entry42 }, version: '1.1' })
      assert.deepEqual(await mails(system), [], 'nothing has changed')
      await system.ok('updateEntry', { body: { entry: entry42, sendDeltaEmail: true }, version: '1.1' })
      const [mail] = await mails(system)
      assert.deepEqual(
        mail?.recipients.map(({ univid }) => univid),
        [people.firstApprover, people.viewer, people.secondApprover],
      )
    })
  }

  it('with sendDeltaEmail, no e-mail goes to a person without access or about a removed package', async (system) => {
    const body = { entry: entry42, sendDeltaEmail: true }
    await sign(system, people.firstApprover)
    await system.ok('createOverride', {
      body: {
        subjectUnivid: people.firstApprover,
        type: 'CHANGE',
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: people.outsider,
      },
    })
    await system.ok('updateEntry', { body, version: '1.1' })
    const [mail] = await mails(system)
    assert.deepEqual(
      mail?.recipients.map(({ univid }) => univid),
      [people.viewer, people.secondApprover],
    )
    await system.ok('removePackage')
    await system.ok('updateEntry', { body, version: '1.1' })
    assert.equal((await mails(system)).length, 1)
  })

  it('overrides determine the current approvers', async (system) => {
    const body = {
      subjectUnivid: people.firstApprover,
      type: 'DELEGATE',
      reason: 'CONFLICT_OF_INTEREST',
      replacementUnivid: people.outsider,
    }
    await system.ok('createOverride', { body })
    await system.ok('updateEntry', { body: { ...entry42, cost: 1300 } })
    const [mail] = await mails(system)
    assert.deepEqual(
      mail?.recipients.map(({ univid }) => univid),
      [people.outsider, people.viewer],
    )
  })

  it('package details replace the stored ones, null is ignored and an empty string clears them', async (system) => {
    const update = async (emailContent: unknown) => {
      const body = { entry: entry42, emailContent }
      const information = await system.ok<{ emailContent: unknown }>('updateEntry', { body, version: '1.1' })
      assert.deepEqual(await system.ok('getEntry', { version: '1.1' }), information)
      assert.deepEqual((await system.ok<Package>('getPackage')).emailContent, information.emailContent)
      return information.emailContent
    }
    assert.deepEqual(await update({ packageDetails: null }), { packageDetails: null })
    assert.deepEqual(await update({ packageDetails: '<b>New</b>' }), { packageDetails: '<b>New</b>' })
    for (const ignored of [{ packageDetails: null }, { deltaSummary: 'x' }, {}, null, undefined]) {
      assert.deepEqual(await update(ignored), { packageDetails: '<b>New</b>' })
    }
    assert.deepEqual(await update({ packageDetails: '<i>Newer</i>' }), { packageDetails: '<i>Newer</i>' })
    await system.ok('updateEntry', { body: entry42 })
    assert.deepEqual(await update({}), { packageDetails: '<i>Newer</i>' })
    assert.deepEqual(await update({ packageDetails: '' }), { packageDetails: null })
  })

  it('notifications to later approvers contain the new package details', async (system) => {
    const body = { entry: entry42, emailContent: { packageDetails: '<b>New</b>' } }
    await system.ok('updateEntry', { body, version: '1.1' })
    await sign(system, people.firstApprover)
    const [mail] = await mails(system, 'approver_notification')
    assert.ok(mail?.html.includes('<b>New</b>'))
  })

  it('a rejected update changes nothing and sends no mail', async (system) => {
    const body = {
      entry: { ...entry42, cost: 'much', nights: 9 },
      sendDeltaEmail: true,
      emailContent: { packageDetails: '<b>New</b>', deltaSummary: 'x' },
    }
    await system.refused(400, 'updateEntry', { body, version: '1.1' })
    assert.deepEqual(await system.ok('getEntry', { version: '1.1' }), {
      entry: entry42,
      emailContent: { packageDetails: null },
    })
    assert.deepEqual(await mails(system), [])
    await system.ok('updateEntry', { body: { ...body, entry: entry42 }, version: '1.1' })
    assert.equal((await mails(system)).length, 1)
  })

  it('the package must exist', async (system) => {
    await system.refused(404, 'updateEntry', { params: { packageId: 7 }, body: entry42 })
    await system.refused(404, 'updateEntry', { params: { formId: 6026 }, body: entry42 })
    await system.refused(404, 'updateEntry', { env: 'prod', body: entry42 })
    await system.ok('updateEntry', { body: entry42 })
  })
})

describeSection('routing/Errors', (it) => {
  it('a validation failure lists all invalid fields with their codes', async (system) => {
    const entry = {
      ...without('purpose'),
      departure: null,
      website: 'rivers',
      nights: 'four',
      traveler: '99999999',
      department: '05-9999',
      hotel: 'Ritz',
    }
    const expected = {
      "entry['purpose']": [required],
      "entry['departure']": [required],
      "entry['website']": [invalidValue],
      "entry['nights']": [badAnswerType],
      "entry['traveler']": [notFound],
      "entry['department']": [notFound],
      "entry['hotel']": [invalidValue],
    }
    for (const response of [
      await system.refused(400, 'createPackage', { body: { entry } }),
      await system.refused(400, 'updateEntry', { body: entry }),
      await system.refused(400, 'updateEntry', { body: { entry }, version: '1.1' }),
    ]) {
      assert.deepEqual(response.json, expected)
      assert.match(String(response.headers.get('content-type')), /^application\/json\b/)
    }
  })

  for (const key of ['hotel', 'Purpose', 'purpose ', '', "it's", '0', 'constructor']) {
    it(`a field that the form does not have is not valid: ${JSON.stringify(key)}`, async (system) => {
      const response = await system.refused(400, 'updateEntry', { body: travelEntry({ [key]: null }) })
      assert.deepEqual(response.json, { [`entry['${key}']`]: [invalidValue] })
      await system.ok('updateEntry', { body: travelEntry() })
    })
  }

  for (const status of [400, 409, 422]) {
    it(`the body is the same with status ${status}`, async (system) => {
      await system.control('PUT', '/spec-options', { validationStatus: String(status) })
      const response = await system.refused(status, 'updateEntry', { body: { ...entry42, cost: null } })
      assert.deepEqual(response.json, { "entry['cost']": [required] })
      await system.ok('updateEntry', { body: entry42 })
    })
  }

  it('other errors do not have the shape of a validation failure', async (system) => {
    for (const response of [
      await system.refused(401, 'getPackage', { client: null }),
      await system.refused(403, 'getPackage', { user: people.outsider }),
      await system.refused(404, 'getPackage', { params: { packageId: 7 } }),
      await system.refused(409, 'unvoidPackage'),
      await system.refused(400, 'voidPackage', { body: { id: 42, state: 'VOID', voidReason: 'OTHER' } }),
    ]) {
      const { status, title, detail } = response.json as Record<string, unknown>
      assert.equal(status, response.status)
      assert.equal(typeof title, 'string')
      assert.equal(typeof detail, 'string')
      assert.doesNotMatch(response.text, /entry\['/)
      assert.match(String(response.headers.get('content-type')), /^application\/problem\+json\b/)
    }
  })
})

/** Returns an entry without one field. */
function without(field: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(travelEntry()).filter(([key]) => key !== field))
}

interface Mail {
  readonly kind: string
  readonly packageId: number
  readonly recipients: readonly { readonly univid: string; readonly email: string }[]
  readonly html: string
}

async function mails(system: System, kind = 'edit_notification'): Promise<Mail[]> {
  const outbox = await system.control<Mail[]>('GET', '/outbox')
  return outbox.filter((mail) => mail.kind === kind)
}
