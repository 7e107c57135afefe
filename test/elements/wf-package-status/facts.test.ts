import { expect, fixture, html } from '@open-wc/testing'
import type { InboxSignature } from '../../../src/contract/schemas/workflow.ts'
import type { CardReads } from '../../../src/elements/wf-package-status/card-reads.ts'
import type { PackageStatusContent } from '../../../src/elements/wf-package-status/content.ts'
import type { FactsContext } from '../../../src/elements/wf-package-status/fact.ts'
import { renderFacts } from '../../../src/elements/wf-package-status/facts.ts'
import { common } from '../../../src/locales/en.ts'
import { packageStatus } from '../../../src/locales/en-package-status.ts'
import { textsOf } from '../texts.ts'

const person = (univid: string, displayName: string) => ({ univid, displayName })
const ana = person('1', 'Ana')
const ben = person('2', 'Ben')
const holder = { id: 1, approver: 'Ben', permission: 'SIGNATURE_REQUIRED', responsibleOffice: null }

describe('the facts of a package', () => {
  it('name who holds it, what they may do, for which office and since when', async () => {
    const since = (actionDate: string, fields: object = {}) => ({
      ...{ isInInbox: true, person: ben, permission: 'SIGNATURE_REQUIRED', actionDate },
      ...fields,
    })
    const getHistory = [
      since('2026-11-14T08:00:00'),
      since('2026-11-15T08:00:00'),
      null,
      since('2026-11-16T08:00:00', { isInInbox: false }),
      since('2026-11-17T08:00:00', { person: ana }),
      since('2026-11-18T08:00:00', { permission: 'SIGNATURE_PERMITTED' }),
      since('2026-11-19T08:00:00', { person: null }),
    ]
    const one = await show({ inbox: [{ ...holder, responsibleOffice: { name: 'Biology' } }], getHistory })
    expect(one.text).to.equal(
      'Waiting for Ben Must sign · Biology · since Nov 15, 2026, 8:00 AM Initiator Ana ' +
        'Started Nov 10, 2026, 9:00 AM Last action Nov 12, 2026, 9:00 AM On file 2 comments · 1 attachment',
    )
    const times = [...one.root.querySelectorAll('time')].map((time) => [time.dateTime, time.lang])
    expect(times).to.deep.equal([
      ['2026-11-15T08:00:00', 'en'],
      ['2026-11-10T09:00:00', 'en'],
      ['2026-11-12T09:00:00', 'en'],
    ])
    const unknown = await show({ inbox: [{ ...holder, permission: null }], getHistory: [] })
    expect(unknown.text).to.match(/^Waiting for Ben Initiator Ana/)
    expect(unknown.root.querySelector('.detail') === null).to.equal(true)
    const other = await show({ inbox: [{ ...holder, permission: 'MUST_WITNESS' }] })
    expect(other.text).to.match(/^Waiting for Ben Must witness Initiator/)
  })

  it('show how long it has been held if the time zone is known, and each time once', async () => {
    const actionDate = '2001-11-10T09:00:33'
    const getHistory = [{ isInInbox: true, person: ben, permission: 'SIGNATURE_REQUIRED', actionDate }]
    const found = { routingDate: '2001-11-10T09:00:12', actionDate: '2001-11-10T09:00:59' }
    const { text } = await show({ inbox: [holder], getHistory, found }, { timeZone: 'America/Chicago' })
    expect(text).to.match(
      /^Waiting for Ben · \d+ years Must sign · since Nov 10, 2001, 9:00 AM Initiator Ana On file/,
    )
  })

  it('list several holders, and count the entries that could not be read', async () => {
    const viewer = { ...holder, id: 9, approver: 'Viewer', permission: 'VIEW_ONLY' }
    const eva = { ...holder, id: 2, approver: 'Eva', permission: 'SIGNATURE_PERMITTED' }
    const several = await show({ inbox: [holder, viewer, eva, null, null] })
    expect(several.lead).to.equal('Waiting for Ben Must sign Eva May sign 2 entries couldn’t be read.')
    expect(several.root.querySelectorAll('li').length).to.equal(2)
    const one = await show({ inbox: [holder, null] })
    expect(one.lead).to.equal('Waiting for Ben Must sign 1 entry couldn’t be read.')
    expect(one.root.querySelectorAll('li').length).to.equal(0)
    expect((await show({ inbox: [null] })).lead).to.equal('Waiting for 1 entry couldn’t be read.')
    expect((await show({ inbox: null })).lead).to.equal('Who has it now couldn’t be loaded.')
    expect((await show({ inbox: undefined })).lead).to.equal('')
  })

  it('depend on the state', async () => {
    const voidReason = 'TRANSACTION_DENIED'
    const dates = 'Started Nov 10, 2026, 9:00 AM Last action Nov 12, 2026, 9:00 AM'
    const counts = 'On file 2 comments · 1 attachment'
    for (const [state, text] of [
      ['VOID', `Void Reason Transaction denied Initiator Ana ${dates} ${counts}`],
      ['COMPLETE', `Complete Initiator Ana ${dates} ${counts}`],
      ['NEW_STATE', `Initiator Ana ${dates} ${counts}`],
      ['PRE_ROUTING', `Not in routing Initiator Ana ${counts}`],
      ['DRAFT', `Waiting for Ana Must submit it ${counts}`],
    ] as const) {
      const shown = await show({ found: { state, voidReason }, inbox: [] })
      expect(shown.text, state).to.equal(text)
      expect(shown.root.querySelector('[part=lead]') !== null, state).to.equal(state !== 'NEW_STATE')
    }
    expect((await show({ found: { state: 'VOID', voidReason: 'LOST' } })).text).to.match(/^Void Reason Lost /)
  })

  it('leave out what the service does not return', async () => {
    const nothing = {
      ...{ state: 'COMPLETE', initiator: null, routingDate: null, actionDate: undefined },
      ...{ commentCount: null, attachmentCount: undefined },
    }
    expect((await show({ found: nothing })).text).to.equal('Complete')
    const counted = { ...nothing, commentCount: 0, attachmentCount: 1 }
    expect((await show({ found: counted })).text).to.equal('Complete On file 1 attachment')
    expect((await show({ found: { ...counted, attachmentCount: 0 } })).text).to.equal('Complete')
    const emailContent = { packageDetails: '<p>Bring <b>boots</b></p>' }
    expect((await show({ found: { ...nothing, emailContent } })).text).to.equal(
      'Complete Details Bring boots',
    )
  })

  it('address the signed-in user', async () => {
    const eva = { ...holder, id: 2, approver: 'Eva' }
    const actions = { signatureId: 1 }
    expect((await show({ inbox: [holder], actions })).lead).to.equal('Waiting for you Must sign')
    expect((await show({ inbox: [eva], actions })).lead).to.equal('Waiting for Eva Must sign')
    expect((await show({ inbox: [holder, eva], actions })).lead).to.equal(
      'Waiting for Ben (you) Must sign Eva Must sign',
    )
    const draft = { found: { state: 'DRAFT' }, inbox: [] }
    expect((await show(draft, {}, { isInitiator: true })).lead).to.equal('Waiting for you Must submit it')
    expect((await show(draft)).lead).to.equal('Waiting for Ana Must submit it')
  })
})

