// Compares custom-elements.json with the elements in a page: the manifest describes exactly the parts, slots, states and
// custom properties that they have.
import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import type { LitElement } from 'lit'
import type { UploadRequest } from '../../src/client/index.ts'
import '../../src/define/index.ts'
import '../../src/define/fs-files.ts'
import '../../src/define/fs-shares.ts'
import '../../src/define/wf-form.ts'
import '../../src/define/wf-list.ts'
import '../../src/define/wf-office.ts'
import '../../src/define/wf-badge.ts'
import '../../src/define/wf-overrides.ts'
import '../../src/define/wf-route.ts'
import { configure } from '../../src/elements/configuration/configuration.ts'
import type { FsUploader } from '../../src/elements/fs-uploader/fs-uploader.ts'
import type { PackageElement } from '../../src/elements/element/package-element.ts'
import type { WfForm } from '../../src/elements/wf-form/wf-form.ts'
import type { WfOffice } from '../../src/elements/wf-office/wf-office.ts'
import type { WfAttachments } from '../../src/elements/wf-attachments/wf-attachments.ts'
import type { FsFiles } from '../../src/elements/fs-files/fs-files.ts'
import type { FsShares } from '../../src/elements/fs-shares/fs-shares.ts'
import type { WfList } from '../../src/elements/wf-list/wf-list.ts'
import { createFormBackend, createListBackend, createReminderBackend } from '../../stories/listed-requests.ts'
import { type Backend, createBackend, people } from '../../stories/backend.ts'
import { createOverrideBackend, fill, findPeople, replace } from '../../stories/overrides.ts'
import { freeze, releasing, returnIt, sign } from '../../stories/routing.ts'
import { createFilesBackend, sampleUuids, share } from '../../stories/stored-files.ts'
import { attach } from '../elements/wf-attachments/attach.ts'
import { waitUntil } from '../wait-until.ts'

interface Entry {
  readonly name: string
  readonly attribute?: string
  readonly fieldName?: string
  readonly default?: string
  readonly reflects?: boolean
}

type List = 'attributes' | 'members' | 'slots' | 'cssParts' | 'cssProperties' | 'cssStates'
type Declaration = { readonly tagName?: string } & { readonly [Name in List]?: readonly Entry[] }

const { modules } = (await (await fetch('/custom-elements.json')).json()) as {
  readonly modules: readonly { readonly declarations: readonly Declaration[] }[]
}
const declarations = modules.flatMap((module) => module.declarations).filter(({ tagName }) => tagName)

const declarationOf = (tag: string) => declarations.find(({ tagName }) => tagName === tag)
const namesOf = (tag: string, list: List) => sorted(declarationOf(tag)?.[list]?.map(({ name }) => name) ?? [])
const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

describe('custom-elements.json', () => {
  const tags = [
    'fs-files',
    'fs-shares',
    'fs-uploader',
    'routing-history',
    'wf-attachments',
    'wf-badge',
    'wf-comments',
    'wf-context',
    'wf-form',
    'wf-history',
    'wf-list',
    'wf-office',
    'wf-overrides',
    'wf-package-status',
    'wf-route',
  ]

  before(() => configure({ signInUrl: '/sign-in' }))

  // Pending requests would keep the page from closing.
  afterEach(() => document.querySelectorAll(tags.join()).forEach((element) => element.remove()))

  it('describes every element that is defined', () => {
    expect(sorted(declarations.map(({ tagName = '' }) => tagName))).to.deep.equal(tags)
    for (const tag of tags) expect(customElements.get(tag), tag).to.be.a('function')
  })

  for (const tag of tags) {
    it(`names the attributes of <${tag}>, their properties and defaults`, () => {
      const element = document.createElement(tag) as LitElement
      const { observedAttributes, elementProperties } = element.constructor as typeof LitElement
      expect(namesOf(tag, 'attributes')).to.deep.equal(sorted(observedAttributes))

      for (const { name, fieldName = '', default: byDefault = 'undefined' } of declarationOf(tag)
        ?.attributes ?? []) {
        // Each property of <wf-badge>, which does not use Lit, is its attribute.
        const { attribute = name, reflect = tag === 'wf-badge' } = elementProperties?.get(fieldName) ?? {}
        expect(typeof attribute === 'string' ? attribute : fieldName.toLowerCase()).to.equal(name)
        const field = declarationOf(tag)?.members?.find((member) => member.name === fieldName)
        expect(field).to.include({ attribute: name })
        expect(field?.reflects ?? false, name).to.equal(reflect ?? false)
        const value: unknown = element[fieldName as keyof LitElement]
        expect(JSON.stringify(value) ?? 'undefined').to.equal(byDefault.replaceAll("'", '"'))
      }
    })

    if (tag !== 'wf-context')
      it(`names the parts, slots, states and custom properties of <${tag}>`, async () => {
        const rendered = {
          cssParts: new Set<string>(),
          slots: new Set<string>(),
          cssStates: new Set<string>(),
          cssProperties: new Set<string>(),
        }
        for (const show of scenesOf(tag)) {
          const element = await show()
          record(element, namesOf(tag, 'cssStates'), rendered)
          element.remove()
        }
        for (const list of ['cssParts', 'slots', 'cssStates', 'cssProperties'] as const)
          expect(sorted(rendered[list]), list).to.deep.equal(namesOf(tag, list))
      })
  }

  it('names the slot of <wf-context>', async () => {
    const element = await fixture<LitElement>(html`<wf-context></wf-context>`)
    expect(namesOf('wf-context', 'slots')).to.deep.equal([''])
    expect(element.shadowRoot!.querySelectorAll('slot:not([name])')).to.have.length(1)
  })
})

