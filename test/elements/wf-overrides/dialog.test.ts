import { expect } from '@open-wc/testing'
import type { OverrideType } from '../../../src/contract/values/values.ts'
import type { WfOverrides } from '../../../src/elements/wf-overrides/wf-overrides.ts'
import { type Backend, people } from '../../../stories/backend.ts'
import { createOverrideBackend, fill, replace } from '../../../stories/overrides.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { dialog, find, focused, open, part, show, submit, textOf, writes } from './element.ts'

const given = [replace(people.firstApprover, people.viewer)]
const complete = { subject: 'Daniel Reyes', type: 'CHANGE', replacement: 'Theo Marchetti' } as const

describe('the dialog of <wf-overrides>', () => {
  it('shows an empty form with its labels, hints and choices', async () => {
    const element = await show(createOverrideBackend())
    await open(element)
    expect(textOf(element)).to.equal(
      'Replace an approver? Use this if somebody on the route has a conflict of interest. ' +
        'Who must not decide? Name or university ID ' +
        'What may they still do? Look at the request, but not sign it Nothing: they cannot see it any more ' +
        'Who signs instead? Name or university ID Continue Cancel',
    )
    expect(values(element)).to.deep.equal({ subject: '', type: undefined, replacement: '' })
    expect(choices(element)).to.deep.equal(['DELEGATE', 'CHANGE'])
    expect(invalid(element)).to.deep.equal([])
    expect(errors(element)).to.deep.equal({})
    expect(attributes(element)).to.deep.equal({ closedby: 'closerequest', described: null })
    const suggestions = [...dialog(element).querySelectorAll('option')].map(({ value }) => value)
    expect(suggestions).to.include.members(['Amara Okafor', 'Daniel Reyes', 'Mei-Ling Zhou'])
    expect(buttons(element)).to.deep.equal([
      ['Continue', 'false', null],
      ['Cancel', 'false', null],
    ])
    expect(focused(element)?.getAttribute('name')).to.equal('subject')
  })

  it('asks for a university id only if nobody can be found by name', async () => {
    const hints = async (backend: Backend, findPeople?: WfOverrides['findPeople']) => {
      const element = await show(backend, { findPeople })
      await open(element)
      return [...dialog(element).querySelectorAll('p.detail')].map(({ textContent }) => textContent)
    }
    const both = (hint: string) => [hint, hint]
    expect(await hints(withoutNames(createOverrideBackend()))).to.deep.equal(both('University ID'))
    const search = () => Promise.resolve([])
    for (const shown of [
      await hints(withoutNames(createOverrideBackend()), search),
      await hints(createOverrideBackend()),
    ])
      expect(shown).to.deep.equal(both('Name or university ID'))
  })

  it('names each missing answer in turn, and forgets it when that field is filled in', async () => {
    const backend = createOverrideBackend()
    const element = await show(backend)
    await open(element)
    for (const [name, text, next] of [
      ['subject', 'Enter who must not decide.', { subject: 'Daniel Reyes' }],
      ['type', 'Choose what they may still do.', { type: 'DELEGATE' }],
      ['replacement', 'Enter who signs instead.', { replacement: 'Theo Marchetti' }],
    ] as const) {
      submit(element)
      await waitUntil(() => errors(element)[`${name}-error`] === text, text)
      expect(errors(element)).to.deep.equal({ [`${name}-error`]: text })
      expect(invalid(element)).to.deep.equal([name])
      await waitUntil(() => focused(element)?.getAttribute('name') === name)

      // Another field does not solve it.
      fill(element.shadowRoot!, name === 'subject' ? { replacement: ' ' } : { subject: 'Daniel Reyes' })
      await element.updateComplete
      expect(invalid(element)).to.deep.equal([name])
      fill(element.shadowRoot!, next)
      await element.updateComplete
      expect(errors(element)).to.deep.equal({})
      expect(invalid(element)).to.deep.equal([])
    }
    submit(element)
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))
    expect(writes(backend)).to.deep.equal([])
  })

  it('shows the consequence of each type before it is confirmed, and goes back to the same form', async () => {
    const element = await show(createOverrideBackend())
    for (const [type, consequence] of [
      ['CHANGE', 'Daniel Reyes cannot see this request at all.'],
      ['DELEGATE', 'Daniel Reyes can look at this request, but cannot sign it.'],
    ] as const) {
      await open(element)
      fill(element.shadowRoot!, { ...complete, type })
      await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))
      expect(textOf(element)).to.equal(
        `Replace Daniel Reyes? ${consequence} Theo Marchetti signs instead. ` +
          `Daniel Reyes (${people.firstApprover}) Theo Marchetti (${people.outsider}) ` +
          'Replace Daniel Reyes Back',
      )
      expect(attributes(element)).to.deep.equal({ closedby: 'closerequest', described: 'consequence' })
      expect(buttons(element)).to.deep.equal([
        ['Replace Daniel Reyes', 'false', null],
        ['Back', 'false', 'title consequence'],
      ])

      find<HTMLElement>(element, 'dialog button[type=button]').click()
      await waitUntil(() => focused(element)?.getAttribute('name') === 'subject')
      expect(dialog(element).open).to.equal(true)
      expect(values(element)).to.deep.equal({ ...complete, type })
      expect(attributes(element).described).to.equal(null)
      find<HTMLElement>(element, 'dialog button[type=button]').click()
      await waitUntil(() => !dialog(element).open)
    }
    await open(element)
    expect(values(element), 'a new form').to.deep.equal({ subject: '', type: undefined, replacement: '' })
  })

  it('shows the ids of people whose names are not known', async () => {
    const element = await show(createOverrideBackend(), { findPeople: undefined })
    await open(element)
    fill(element.shadowRoot!, { subject: '998', type: 'CHANGE', replacement: '999' })
    await waitUntil(() => textOf(element).startsWith('Replace University ID 998?'))
    const advice = 'couldn’t be looked up. Make sure that the university ID is right.'
    expect(textOf(element)).to.equal(
      'Replace University ID 998? University ID 998 cannot see this request at all. ' +
        `University ID 999 signs instead. The name of 998 ${advice} The name of 999 ${advice} ` +
        'Replace University ID 998 Back',
    )
    expect([...part(element, 'named').children].map(({ className }) => className)).to.deep.equal([
      'attention',
      'attention',
    ])
  })

  it('says which field a directory that fails could not be searched for', async () => {
    let isDown = true
    const element = await show(createOverrideBackend(), {
      findPeople: (text) =>
        isDown
          ? Promise.reject(new Error('down'))
          : Promise.resolve([{ univid: people.outsider, name: text }]),
    })
    await open(element)
    fill(element.shadowRoot!, { ...complete, replacement: 'Theo' })
    const failed = { 'replacement-error': 'The directory couldn’t be reached. Enter the university ID.' }
    await waitUntil(() => 'replacement-error' in errors(element))
    expect(errors(element)).to.deep.equal(failed)
    await waitUntil(() => focused(element)?.getAttribute('name') === 'replacement')
    isDown = false
    submit(element)
    await waitUntil(() => textOf(element).includes(`Theo (${people.outsider})`))
  })

  it('cannot be closed or sent twice while a change is sent', async () => {
    const backend = createOverrideBackend(given)
    const element = await show(backend)
    const respond = holdBack(backend, 'DELETE')
    part(element, 'end').click()
    await waitUntil(() => dialog(element).open)
    expect(textOf(element)).to.equal(
      'End the replacement of Daniel Reyes? Daniel Reyes gets back all rights on this request. ' +
        'Ruth Lindqvist no longer signs for them. End Keep it',
    )
    expect(attributes(element)).to.deep.equal({ closedby: 'closerequest', described: 'consequence' })
    await waitUntil(() => focused(element)?.textContent.trim() === 'Keep it')
    expect(isCloseRefused(element)).to.equal(false)

    submit(element)
    submit(element)
    await waitUntil(() => respond.started)
    await settled(element)
    expect(buttons(element)).to.deep.equal([
      ['One moment…', 'true', null],
      ['Keep it', 'true', null],
    ])
    expect(attributes(element).closedby).to.equal('none')
    expect(isCloseRefused(element)).to.equal(true)
    find<HTMLElement>(element, 'dialog button[type=button]').click()
    submit(element)
    expect(dialog(element).open).to.equal(true)
    respond.now()
    await waitUntil(() => !dialog(element).open)
    expect(writes(backend)).to.have.length(1)
  })

  it('shows why a change was refused, and keeps what was entered until the next attempt', async () => {
    const backend = createOverrideBackend()
    const element = await show(backend)
    const errorsOfElement: string[] = []
    element.addEventListener('wf-error', ({ type }) => errorsOfElement.push(type))
    await open(element)
    fill(element.shadowRoot!, complete)
    await waitUntil(() => textOf(element).startsWith('Replace Daniel Reyes?'))
    const { send } = backend
    backend.send = async (input, init) =>
      new Request(input, init).method === 'POST'
        ? Response.json({ detail: 'They left.' }, { status: 400, headers: { 'x-routeslip': '1' } })
        : await send(input, init)
    submit(element)
    await waitUntil(() => 'failure' in errors(element))
    expect(errors(element)['failure']).to.equal('This was refused. Nothing was changed. They left.')
    expect(find<HTMLElement>(element, '#failure bdi').lang).to.equal('en')
    backend.send = send
    expect(errorsOfElement).to.deep.equal(['wf-error'])
    expect(attributes(element).closedby).to.equal('closerequest')
    expect(buttons(element)).to.deep.equal([
      ['Replace Daniel Reyes', 'false', null],
      ['Back', 'false', 'title consequence'],
    ])

    const respond = holdBack(backend, 'POST')
    submit(element)
    await waitUntil(() => respond.started)
    await settled(element)
    expect(errors(element), 'gone while it is tried again').to.deep.equal({})
    respond.now()
    await waitUntil(() => !dialog(element).open)
    expect(backend.emulator.packages.test.get(42)!.overrides).to.deep.equal([
      replace(people.firstApprover, people.outsider, 'CHANGE'),
    ])
  })

  it('stays closed if the element leaves the page before it is shown', async () => {
    const element = await show(createOverrideBackend())
    const place = element.parentElement!
    part(element, 'add').click()
    element.remove()
    place.append(element)
    await settled(element)
    expect(element.shadowRoot!.querySelector('dialog[open]') === null).to.equal(true)
    // Control: it can be opened.
    await open(element)
  })

  it('closes with the element that contains it', async () => {
    const element = await show(createOverrideBackend())
    await open(element)
    const { parentNode } = element
    element.remove()
    parentNode!.append(element)
    await element.updateComplete
    expect(dialog(element).open).to.equal(false)
    expect(dialog(element).querySelector('h2') === null).to.equal(true)
  })
})

