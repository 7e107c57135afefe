import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packageScope, RefusedError, UnavailableError } from '../../../src/client/index.ts'
import type { Package } from '../../../src/contract/schemas/workflow.ts'
import { UnknownOutcomeError } from '../../../src/elements/wf-form/state/carry-out.ts'
import type { EntryValues } from '../../../src/elements/wf-form/state/entry-merge.ts'
import type { Field } from '../../../src/elements/wf-form/state/field-state.ts'
import type { FormClient } from '../../../src/elements/wf-form/state/form-client.ts'
import {
  type Extras,
  route,
  save,
  type SubmissionHost,
} from '../../../src/elements/wf-form/state/submission.ts'

const none: Extras = { subType: null, packageDetails: null, deltaSummary: null, sendDeltaEmail: null }
const all: Extras = {
  subType: 'FOREIGN',
  packageDetails: 'For the <b>dean</b>',
  deltaSummary: 'One night more',
  sendDeltaEmail: true,
}
const refused = new RefusedError('createPackage', 422, { refusedBy: 'service' })
const params = { formId: 6025, packageId: 7 }
const pkg = (state: string) => ({ id: 7, state }) as Package
const scope = packageScope(6025, 7)

describe('save() without a package', () => {
  it('creates one with all fields, and notes it', async () => {
    const { host, log } = start({ respond: { createPackage: pkg('PRE_ROUTING') } })
    assert.equal(await save(host), undefined)
    const body = { state: 'PRE_ROUTING', subType: null, entry: { purpose: 'Mine', nights: null } }
    assert.deepEqual(log, [
      ['confirm', 'createPackage', body],
      ['remember', { key: '"key"', body }],
      ['createPackage', { params: { formId: 6025 }, body }, { idempotencyKey: '"key"' }],
      ['stored', body.entry, body.entry],
      ['created', 7],
    ])
  })

  it('sends the sub-type and the details for the emails', async () => {
    const { host, log } = start({ extras: all, respond: { createPackage: pkg('PRE_ROUTING') } })
    await save(host)
    assert.deepEqual(log[0], [
      'confirm',
      'createPackage',
      {
        state: 'PRE_ROUTING',
        subType: 'FOREIGN',
        emailContent: { packageDetails: 'For the <b>dean</b>' },
        entry: { purpose: 'Mine', nights: null },
      },
    ])
  })

  it('sends and remembers nothing if the page cancels it', async () => {
    const { host, log } = start({ isConfirmed: false })
    assert.deepEqual(await save(host), { why: 'canceled' })
    assert.deepEqual(
      log.map(([name]) => name),
      ['confirm'],
    )
  })

  it('forgets a creation that was refused', async () => {
    const { host, log } = start({ respond: { createPackage: refused } })
    await assert.rejects(save(host), refused)
    assert.deepEqual(
      log.map(([name]) => name),
      ['confirm', 'remember', 'createPackage', 'remember'],
    )
    assert.deepEqual(log.at(-1), ['remember', undefined])
  })

  it('repeats a creation whose outcome is unknown with its key and body, then saves later input', async () => {
    const entry = { purpose: 'Before', nights: null }
    const body = { state: 'PRE_ROUTING', entry } as const
    const { host, log } = start({
      creation: { key: '"known"', body },
      base: entry,
      respond: {
        createPackage: pkg('PRE_ROUTING'),
        getEntry: { entry },
        updateEntry: { entry: { purpose: 'Mine', nights: null } },
      },
    })
    assert.equal(await save(host), undefined)
    assert.deepEqual(log, [
      ['createPackage', { params: { formId: 6025 }, body }, { idempotencyKey: '"known"' }],
      ['stored', entry, entry],
      ['created', 7],
      ['invalidate', scope],
      ['getEntry', { params }, { version: '1.1' }],
      ['confirm', 'updateEntry', quietUpdate],
      ['updateEntry', { params, body: quietUpdate }, { version: '1.1', idempotencyKey: '"key"' }],
      ['stored', { purpose: 'Mine', nights: null }, { purpose: 'Mine' }],
    ])
  })

  it('keeps a creation whose outcome stays unknown', async () => {
    const body = { state: 'PRE_ROUTING', entry: {} } as const
    const lost = new UnavailableError('createPackage', 'is limited', { limitedUntil: Infinity })
    const { host, log } = start({ creation: { key: '"known"', body }, respond: { createPackage: lost } })
    await assert.rejects(save(host), UnknownOutcomeError)
    assert.deepEqual(
      log.map(([name]) => name),
      ['createPackage'],
    )
  })
})