type Rendered = Readonly<Record<'cssParts' | 'slots' | 'cssStates' | 'cssProperties', Set<string>>>

/** All states. `src/elements/element/routeslip-element.ts` lists them. */
const states =
  'not-configured no-proxy loading loaded empty busy stale forbidden signed-out missing failed'.split(' ')

/** Adds everything that an element has now to `seen`. */
function record(element: LitElement, documented: readonly string[], rendered: Rendered): void {
  const root = element.shadowRoot!
  for (const { part } of root.querySelectorAll('[part]')) for (const name of part) rendered.cssParts.add(name)
  for (const { name } of root.querySelectorAll('slot')) rendered.slots.add(name)
  for (const state of new Set([...states, ...documented]))
    if (element.matches(`:state(${state})`)) rendered.cssStates.add(state)
  for (const name of propertiesIn(root)) rendered.cssProperties.add(name)
}

/** Returns the names of the `--wf-*` properties in the rules that match an element of the shadow root. */
function propertiesIn(root: ShadowRoot): readonly string[] {
  const rules = root.adoptedStyleSheets.flatMap(({ cssRules }) => rulesIn(cssRules))
  const declared = rules.flatMap(({ selectorText, style }) =>
    style.cssText.split(';').map((text) => [selectorText, text.trim()] as const),
  )
  // The properties that each private property reads.
  const readBy = new Map(
    declared.flatMap(([, text]) =>
      text.startsWith('--_') ? [[text.split(':')[0] ?? '', namesIn(text)] as const] : [],
    ),
  )
  return declared
    .filter(
      ([selector, text]) => !text.startsWith('--_') && text.includes('var(') && matchesIn(root, selector),
    )
    .flatMap(([, text]) => namesIn(text))
    .flatMap((name) => (name.startsWith('--_') ? (readBy.get(name) ?? []) : [name]))
    .filter((name) => name.startsWith('--wf-'))
}

function rulesIn(rules: CSSRuleList): readonly CSSStyleRule[] {
  return [...rules].flatMap((rule) =>
    rule instanceof CSSStyleRule ? [rule] : 'cssRules' in rule ? rulesIn(rule.cssRules as CSSRuleList) : [],
  )
}

function namesIn(value: string): readonly string[] {
  return [...value.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name)
}

/** Whether a selector matches an element of the shadow root, regardless of hover and focus. */
function matchesIn(root: ShadowRoot, selector: string): boolean {
  const plain = selector
    .replace(/::[\w-]+/g, '')
    .replaceAll(':focus-visible', ':is(a[href], button, input, summary, textarea, [tabindex])')
    .replace(/:hover|:dir\(\w+\)|:host(?:\([^)]*\))? *>? */g, '')
    .split(',')
    .map((part) => part.trim() || '*')
    .join()
  return root.querySelector(plain) !== null
}

type Scene = () => Promise<LitElement>

