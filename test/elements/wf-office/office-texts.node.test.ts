import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SignedOutError, UnavailableError } from '../../../src/client/index.ts'
import type { Office } from '../../../src/contract/schemas/offices.ts'
import { listNotes } from '../../../src/elements/wf-office/office-list.ts'
import type { OfficeLookup } from '../../../src/elements/wf-office/office-lookup.ts'
import {
  levelText,
  type OfficeTextContext,
  renderCheck,
  textProblem,
} from '../../../src/elements/wf-office/office-texts.ts'
import { common } from '../../../src/locales/en.ts'
import { officeList } from '../../../src/locales/en-office-list.ts'
import { office } from '../../../src/locales/en-office.ts'
import { textsOf } from '../texts.ts'

const down = new UnavailableError('searchOffices', 'got no response')
const signedOut = new SignedOutError('searchOffices', 'needs a session')

/** The facts of a field that has loaded these offices. */
function context({ keys = ['11-0420'], level, ...lookup }: ContextOptions = {}): OfficeTextContext {
  const offices = new Map(keys.map((naturalKey) => [naturalKey, { naturalKey } as Office]))
  const known = { busy: false, error: undefined, offices, hasSearched: () => true, ...lookup }
  return {
    messages: textsOf(office),
    common: textsOf(common),
    level,
    lookup: known as unknown as OfficeLookup,
    signInUrl: undefined,
  }
}

interface ContextOptions {
  readonly keys?: readonly string[]
  readonly level?: OfficeTextContext['level']
  readonly busy?: boolean
  readonly error?: unknown
  readonly hasSearched?: (key: string) => boolean
}

describe('textProblem()', () => {
  it('finds nothing wrong with no text, and with the number of an office', () => {
    for (const text of ['', '  ', '110420', '11-0420']) assert.equal(textProblem(text, context()), '')
    assert.equal(textProblem('11-0420', context({ level: 'department' })), '')
  })

  it('says what is wrong with a text', () => {
    assert.equal(
      textProblem('Biology', context()),
      'Choose an office from the list, or enter its number, such as 11-0420.',
    )
    assert.match(textProblem('Biology', context({ level: 'org' })), /such as 11\.$/)
    for (const text of ['1', '11-04', '11-0420-00', '11-0420-00101', '-', '–'])
      assert.match(textProblem(text, context()), /has 2, 6 or 10 digits/, text)
    assert.equal(
      textProblem('11', context({ level: 'department' })),
      '11 is the number of an organization. Enter the number of a department, such as 11-0420.',
    )
  })

  it('knows that an office does not exist only after a search', () => {
    assert.equal(textProblem('110430', context()), 'No office was found for 11-0430. Check the number.')
    assert.equal(textProblem('110430', context({ hasSearched: () => false })), '')
  })
})

describe('levelText()', () => {
  it('names the accepted level, with a number as an example', () => {
    assert.deepEqual(levelText(context()), ['an office', '11-0420'])
    assert.deepEqual(levelText(context({ level: 'org' })), ['an organization', '11'])
    assert.deepEqual(levelText(context({ level: 'sub_department' })), ['a sub-department', '11-0420-0010'])
  })
})

describe('renderCheck()', () => {
  it('says how far a number has been checked', () => {
    const hasSearched = () => false
    assert.equal(renderCheck('11', context({ error: down, busy: true })), '', 'the search has ended')
    assert.equal(renderCheck('11', context({ hasSearched, busy: true })), 'Checking the number…')
    assert.equal(renderCheck('11', context({ hasSearched })), '')
    assert.equal(
      renderCheck('11', context({ hasSearched, error: down })),
      'The number couldn’t be checked. You can send it as it is.',
    )
  })
})

describe('listNotes()', () => {
  /** The notes about a list that shows this many of all matching offices. */
  const notes = (typed: string, shown: number, total: number, options?: ContextOptions) => {
    const option = { key: '11', name: '', isChoice: true }
    const listed = { options: Array.from({ length: shown }, () => option), total }
    return listNotes(typed, listed, textsOf(officeList), context(options))
  }
  const start = 'Type the first two digits. The search is by number.'

  it('counts the offices, and says if there are more', () => {
    assert.deepEqual(notes('11', 1, 1), ['1 office.'])
    assert.deepEqual(notes('11', 50, 50), ['50 offices.'])
    assert.deepEqual(notes('11', 50, 62), ['50 of 62 offices. Type more of the number.'])
    assert.deepEqual(notes(' 119 ', 0, 0), ['No office number starts with 119.'])
  })

  it('says how to begin, before there is a number to search for', () => {
    for (const text of ['', '1', 'bio']) assert.deepEqual(notes(text, 0, 0, { keys: [] }), [start])
    assert.deepEqual(notes('1', 0, 0), [start])
  })

  it('says that names are searched only in the offices that have loaded', () => {
    const among = 'Names are searched only in the 1 office loaded so far. The search is by number.'
    assert.deepEqual(notes('bio', 1, 1), ['1 office.', among])
    assert.deepEqual(notes('zoo', 0, 0), ['No name matches.', among])
    assert.deepEqual(notes('11 zoo', 0, 0), ['No name matches.', among])
  })

  it('says first that the offices could not be loaded', () => {
    assert.deepEqual(notes('11', 0, 0, { error: down }), ['Couldn’t be loaded.'])
    assert.deepEqual(notes('11', 2, 2, { error: down }), ['Couldn’t be loaded.', '2 offices.'])
    assert.deepEqual(notes('11', 0, 0, { error: signedOut }), [common.signedOut])
    assert.deepEqual(notes('11', 2, 2, { error: down, busy: true }), ['Loading…'])
  })
})