describe('a package whose routing has ended', () => {
  const found = { state: 'COMPLETE', commentCount: null, attachmentCount: null, routingDate: null }
  const complete = { '@class': 'complete', actionDate: '2026-11-12T09:00:20' }
  const signed = { '@class': 'signature', state: 'APPROVED', person: ben }

  it('was approved on a day if somebody signed', async () => {
    const { text, root } = await show({ found, getHistory: [signed, null, complete] })
    expect(text).to.equal('Approved on Nov 12, 2026 Initiator Ana')
    expect(root.querySelector('time')!.dateTime).to.equal('2026-11-12T09:00:20')
    expect((await show({ found, getHistory: [complete] })).lead).to.equal('Completed on Nov 12, 2026')
    expect((await show({ found, getHistory: [signed] })).lead).to.equal('Complete')
  })

  it('names the day of the completion, also if something happened afterwards', async () => {
    const later = { ...found, actionDate: '2026-11-20T10:00:00' }
    expect((await show({ found: later, getHistory: [signed, complete] })).lead).to.equal(
      'Approved on Nov 12, 2026',
    )
  })

  it('was voided by somebody, with its age once', async () => {
    const event = (actionDate: string | null, person: object | null) => ({
      '@class': 'void',
      actionDate,
      person,
    })
    const voided = {
      ...found,
      state: 'VOID',
      voidReason: 'INCORRECT_FORM',
      actionDate: '2001-11-13T10:00:30',
    }
    const getHistory = [event('2001-11-01T10:00:00', ana), event('2001-11-13T10:00:00', ben)]
    expect((await show({ found: voided, getHistory })).text).to.equal(
      'Voided by Ben Nov 13, 2001, 10:00 AM Reason Incorrect form Initiator Ana',
    )
    const { text } = await show({ found: voided, getHistory }, { timeZone: 'America/Chicago' })
    expect(text).to.match(/^Voided by Ben · \d+ years ago Nov 13, 2001, 10:00 AM Reason/)
    expect((await show({ found: voided, getHistory: [event(null, null)] })).lead).to.equal(
      'Voided by Someone',
    )
  })
})

describe('a package that waits for nobody', () => {
  const lead = async (wait: FactsContext['wait']) => (await show({ inbox: [] }, {}, { wait })).lead

  it('names what it waits for and why, as soon as that is known', async () => {
    expect(await lead(undefined)).to.equal('Waiting for nobody')
    expect(await lead({ why: 'We don’t know why.' })).to.equal('Waiting for nobody We don’t know why.')
    const what = ['Receipt', 'Consent form']
    expect(await lead({ what, why: 'Required documents.' })).to.equal(
      'Waiting for Receipt, Consent form Required documents.',
    )
  })
})