/** Returns the scenes that together show everything that an element can show. */
function scenesOf(tag: string): readonly Scene[] {
  if (tag === 'fs-files') return scenesOfFiles
  if (tag === 'fs-shares') return scenesOfShares
  if (tag === 'fs-uploader') return scenesOfUploader
  if (tag === 'wf-office') return scenesOfOffice
  if (tag === 'wf-list') return scenesOfList
  if (tag === 'wf-form') return scenesOfForm
  if (tag === 'wf-route') return scenesOfRoute
  if (tag === 'wf-overrides') return scenesOfOverrides
  const inPackage = tag as Parameters<typeof show>[0]
  return [...commonScenes(inPackage), ...(more[inPackage] ?? [])]
}

function commonScenes(tag: Parameters<typeof show>[0]): readonly Scene[] {
  return [
    () => fixture(`<${tag}></${tag}>`),
    () => show(tag, createBackend(undefined, { fetch: isElsewhere }), 'wf-error'),
    () => show(tag, createBackend(null), 'wf-error'),
    () => show(tag, createBackend(people.outsider), 'wf-error'),
    () => show(tag, createBackend(), 'wf-error', { packageId: 43 }),
    () => show(tag, Object.assign(createBackend(), { intercept: isDown }), 'wf-error'),
    () => show(tag, Object.assign(createBackend(), { intercept: neverResponding })),
    async () => {
      const backend = createBackend()
      const element = await show(tag, backend, 'wf-load')
      backend.intercept = isDown
      await element.refresh()
      await element.updateComplete
      return element
    },
  ]
}

const histories: readonly Scene[] = [
  () => show('wf-history', createBackend(), 'wf-load'),
  () => show('wf-history', undefined, undefined, { history: [] }),
  () =>
    show('wf-history', undefined, undefined, { history: ['initiation', 'void', 'complete'].map(toEvent) }),
  // More than a hundred are left out.
  () => show('wf-history', undefined, undefined, { history: Array(250).fill(toEvent('complete')) }),
]

const more: Readonly<Record<string, readonly Scene[]>> = {
  'wf-history': histories,
  'routing-history': histories,
  'wf-comments': [
    () => show('wf-comments', createBackend(), 'wf-load'),
    async () => {
      const backend = createBackend(people.firstApprover)
      const facts = {
        comment: 'word '.repeat(300),
        createdAt: '2026-11-16T10:00:00',
        person: people.firstApprover,
      }
      for (const id of [1, 2, 3, 4, 5, 6])
        backend.emulator.packages.test
          .get(42)!
          .comments.push({ ...facts, id, approversOnly: true, state: id === 6 ? 'INACTIVE' : 'ACTIVE' })
      const element = await show('wf-comments', backend, 'wf-load')
      await find(element, '.initials')
      return element
    },
  ],
  'wf-attachments': [
    async () => {
      const element = (await show('wf-attachments', createBackend(), 'wf-load')) as WfAttachments
      element.add(2, [file('receipt.pdf')])
      await element.updateComplete
      return element
    },
    () => {
      const backend = createBackend()
      backend.intercept = ({ url }) =>
        url.includes('/attachments') ? Promise.resolve(Response.json([])) : undefined
      return show('wf-attachments', backend, 'wf-load')
    },
    async () => {
      const element = (await show('wf-attachments', createBackend(), 'wf-load')) as WfAttachments
      const stored = oneEvent(element, 'wf-change')
      element.add(2, [file('receipt.pdf')])
      await element.updateComplete
      element.shadowRoot!.querySelector('form')!.requestSubmit()
      await stored
      await element.refresh()
      element.add(1, [file('itinerary.docx')])
      await find(element, '.error')
      return element
    },
    async () => {
      const backend = createBackend(undefined, { upload: neverEnding })
      const element = (await show('wf-attachments', backend, 'wf-load')) as WfAttachments
      element.add(2, [file('receipt.pdf')])
      await element.updateComplete
      element.shadowRoot!.querySelector('form')!.requestSubmit()
      await find(element, 'progress[part=progress]')
      return element
    },
  ],
  'wf-badge': [
    () => show('wf-badge', createBackend(), 'wf-load'),
    () => show('wf-badge', Object.assign(createBackend(), { intercept: isForbidden }), 'wf-error'),
  ],
  'wf-package-status': [
    async () => {
      const element = await show(
        'wf-package-status',
        createReminderBackend({}, ['remind', 'remindNote']),
        'wf-load',
      )
      await find(element, '[part=remind]')
      element.shadowRoot!.querySelector<HTMLElement>('[part=remind]')!.click()
      await find(element, '[part=send]')
      return element
    },
    async () => {
      const backend = createBackend(people.firstApprover)
      backend.emulator.packages.test.get(42)!.packageDetails = '<p>Bring maps</p>'
      const element = await show('wf-package-status', backend, 'wf-load', { signUrl: '#sign' })
      await find(element, '[part=details]')
      return element
    },
    async () => {
      const backend = createBackend(people.initiator)
      await returnIt(backend)
      const element = await show('wf-package-status', backend, 'wf-load', { editUrl: '#edit' })
      await find(element, '[part=reason]')
      await find(element, '[part=edit]')
      return element
    },
    async () => {
      const element = await show('wf-package-status', createBackend(people.administrator), 'wf-load')
      await find(element, '[part=environment]')
      element.shadowRoot!.querySelector<HTMLElement>('[data-action=voidPackage]')!.click()
      await find(element, 'dialog[open]')
      return element
    },
    async () => {
      const backend = createBackend(people.administrator, {}, [6025], {}, releasing)
      await freeze(backend)
      const element = await show('wf-package-status', backend, 'wf-load')
      await find(element, '[part=release]')
      return element
    },
    async () => {
      const backend = createBackend(people.secondApprover)
      await sign(backend, people.firstApprover)
      const element = await show('wf-package-status', backend, 'wf-load')
      await find(element, '[part=checks]')
      return element
    },
    () => showReturn('th', '[part=people]'),
    () => showReturn('Theo Marchetti', '[part=named]'),
  ],
}

