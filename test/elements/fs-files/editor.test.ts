import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import type { FsFiles } from '../../../src/elements/fs-files/fs-files.ts'

import {
  FsBeforeChangeEvent,
  FsChangeEvent,
  FsErrorEvent,
} from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import type { Backend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { createFilesBackend, sampleUuids } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcement, announcements } from '../notices/announcements.ts'
import { button, focused, row, show, textOf } from './element.ts'

const [first = '', second = ''] = sampleUuids

describe('the form of <fs-files>', () => {
  it('shows the parts of the name, the last day and the labels of its file @engines', async () => {
    const { element, backend } = await show()
    const form = await edit(element, 'itinerary.pdf')
    const { asset } = backend.emulator.files.test.get(first)!
    expect(form.ariaLabel).to.equal('Edit itinerary.pdf')
    expect([input(form, 'stem').value, input(form, 'stem').ariaInvalid]).to.deep.equal(['itinerary', 'false'])
    expect(textOf(element, '.joined')).to.equal('.pdf')
    expect(input(form, 'day').value).to.equal(asset.expirationDate!.slice(0, 10))
    expect(inputs(form, 'value').map(({ value }) => value)).to.deep.equal(['travel', 'Tucson'])
    expect([...form.querySelectorAll('.label label')].map(({ textContent }) => textContent)).to.deep.equal([
      'purpose',
      'trip',
    ])
    expect(form.querySelector('[part=reference]')).to.have.text(first)
    expect(form.querySelector('[role=alert]:not([hidden])')).to.equal(null)
    await expect(element).to.be.accessible()
  })

  it('bounds the last day: tomorrow, and in the test environment 30 days after the upload', async () => {
    const { element, backend } = await show()
    const form = await edit(element, 'itinerary.pdf')
    const day = input(form, 'day')
    const uploaded = Date.parse(
      `${backend.emulator.files.test.get(first)!.asset.uploadDate!.slice(0, 10)}T00:00Z`,
    )
    expect(day.max).to.equal(new Date(uploaded + 30 * 86_400_000).toISOString().slice(0, 10))
    expect(day.min > new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)).to.equal(true)
    expect(textOf(element, `[id="day-hint-${first}"]`)).to.match(
      /^The test environment deletes files 30 days/,
    )
    expect(day.getAttribute('aria-describedby')).to.equal(`day-hint-${first}`)

    const production = createFilesBackend()
    const { send } = production
    production.send = async (info, init) => {
      const request = new Request(info, init)
      const response = await send(request)
      if (!request.url.endsWith('/session')) return response
      const session = { ...((await response.json()) as object), env: 'prod' }
      return new Response(JSON.stringify(session), { headers: response.headers })
    }
    const { element: other } = await show({}, production)
    await edit(other, 'itinerary.pdf')
    expect(textOf(other, `[id="day-hint-${first}"]`)).to.match(/^Leave the date empty/)
    expect(other.shadowRoot!.querySelector('[name=day]')).not.to.have.attribute('max')
  })

  it('removes the last day, and refuses one that is too early @engines', async () => {
    const { element, backend } = await show()
    const form = await edit(element, 'itinerary.pdf')
    const day = input(form, 'day')
    day.value = '2020-01-01'
    form.requestSubmit()
    await waitUntil(() => problem(form).startsWith('Enter a complete date, tomorrow or later.'))
    await waitUntil(() => focused(element) === day)
    expect([day.ariaInvalid, input(form, 'stem').ariaInvalid]).to.deep.equal(['true', 'false'])
    expect(day.getAttribute('aria-describedby')).to.equal(`day-hint-${first} problem-${first}`)
    day.value = ''
    day.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await element.updateComplete
    expect(day.ariaInvalid).to.equal('false')
    const bodies = recordBodies(backend)
    form.requestSubmit()
    await waitUntil(() => bodies.length === 1)
    expect(bodies).to.deep.equal([{ expiresIn: '0s' }])
  })

  it('does not take an incomplete date for none @engines', async () => {
    const { element, backend } = await show()
    const form = await edit(element, 'itinerary.pdf')
    const bodies = recordBodies(backend)
    const day = input(form, 'day')
    day.focus()
    await sendKeys({ press: 'Backspace' })
    expect([day.value, day.validity.badInput]).to.deep.equal(['', true])
    form.requestSubmit()
    await waitUntil(() => problem(form).startsWith('Enter a complete date'))
    expect(bodies).to.deep.equal([])
  })

  it('adds labels, and names what is missing in them', async () => {
    const { element, backend } = await show()
    const form = await edit(element, 'itinerary.pdf')
    buttonOf(form, 'Add a label').click()
    await waitUntil(() => focused(element) === inputs(form, 'key')[0])
    buttonOf(form, 'Add a label').click()
    await waitUntil(() => focused(element) === inputs(form, 'key')[1])
    expect(inputs(form, 'key')[0]!.ariaLabel).to.equal('Label')
    expect(inputs(form, 'value')[2]!.ariaLabel).to.equal('Value')
    expect(inputs(form, 'value')[0]).not.to.have.attribute('aria-label')
    const group = form.querySelector('fieldset')!
    expect(group.getAttribute('aria-describedby')).to.equal(`labels-${first}`)

    for (const [key, value, text, invalid] of [
      ['', '2026', 'Enter a name for the label.', 'key'],
      ['year', '', 'Enter a value for the label.', 'value'],
      ['trip', '2026', 'This label already exists. Change its value instead.', 'key'],
    ] as const) {
      inputs(form, 'key')[0]!.value = key
      inputs(form, 'value')[2]!.value = value
      form.requestSubmit()
      const field = invalid === 'key' ? inputs(form, 'key')[0] : inputs(form, 'value')[2]
      await waitUntil(() => problem(form) === text && focused(element) === field, text)
      expect(form.querySelectorAll('[aria-invalid=true]')).to.have.length(1)
      expect(group.getAttribute('aria-describedby')).to.equal(`labels-${first} problem-${first}`)
    }
    const bodies = recordBodies(backend)
    inputs(form, 'key')[0]!.value = ' year '
    form.requestSubmit()
    await waitUntil(() => bodies.length === 1)
    expect(bodies).to.deep.equal([{ metadata: { year: '2026' } }])
    await waitUntil(() => row(element, 1).includes('year: 2026'))
  })

  it('has no hint about labels if there are none, and no extension if the name has none', async () => {
    const backend = createFilesBackend()
    const { asset } = backend.emulator.files.test.get(second)!
    Object.assign(asset, {
      filename: 'README',
      metadata: { 'routeslip-owner': asset.metadata!['routeslip-owner'] },
    })
    const { element } = await show({}, backend)
    const form = await edit(element, 'README')
    expect(form.querySelector('.joined bdi')).to.equal(null)
    expect(form.querySelector<HTMLElement>(`[id="labels-${second}"]`)!.hidden).to.equal(true)
    buttonOf(form, 'Add a label').click()
    await element.updateComplete
    expect(form.querySelector<HTMLElement>(`[id="labels-${second}"]`)!.hidden).to.equal(false)
  })

  it('closes if nothing has changed, and sends nothing @engines', async () => {
    const { element, backend } = await show()
    const bodies = recordBodies(backend)
    const said = announcements()
    let form = await edit(element, 'itinerary.pdf')
    form.requestSubmit()
    await waitUntil(() => !form.isConnected)
    form = await edit(element, 'itinerary.pdf')
    input(form, 'stem').focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => !form.isConnected)
    form = await edit(element, 'itinerary.pdf')
    input(form, 'stem').focus()
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => !form.isConnected)
    form = await edit(element, 'itinerary.pdf')
    input(form, 'stem').value = 'Flight'
    buttonOf(form, 'Cancel').click()
    await waitUntil(() => !form.isConnected)
    form = await edit(element, 'itinerary.pdf')
    expect(input(form, 'stem').value, 'what was typed is gone').to.equal('itinerary')
    expect(bodies).to.deep.equal([])
    expect(said.join()).not.to.include('Saved')
  })

  it('saves once, shows that it does, and stays open meanwhile @engines', async () => {
    const { element, backend } = await show()
    const form = await edit(element, 'itinerary.pdf')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const bodies = recordBodies(backend, held)
    input(form, 'stem').value = 'Flight'
    const save = form.querySelector<HTMLButtonElement>('[type=submit]')!
    expect([save.ariaDisabled, buttonOf(form, 'Cancel').ariaDisabled]).to.deep.equal(['false', 'false'])
    form.requestSubmit()
    await waitUntil(() => save.textContent.trim() === 'Saving…' && bodies.length === 1)
    expect([save.ariaDisabled, buttonOf(form, 'Cancel').ariaDisabled]).to.deep.equal(['true', 'true'])
    form.requestSubmit()
    buttonOf(form, 'Cancel').click()
    const typed = input(form, 'stem')
    typed.focus()
    await sendKeys({ type: 'Nothing that is typed now would be saved' })
    expect(typed.value).to.equal('Flight')
    const controls = [...form.querySelectorAll<HTMLInputElement>('input')]
    expect(controls.every(({ readOnly }) => readOnly)).to.equal(true)
    buttonOf(form, 'Add a label').click()
    await element.updateComplete
    expect(inputs(form, 'key')).to.have.length(0)
    typed.value = 'itinerary'
    await sendKeys({ press: 'Escape' })
    await element.updateComplete
    expect(form.isConnected).to.equal(true)
    release()
    await waitUntil(() => !form.isConnected)
    expect(bodies).to.have.length(1)
    await waitUntil(() => announcement() === 'Saved: Flight.pdf')
  })

  it('says why a change failed, until something is typed', async () => {
    const { element, backend } = await show()
    const form = await edit(element, 'itinerary.pdf')
    const errors: unknown[] = []
    element.addEventListener(FsErrorEvent.type, ({ error }) => errors.push(error))
    const { send } = backend
    for (const [status, text] of [
      [403, 'Not saved: you don’t have permission to change this file.'],
      [410, 'Not saved: the file is no longer available.'],
      [400, 'Not saved. Change what is described here, then save again: The name is too long.'],
      [500, 'Couldn’t be saved. Your changes are still here. Try again.'],
    ] as const) {
      errors.length = 0
      backend.send = async (info, init) => {
        const request = new Request(info, init)
        const detail = status === 400 ? 'The name is too long.' : 'For nobody.'
        return request.method === 'PUT'
          ? Response.json({ detail }, { status, headers: { 'x-routeslip': '1' } })
          : await send(request)
      }
      input(form, 'stem').value = `Flight ${status}`
      form.requestSubmit()
      await waitUntil(() => errors.length === 1 && problem(form).startsWith(text), text)
      expect(problem(form)).not.to.include('For nobody')
      expect(form.querySelector('[type=submit]')!.textContent.trim()).to.equal('Save')
      input(form, 'stem').dispatchEvent(new InputEvent('input', { bubbles: true }))
      await waitUntil(() => problem(form) === '')
    }
  })

  it('stays open if the page refuses the change', async () => {
    const { element, backend } = await show()
    const bodies = recordBodies(backend)
    const form = await edit(element, 'itinerary.pdf')
    const asked: FsBeforeChangeEvent[] = []
    element.addEventListener(FsBeforeChangeEvent.type, (event) => {
      asked.push(event)
      event.preventDefault()
    })
    input(form, 'stem').value = 'Flight'
    form.requestSubmit()
    await waitUntil(() => asked.length === 1)
    await settled(element)
    expect(asked[0]!.operation).to.equal('updateFileMeta')
    expect(form.isConnected).to.equal(true)
    expect(form.querySelector('[type=submit]')!.ariaDisabled).to.equal('false')
    expect(bodies).to.deep.equal([])
  })
})

