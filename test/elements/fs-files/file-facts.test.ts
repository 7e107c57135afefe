import { expect, fixture, html } from '@open-wc/testing'
import { LitElement } from 'lit'
import {
  ForbiddenError,
  NotFoundError,
  type PageClient,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import { FileFactsReader } from '../../../src/elements/fs-files/file-facts.ts'
import { unreadAsset } from '../../../src/elements/fs-uploader/storage-status.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'

const session = { univid: '7', allows: { operations: ['deleteFile'] } }
const down = new UnavailableError('getFileMeta', 'got no usable response')

/** Reads the facts about files. The test changes what the client returns. */
class XFacts extends LitElement {
  uuids: readonly string[] = []
  errors: Readonly<Record<string, Error>> = {}
  names: Readonly<Record<string, string>> = {}
  held: Promise<void> = Promise.resolve()
  hasClient = true
  poll = (): void => {}
  topics: string[] = []
  reads: string[] = []
  loads = 0
  readonly failures: unknown[] = []
  readonly #client = {
    getSession: () => Promise.resolve(session),
    getFileMeta: async ({ params: { uuid } }: { readonly params: { readonly uuid: string } }) => {
      this.reads.push(uuid)
      const name = this.names[uuid] ?? uuid
      await this.held
      if (this.errors[uuid]) throw this.errors[uuid]
      return named(uuid, name)
    },
    watch: (topic: string, changed: (why: 'poll') => void) => {
      this.topics.push(topic)
      this.poll = () => changed('poll')
      return () => {}
    },
  }
  readonly facts = new FileFactsReader(this, {
    client: () => (this.hasClient ? (this.#client as unknown as PageClient) : undefined),
    uuids: () => this.uuids,
    onLoad: () => this.loads++,
    onError: (error) => this.failures.push(error),
  })

  /** What is known about each file. */
  get known(): readonly string[] {
    return this.uuids.map((uuid) => {
      const { asset, gone } = this.facts.of(uuid) ?? {}
      return [asset?.filename, gone].filter(Boolean).join(' ')
    })
  }
}
customElements.define('x-facts', XFacts)

describe('FileFactsReader', () => {
  it('reads all files, and then one at each poll, in turn', async () => {
    const element = await show('a', 'b', 'c')
    expect([element.reads, element.topics]).to.deep.equal([['a', 'b', 'c'], ['files']])
    expect(element.known).to.deep.equal(['a', 'b', 'c'])
    element.reads = []
    for (const uuid of ['b', 'c', 'a', 'b']) {
      element.poll()
      await waitUntil(() => element.reads.at(-1) === uuid && !element.facts.busy)
    }
    expect(element.reads).to.deep.equal(['b', 'c', 'a', 'b'])
    expect(element.known).to.deep.equal(['a', 'b', 'c'])
  })

  it('knows nothing without a client, and loads the session without files', async () => {
    const without = await fixture<XFacts>(html`<x-facts .hasClient=${false} .uuids=${['a']}></x-facts>`)
    await without.updateComplete
    without.facts.lose('a')
    expect([without.known, without.reads, without.failures]).to.deep.equal([[''], [], []])
    expect(without.facts.busy).to.equal(false)
    expect(without.facts.serves('deleteFile')).to.equal(false)
    const element = await show()
    expect(element.facts.session).to.equal(session)
    expect([element.facts.serves('deleteFile'), element.facts.serves('getShares')]).to.deep.equal([
      true,
      false,
    ])
    expect([element.reads, element.failures]).to.deep.equal([[], []])
  })

  it('reads new files and one other, or all if that is wanted', async () => {
    const element = await show('a', 'b')
    element.uuids = ['a', 'b', 'c']
    element.reads = []
    await element.facts.refresh()
    expect(element.reads).to.deep.equal(['b', 'c'])
    element.reads = []
    await element.facts.refresh(true)
    expect(element.reads).to.deep.equal(['a', 'b', 'c'])
    element.reads = []
    await element.facts.refresh()
    expect(element.reads).to.deep.equal(['a'])
  })

  it('keeps the wish to read all files until that has succeeded', async () => {
    const element = await show('a', 'b')
    element.errors = { a: down, b: down }
    await element.facts.refresh(true)
    expect(element.facts.error).to.equal(down)
    expect(element.known, 'what was known stays').to.deep.equal(['a', 'b'])
    element.errors = {}
    element.reads = []
    await element.facts.refresh()
    expect(element.reads).to.deep.equal(['a', 'b'])
    expect(element.facts.error).to.equal(undefined)
  })

  it('notes why a file is not available, and keeps what was known of it', async () => {
    const errors = {
      a: new NotFoundError('getFileMeta', 'found nothing'),
      b: new ForbiddenError('getFileMeta', 'may not'),
      c: down,
    }
    const element = await show('a', 'b', 'c', 'd')
    element.errors = errors
    await element.facts.refresh(true)
    expect(element.known).to.deep.equal(['a missing', 'b forbidden', 'c', 'd'])
    expect(element.failures).to.deep.equal([])
    const fresh = await show({ errors }, 'a', 'b', 'c', 'd')
    expect(fresh.known).to.deep.equal(['missing', 'forbidden', 'unread', 'd'])
    fresh.reads = []
    await fresh.facts.refresh()
    expect(fresh.reads, 'a file that could not be read is read again').to.deep.equal(['b', 'c'])
  })

  it('fails if no file can be read, or if the person is signed out', async () => {
    const all = await show({ errors: { a: down, b: down } }, 'a', 'b')
    expect([all.failures, all.known, all.loads]).to.deep.equal([[down], ['', ''], 0])
    const signedOut = new SignedOutError('getFileMeta', 'needs a session')
    const one = await show({ errors: { b: signedOut } }, 'a', 'b')
    expect([one.failures, one.known]).to.deep.equal([[signedOut], ['', '']])
  })

  it('keeps a change and a loss that happen while it reads', async () => {
    const element = await show('a', 'b', 'c')
    let release = () => {}
    element.held = new Promise((resolve) => (release = resolve))
    element.names = { a: 'old a', b: 'old b', c: 'new c' }
    element.reads = []
    const read = element.facts.refresh(true)
    await waitUntil(() => element.reads.length === 3)
    expect(element.facts.busy).to.equal(true)
    element.facts.replace(named('a', 'new a'))
    element.facts.lose('b')
    expect(element.known).to.deep.equal(['new a', 'b missing', 'c'])
    release()
    await read
    expect(element.known).to.deep.equal(['new a', 'b missing', 'new c'])
    element.names = { a: 'newer a' }
    await element.facts.refresh(true)
    expect(element.known, 'a later read counts').to.deep.equal(['newer a', 'b', 'c'])
  })
})

function named(uuid: string, filename: string) {
  return { ...unreadAsset(uuid), filename }
}

/** Shows an element with these files whose first read has ended. */
async function show(...args: readonly (string | Partial<XFacts>)[]): Promise<XFacts> {
  const element = new XFacts()
  element.uuids = args.filter((one) => typeof one === 'string')
  for (const fields of args) if (typeof fields === 'object') Object.assign(element, fields)
  const parent = await fixture<HTMLElement>(html`<div></div>`)
  parent.append(element)
  await waitUntil(() => element.loads + element.failures.length > 0)
  await settled(element)
  return element
}