const scenesOfUploader: readonly Scene[] = [
  () => fixture('<fs-uploader></fs-uploader>'),
  async () => {
    const element = await showUploader(createBackend(undefined, { fetch: isElsewhere }))
    await find(element, '[part=no-proxy]')
    return element
  },
  async () => {
    const element = await showUploader(createBackend(null))
    await find(element, '[part=failure]')
    return element
  },
  () => showUploader(Object.assign(createBackend(), { intercept: neverResponding })),
  async () => {
    const element = await showUploader(createBackend())
    element.setAttribute('value', '0f5e0000-0000-4000-8000-00000000dead')
    await find(element, '[part=end]')
    return element
  },
  async () => {
    const backend = createBackend()
    const allows = { operations: [], maxFileSize: 1, extensions: null, resubmit: null }
    const getSession = () => Promise.resolve({ univid: '1', env: 'test' as const, forms: [], allows })
    const element = await showUploader({ ...backend, client: { ...backend.client, getSession } })
    await find(element, '[part=forbidden]')
    return element
  },
  async () => {
    const element = await showUploader(createBackend(undefined, { fetch: isDown }))
    await find(element, '[part=failure]')
    return element
  },
  async () => {
    const backend = createBackend(undefined, { interval: 100 })
    const element = await showUploader(backend)
    element.add([file('a.pdf')])
    await find(element, '[part=download]')
    backend.intercept = isDown
    await find(element, '[part=stale]')
    return element
  },
  async () => {
    const element = await showUploader(createBackend(undefined, { upload: neverEnding }))
    element.add([file('a.pdf')])
    await find(element, '[part=progress]')
    return element
  },
  async () => {
    const element = await showUploader(createBackend(), { maxSize: 2500 })
    element.add([file('a.pdf'), new File([new Uint8Array(5000)], 'b.pdf', { type: 'application/pdf' })])
    await find(element, '[part=outcome]')
    return element
  },
  async () => {
    const element = await showUploader(createBackend(), { folder: true, maxFiles: 1 })
    element.add([file('a.pdf'), file('b.pdf')])
    await find(element, '[part=download]')
    return element
  },
]

const scenesOfRoute: readonly Scene[] = [
  ...commonScenes('wf-route'),
  () => show('wf-route', createBackend(), 'wf-load', { packageId: 0, office: '11-0420-0010' }),
  () => show('wf-route', createBackend(), undefined, { packageId: 0 }),
  async () => {
    const backend = createBackend()
    const { packageId } = await draft(backend)
    const form = await fixture('<form><input><wf-route form-id="6025"></wf-route></form>')
    const element = form.querySelector('wf-route')!
    Object.assign(element, { client: backend.client, packageId })
    await find(element, '[part=stop]')
    form.querySelector('input')!.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await find(element, '[part=outdated]')
    return element
  },
  async () => {
    const backend = createBackend()
    const { packageId, submit } = await draft(backend)
    await show('wf-route', backend, 'wf-load', { packageId })
    await submit()
    Object.assign(backend.emulator.officeRoutes.get(701)!, { stops: [] })
    const element = await show('wf-route', { ...backend, client: backend.other }, 'wf-load', { packageId })
    await find(element, '[part=differences]')
    return element
  },
]