describe('<fs-files> beside other elements', () => {
  it('shows what another list has changed or deleted, as long as it is on the page', async () => {
    const { element, backend } = await show()
    const { element: other } = await show({}, createFilesBackend())
    const { asset } = backend.emulator.files.test.get(first)!
    const changed = { ...asset, filename: 'Flight.pdf' }
    other.dispatchEvent(new FsChangeEvent('updateFileMeta', changed))
    await waitUntil(() => row(element, 1).startsWith('Flight.pdf'))
    other.dispatchEvent(new FsChangeEvent('deleteFile', changed))
    await waitUntil(() => row(element, 1).includes('No longer available.'))
    expect(row(other, 1)).to.include('itinerary.pdf')

    const parent = element.parentElement!
    const second = backend.emulator.files.test.get(sampleUuids[1]!)!.asset
    element.remove()
    other.dispatchEvent(new FsChangeEvent('deleteFile', second))
    parent.append(element)
    await element.updateComplete
    expect(row(element, 2)).not.to.include('No longer available.')
  })

  it('ignores events about files that it does not list', async () => {
    const { element, backend } = await show()
    const { asset } = backend.emulator.files.test.get(first)!
    const other = { ...asset, uuid: '0f5e0000-0000-4000-8000-000000000009', filename: 'Other.pdf' }
    document.body.dispatchEvent(new FsChangeEvent('updateFileMeta', other))
    await element.updateComplete
    expect(textOf(element, '[part=files]')).not.to.include('Other.pdf')
    element.value = [...sampleUuids, other.uuid]
    await waitUntil(() => row(element, 4).includes('Not available.'))
  })
})