const refused409 = new RefusedError('createPackage', 409)

/** The body of an update that nobody is mailed about. */
const quietUpdate = {
  entry: { purpose: 'Mine', nights: null },
  sendDeltaEmail: false,
  emailContent: { deltaSummary: null, packageDetails: null },
}

describe('save() with a package', () => {
  it('sends nothing if nothing has changed', async () => {
    const { host, log } = start({ found: pkg('PRE_ROUTING'), isChanged: false })
    assert.equal(await save(host), undefined)
    assert.deepEqual(log, [])
  })

  it('sends nothing if the service already has the same', async () => {
    const entry = { purpose: 'Mine', nights: 3 }
    const { host, log } = start({ found: pkg('DRAFT'), respond: { getEntry: { entry } } })
    assert.equal(await save(host), undefined)
    assert.deepEqual(log, [
      ['invalidate', scope],
      ['getEntry', { params }, { version: '1.1' }],
      ['stored', entry, { purpose: 'Mine' }],
    ])
  })

  it('stops at a conflict, and sends nothing', async () => {
    const theirs = { purpose: 'Theirs' }
    const { host, log } = start({
      found: pkg('PRE_ROUTING'),
      base: { purpose: 'Before' },
      respond: { getEntry: { entry: theirs } },
    })
    assert.deepEqual(await save(host), {
      why: 'conflict',
      conflicts: [{ name: 'purpose', mine: 'Mine', theirs: 'Theirs' }],
      theirs,
    })
    assert.deepEqual(
      log.map(([name]) => name),
      ['invalidate', 'getEntry'],
    )
  })

  it('mails nobody about a draft, but keeps the details for later emails', async () => {
    const { log } = await update('PRE_ROUTING', all)
    assert.deepEqual(log[2], [
      'confirm',
      'updateEntry',
      {
        entry: { purpose: 'Mine', nights: null },
        sendDeltaEmail: false,
        emailContent: { deltaSummary: null, packageDetails: 'For the <b>dean</b>' },
      },
    ])
  })

  it('mails about a request in routing as the page wishes', async () => {
    const { log } = await update('ROUTING', all)
    assert.deepEqual(log[2], [
      'confirm',
      'updateEntry',
      {
        entry: { purpose: 'Mine', nights: null },
        sendDeltaEmail: true,
        emailContent: { deltaSummary: 'One night more', packageDetails: 'For the <b>dean</b>' },
      },
    ])
  })

  it('sends the same entry again for a request in routing, because people may get an email', async () => {
    const entry = { purpose: 'Mine' }
    const { host, log } = start({
      found: pkg('ROUTING'),
      respond: { getEntry: { entry }, updateEntry: { entry } },
    })
    assert.equal(await save(host), undefined)
    assert.deepEqual(
      log.map(([name]) => name),
      ['invalidate', 'getEntry', 'confirm', 'updateEntry', 'stored'],
    )
  })

  it('sends nothing if the page cancels it', async () => {
    const { log, result } = await update('PRE_ROUTING', none, false)
    assert.deepEqual(result, { why: 'canceled' })
    assert.deepEqual(
      log.map(([name]) => name),
      ['invalidate', 'getEntry', 'confirm'],
    )
  })

  it('reads whether an update in conflict with itself was carried out', async () => {
    for (const [now, isStored] of [
      [{ purpose: 'Mine', nights: null, more: 1 }, true],
      [{ purpose: 'Mine', nights: 2 }, false],
    ] as const) {
      const reads = [{ entry: { purpose: 'Before', nights: null } }, { entry: now }]
      const { host, log } = start({
        found: pkg('PRE_ROUTING'),
        base: { purpose: 'Before', nights: null },
        respond: { getEntry: () => reads.shift(), updateEntry: refused409 },
      })
      if (isStored) {
        assert.equal(await save(host), undefined)
        assert.deepEqual(log.at(-1), ['stored', now, { purpose: 'Mine' }])
      } else await assert.rejects(save(host), refused409)
      assert.deepEqual(
        log.slice(3, 6).map(([name]) => name),
        ['updateEntry', 'invalidate', 'getEntry'],
      )
    }
  })
})