const scenesOfOverrides: readonly Scene[] = [
  ...commonScenes('wf-overrides').slice(0, 4),
  () => show('wf-overrides', createBackend(undefined, { fetch: isMissing }), 'wf-error'),
  () => show('wf-overrides', Object.assign(createOverrideBackend(), { intercept: isDown }), 'wf-error'),
  () => show('wf-overrides', Object.assign(createOverrideBackend(), { intercept: neverResponding })),
  () => show('wf-overrides', createOverrideBackend(), 'wf-load'),
  () => show('wf-overrides', createOverrideBackend([], { allowed: ['getOverrides'] }), 'wf-load'),
  async () => {
    const backend = createOverrideBackend([replace(people.firstApprover, people.viewer)])
    const element = await show('wf-overrides', backend, 'wf-load', { findPeople })
    backend.intercept = isDown
    await element.refresh()
    await element.updateComplete
    return element
  },
  () => showOverrideForm('th', '[part=people]'),
  () => showOverrideForm('Ruth Lindqvist', '[part=named]'),
]

/** Fills in the form of <wf-overrides>, and continues. */
async function showOverrideForm(replacement: string, until: string): Promise<LitElement> {
  const element = await show('wf-overrides', createOverrideBackend(), 'wf-load', { findPeople })
  element.shadowRoot!.querySelector<HTMLElement>('[part=add]')!.click()
  await element.updateComplete
  fill(element.shadowRoot!, { subject: 'Daniel Reyes', type: 'CHANGE', replacement })
  await find(element, until)
  return element
}

/** Returns a complete package to a person of the directory, up to the confirmation. */
async function showReturn(univid: string, until: string): Promise<LitElement> {
  const backend = createBackend(people.administrator)
  Object.assign(backend.emulator.packages.test.get(42)!, { state: 'COMPLETE', inbox: [] })
  const element = await show('wf-package-status', backend, 'wf-load', { findPeople })
  const root = element.shadowRoot!
  await find(element, '[data-action=returnPackage]')
  root.querySelector<HTMLElement>('[data-action=returnPackage]')!.click()
  await find(element, 'dialog[open] [name=univid]')
  const input = root.querySelector<HTMLInputElement>('[name=univid]')!
  input.value = univid
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  root.querySelector<HTMLElement>('dialog [type=submit]')!.click()
  await find(element, until)
  return element
}

/** Responds like a proxy to a request for something that does not exist. */
function isMissing(): Promise<Response> {
  return Promise.resolve(new Response('{}', { status: 404, headers: { 'x-routeslip': '1' } }))
}

/** Creates a package that has not been submitted. */
async function draft({ other }: Backend) {
  const names =
    'purpose departure website contact nights cost notice traveler org department sub_department position'
  const given = { purpose: 'Fieldwork', departure: '2027-05-14', cost: 10 }
  const entry = { ...Object.fromEntries(names.split(' ').map((name) => [name, null])), ...given }
  const params = { formId: 6025 }
  const { id: packageId } = await other.createPackage({ params, body: { state: 'PRE_ROUTING', entry } })
  const submit = () => other.routePackage({ params: { ...params, packageId }, body: { state: 'ROUTING' } })
  return { packageId, submit }
}

const scenesOfFiles: readonly Scene[] = [
  () => fixture('<fs-files></fs-files>'),
  async () => {
    const element = await showFiles(createBackend(undefined, { fetch: isElsewhere }), 'fs-error')
    await find(element, '[part=no-proxy]')
    return element
  },
  () => showFiles(createBackend(null), 'fs-error'),
  () => showFiles(createBackend(undefined, { fetch: isDown }), 'fs-error'),
  () => showFiles(createFilesBackend(undefined, { fetch: neverResponding })),
  async () => {
    const element = await showFiles(createFilesBackend(), undefined, [])
    await find(element, '[part=empty]')
    return element
  },
  async () => {
    const backend = createFilesBackend()
    const missing = '0f5e0000-0000-4000-8000-000000000009'
    const element = await showFiles(backend, undefined, [...sampleUuids, missing])
    await find(element, '[part=end]')
    const press = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector)!.click()
    press('li:nth-child(1) .edit')
    press('li:nth-child(2) .delete')
    await find(element, '[part=editor]')
    await find(element, '[part=undo]')
    return element
  },
  async () => {
    const backend = createFilesBackend()
    const element = await showFiles(backend)
    await find(element, '[part=open]')
    backend.intercept = isDown
    element.value = ['0f5e0000-0000-4000-8000-000000000009']
    await find(element, '[part=stale]')
    return element
  },
]

