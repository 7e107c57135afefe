import { expect } from '@open-wc/testing'
import { type CopyScope, LocalCopies, type LocalCopy } from '../../../src/elements/wf-form/kept/local-copy.ts'
import { waitUntil } from '../../wait-until.ts'

const scope: CopyScope = { person: '10000001', endpoint: '/api/wf', formId: 5021, packageId: 0 }
const copy: LocalCopy = {
  entry: { purpose: 'Fieldwork', cost: null, days: 3 },
  base: { purpose: 'Before' },
  creation: { key: '"1-2-3-4"', body: { state: 'PRE_ROUTING' } },
  packageId: 57,
  savedAt: 1_800_000_000_000,
}

describe('LocalCopies', () => {
  beforeEach(() => localStorage.clear())
  after(() => localStorage.clear())

  it('returns what was written, also after a reload @engines', () => {
    expect(new LocalCopies().read(scope)).to.equal(undefined)
    expect(new LocalCopies().write(scope, copy)).to.equal(true)
    expect(new LocalCopies().read(scope)).to.deep.equal(copy)
  })

  it('keeps the copies of people, mounts, forms and packages apart', () => {
    const copies = new LocalCopies()
    const scopes = [
      scope,
      { ...scope, person: '1000000' },
      { ...scope, endpoint: '/api/wf 5021' },
      { ...scope, formId: 502 },
      { ...scope, packageId: 10 },
      { ...scope, place: 1 },
      { ...scope, place: 10 },
    ]
    scopes.forEach((one, at) => copies.write(one, { entry: { at }, savedAt: at }))
    expect(scopes.map((one) => copies.read(one)?.entry['at'])).to.deep.equal([0, 1, 2, 3, 4, 5, 6])
    // A package is the same at any place of the page.
    expect(copies.read({ ...scope, packageId: 10, place: 1 })?.entry['at']).to.equal(4)
  })

  it('removes one copy, or the copies of all other people and nothing else', () => {
    const copies = new LocalCopies()
    const other = { ...scope, person: '100000011' }
    localStorage.setItem('of the site', 'stays')
    for (const one of [scope, { ...scope, packageId: 7 }, { ...scope, packageId: 8 }, other])
      copies.write(one, copy)
    copies.remove({ ...scope, packageId: 7 })
    expect(copies.read({ ...scope, packageId: 7 })).to.equal(undefined)
    expect(copies.read(scope)).not.to.equal(undefined)

    copies.removeOthers(other.person)
    expect(copies.read(scope)).to.equal(undefined)
    expect(copies.read({ ...scope, packageId: 8 })).to.equal(undefined)
    expect(copies.read(other)).to.deep.equal(copy)
    expect(localStorage.getItem('of the site')).to.equal('stays')
  })

  it('keeps no copy of a person whose id only begins in the same way', () => {
    const copies = new LocalCopies()
    for (const [person, other] of [
      ['1000000', '10000001'],
      ['a', 'a b'],
    ] as const) {
      copies.write({ ...scope, person: other }, copy)
      copies.removeOthers(person)
      expect(copies.read({ ...scope, person: other })).to.equal(undefined)
    }
  })

  it('ignores copies that are not readable, or of another version', () => {
    const copies = new LocalCopies()
    copies.write(scope, copy)
    const [key] = Object.keys(localStorage)
    const stored = JSON.parse(localStorage.getItem(key!)!) as object
    for (const text of [
      'not JSON',
      'null',
      '[]',
      JSON.stringify({ ...stored, version: 2 }),
      JSON.stringify({ ...stored, entry: 'text' }),
      JSON.stringify({ ...stored, savedAt: 'yesterday' }),
    ]) {
      localStorage.setItem(key!, text)
      expect(copies.read(scope), text).to.equal(undefined)
    }
    localStorage.setItem(key!, JSON.stringify({ ...stored, base: 1, creation: { body: 1 }, packageId: '57' }))
    expect(copies.read(scope)).to.deep.equal({ entry: copy.entry, savedAt: copy.savedAt })
  })

  it('reports that storage is full, and keeps the earlier copy @engines', () => {
    const copies = new LocalCopies()
    copies.write(scope, copy)
    const tooLarge = { ...copy, entry: { purpose: 'x'.repeat(12_000_000) } }
    expect(copies.write(scope, tooLarge)).to.equal(false)
    expect(copies.read(scope)).to.deep.equal(copy)
  })

  it('works without its copies if storage is disabled @engines', () => {
    const copies = new LocalCopies({
      storage: () => {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    })
    expect(copies.write(scope, copy)).to.equal(false)
    expect(copies.read(scope)).to.equal(undefined)
    copies.remove(scope)
    copies.removeOthers('')
  })

  it('reports changes in other tabs @engines', async () => {
    const seen: (LocalCopy | undefined)[] = []
    const stop = new LocalCopies().watch(scope, (next) => seen.push(next))
    // A frame of the same origin is another tab to the storage.
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const otherTab = new LocalCopies({ storage: () => frame.contentWindow!.localStorage })
    otherTab.write({ ...scope, packageId: 9 }, copy)
    otherTab.write(scope, copy)
    await waitUntil(() => seen.length === 1, 'the new copy was not reported')
    otherTab.remove(scope)
    await waitUntil(() => seen.length === 2, 'the removal was not reported')
    otherTab.write(scope, copy)
    frame.contentWindow!.localStorage.clear()
    await waitUntil(() => seen.length === 4, 'the cleared storage was not reported')
    expect(seen).to.deep.equal([copy, undefined, copy, undefined])
    stop()
    const later: (LocalCopy | undefined)[] = []
    const stopLater = new LocalCopies().watch(scope, (next) => later.push(next))
    otherTab.write(scope, copy)
    await waitUntil(() => later.length === 1, 'another watcher still gets the change')
    expect(seen).to.have.length(4)
    stopLater()
    frame.remove()
  })
})
