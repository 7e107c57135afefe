import { expect, fixture, html } from '@open-wc/testing'
import { getSnapshotConfig, writeFile } from '@web/test-runner-commands'
import type { Meta } from '@storybook/web-components-vite'
import { render } from 'lit'
import '../../src/define/wf-context.ts'
import * as grids from '../../stories/states.stories.ts'
import type { Cells } from '../../stories/states.stories.ts'
import { settled } from '../../stories/settled.ts'
import { backendOf, type Context, type Story, waitUntilShown } from '../../stories/story.ts'
import * as files from '../../stories/fs-files.stories.ts'
import * as shares from '../../stories/fs-shares.stories.ts'
import * as form from '../../stories/wf-form.stories.ts'
import * as office from '../../stories/wf-office.stories.ts'
import * as overrides from '../../stories/wf-overrides.stories.ts'
import * as dialogs from '../../stories/wf-package-status-dialogs.stories.ts'
import * as route from '../../stories/wf-route.stories.ts'
import { outline } from '../elements/outline.ts'
import { declarations, namesOf, record, type Rendered, renderedLists, sorted } from './manifest.ts'
import { unshown } from './unshown.ts'
import recorded from './stories.json' with { type: 'json' }

// What the elements render in all their states, compared with `stories.json`. It does not depend on the engine, so only Chromium
// runs this.

const fix = 'Review the change. If it is right: UPDATE=1 npm test -- test/stories'

type StoryFile = Readonly<Record<string, unknown>> & { readonly default: Meta }

type Trees = Readonly<Record<string, readonly string[]>>

/** The time at which each page begins, so that all ages are the same. */
const start = Date.UTC(2026, 10, 20, 15, 30)

const RealDate = Date
const { DateTimeFormat } = Intl

/** Stories that open a dialog, or change what other elements of the page show, so each is on a page of its own. */
const single: Readonly<Record<string, readonly [file: StoryFile, names?: readonly string[]]>> = {
  Dialogs: [dialogs],
  Files: [files, ['Deleted']],
  Form: [form],
  Office: [office, ['List', 'DrillDown', 'NameAmongLoaded']],
  Overrides: [overrides, ['Form', 'Problem', 'SeveralPeople', 'Confirmation', 'UnknownPerson', 'Ending']],
  Shares: [shares, ['StopSharing', 'NotStopped']],
  Route: [route, ['SignedOut']],
}

describe('What an element renders', () => {
  const all: Record<string, Trees> = {}
  const rendered = new Map<string, Rendered>()
  let isRecording = false

  before(async () => {
    const { updateSnapshots } = await getSnapshotConfig()
    isRecording = updateSnapshots === true
  })

  beforeEach(() => {
    setClock(start)
    setTimeZone('UTC')
  })

  afterEach(() => {
    globalThis.Date = RealDate
    Object.assign(Intl, { DateTimeFormat })
    localStorage.clear()
  })

  after(async () => {
    if (isRecording) await writeFile({ path: 'stories.json', content: `${JSON.stringify(all, null, 1)}\n` })
  })

  const { default: _meta, Form: _form, ...stories } = grids
  for (const [name, story] of Object.entries(stories)) {
    it(`is as recorded in all states: ${name}`, async () => {
      await compare(name, await show(story, {}))
    }).timeout(120_000)
  }

  for (const [group, [file, names]] of Object.entries(single)) {
    const { default: common, ...others } = file
    for (const [name, story] of Object.entries(others as Readonly<Record<string, Story>>)) {
      if (names && !names.includes(name)) continue
      it(`is as recorded: ${group}, ${name}`, async () => {
        await compare(`${group}, ${name}`, await show(story, common))
      }).timeout(60_000)
    }
  }

  it('has parts and states that no story shows', async () => {
    for (const scene of unshown) {
      const element = await scene()
      record(document.body, rendered)
      element.remove()
    }
  }).timeout(60_000)

  for (const tag of declarations.flatMap(({ tagName }) => tagName ?? []))
    it(`is what custom-elements.json names: parts, slots, states and custom properties of <${tag}>`, () => {
      // The same element under its earlier name.
      const found = rendered.get(tag === 'routing-history' ? 'wf-history' : tag)
      for (const list of renderedLists)
        expect(sorted(found?.[list] ?? []), list).to.deep.equal(namesOf(tag, list))
    })

  it('has the button that continues before the others: finds one that has not', async () => {
    const page = await fixture<HTMLElement>(html`<div></div>`)
    render(html`<p class="buttons"><button>A</button><a href="#" class="solid">B</a></p>`, page)
    expect(misplacedIn(page)).to.deep.equal(['A B'])
    render(html`<p class="buttons"><a href="#" class="solid">B</a><button>A</button></p>`, page)
    expect(misplacedIn(page)).to.deep.equal([])
  })

  async function compare(name: string, page: HTMLElement): Promise<void> {
    await settled(page, { timeout: 50_000 })
    all[name] = treesIn(page)
    record(page, rendered)
    expect(
      misplacedIn(page),
      'rows of buttons in which the one that continues is not the first',
    ).to.deep.equal([])
    if (!isRecording)
      expect(all[name], fix).to.deep.equal((recorded as Readonly<Record<string, Trees>>)[name])
  }
})