describe('save() if the form of the service has other fields than the page', () => {
  const whole = { purpose: 'Mine', nights: null }
  const hidden = ['nights']
  const fitted = { purpose: 'Mine', added: null }
  const refusing = (...names: string[]) =>
    new RefusedError('createPackage', 400, {
      refusedBy: 'service',
      errors: Object.fromEntries(
        names.map((name) => [
          `entry['${name}']`,
          [name === 'nights' ? 'validation.invalidValue' : 'validation.required'],
        ]),
      ),
    })

  it('sends once more what fits, as a change of its own', async () => {
    const answers: unknown[] = [refusing('added', 'nights'), pkg('PRE_ROUTING')]
    const { host, log } = start({ hidden, respond: { createPackage: () => answers.shift() } })
    assert.equal(await save(host), undefined)
    const bodies = log.flatMap(([name, ...args]) => (name === 'confirm' ? [args[1]] : []))
    assert.deepEqual(
      bodies.map((body) => (body as { entry: unknown }).entry),
      [whole, fitted],
    )
    assert.deepEqual(
      log.map(([name]) => name),
      [
        ...['confirm', 'remember', 'createPackage', 'remember'],
        ...['confirm', 'remember', 'createPackage', 'stored', 'created'],
      ],
    )
    assert.deepEqual(log.at(-2), ['stored', fitted, fitted])
  })

  it('reports what is still refused, or the first reason if the service has a field that was left out', async () => {
    for (const [second, isFirst] of [
      [refusing('purpose'), false],
      [refusing('nights'), true],
      [new UnavailableError('createPackage', 'lost'), false],
    ] as const) {
      const first = refusing('added', 'nights')
      const answers: unknown[] = [first, second]
      const { host } = start({ hidden, respond: { createPackage: () => answers.shift() ?? refused } })
      const error = await save(host).catch((reason: unknown) => reason)
      if (isFirst) assert.equal(error, first)
      else assert.notEqual(error, first)
    }
  })

  it('does so for an update, and not if nothing fits better', async () => {
    const answers: unknown[] = [refusing('added'), { entry: {} }]
    const options = { found: pkg('PRE_ROUTING'), base: { purpose: 'Before' } }
    const getEntry = { entry: { purpose: 'Before' } }
    const fitting = start({ ...options, respond: { getEntry, updateEntry: () => answers.shift() } })
    assert.equal(await save(fitting.host), undefined)
    assert.equal(fitting.log.filter(([name]) => name === 'updateEntry').length, 2)
    const { host, log } = start({ ...options, respond: { getEntry, updateEntry: refusing('purpose') } })
    await assert.rejects(save(host), RefusedError)
    assert.equal(log.filter(([name]) => name === 'updateEntry').length, 1)
  })
})

describe('route()', () => {
  it('starts routing, and returns the package in its new state', async () => {
    const { host, log } = start({ respond: { routePackage: pkg('ROUTING') } })
    assert.deepEqual(await route(host, pkg('PRE_ROUTING')), pkg('ROUTING'))
    const body = { id: 7, state: 'ROUTING', subType: null }
    assert.deepEqual(log, [
      ['confirm', 'routePackage', body],
      ['routePackage', { params, body }, { idempotencyKey: '"key"' }],
    ])
  })

  it('re-initiates instead, without a body, and finds out whether a lost response did it (3.3)', async () => {
    const { host, log } = start({ respond: { reinitiatePackage: pkg('ROUTING') } })
    assert.deepEqual(await route(host, pkg('PRE_ROUTING'), 'reinitiatePackage'), pkg('ROUTING'))
    assert.deepEqual(log, [
      ['confirm', 'reinitiatePackage', undefined],
      ['reinitiatePackage', { params }, { idempotencyKey: '"key"' }],
    ])
    const lost = new UnavailableError('reinitiatePackage', 'lost')
    const again = start({ respond: { reinitiatePackage: lost, getPackage: pkg('ROUTING') } })
    assert.deepEqual(await route(again.host, pkg('PRE_ROUTING'), 'reinitiatePackage'), pkg('ROUTING'))
  })

  it('sends the sub-type and the details, unless the page cancels it', async () => {
    const { host, log } = start({ extras: all, isConfirmed: false })
    assert.deepEqual(await route(host, pkg('PRE_ROUTING')), { why: 'canceled' })
    assert.deepEqual(log, [
      [
        'confirm',
        'routePackage',
        {
          id: 7,
          state: 'ROUTING',
          subType: 'FOREIGN',
          emailContent: { packageDetails: 'For the <b>dean</b>' },
        },
      ],
    ])
  })

  it('reads whether a refused start was carried out before: only a draft shows that it was not', async () => {
    for (const [state, isRouted] of [
      ['ROUTING', true],
      ['APPROVED', true],
      ['PRE_ROUTING', false],
      ['DRAFT', false],
    ] as const) {
      const { host, log } = start({ respond: { routePackage: refused409, getPackage: pkg(state) } })
      if (isRouted) assert.deepEqual(await route(host, pkg('PRE_ROUTING')), pkg(state))
      else await assert.rejects(route(host, pkg('PRE_ROUTING')), refused409)
      assert.deepEqual(log.slice(2), [
        ['invalidate', scope],
        ['getPackage', { params }],
      ])
    }
  })
})