async function edit(element: FsFiles, name: string): Promise<HTMLFormElement> {
  button(element, `Edit ${name}`).click()
  await element.updateComplete
  return element.shadowRoot!.querySelector('form')!
}

function inputs(form: HTMLFormElement, name: string): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>(`[name=${name}]`)]
}

function input(form: HTMLFormElement, name: string): HTMLInputElement {
  return inputs(form, name)[0]!
}

/** The button with a text. */
function buttonOf(form: HTMLFormElement, text: string): HTMLButtonElement {
  return [...form.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === text)!
}

/** The visible problem. */
function problem(form: HTMLFormElement): string {
  const shown = [...form.querySelectorAll<HTMLElement>('[role=alert]')].filter(({ hidden }) => !hidden)
  return shown.map(({ innerText }) => innerText.replace(/\s+/g, ' ').trim()).join(' / ')
}

/** Records the bodies of changes, which wait for `held`. */
function recordBodies(backend: Backend, held: Promise<void> = Promise.resolve()): unknown[] {
  const bodies: unknown[] = []
  backend.intercept = (request) => {
    if (request.method !== 'PUT') return undefined
    return request
      .clone()
      .json()
      .then((body) => bodies.push(body))
      .then(() => held)
      .then(() => backend.emulator.fetch(request))
  }
  return bodies
}