function setClock(time: number): void {
  const offset = time - RealDate.now()
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: [], self) =>
      Reflect.construct(target, args.length > 0 ? args : [target.now() + offset], self) as object,
    get: (target, name) =>
      name === 'now' ? () => target.now() + offset : (Reflect.get(target, name) as unknown),
  })
}

/** Sets the time zone of formats that have none. Otherwise it is that of the machine. */
function setTimeZone(timeZone: string): void {
  const inZone = new Proxy(DateTimeFormat, {
    construct: (target, [language, options]: [string?, Intl.DateTimeFormatOptions?]) =>
      new target(language, { ...options, timeZone: options?.timeZone ?? timeZone }),
  })
  Object.assign(Intl, { DateTimeFormat: inZone })
}

async function show(story: Story, common: Partial<Meta>): Promise<HTMLElement> {
  const page = await fixture<HTMLElement>(html`<div></div>`)
  const context: Context = {
    canvasElement: page,
    parameters: { ...common.parameters, ...story.parameters },
    globals: {},
    argTypes: {},
    abortSignal: new AbortController().signal,
    viewMode: 'story',
  }
  const view = (story.render ?? common.render) as (args: object, context: Context) => unknown
  render(
    html`<wf-context .client=${backendOf(context)?.client}
      >${view({ ...common.args, ...story.args }, context)}</wf-context
    >`,
    page,
  )
  await (story.play as ((context: Context) => unknown) | undefined)?.(context)
  const { cells } = story.parameters as { readonly cells?: Cells }
  if (!cells) await waitUntilShown(context)
  for (const section of sectionsIn(page)) {
    const parameters = cells!.get(section.querySelector('h2')!.textContent)!
    await waitUntilShown({ ...context, canvasElement: section, parameters })
  }
  return page
}

/** Returns the tree of each state, by its heading; that of the page if it shows only one. */
function treesIn(page: HTMLElement): Trees {
  const sections = sectionsIn(page)
  if (sections.length === 0) return { '': treeOf(page) }
  return Object.fromEntries(
    sections.map((section) => [
      section.querySelector('h2')!.textContent,
      treeOf(section.querySelector('wf-context')!),
    ]),
  )
}

/** The texts of rows of buttons in which the one that continues, which is solid, is not the first. */
function misplacedIn(root: ParentNode): string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(element.shadowRoot ? misplacedIn(element.shadowRoot) : []),
    ...(element.matches('.buttons:has(> :nth-child(2)):not(:has(> .solid:first-child))')
      ? [[...element.children].map(({ textContent }) => textContent.trim()).join(' ')]
      : []),
  ])
}

function sectionsIn(page: HTMLElement): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>('section:has(> h2):has(> wf-context)')]
}

function treeOf(root: Element): readonly string[] {
  return outline(root, {
    isDeep: true,
    // What a live region announces disappears after a while.
    isOmitted: (element) => element.matches('[role=status], [aria-live]'),
    replace: (text) =>
      text
        // Versions of a browser use different spaces in dates.
        .replace(/[\u00a0\u202f]/g, ' ')
        .replaceAll(location.href, '{page}')
        .replaceAll(encodeURIComponent(location.href), '{page}')
        .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '{uuid}')
        .replace(/\bwf-(problem|field)-\d+/g, 'wf-$1-{n}')
        .replace(/ · [\d.]+ \w+\/s · .* left$/, ' · {speed}')
        // A countdown goes on while the page settles.
        .replace(/(?<=^Will be deleted in )[\d,]+(?= seconds\.$)/, '{n}')
        // A page may begin to load in one second and go on in the next.
        .replace(/(?<=T\d\d:\d\d):\d\d$/, ''),
  })
}