type Call = readonly [name: string, ...args: unknown[]]

interface Options extends Partial<Pick<SubmissionHost, 'extras' | 'found' | 'creation'>> {
  readonly base?: EntryValues
  readonly isChanged?: boolean
  readonly isConfirmed?: boolean
  /** Fields that nobody sees. */
  readonly hidden?: readonly string[]
  /** The responses of the client by operation. */
  readonly respond?: Readonly<Record<string, unknown>>
}

/** Updates a package whose entry differs from the screen. */
async function update(state: string, extras: Extras, isConfirmed = true) {
  const { host, log } = start({
    found: pkg(state),
    extras,
    isConfirmed,
    base: { purpose: 'Before', nights: null },
    respond: { getEntry: { entry: { purpose: 'Before', nights: null } }, updateEntry: { entry: {} } },
  })
  return { log, result: await save(host) }
}

/** A form that shows `{ purpose: 'Mine' }`. Everything that happens is logged; new keys appear as `"key"`. */
function start({
  base = {},
  isChanged = true,
  isConfirmed = true,
  hidden = [],
  respond = {},
  ...options
}: Options) {
  const log: Call[] = []
  const send =
    (name: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      log.push([name, ...args.map(withoutNewKeys)])
      const response = respond[name]
      const found: unknown = typeof response === 'function' ? (response as () => unknown)() : response
      if (found instanceof Error) throw found
      return await Promise.resolve(found)
    }
  const names = [
    'createPackage',
    'getEntry',
    'updateEntry',
    'routePackage',
    'reinitiatePackage',
    'getPackage',
  ]
  const client = {
    ...Object.fromEntries(names.map((name) => [name, send(name)])),
    invalidate: (scope: string) => void log.push(['invalidate', scope]),
    extend: () => client,
  } as unknown as FormClient
  const shown = (value: unknown) => ({ is: 'shown', base: { value, reads: value } }) as const
  const mine: Field = {
    is: 'typed',
    base: { value: base['purpose'], reads: null },
    typed: { value: 'Mine', reads: 'Mine' },
  }
  const fields = new Map<string, Field>([['purpose', isChanged ? mine : shown('Mine')]])
  const host: SubmissionHost = {
    client,
    formId: 6025,
    fields: () => fields,
    sending: () => ({}),
    controls: { names: ['purpose', 'nights'], isVisible: (name) => !hidden.includes(name) },
    extraNames: [],
    subTypeName: '',
    dispatch: (event) => {
      if (event.type === 'stored') log.push(['stored', event.entry, event.sent])
    },
    extras: none,
    found: undefined,
    creation: undefined,
    ...options,
    confirm: (...args) => (log.push(['confirm', ...args]), isConfirmed),
    remember: (creation) => void log.push(['remember', withoutNewKeys(creation)]),
    created: ({ id }) => void log.push(['created', id]),
  }
  return { host, log }
}

/** Replaces a new key, which is random. */
function withoutNewKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, key]: [string, unknown]) => [
    name,
    /^(idempotencyKey|key)$/.test(name) && key !== '"known"' && typeof key === 'string' && key
      ? '"key"'
      : key,
  ])
  return Object.fromEntries(entries)
}
