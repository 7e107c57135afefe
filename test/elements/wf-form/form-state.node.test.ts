import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntryValues } from '../../../src/elements/wf-form/state/entry-merge.ts'
import { keptOf, screenOf, secretsOf, typedOf } from '../../../src/elements/wf-form/state/field-state.ts'
import { isChanged, isUnshown } from '../../../src/elements/wf-form/state/form-state.ts'
import { PageModel } from './page-model.ts'

const empty = { purpose: null, nights: null }
const nothing = { entry: {} }
const open = (page: PageModel, entry: EntryValues, isOther = false) =>
  page.dispatch({ type: 'opened', entry, kept: nothing, isOther })

describe('what a form knows of its fields', () => {
  it('begins with the values of the page, which are not a change', () => {
    const { state } = new PageModel({ purpose: 'From the page' })
    assert.equal(isChanged(state), false)
    assert.deepEqual(screenOf(state.fields), { purpose: 'From the page' })
    assert.deepEqual([typedOf(state.fields), keptOf(state.fields)], [{}, undefined])
  })

  it('contains what is typed, and is not changed if that is undone', () => {
    const page = new PageModel(empty)
    page.type({ purpose: 'Mine' })
    assert.deepEqual(typedOf(page.state.fields), { purpose: 'Mine' })
    assert.deepEqual(keptOf(page.state.fields), { entry: { purpose: 'Mine' } })
    page.type({ purpose: null })
    assert.equal(isChanged(page.state), false)
  })

  it('is the same object if nothing was typed', () => {
    const page = new PageModel(empty)
    const { fields } = page.state
    page.read()
    assert.equal(page.state.fields, fields)
    page.type({ nights: 1 })
    assert.notEqual(page.state.fields, fields)
  })

  it('keeps what was typed before the package has loaded, and shows the rest', () => {
    const page = new PageModel(empty)
    page.type({ purpose: 'Early' })
    open(page, { purpose: 'Theirs', nights: 3, hidden: 'x' })
    assert.deepEqual(page.screen, { purpose: 'Early', nights: 3 })
    assert.deepEqual(typedOf(page.state.fields), { purpose: 'Early' })
  })

  it('shows another package with nothing of the first', () => {
    const page = new PageModel({ ...empty, own: 'From the page' })
    open(page, { purpose: 'First', nights: 3, own: 'First' })
    page.type({ purpose: 'Mine' })
    open(page, { nights: 4 }, true)
    assert.deepEqual(page.screen, { purpose: null, nights: 4, own: 'From the page' })
    assert.equal(isChanged(page.state), false)
  })

  it('is saved if the service has the same by now, and otherwise as before', () => {
    for (const [now, isStillChanged] of [
      [{ purpose: 'Mine', nights: 3 }, false],
      [{ purpose: 'Before', nights: 3 }, true],
      [{ purpose: 'Theirs', nights: 3 }, true],
    ] as const) {
      const page = new PageModel(empty)
      open(page, { purpose: 'Before', nights: 3 })
      page.type({ purpose: 'Mine' })
      page.dispatch({ type: 'loaded', entry: now })
      assert.equal(isChanged(page.state), isStillChanged, JSON.stringify(now))
      const expected = isStillChanged
        ? { entry: { purpose: 'Mine' }, base: { purpose: 'Before' } }
        : undefined
      assert.deepEqual(keptOf(page.state.fields), expected, 'the base shows the conflict')
    }
  })

  it('shows what others have changed in fields that nobody has changed here', () => {
    const page = new PageModel(empty)
    open(page, { purpose: 'Before', nights: 3 })
    page.type({ nights: 4 })
    page.dispatch({ type: 'loaded', entry: { purpose: 'Theirs', nights: 3 } })
    assert.deepEqual(page.screen, { purpose: 'Theirs', nights: 4 })
    assert.deepEqual(typedOf(page.state.fields), { nights: 4 })
  })

  it('differs from what was sent by what was typed meanwhile, also if that undoes it', () => {
    for (const later of ['Later', null]) {
      const page = new PageModel(empty)
      page.type({ purpose: 'Sent' })
      const sent = { purpose: 'Sent', nights: null }
      page.dispatch({ type: 'sending', values: sent })
      page.type({ purpose: later })
      assert.deepEqual(keptOf(page.state.fields)?.entry, { purpose: later }, 'it is kept')
      page.dispatch({ type: 'stored', entry: sent, sent })
      assert.deepEqual(typedOf(page.state.fields), { purpose: later })
      page.type({ purpose: 'Sent' })
      assert.equal(isChanged(page.state), false)
    }
  })

  it('takes over what the service has made of the input, while the screen still shows that', () => {
    const page = new PageModel(empty)
    page.type({ purpose: ' Sent ' })
    page.dispatch({ type: 'stored', entry: { purpose: 'Sent' }, sent: { purpose: ' Sent ' } })
    assert.deepEqual([page.screen['purpose'], isChanged(page.state)], [' Sent ', false])
    assert.equal(screenOf(page.state.fields)['purpose'], 'Sent')
    page.type({ purpose: ' Later ' })
    assert.deepEqual(typedOf(page.state.fields), { purpose: ' Later ' })
  })

  it('keeps a value that a control cannot show, until somebody changes it', () => {
    const page = new PageModel(empty)
    page.shows = (name, value) => (name === 'nights' ? null : value)
    open(page, { purpose: 'A', nights: 'many' })
    assert.deepEqual([page.screen['nights'], isChanged(page.state)], [null, false])
    assert.equal(screenOf(page.state.fields)['nights'], 'many')
    assert.equal(isUnshown(page.state.fields.get('nights')), true)
    page.type({ nights: 3 })
    assert.deepEqual(typedOf(page.state.fields), { nights: 3 })
    assert.equal(isUnshown(page.state.fields.get('nights')), false)
  })

  it('contains what a person chooses, although the control showed it while the service had nothing', () => {
    const page = new PageModel({ ...empty, nights: 5 })
    page.shows = (name, value) => (name === 'nights' ? (value ?? 5) : value)
    open(page, { purpose: 'A', nights: null })
    assert.deepEqual([page.screen['nights'], isChanged(page.state)], [5, false])
    page.type({ nights: 7, purpose: 'B' })
    page.type({ nights: 5, purpose: 'A' })
    assert.deepEqual(typedOf(page.state.fields), { nights: 5 })
  })

  it('fills a control that appears later with what is stored, which is not a change', () => {
    const page = new PageModel(empty)
    open(page, { purpose: 'Before', late: 'stored' })
    page.controls.set('late', { value: '' })
    page.read()
    assert.deepEqual([page.screen['late'], isChanged(page.state)], ['stored', false])
    page.type({ late: 'Mine' })
    assert.deepEqual(typedOf(page.state.fields), { late: 'Mine' })
  })

  it('never sends a stored field that no control has shown', () => {
    const page = new PageModel(empty)
    open(page, { purpose: 'Before', late: 'stored' })
    assert.equal('late' in screenOf(page.state.fields), false)
    page.dispatch({ type: 'loaded', entry: { purpose: 'Before', late: 'other' } })
    assert.equal('late' in screenOf(page.state.fields), false)
  })

  it('fills a control that replaces another with what was typed', () => {
    const page = new PageModel(empty)
    open(page, { purpose: 'Before', nights: 3 })
    page.type({ nights: 4 })
    page.controls.clear()
    page.read()
    assert.deepEqual(typedOf(page.state.fields), { nights: 4 }, 'it stays typed')
    for (const name of ['purpose', 'nights']) page.controls.set(name, { value: null })
    page.read()
    assert.deepEqual(page.screen, { purpose: 'Before', nights: 4 })
    assert.deepEqual(typedOf(page.state.fields), { nights: 4 })
  })

  it('shows a copy, and keeps it for a control that appears later', () => {
    const page = new PageModel(empty)
    const kept = { entry: { purpose: 'Typed', late: 'typed' }, base: { purpose: 'Before', late: 'stored' } }
    page.dispatch({ type: 'opened', entry: { purpose: 'Now', late: 'stored' }, kept, isOther: false })
    assert.equal(page.screen['purpose'], 'Typed')
    assert.deepEqual(keptOf(page.state.fields), kept, 'with what the service had then')
    page.controls.set('late', { value: null })
    page.read()
    assert.equal(page.screen['late'], 'typed')
    page.dispatch({ type: 'discarded' })
    assert.deepEqual(page.screen, { purpose: 'Before', nights: null, late: 'stored' })
    assert.equal(isChanged(page.state), false)
  })

  it('prefers what another tab has typed last', () => {
    const page = new PageModel(empty)
    page.type({ purpose: 'Here', nights: 1 })
    page.dispatch({ type: 'copied', kept: { entry: { purpose: 'There' } } })
    assert.deepEqual(page.screen, { purpose: 'There', nights: 1 })
    assert.deepEqual(keptOf(page.state.fields)?.entry, { purpose: 'There', nights: 1 })
  })

  it('leaves the value of a page in a control that appears later, if nothing is stored or typed', () => {
    const page = new PageModel(empty)
    open(page, { purpose: 'Before' })
    page.controls.set('late', { value: 'from the page' })
    page.read()
    assert.deepEqual([page.screen['late'], isChanged(page.state)], ['from the page', false])
  })

  it('fills controls that the page adds because of a value', () => {
    const page = new PageModel(empty)
    page.onWrite = () => page.controls.has('late') || page.controls.set('late', { value: null })
    open(page, { purpose: 'Other', late: 'stored' })
    assert.deepEqual([page.screen['late'], isChanged(page.state)], ['stored', false])
  })

  it('counts what the page makes of stored values as stored, and of typed ones as typed', () => {
    const page = new PageModel({ cost: null, sum: null })
    page.onWrite = (name) => {
      if (name === 'cost') page.controls.get('sum')!.value = `${String(page.screen['cost'])} in all`
    }
    open(page, { cost: 5 })
    assert.deepEqual([page.screen['sum'], isChanged(page.state)], ['5 in all', false])
    page.dispatch({ type: 'copied', kept: { entry: { cost: 6 } } })
    assert.deepEqual(typedOf(page.state.fields), { cost: 6, sum: '6 in all' })
  })

  it('does not send what is typed into a control that is disabled now, and keeps it', () => {
    const page = new PageModel(empty)
    open(page, { purpose: 'Before' })
    page.type({ purpose: 'Mine' })
    page.controls.get('purpose')!.isOff = true
    page.read()
    assert.deepEqual([typedOf(page.state.fields), isChanged(page.state)], [{}, false])
    assert.deepEqual(keptOf(page.state.fields)?.entry, { purpose: 'Mine' })
    page.controls.get('purpose')!.isOff = false
    page.read()
    assert.deepEqual(typedOf(page.state.fields), { purpose: 'Mine' })
  })

  it('does not keep a secret, even if its control shows the text for a while', () => {
    const page = new PageModel(empty)
    page.controls.set('pin', { value: null, isSecret: true })
    page.read()
    page.type({ pin: '1234' })
    page.controls.get('pin')!.isSecret = false
    page.type({ pin: '12345' })
    assert.deepEqual([typedOf(page.state.fields), keptOf(page.state.fields)], [{ pin: '12345' }, undefined])
    assert.deepEqual(secretsOf(page.state.fields), ['pin'])
  })

  it('settles a conflict as the person has chosen', () => {
    const page = new PageModel({ a: null, b: null })
    open(page, { a: 'Before', b: 'Before' })
    page.type({ a: 'Mine', b: 'Mine' })
    page.dispatch({
      type: 'chosen',
      theirs: { a: 'Theirs', b: 'Theirs' },
      choices: { a: 'mine', b: 'theirs' },
    })
    assert.deepEqual(page.screen, { a: 'Mine', b: 'Theirs' })
    assert.deepEqual(keptOf(page.state.fields), { entry: { a: 'Mine' }, base: { a: 'Theirs' } })
  })

  it('forgets everything for another person', () => {
    const page = new PageModel({ ...empty, own: 'From the page' })
    open(page, { purpose: 'Before', own: 'stored' })
    page.type({ purpose: 'Mine' })
    page.dispatch({ type: 'emptied' })
    assert.deepEqual(page.screen, { purpose: null, nights: null, own: 'From the page' })
    assert.doesNotMatch(JSON.stringify([...page.state.fields]), /Mine|Before|stored/)
  })
})
