import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntryValues } from '../../../src/elements/wf-form/state/entry-merge.ts'
import { typedOf } from '../../../src/elements/wf-form/state/field-state.ts'
import { isChanged } from '../../../src/elements/wf-form/state/form-state.ts'
import { PageModel } from './page-model.ts'

const nothing = { entry: {} }

/** A page with the controls, which shows a request with the entry. */
function opened(controls: EntryValues, entry: EntryValues): PageModel {
  const page = new PageModel(controls)
  page.dispatch({ type: 'opened', entry, kept: nothing, isOther: false })
  return page
}

const typed = (page: PageModel) => typedOf(page.state.fields)

describe('who has changed a field', () => {
  it('is a script before anybody has done anything, so it is put right, each value once', () => {
    const page = opened({ who: null }, { who: 'Stored' })
    page.script({ who: 'Script' })
    assert.deepEqual([page.screen, typed(page)], [{ who: 'Stored' }, {}])
    page.script({ who: 'Another' })
    assert.deepEqual([page.screen, typed(page)], [{ who: 'Stored' }, {}])
    page.script({ who: 'Script' })
    assert.deepEqual([page.screen, typed(page)], [{ who: 'Script' }, { who: 'Script' }], 'the page insists')
  })

  it('is a script for a person as soon as somebody has done something', () => {
    const page = opened({ who: null }, { who: 'Stored' })
    page.touch()
    page.script({ who: 'Script' })
    assert.deepEqual(typed(page), { who: 'Script' })
  })

  it('is a script again after values were written, or while a press is carried out', () => {
    for (const begin of [
      (page: PageModel) => page.dispatch({ type: 'loaded', entry: { who: 'Now' } }),
      (page: PageModel) => page.dispatch({ type: 'submitting' }),
    ]) {
      const page = opened({ who: null }, { who: 'Stored' })
      page.touch()
      begin(page)
      const before = page.screen
      page.script({ who: 'Script' })
      assert.deepEqual([page.screen, isChanged(page.state)], [before, false])
    }
  })

  it('is put right again after somebody has done something else', () => {
    const page = opened({ who: null }, { who: 'Stored' })
    page.script({ who: 'Script' })
    page.touch()
    page.dispatch({ type: 'submitting' })
    page.script({ who: 'Script' })
    assert.deepEqual([page.screen, isChanged(page.state)], [{ who: 'Stored' }, false])
  })

  it('is the person if the control has fired an event, also before the first other action', () => {
    for (const isEntered of [true, false]) {
      const page = opened({ who: null, what: null }, { who: 'Stored', what: 'Stored' })
      page.controls.get('who')!.value = 'Filled in'
      page.controls.get('what')!.value = 'Script'
      if (isEntered) page.enter('who')
      page.read()
      assert.deepEqual(typed(page), isEntered ? { who: 'Filled in' } : {})
      assert.equal(page.screen['what'], 'Stored', 'it counts for that control only')
    }
  })

  it('is the page if values change while others are written', () => {
    const page = new PageModel({ cost: null, sum: null })
    page.onWrite = (name) => {
      if (name === 'cost') page.controls.get('sum')!.value = 'five in all'
    }
    page.dispatch({ type: 'opened', entry: {}, kept: { entry: { cost: 5 } }, isOther: false })
    assert.deepEqual(page.screen, { cost: 5, sum: 'five in all' })
    page.script({ sum: 'six in all' })
    assert.equal(page.screen['sum'], 'five in all', 'later, it is a script')
  })

  it('is nobody if new choices of a list contain the earlier one', () => {
    for (const [choices, expected] of [
      [[null, 'A'], {}],
      [[null, 'B'], { room: null }],
    ] as const) {
      const page = opened({ room: null }, { room: 'A' })
      page.touch()
      Object.assign(page.controls.get('room')!, { value: null, newChoices: choices })
      page.read()
      assert.deepEqual(typed(page), expected)
      assert.equal(page.screen['room'], 'room' in expected ? null : 'A')
    }
  })

  it('is the person who chooses another of the new choices', () => {
    const page = opened({ room: null }, { room: 'A' })
    page.touch()
    page.controls.get('room')!.newChoices = ['A', 'B']
    page.type({ room: 'B' })
    assert.deepEqual(typed(page), { room: 'B' })
  })

  it('is nobody if an editor puts back an earlier text when the form is sent', () => {
    const earlier = () => {
      const page = opened({ plan: null }, { plan: 'First' })
      page.dispatch({ type: 'loaded', entry: { plan: 'Second' } })
      page.touch()
      return page
    }
    for (const [put, expected] of [
      [null, {}],
      ['First', {}],
      ['Typed', { plan: 'Typed' }],
      ['Second', {}],
    ] as const) {
      const page = earlier()
      page.submit({ plan: put })
      assert.deepEqual([typed(page), page.screen['plan']], [expected, expected.plan ?? 'Second'], String(put))
    }
    const later = earlier()
    later.submit({})
    later.script({ plan: 'First' })
    assert.deepEqual(typed(later), { plan: 'First' }, 'at another time')
  })

  it('is the person who has been in an editor', () => {
    const page = opened({ plan: null }, { plan: 'Stored' })
    page.touch()
    page.read(true)
    page.submit({ plan: null })
    assert.deepEqual(typed(page), { plan: null })
    const other = opened({ plan: null }, { plan: 'Stored' })
    other.controls.get('plan')!.value = 'Typed in a frame'
    other.read(true)
    assert.deepEqual(typed(other), { plan: 'Typed in a frame' }, 'also before any other action')
  })

  it('is the page if it draws a field again because of what a person did', () => {
    const answered = (before: (page: PageModel) => void, value: unknown) => {
      const page = opened({ rate: 0 }, { rate: 3 })
      before(page)
      page.draw('rate', value)
      return page.screen['rate']
    }
    const touch = (page: PageModel) => page.touch()
    assert.equal(answered(touch, 6), 6)
    assert.equal(
      answered(() => {}, 6),
      3,
      'nobody has done anything',
    )
    assert.equal(answered(touch, 0), 3, 'what the page had before')
    assert.equal(answered(touch, null), 3, 'nothing')
    const type = (page: PageModel) => page.type({ rate: 8 })
    assert.equal(answered(type, 6), 8, 'the person has typed something')
    const twice = (page: PageModel) => {
      page.touch()
      page.draw('rate', 6)
    }
    assert.equal(answered(twice, 7), 7, 'another answer')
    const saved = (page: PageModel) => {
      page.type({ rate: 5 })
      page.dispatch({ type: 'stored', entry: { rate: 5 }, sent: { rate: 5 } })
      page.dispatch({ type: 'loaded', entry: { rate: 4 } })
      page.touch()
    }
    const other = new PageModel({ rate: 0 })
    saved(other)
    other.draw('rate', 0)
    assert.equal(other.screen['rate'], 4, 'what the page wrote, although nothing was written over it')
    const elsewhere = (page: PageModel) => {
      page.touch()
      page.dispatch({ type: 'replaced' })
    }
    assert.equal(answered(elsewhere, 6), 3, 'another form')
  })

  it('is the page if it shows a new control, which nobody has stored or typed', () => {
    const page = opened({}, {})
    page.touch()
    page.draw('late', 'from the page')
    assert.deepEqual([page.screen, typed(page)], [{ late: 'from the page' }, {}])
  })

  it('is the person who takes a row away, so that the others have other numbers', () => {
    const page = opened({ 'row[0]': null, 'row[1]': null }, { 'row[0]': 'a', 'row[1]': 'b' })
    page.gone('row[1]')
    assert.deepEqual(typed(page), { 'row[1]': null })
  })
})