/** What the form contains. */
function values(element: WfOverrides) {
  const typed = (name: string) => find<HTMLInputElement>(element, `dialog [name=${name}]`).value
  const type = dialog(element).querySelector<HTMLInputElement>('[name=type]:checked')?.value
  return {
    subject: typed('subject'),
    type: type as OverrideType | undefined,
    replacement: typed('replacement'),
  }
}

function choices(element: WfOverrides): string[] {
  return [...dialog(element).querySelectorAll<HTMLInputElement>('[name=type]')].map(({ value }) => value)
}

/** The names of the fields that are marked as invalid. */
function invalid(element: WfOverrides): string[] {
  return [...dialog(element).querySelectorAll('[aria-invalid=true]')].map(
    (field) => field.getAttribute('name') ?? field.querySelector('input')!.name,
  )
}

/** The texts of the alerts that are not empty, by their ids. */
function errors(element: WfOverrides): Readonly<Record<string, string>> {
  const alerts = [...dialog(element).querySelectorAll('[role=alert]')]
  return Object.fromEntries(
    alerts.map(({ id, textContent }) => [id, textContent.trim()] as const).filter(([, text]) => text !== ''),
  )
}

/** The text of each button, whether it is disabled, and what describes it. */
function buttons(element: WfOverrides) {
  return [...dialog(element).querySelectorAll('button')].map((button) => [
    button.textContent.trim(),
    button.getAttribute('aria-disabled'),
    button.getAttribute('aria-describedby'),
  ])
}

function attributes(element: WfOverrides) {
  const of = (name: string) => dialog(element).getAttribute(name)
  return { closedby: of('closedby'), described: of('aria-describedby') }
}

/** Whether the dialog refuses to close, as when somebody presses Escape. */
function isCloseRefused(element: WfOverrides): boolean {
  return !dialog(element).dispatchEvent(new Event('cancel', { cancelable: true }))
}

/** A backend that knows no names of the people of the package. */
function withoutNames(backend: Backend): Backend {
  const { intercept } = backend
  backend.intercept = (request) => {
    if (/history$/.test(request.url)) return Promise.resolve(Response.json([]))
    if (!request.url.endsWith('/packages/42')) return intercept(request)
    return backend.emulator.fetch(request).then(async (response) => {
      const found = (await response.json()) as object
      return Response.json({ ...found, initiator: null })
    })
  }
  return backend
}

/** Lets requests with a method wait until `now()` is called. */
function holdBack(backend: Backend, method: string) {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const respond = { started: false, now: () => release() }
  backend.intercept = (request) => {
    if (request.method !== method) return undefined
    respond.started = true
    return held.then(async () => await backend.emulator.fetch(request))
  }
  return respond
}