async function showFiles(
  { client }: Pick<Backend, 'client'>,
  event?: string,
  value: readonly string[] = sampleUuids,
): Promise<FsFiles> {
  const element = Object.assign(document.createElement('fs-files'), { client, value })
  const fired = event && oneEvent(element, event)
  document.body.append(element)
  await fired
  await element.updateComplete
  return element
}

const scenesOfShares: readonly Scene[] = [
  () => fixture('<fs-shares></fs-shares>'),
  async () => {
    const element = await showShares(createBackend(undefined, { fetch: isElsewhere }), 'fs-error')
    await find(element, '[part=no-proxy]')
    return element
  },
  () => showShares(createBackend(null), 'fs-error'),
  () => showShares(createFilesBackend(people.outsider), 'fs-error'),
  () => showShares(createFilesBackend(undefined, { fetch: isDown }), 'fs-error'),
  () => showShares(createFilesBackend(undefined, { fetch: neverResponding })),
  () => showShares(createFilesBackend(), 'wf-load', { file: sampleUuids[1] ?? '' }),
  async () => {
    const backend = createFilesBackend(people.administrator)
    share(backend, 'partner-app', null)
    share(backend, 'storage-admin', sampleUuids[0] ?? '')
    share(backend, 'storage-admin', sampleUuids[1] ?? '')
    for (const uuid of sampleUuids.slice(0, 4)) share(backend, 'partner-app', uuid)
    const element = await showShares(backend, 'wf-load', { pageSize: 2, files: sampleUuids.join(' ') })
    await find(element, '[part=filters]')
    backend.intercept = isDown
    await element.refresh()
    await element.updateComplete
    return element
  },
]

async function showShares(
  { client }: Pick<Backend, 'client'>,
  event?: string,
  properties: object = {},
): Promise<FsShares> {
  const grantees = [{ clientId: 'storage-admin', name: 'Records office' }]
  const element = Object.assign(document.createElement('fs-shares'), { client, grantees, ...properties })
  const fired = event && oneEvent(element, event)
  document.body.append(element)
  await fired
  await element.updateComplete
  return element
}

const scenesOfList: readonly Scene[] = [
  () => fixture('<wf-list></wf-list>'),
  async () => {
    const element = await showList(createListBackend(undefined, {}, { fetch: isElsewhere }), 'wf-error')
    await find(element, '[part=no-proxy]')
    return element
  },
  () => showList(createListBackend(null), 'wf-error'),
  () => showList(createBackend(), 'wf-error'),
  () => showList(createListBackend(undefined, {}, { fetch: isDown }), 'wf-error'),
  () => showList(createListBackend(undefined, {}, { fetch: neverResponding })),
  () => showList(createListBackend(people.outsider), 'wf-load'),
  () =>
    showList(createListBackend(people.initiator, { 43: { state: 'DRAFT' } }), 'wf-load', { view: 'mine' }),
  async () => {
    const element = await showList(createFormBackend(), 'wf-load', { view: 'form', forms: '6025' })
    await find(element, '[part=conditions]')
    const state = element.shadowRoot!.querySelector('select')!
    state.value = 'DRAFT'
    state.dispatchEvent(new Event('change'))
    await find(element, '[part=all]')
    return element
  },
  () =>
    showList(
      createFormBackend({}, people.initiator, {}, () => false),
      'wf-error',
      {
        view: 'form',
        forms: '6025',
      },
    ),
  async () => {
    const backend = createReminderBackend({}, ['remind', 'remindNote'])
    const element = await showList(backend, 'wf-load', { view: 'mine' })
    await find(element, '[part=remind]')
    element.shadowRoot!.querySelector<HTMLElement>('[part=remind]')!.click()
    await find(element, '[part=send]')
    return element
  },
  async () => {
    const backend = createListBackend(undefined, { 43: {} })
    const element = await showList(backend, 'wf-load')
    const { test: packages } = backend.emulator.packages
    packages.set(44, { ...structuredClone(packages.get(42)!), id: 44 })
    packages.get(43)!.inbox = []
    await backend.other.getPackage({ params: { formId: 6025, packageId: 44 } })
    await waitUntil(async () => {
      await element.refresh()
      return element.shadowRoot!.querySelector('[part=new]')
    })
    await find(element, '[part~=left]')
    return element
  },
  async () => {
    const ids = Array.from({ length: 110 }, (_, place) => [100 + place, {}] as const)
    const backend = createListBackend(undefined, Object.fromEntries(ids))
    const element = await showList(backend, 'wf-load')
    backend.intercept = isDown
    await element.refresh()
    await element.updateComplete
    return element
  },
]