describe('a draft', () => {
  const text = async (reads: CardReads | object, found: object = {}) => {
    const draft = { state: 'DRAFT', commentCount: null, attachmentCount: null, ...found }
    return (await show({ inbox: [], found: draft, ...reads })).text
  }
  const getHistory = [{ '@class': 'initiation', actionDate: '2026-11-10T09:00:00' }]
  const comment = (createdAt: string | null, words: string | null, fields: object = {}) => ({
    ...{ createdAt, comment: words, person: ben, state: 'ACTIVE' },
    ...fields,
  })
  const waits = 'Waiting for Ana Must correct it and submit it again'

  it('shows the comment that was added when it was returned', async () => {
    const getComments = [
      comment('2026-11-12T08:00:00', 'Before.'),
      comment('2026-11-12T09:00:44', 'Add receipts.'),
      comment('2026-11-12T09:30:00', 'After.'),
    ]
    expect(await text({ getHistory, getComments })).to.equal(
      `${waits} Returned by Ben · Nov 12, 2026, 9:00 AM Add receipts.`,
    )
    const nameless = [comment('2026-11-12T09:00:44', null, { person: null })]
    expect(await text({ getHistory, getComments: nameless })).to.equal(
      `${waits} Returned by Someone · Nov 12, 2026, 9:00 AM`,
    )
  })

  it('otherwise shows the latest comment of somebody else since it was started', async () => {
    const getComments = [
      comment('2026-11-09T08:00:00', 'Before the start.'),
      comment('2026-11-11T08:00:00', 'See the guidelines.'),
      null,
      comment('2026-11-11T08:30:00', 'Deleted.', { state: 'INACTIVE' }),
      comment('2026-11-11T08:40:00', 'Which ones?', { person: ana }),
    ]
    const latest = 'Returned. Latest comment by Ben · Nov 11, 2026, 8:00 AM See the guidelines.'
    expect(await text({ getHistory, getComments })).to.equal(`${waits} ${latest}`)
    expect(await text({ getHistory, getComments }, { actionDate: null })).to.equal(`${waits} ${latest}`)
    expect(await text({ getHistory, getComments: getComments.slice(0, 1) })).to.equal(waits)
    expect(await text({ getHistory })).to.equal(waits)
    expect(await text({ getComments })).to.equal('Waiting for Ana Must submit it')
  })

  it('waits for its initiator, also if nobody knows who that is', async () => {
    expect(await text({ getHistory }, { initiator: null })).to.equal(
      'Waiting for Initiator Must correct it and submit it again',
    )
  })
})

describe('a package that is not in routing', () => {
  it('has not started yet, once its history is known', async () => {
    const found = { state: 'PRE_ROUTING' }
    expect((await show({ found })).lead).to.equal('Not in routing')
    expect((await show({ found, getHistory: [] })).lead).to.equal('Routing has not started')
  })

  it('shows who removed it, and when', async () => {
    const removal = { '@class': 'remove', actionDate: '2026-11-13T10:00:00', person: ben }
    const found = { state: 'PRE_ROUTING', commentCount: null, attachmentCount: null }
    const text = async (event: object) => (await show({ found, getHistory: [event] })).text
    expect(await text(removal)).to.equal('Removed from routing by Ben Nov 13, 2026, 10:00 AM Initiator Ana')
    expect(await text({ ...removal, actionDate: null, person: null })).to.equal(
      'Removed from routing by Someone Initiator Ana',
    )
  })
})

interface Shown {
  readonly found?: object
  readonly actions?: object
  readonly inbox?: readonly (object | null)[] | null | undefined
}

/** Renders the facts of a package in routing, with these changes and reads. */
async function show(
  { found, inbox, actions, ...reads }: Shown & { readonly [Name in keyof CardReads]: unknown },
  formatting: Partial<FactsContext['formatting']> = {},
  more: Partial<FactsContext> = {},
) {
  const content: PackageStatusContent = {
    found: {
      ...{ id: 42, state: 'ROUTING', initiator: ana, voidReason: null },
      ...{ routingDate: '2026-11-10T09:00:00', actionDate: '2026-11-12T09:00:00' },
      ...{ commentCount: 2, attachmentCount: 1 },
      ...found,
    } as unknown as PackageStatusContent['found'],
    actions: (actions ?? null) as PackageStatusContent['actions'],
    inbox: inbox as readonly InboxSignature[] | null | undefined,
  }
  const context: FactsContext = {
    messages: textsOf(packageStatus),
    common: textsOf(common),
    formatting: { language: 'en', ...formatting },
    reads: reads as CardReads,
    isInitiator: false,
    wait: undefined,
    ...more,
  }
  const root = await fixture<HTMLElement>(html`<div>${renderFacts(content, context)}</div>`)
  const lead = root.querySelector<HTMLElement>('[part=lead]')
  return { root, text: textOf(root), lead: lead ? textOf(lead) : '' }
}

function textOf(element: HTMLElement): string {
  return element.innerText.replace(/\s+/g, ' ').trim()
}
