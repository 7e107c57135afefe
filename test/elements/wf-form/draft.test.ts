import { expect, html } from '@open-wc/testing'
import { none, start } from './draft-form.ts'

describe('Draft', () => {
  it('begins with the values of the page, which are not a change', async () => {
    const { draft } = await start(html`<input name="purpose" value="From the page" />`)
    const page = { purpose: 'From the page' }
    expect(draft.isChanged).to.equal(false)
    expect([draft.typed, draft.mine, draft.blank, draft.base]).to.deep.equal([page, page, page, {}])
  })

  it('contains what is typed, and is not changed if that is undone', async () => {
    const { draft, type } = await start()
    type({ purpose: 'Mine', note: 'For the email' })
    expect(draft.isChanged).to.equal(true)
    expect(draft.typed).to.deep.equal({ purpose: 'Mine', nights: null, note: 'For the email' })
    expect(draft.mine).to.deep.equal({ purpose: 'Mine', nights: null })
    expect(draft.blank).to.deep.equal(none)
    type({ purpose: '' })
    expect(draft.isChanged, 'the note').to.equal(true)
    type({ note: '' })
    expect(draft.isChanged).to.equal(false)
  })

  it('creates an entry with all fields, also those that are disabled, without other values', async () => {
    const { draft } = await start(
      html`<input name="purpose" value="Mine" /><input name="off" value="x" disabled /><input
          name="note"
          value="x"
        />
        <input name="off-note" />`,
    )
    expect(draft.whole).to.deep.equal({ purpose: 'Mine', off: null, 'off-note': null })
    expect(draft.mine).to.deep.equal({ purpose: 'Mine', 'off-note': null })
  })

  it('shows an entry, other values, and in their place what was typed', async () => {
    const { draft } = await start()
    const base = { purpose: 'Theirs', nights: 3, hidden: 'x' }
    draft.show(base, { note: 'FOREIGN' }, { purpose: 'Mine' })
    expect(draft.base).to.deep.equal(base)
    expect(draft.typed).to.deep.equal({ purpose: 'Mine', nights: 3, note: 'FOREIGN' })
    expect(draft.isChanged).to.equal(true)
    draft.show(base)
    expect(draft.typed).to.deep.equal({ purpose: 'Theirs', nights: 3, note: 'FOREIGN' })
    expect(draft.isChanged).to.equal(false)
    expect(draft.blank, 'the values of the page').to.deep.equal(none)
  })

  it('keeps exactly the value of the service in a field that nobody has changed', async () => {
    const { draft, type } = await start(html`<input name="count" /><input name="cost" />`)
    draft.show({ count: 7, cost: 8 })
    type({ cost: '9' })
    expect(draft.typed).to.deep.equal({ count: 7, cost: '9' })
    expect(draft.mine).to.deep.equal({ count: 7, cost: '9' })
  })

  it('merges what is typed with what the service has now', async () => {
    const { draft, type } = await start()
    draft.show({ purpose: 'Before', nights: 3 })
    type({ purpose: 'Mine', nights: '4' })
    expect(draft.merge({ purpose: 'Before', nights: 5, hidden: 'x' })).to.deep.equal({
      entry: { purpose: 'Mine', nights: 5, hidden: 'x' },
      conflicts: [{ name: 'nights', mine: 4, theirs: 5 }],
    })
  })

  it('is saved if the service has the same by now, and otherwise as before', async () => {
    const { draft, type } = await start()
    const base = { purpose: 'Before', nights: 3 }
    for (const [now, isChanged] of [
      [{ purpose: 'Mine', nights: 3 }, false],
      [{ purpose: 'Mine', nights: 3, hidden: 'x' }, false],
      [{ purpose: 'Before', nights: 3 }, true],
      [{ purpose: 'Theirs', nights: 3 }, true],
    ] as const) {
      draft.show(base)
      type({ purpose: 'Mine' })
      draft.refresh(now)
      expect(draft.isChanged, JSON.stringify(now)).to.equal(isChanged)
      expect(draft.base).to.deep.equal(isChanged ? base : now)
    }
  })

  it('shows what others have changed beside it, once the service has what was typed', async () => {
    const { draft, type } = await start()
    draft.show({ purpose: 'Before', nights: 3 })
    type({ nights: '4' })
    draft.refresh({ purpose: 'Theirs', nights: 4 })
    expect(draft.typed).to.deep.equal({ purpose: 'Theirs', nights: 4, note: null })
    expect(draft.isChanged).to.equal(false)
  })

  it('differs from what was sent by what was typed meanwhile', async () => {
    const { draft, type } = await start()
    type({ purpose: 'Sent' })
    const { typed } = draft
    type({ purpose: 'Later' })
    draft.stored({ purpose: 'Sent', nights: null }, typed)
    expect(draft.isChanged).to.equal(true)
    expect(draft.base).to.deep.equal({ purpose: 'Sent', nights: null })
    type({ purpose: 'Sent' })
    expect(draft.isChanged).to.equal(false)
  })

  it('takes over what the service has made of the input, while the screen still shows that', async () => {
    const { draft, type } = await start()
    type({ purpose: ' Sent ' })
    draft.stored({ purpose: 'Sent', nights: null }, draft.typed)
    expect(draft.typed).to.deep.equal({ purpose: ' Sent ', nights: null, note: null })
    expect(draft.mine).to.deep.equal({ purpose: 'Sent', nights: null })
    type({ purpose: ' Later ' })
    expect(draft.mine).to.deep.equal({ purpose: ' Later ', nights: null })
  })
})