async function showList(
  { client }: Pick<Backend, 'client'>,
  event?: string,
  properties: object = {},
): Promise<WfList> {
  const urls = {
    detailUrl: '/request/{packageId}',
    signUrl: '/sign/{packageId}',
    editUrl: '/edit/{packageId}',
    copyUrl: '/new?copy={packageId}',
    titleField: 'purpose',
  }
  const element = Object.assign(document.createElement('wf-list'), { client, ...urls, ...properties })
  const fired = event && oneEvent(element, event)
  document.body.append(element)
  await fired
  await element.updateComplete
  return element
}

const scenesOfOffice: readonly Scene[] = [
  () => fixture('<wf-office></wf-office>'),
  async () => {
    const element = await showOffice(createBackend(undefined, { fetch: isElsewhere }))
    await find(element, '[part=no-proxy]')
    return element
  },
  () => showOffice(createBackend(null), 'wf-error'),
  () => showOffice(createBackend(undefined, { fetch: isDown }), 'wf-error'),
  () => showOffice(Object.assign(createBackend(), { intercept: neverResponding })),
  async () => {
    const element = await showOffice(createBackend(), undefined, { within: '11', value: '' })
    element.shadowRoot!.querySelector<HTMLElement>('[part=toggle]')!.click()
    await find(element, '[part=option]')
    return element
  },
  () => showOffice(createBackend(), undefined, { value: 'Biologie' }),
]

async function showOffice(
  { client }: Pick<Backend, 'client'>,
  event?: string,
  properties: object = {},
): Promise<WfOffice> {
  const element = Object.assign(document.createElement('wf-office'), {
    client,
    value: '11-0420',
    ...properties,
  })
  const fired = event && oneEvent(element, event)
  document.body.append(element)
  await fired
  await element.updateComplete
  return element
}

