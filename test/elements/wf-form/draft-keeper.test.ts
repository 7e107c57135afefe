import { expect } from '@open-wc/testing'
import { DraftKeeper } from '../../../src/elements/wf-form/kept/draft-keeper.ts'
import type { CopyScope, LocalCopy } from '../../../src/elements/wf-form/kept/local-copy.ts'

const scope: CopyScope = { person: '1', endpoint: '/api/wf', formId: 6025, packageId: 0 }

describe('DraftKeeper', () => {
  beforeEach(() => localStorage.clear())
  after(() => localStorage.clear())

  const keeper = () => new DraftKeeper({ onElsewhere: () => {} })
  /** The copy as it is after a reload. */
  const kept = (of: CopyScope = scope) => keeper().open(of)

  function withoutTime(copy: LocalCopy | undefined): unknown {
    if (!copy) return undefined
    const { savedAt, ...rest } = copy
    expect(Date.now() - savedAt).to.be.within(0, 60_000)
    return rest
  }

  const mine = { entry: { purpose: 'Mine' } }
  const creation = { key: '"1"', body: { state: 'PRE_ROUTING', entry: {} } } as const

  it('keeps nothing before it is opened, and after it is closed', () => {
    const own = keeper()
    own.close()
    own.created(7)
    own.remove()
    expect(own.keep(mine, [], undefined)).to.equal(false)
    own.open(scope)
    expect(own.keep(mine, [], undefined)).to.equal(true)
    own.close()
    expect(own.keep(mine, [], undefined)).to.equal(false)
    expect(withoutTime(kept()), 'the copy stays').to.deep.equal(mine)
  })

  it('keeps what is typed, with what the service had and a creation in doubt', () => {
    const own = keeper()
    own.open(scope)
    const edited = { ...mine, base: { purpose: 'Before' } }
    own.keep(edited, [], creation)
    expect(withoutTime(kept())).to.deep.equal({ ...edited, creation })
  })

  it('keeps no secret of a creation in doubt', () => {
    const own = keeper()
    own.open(scope)
    const body = { state: 'PRE_ROUTING', entry: { account: 'b', secret: 'sent' } } as const
    own.keep(undefined, ['secret'], { key: '"1"', body })
    expect(withoutTime(kept())).to.deep.equal({
      entry: {},
      creation: { key: '"1"', body: { state: 'PRE_ROUTING', entry: { account: 'b' } } },
    })
  })

  it('removes the copy if nothing is left to keep', () => {
    const own = keeper()
    own.open(scope)
    own.keep(mine, [], undefined)
    expect(own.keep(undefined, [], creation), 'a creation is kept').to.equal(true)
    expect(kept()?.creation).to.deep.equal(creation)
    expect(own.keep(undefined, [], undefined)).to.equal(true)
    expect(localStorage.length).to.equal(0)
  })

  it('notes the package of a new request, and removes that with the copy of the package', () => {
    const own = keeper()
    own.open(scope)
    own.created(7)
    expect(withoutTime(kept())).to.deep.equal({ entry: {}, packageId: 7 })

    const other = keeper()
    other.open({ ...scope, packageId: 8 })
    other.keep(mine, [], undefined)
    other.remove()
    expect(localStorage.length, 'another package').to.equal(1)
    const same = keeper()
    same.open({ ...scope, packageId: 7 })
    same.keep(mine, [], undefined)
    expect(localStorage.length).to.equal(2)
    same.remove()
    expect(localStorage.length).to.equal(0)
  })

  it('removes the copies of other people when it is opened', () => {
    const other = keeper()
    other.open({ ...scope, person: '2' })
    other.created(7)
    expect(keeper().open(scope)).to.equal(undefined)
    expect(localStorage.length).to.equal(0)
  })

  it('reports what other tabs do with the copy that is open, and with no other @engines', () => {
    const seen: (LocalCopy | undefined)[] = []
    const own = new DraftKeeper({ onElsewhere: (copy) => seen.push(copy) })
    /** Does what browsers do when another tab has changed the copy. */
    const change = (of: CopyScope, packageId: number) => {
      localStorage.clear()
      const other = keeper()
      other.open(of)
      other.created(packageId)
      other.close()
      const [key = ''] = Object.keys(localStorage)
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage.getItem(key) }))
    }
    own.open(scope)
    change(scope, 1)
    own.open({ ...scope, packageId: 7 })
    change(scope, 2)
    change({ ...scope, packageId: 7 }, 3)
    own.close()
    change({ ...scope, packageId: 7 }, 4)
    expect(seen.map((copy) => copy?.packageId)).to.deep.equal([1, 3])
  })

  it('lets one tab send a request at a time, and others again when it has ended or left the page @engines', async () => {
    const first = keeper()
    const second = keeper()
    first.open(scope)
    second.open(scope)
    let end = () => {}
    const held = new Promise<void>((resolve) => (end = resolve))
    let runs = 0
    const run = () => (runs++, Promise.resolve())
    let isRunning: () => void = () => {}
    const running = new Promise<void>((resolve) => (isRunning = resolve))
    const sent = first.exclusively(() => (isRunning(), held))
    await running
    expect(await second.exclusively(run)).to.equal(false)
    expect(runs).to.equal(0)
    const third = keeper()
    third.open({ ...scope, packageId: 9 })
    expect(await third.exclusively(run), 'another request').to.equal(true)
    end()
    expect(await sent).to.equal(true)
    expect(await second.exclusively(run)).to.equal(true)
    expect(runs).to.equal(2)

    const started = new Promise<void>((resolve) => (isRunning = resolve))
    const leaving = first.exclusively(() => (isRunning(), new Promise(() => {})))
    await started
    first.close()
    await leaving
    expect(await second.exclusively(run)).to.equal(true)
  })

  it('sends without a lock if it is not opened, or if the browser has or gives no locks @engines', async () => {
    let runs = 0
    const run = () => (runs++, Promise.resolve())
    expect(await keeper().exclusively(run)).to.equal(true)
    const own = keeper()
    own.open(scope)
    const refusing = { request: () => Promise.reject(new DOMException('No origin', 'SecurityError')) }
    for (const value of [undefined, refusing]) {
      Object.defineProperty(navigator, 'locks', { value, configurable: true })
      try {
        expect(await own.exclusively(run)).to.equal(true)
      } finally {
        delete (navigator as { locks?: unknown }).locks
      }
    }
    expect(runs).to.equal(3)
  })

  it('rejects with the error of what it runs, which runs once', async () => {
    const own = keeper()
    own.open(scope)
    let runs = 0
    const error = new Error('Not sent')
    const sent = own.exclusively(() => (runs++, Promise.reject(error)))
    expect(await sent.catch((reason: unknown) => reason)).to.equal(error)
    expect(runs).to.equal(1)
  })
})
