import { expect, oneEvent } from '@open-wc/testing'
import { WfBeforeChangeEvent } from '../../../src/elements/element/events.ts'
import { WfOverrideChangeEvent } from '../../../src/elements/wf-overrides/wf-overrides.events.ts'
import type { WfOverrides } from '../../../src/elements/wf-overrides/wf-overrides.ts'
import { type Backend, people } from '../../../stories/backend.ts'
import { createOverrideBackend, fill, replace } from '../../../stories/overrides.ts'
import { waitUntil } from '../../wait-until.ts'
import { dialog, open, part, show, status, submit, textOf, writes } from './element.ts'

const given = [replace(people.firstApprover, people.viewer)]
const reason = 'CONFLICT_OF_INTEREST'

describe('the list of <wf-overrides>', () => {
  it('shows what it knows of each replacement, and counts those that could not be read', async () => {
    const element = await show(
      withRows(
        {
          subjectUnivid: people.firstApprover,
          replacementUnivid: people.viewer,
          type: 'CHANGE',
          reason: null,
        },
        { subjectUnivid: '777', replacementUnivid: null, type: 'NEW_TYPE', reason },
        { subjectUnivid: '778', replacementUnivid: '779', type: null, reason: 'ILLNESS' },
        { type: 'CHANGE' },
      ),
    )
    expect(textOf(element)).to.equal(
      'Ruth Lindqvist acts for Daniel Reyes Daniel Reyes Ruth Lindqvist Daniel Reyes cannot see this request at all. ' +
        'Not yet in force: it is still in the inbox of Daniel Reyes. End ' +
        'University ID acts for University ID 777 University ID 777 University ID This page does not know the effect. Conflict of interest ' +
        'Whether it is in force couldn’t be checked. End ' +
        'University ID 779 acts for University ID 778 University ID 778 University ID 779 This page does not know the effect. ' +
        'Whether it is in force couldn’t be checked. End ' +
        '1 entry couldn’t be read. Replace an approver',
    )
    const all = (selector: string) => [...element.shadowRoot!.querySelectorAll<HTMLElement>(selector)]
    expect(all('[part=effect]').map(({ className }) => className)).to.deep.equal([
      'notYet',
      'unproven',
      'unproven',
    ])
    expect(all('[part=end]').map((button) => button.ariaLabel)).to.deep.equal([
      'End: Daniel Reyes',
      'End: University ID 777',
      'End: University ID 778',
    ])
    expect(part(element, 'list').ariaLabel).to.equal('Replaced people')
    expect(part(element, 'empty') === null).to.equal(true)
  })

  it('ends a replacement that names nobody instead', async () => {
    const element = await show(
      withRows({ subjectUnivid: people.firstApprover, replacementUnivid: null, type: 'CHANGE', reason }),
    )
    part(element, 'end').click()
    await waitUntil(() => dialog(element).open)
    expect(textOf(element)).to.equal(
      'End the replacement of Daniel Reyes? Daniel Reyes gets back all rights on this request. ' +
        'University ID no longer signs for them. End Keep it',
    )
  })

  it('shows when a replacement takes effect later', async () => {
    const element = await show(createOverrideBackend([replace(people.secondApprover, people.outsider)]))
    expect(part(element, 'effect').textContent).to.equal(
      'Takes effect when the request would reach Mei-Ling Zhou.',
    )
    expect(part(element, 'effect').className).to.equal('later')
  })

  it('offers to end nothing if the person is replaced or acts for somebody in the same row', async () => {
    const other = {
      subjectUnivid: people.firstApprover,
      replacementUnivid: people.viewer,
      type: 'CHANGE',
      reason,
    }
    const ends = async (...rows: object[]) => {
      const element = await show(withRows(...rows))
      return element.shadowRoot!.querySelectorAll('[part=end]').length
    }
    expect(await ends(other, { ...other, subjectUnivid: people.secondApprover })).to.equal(2)
    expect(await ends(other, { ...other, subjectUnivid: people.administrator })).to.equal(0)
    expect(await ends({ ...other, subjectUnivid: people.administrator })).to.equal(0)
    const actsFor = {
      ...other,
      subjectUnivid: people.secondApprover,
      replacementUnivid: people.administrator,
    }
    expect(await ends(other, actsFor)).to.equal(1)
  })

  it('fires events before and after it ends a replacement, and announces it', async () => {
    const backend = createOverrideBackend(given)
    const element = await show(backend)
    const before = changesOf(element)
    part(element, 'end').click()
    await waitUntil(() => dialog(element).open)
    const changed = oneEvent<WfOverrideChangeEvent>(element, WfOverrideChangeEvent.type)
    submit(element)
    const { override, isEnded } = await changed
    expect([override, isEnded]).to.deep.equal([given[0], true])
    expect(before).to.deep.equal([['deactivateOverride', { univid: people.firstApprover }]])
    await waitUntil(() => status(element) === 'Daniel Reyes decides again.')
    await waitUntil(() => textOf(element) === 'Nobody is replaced on this request. Replace an approver')
    expect(part(element, 'list') === null).to.equal(true)
  })

  it('fires events before and after it makes a replacement', async () => {
    const backend = createOverrideBackend()
    const element = await show(backend)
    const before = changesOf(element)
    await open(element)
    fill(element.shadowRoot!, { subject: 'Daniel Reyes', type: 'CHANGE', replacement: 'Theo Marchetti' })
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))
    const changed = oneEvent<WfOverrideChangeEvent>(element, WfOverrideChangeEvent.type)
    submit(element)
    const wanted = replace(people.firstApprover, people.outsider, 'CHANGE')
    const { override, isEnded } = await changed
    expect([override, isEnded]).to.deep.equal([wanted, false])
    expect(before).to.deep.equal([['createOverride', wanted]])
    expect(writes(backend)).to.have.length(1)
  })
})

/** A backend whose service returns these replacements. */
function withRows(...rows: readonly object[]): Backend {
  const backend = createOverrideBackend()
  const { intercept } = backend
  backend.intercept = (request) =>
    request.url.endsWith('/overrides') ? Promise.resolve(Response.json(rows)) : intercept(request)
  return backend
}

/** Collects the changes that the element is about to make. */
function changesOf(element: WfOverrides): unknown[] {
  const changes: unknown[] = []
  element.addEventListener(WfBeforeChangeEvent.type, ({ operation, body }) => changes.push([operation, body]))
  return changes
}