const scenesOfForm: readonly Scene[] = [
  () => fixture('<wf-form></wf-form>'),
  async () => {
    const element = await showForm(createBackend(undefined, { fetch: isElsewhere }))
    await find(element, '[part=no-proxy]')
    return element
  },
  () => showForm(createBackend(null), 'wf-error'),
  () => showForm(createBackend(people.outsider), 'wf-error', 42),
  () => showForm(createBackend(), 'wf-error', 43),
  () => showForm(createBackend(undefined, { fetch: isDown }), 'wf-error', 42),
  () => showForm(Object.assign(createBackend(), { intercept: neverResponding })),
  () => showForm(createBackend(), 'wf-load', 42),
  () => showForm(createBackend(people.firstApprover), 'wf-load', 42),
  async () => {
    const element = await showForm(createBackend(), 'wf-load')
    await element.submit()
    await find(element, '[part=problems]')
    return element
  },
  async () => {
    const element = await showForm(createBackend(), 'wf-load')
    await element.save()
    await find(element, '[part=unfinished]')
    return element
  },
  async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING' })
    const element = await showForm(backend, 'wf-load', 42)
    element.draftUrl = 'https://other.example.edu/{packageId}'
    await element.save()
    await find(element, '[part=draft]')
    return element
  },
  async () => {
    const element = await showForm(createBackend(people.firstApprover), 'wf-load', 42)
    element.querySelector('form')!.append(document.createElement('button'))
    await find(element, '[part=not-submitted]')
    return element
  },
  async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING' })
    const element = await showForm(backend, 'wf-load', 42)
    element.review = true
    await element.submit()
    await find(element, '[part~=review]')
    return element
  },
  async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING' })
    const element = await showForm(backend, 'wf-load', 42)
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
    input.dataset['attachmentType'] = 'other'
    element.querySelector('form')!.append(input)
    const choose = (...files: readonly File[]) => {
      const chosen = new DataTransfer()
      for (const file of files) chosen.items.add(file)
      input.files = chosen.files
    }
    choose(new File(['text'], 'notes.txt'), new File([], 'empty.txt'))
    await element.save()
    await find(element, '[part=outcome]')
    choose(new File(['more'], 'more.txt'), new File([], 'empty.txt'))
    backend.intercept = (request) => (request.method === 'POST' ? neverResponding() : undefined)
    void element.save()
    await find(element, '[part=progress]')
    await find(element, '[part=outcome]')
    return element
  },
  async () => {
    const backend = createBackend()
    attach(backend, {})
    const element = await showForm(backend, 'wf-load')
    element.copyFrom = 42
    await find(element, '[part=upload-again]')
    return element
  },
  async () => {
    const backend = createBackend(people.firstApprover)
    const before = await showForm(backend, 'wf-load', 42)
    enter(before, 'Mine')
    before.remove()
    const element = await showForm(backend, 'wf-load', 42)
    await find(element, '[part=restored]')
    const pkg = backend.emulator.packages.test.get(42)!
    pkg.entry = { ...pkg.entry, purpose: 'Theirs' }
    await element.save()
    await find(element, '[part=conflicts]')
    localStorage.clear()
    return element
  },
  async () => {
    const backend = createBackend(people.firstApprover)
    const element = await showForm(backend, 'wf-load', 42)
    enter(element, 'Mine')
    backend.person = null
    await element.save()
    await find(element, '[part="notice problem"], [part=problem]')
    localStorage.clear()
    return element
  },
]

function enter(element: WfForm, value: string): void {
  const input = element.querySelector('input')!
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

async function showForm({ client }: Pick<Backend, 'client'>, event?: string, packageId = 0): Promise<WfForm> {
  const element = Object.assign(document.createElement('wf-form'), { client, formId: 6025, packageId })
  const form = document.createElement('form')
  const input = document.createElement('input')
  Object.assign(input, { name: 'purpose', required: true })
  form.append(input)
  const documents = document.createElement('div')
  documents.slot = 'documents'
  element.append(form, documents)
  const fired = event && oneEvent(element, event)
  document.body.append(element)
  await fired
  await element.updateComplete
  return element
}

async function show(
  tag:
    | 'wf-history'
    | 'routing-history'
    | 'wf-comments'
    | 'wf-attachments'
    | 'wf-badge'
    | 'wf-package-status'
    | 'wf-route'
    | 'wf-overrides',
  backend?: Backend,
  event?: string,
  properties: object = {},
): Promise<PackageElement<unknown>> {
  const element = document.createElement(tag) as PackageElement<unknown>
  Object.assign(element, { formId: 6025, packageId: 42, client: backend?.client, ...properties })
  const fired = event && oneEvent(element, event)
  document.body.append(element)
  await fired
  await element.updateComplete
  return element
}

async function showUploader(
  { client }: Pick<Backend, 'client'>,
  properties: object = {},
): Promise<FsUploader> {
  const element = Object.assign(document.createElement('fs-uploader'), { client, ...properties })
  document.body.append(element)
  await element.updateComplete
  return element
}

const isElsewhere = () => Promise.resolve(new Response('', { status: 404 }))
const isForbidden = () => Promise.resolve(new Response('{}', { status: 403 }))
const isDown = () => Promise.reject(new TypeError('The emulator is down'))
const neverResponding = () => new Promise<never>(() => {})
const neverEnding = ({ onProgress }: UploadRequest) => {
  onProgress?.(1000, 2000)
  return new Promise<never>(() => {})
}

async function find(element: LitElement, selector: string): Promise<void> {
  await waitUntil(() => element.shadowRoot!.querySelector(selector), selector)
}

function toEvent(type: string) {
  return {
    '@class': type,
    actionDate: '2026-11-16T09:42:10',
    person: { displayName: 'Amara Okafor' },
    stop: { name: 'Start', stopNumber: 1 },
  }
}

function file(name: string): File {
  return new File(['%PDF-1.7', new Uint8Array(1992)], name, { type: 'application/pdf' })
}
