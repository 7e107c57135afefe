import { expect, fixture } from '@open-wc/testing'
import '../../src/define/index.ts'
import '../../src/define/fs-files.ts'
import '../../src/define/wf-badge.ts'
import '../../src/define/wf-overrides.ts'
import '../../src/define/wf-route.ts'
import { common as english } from '../../src/locales/en.ts'
import type { Backend } from '../../stories/backend.ts'
import { settled } from '../../stories/settled.ts'
import { createFilesBackend, sampleUuids } from '../../stories/stored-files.ts'
import { textsOf } from './texts.ts'

// Every element shows the same state and text for the same cause, at the first load and when it loads again.

const common = textsOf(english)

/** What stands in for the proxy. `undefined`: the proxy itself. */
type Respond = ((request: Request) => Response) | undefined

const own = (status: number) => () => Response.json({ status }, { status, headers: { 'x-routeslip': '1' } })
const foreign = (status: number) => () => new Response('<h1>No</h1>', { status })

interface Cause {
  readonly respond: Respond
  readonly first: readonly [state: string, text: string]
  /** After content was loaded. */
  readonly later: readonly [state: string, text: string]
}

/** Followed by the time. */
const knownAt = common.knownAt('|').split('|')[0]!

const stale = (text: string) => ['loaded stale', text] as const

const causes: Readonly<Record<string, Cause>> = {
  'the person is signed out': {
    respond: own(401),
    first: ['signed-out', common.signedOut],
    later: ['signed-out', common.signedOut],
  },
  'the person has no rights': {
    respond: own(403),
    first: ['forbidden', common.forbidden],
    later: ['forbidden', common.forbidden],
  },
  'the package does not exist': {
    respond: own(404),
    first: ['missing', common.missing],
    later: ['missing', common.missing],
  },
  'the service is not available': {
    respond: own(503),
    first: ['failed', common.unavailable],
    later: stale(knownAt),
  },
  'there is no proxy, or not any more': {
    respond: foreign(404),
    first: ['no-proxy', common.noProxy('https://northfield.test/api/wf')],
    later: stale(knownAt),
  },
  'a firewall refuses it': {
    respond: foreign(403),
    first: ['failed', common.between('403')],
    later: stale(common.between('403')),
  },
  'a network wants a sign-in': {
    respond: foreign(401),
    first: ['failed', common.between('401')],
    later: stale(common.between('401')),
  },
}

/** Elements that show a package. */
const ofPackage = ['wf-package-status', 'wf-history', 'wf-comments', 'wf-attachments', 'wf-route', 'wf-badge']
/** Elements that show stored files, with whatever the page has listed. They are about no package. */
const ofFiles = ['fs-files']

/** A badge has no room for a notice: its label says whether it is not available or not loaded, and its tooltip why. */
const badgeLabels: Readonly<Record<string, string>> = {
  [common.forbidden]: 'Not available',
  [common.missing]: 'Not available',
}

describe('every element', () => {
  for (const tag of [...ofPackage, ...ofFiles]) {
    for (const [name, cause] of Object.entries(causes)) {
      if (ofFiles.includes(tag) && /rights|does not exist/.test(name)) continue
      it(`<${tag}> shows that ${name}, at first and later`, async () => {
        const first = createFilesBackend()
        replaceProxy(first, cause.respond)
        expectShown(await show(tag, first), cause.first)

        const later = createFilesBackend()
        const element = await show(tag, later)
        expect(statesOf(element)).to.equal('loaded')
        replaceProxy(later, cause.respond)
        await element.refresh()
        await settled(element)
        expectShown(element, cause.later)

        replaceProxy(later, undefined)
        await element.refresh()
        await settled(element)
        expect(statesOf(element), 'it recovers').to.equal('loaded')
      })
    }
  }
})

interface Shown extends HTMLElement {
  refresh(): Promise<void>
}

async function show(tag: string, { client }: Backend): Promise<Shown> {
  const context = await fixture<HTMLElement>(
    '<wf-context form-id="6025" package-id="42" lang="en"></wf-context>',
  )
  Object.assign(context, { client })
  const element = document.createElement(tag) as Shown
  if (tag === 'fs-files') Object.assign(element, { value: sampleUuids })
  context.append(element)
  await settled(element)
  return element
}

function replaceProxy(backend: Backend, respond: Respond): void {
  const { send } = sent.get(backend) ?? backend
  sent.set(backend, { send })
  backend.send = respond ? async (input, init) => respond(new Request(input, init)) : send
}

/** The original functions of backends. */
const sent = new WeakMap<Backend, Pick<Backend, 'send'>>()

/** All states but `empty`, which is about the content. */
const known = [
  ...['not-configured', 'no-proxy', 'loading', 'loaded', 'busy', 'stale', 'forbidden', 'signed-out'],
  ...['missing', 'failed'],
]

function statesOf(element: Element): string {
  return known.filter((state) => element.matches(`:state(${state})`)).join(' ')
}

function expectShown(element: Element, [states, text]: readonly [string, string]): void {
  const root = element.shadowRoot!
  expect(statesOf(element)).to.equal(states)
  const titles = [...root.querySelectorAll('[title]')].map((one) => one.getAttribute('title'))
  const shown = [root.textContent, ...titles].join(' ')
  const inBadge = states === 'loaded stale' ? common.stale : (badgeLabels[text] ?? text)
  const expected = element.localName === 'wf-badge' ? inBadge : text
  expect(shown.replace(/\s+/g, ' ')).to.include(expected)
}
