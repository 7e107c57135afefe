import { expect, fixture, html } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { FormFields } from '../../../src/elements/wf-form/fields/form-fields.ts'
import { createBackend } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { complete, control, created, part, press, show, travelForm, type } from './form.ts'
import { valuesIn } from './values-in.ts'

/** Counts how often its value is read. */
class XCounted extends HTMLElement {
  static readonly formAssociated = true
  readonly internals = this.attachInternals()
  reads = 0
  get value(): string {
    this.reads++
    return ''
  }
}
customElements.define('x-counted', XCounted)

describe('<wf-form> and what a person types @engines', () => {
  it('reads the controls once for each event', async () => {
    const { element } = await show({ form: travelForm(html`<x-counted name="counted"></x-counted>`) })
    const counted = element.querySelector<XCounted>('x-counted')!
    // Before the first one, it looks for what scripts have changed.
    pressKey()
    for (const purpose of ['First', 'Second', 'Third']) {
      counted.reads = 0
      type(element, { purpose })
      await element.updateComplete
      expect(counted.reads).to.equal(1)
    }
    await element.refresh()
    expect(counted.reads, 'control').to.be.greaterThan(1)
  })
})

describe('What a page learns of values that it did not get from a person @engines', () => {
  async function listen() {
    const form = await fixture<HTMLFormElement>(html`
      <form>
        <input name="text" />
        <textarea name="area"></textarea>
        <select name="list">
          <option></option>
          <option>a</option>
        </select>
        <input type="checkbox" name="box" value="yes" />
        <input type="radio" name="choice" value="1" />
        <input type="radio" name="choice" value="2" />
        <input name="off" disabled />
        <input name="same" value="s" />
      </form>
    `)
    const heard: string[] = []
    for (const kind of ['click', 'input', 'change'])
      form.addEventListener(kind, ({ target }) => {
        const { name, value, checked } = target as HTMLInputElement
        heard.push(`${kind} ${name} ${value} ${checked ?? ''}`.trim())
      })
    return { form, fields: new FormFields(form), heard }
  }

  const all = { text: 't', area: 'A', list: 'a', box: 'yes', choice: '2', off: 'o', same: 's' }

  it('is what typing and clicking tell it, and nothing about a control that shows the value already', async () => {
    const { fields, heard } = await listen()
    fields.write(all)
    expect(heard).to.deep.equal([
      'input text t false',
      'change text t false',
      'input area A',
      'change area A',
      'input list a',
      'change list a',
      'click box yes true',
      'input box yes true',
      'change box yes true',
      'click choice 2 true',
      'input choice 2 true',
      'change choice 2 true',
      'input off o false',
      'change off o false',
    ])
    heard.length = 0
    fields.write(all)
    expect(heard).to.deep.equal([])
    fields.write({ box: null })
    expect(heard).to.deep.equal(['click box yes false', 'input box yes false', 'change box yes false'])
  })

  it('is also the key that ends typing, without a name of its own', async () => {
    const { form, fields } = await listen()
    const keys: string[] = []
    form.addEventListener('keyup', ({ target, key, keyCode }) =>
      keys.push(`${(target as HTMLInputElement).name} ${key} ${keyCode}`),
    )
    fields.write(all)
    expect(keys).to.deep.equal(['text Unidentified 0', 'area Unidentified 0', 'off Unidentified 0'])
  })

  it('comes after all values stand', async () => {
    const { form, fields } = await listen()
    const seen: unknown[] = []
    form.addEventListener('input', () => seen.push(valuesIn(fields)['list']), { once: true })
    fields.write(all)
    expect(seen).to.deep.equal(['a'])
  })

  it('reaches a page that draws all controls from its own state after each event', async () => {
    const { form, fields } = await listen()
    const state = new Map<string, unknown>()
    const controls = [...form.querySelectorAll<HTMLInputElement>('[name=text], [name=area], [name=box]')]
    form.addEventListener('input', ({ target }) => {
      const { name, value, checked } = target as HTMLInputElement
      state.set(name, name === 'box' ? checked : value)
      for (const one of controls)
        if (one.name === 'box') one.checked = state.get('box') === true
        else one.value = (state.get(one.name) as string | undefined) ?? ''
    })
    fields.write(all)
    expect(controls.map(({ value, checked }) => checked || value)).to.deep.equal(['t', 'A', true])
  })

  it('does not go through a property that a framework has put on the control', async () => {
    const { form, fields } = await listen()
    const input = form.querySelector<HTMLInputElement>('[name=text]')!
    const written: unknown[] = []
    const set = (text: unknown) => written.push(text)
    Object.defineProperty(input, 'value', { get: () => '', set, configurable: true })
    fields.write({ text: 't' })
    expect(written).to.deep.equal([])
    delete (input as { value?: unknown }).value
    expect(input.value).to.equal('t')
  })

  it('keeps a box that the page does not let people change by a click', async () => {
    const { form, fields } = await listen()
    form.addEventListener('click', (event) => event.preventDefault())
    fields.write({ box: 'yes' })
    expect(valuesIn(fields)['box']).to.equal('yes')
  })

  it('is not a change of the person', async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING', inbox: [] })
    const { element } = await show({ backend, packageId: 42 })
    expect(control(element, 'purpose').value).not.to.equal('')
    expect([element.isChanged, localStorage.length]).to.deep.equal([false, 0])
    type(element, { purpose: 'Mine' })
    expect([element.isChanged, localStorage.length]).to.deep.equal([true, 1])
  })
})

/** Somebody does something on the page. */
function pressKey(): void {
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))
}

describe('<wf-form> and a click without a pointer or a key, as of a screen reader @engines', () => {
  it('changes the box, also after a press', async () => {
    const { element } = await show({
      form: travelForm(html`<input type="checkbox" name="visa" value="yes" />`),
    })
    const box = control(element, 'visa')
    box.click()
    expect([box.checked, element.isChanged]).to.deep.equal([true, true])
    press(element, 'ROUTING')
    await waitUntil(() => part(element, 'problems') !== null)
    box.click()
    expect([box.checked, element.isChanged]).to.deep.equal([false, false])
  })
})

describe('What a script of the page writes without an event @engines', () => {
  for (const [when, happen] of [
    ['after a click anywhere on the page', () => document.body.click()],
    ['before the page ends', () => window.dispatchEvent(new Event('pagehide'))],
    ['if the page is hidden', () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))],
  ] as const) {
    it(`is kept ${when}`, async () => {
      const { element } = await show()
      pressKey()
      control(element, 'purpose').value = 'Chosen'
      expect([element.isChanged, localStorage.length]).to.deep.equal([false, 0])
      happen()
      await waitUntil(() => element.isChanged)
      expect(Object.values(localStorage).join()).to.contain('Chosen')
      element.remove()
      localStorage.clear()
      control(element, 'purpose').value = 'Later'
      happen()
      await new Promise((resolve) => setTimeout(resolve))
      expect(localStorage, 'after the element has left the page').to.have.length(0)
    })
  }

  it('is kept if a control loses the focus, and while one has it', async () => {
    const { element } = await show()
    pressKey()
    control(element, 'purpose').focus()
    control(element, 'purpose').value = 'Chosen'
    control(element, 'purpose').blur()
    await waitUntil(() => Object.values(localStorage).join().includes('Chosen'))
    control(element, 'purpose').focus()
    control(element, 'purpose').value = 'Another'
    await waitUntil(() => Object.values(localStorage).join().includes('Another'))
  })

  it('is put right if nobody has done anything, and counts afterwards', async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING', inbox: [] })
    const { element } = await show({ backend, packageId: 42 })
    const { value } = control(element, 'purpose')
    let told = ''
    control(element, 'purpose').addEventListener('input', () => (told = control(element, 'purpose').value))
    control(element, 'purpose').value = 'By a script'
    pressKey()
    expect([control(element, 'purpose').value, told]).to.deep.equal([value, value])
    expect([element.isChanged, localStorage.length]).to.deep.equal([false, 0])
    control(element, 'purpose').value = 'By a script'
    pressKey()
    window.dispatchEvent(new Event('pagehide'))
    expect(control(element, 'purpose').value, 'control').to.equal('By a script')
    expect([element.isChanged, localStorage.length]).to.deep.equal([true, 1])
  })

  for (const type of ['pointerdown', 'keydown'])
    it(`counts as entered if the script fires ${type} at the control, as extensions do that fill in forms`, async () => {
      const other = await fixture(html`<form><input name="purpose" /></form>`)
      const fill = async (find: (element: Element) => Element) => {
        const backend = createBackend()
        Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING', inbox: [] })
        const { element } = await show({ backend, packageId: 42 })
        control(element, 'purpose').value = 'By an extension'
        find(element).dispatchEvent(new Event(type, { bubbles: true }))
        window.dispatchEvent(new Event('pagehide'))
        return [
          control(element, 'purpose').value === 'By an extension',
          element.isChanged,
          localStorage.length,
        ]
      }
      const place = '[name=purpose]'
      expect(await fill(() => other.querySelector(place)!), 'in another form').to.deep.equal([
        false,
        false,
        0,
      ])
      expect(await fill((element) => element.querySelector(place)!)).to.deep.equal([true, true, 1])
    })

  it('stays if it insists, although nobody has done anything', async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING', inbox: [] })
    const { element } = await show({ backend, packageId: 42 })
    const texts: string[] = []
    for (const text of ['Scripted', 'Scripted', 'Scripted']) {
      control(element, 'purpose').value = text
      window.dispatchEvent(new Event('pagehide'))
      texts.push(control(element, 'purpose').value)
    }
    expect(texts).to.deep.equal([texts[0], 'Scripted', 'Scripted'])
    expect(texts[0]).not.to.equal('Scripted')
  })

  it('fills a control when the page adds it', async () => {
    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING', inbox: [] })
    const { element } = await show({ backend, packageId: 42 })
    const { value } = control(element, 'nights')
    expect(value).not.to.equal('')
    const fresh = control(element, 'nights').cloneNode() as HTMLInputElement
    fresh.value = ''
    control(element, 'nights').replaceWith(fresh)
    await waitUntil(() => fresh.value === value)
    expect(element.isChanged).to.equal(false)
  })
})

describe('A form that the page resets @engines', () => {
  it('shows what the service has, keeps nothing, and gives its first field the focus', async () => {
    const { element } = await show()
    type(element, { purpose: 'Mine', nights: '3' })
    expect(localStorage).to.have.length(1)
    element.querySelector('form')!.reset()
    await waitUntil(() => localStorage.length === 0)
    expect(control(element, 'purpose').value).to.equal('')
    expect(element.isChanged).to.equal(false)
    expect(document.activeElement).to.equal(control(element, 'purpose'))

    const backend = createBackend()
    Object.assign(backend.emulator.packages.test.get(42)!, { state: 'PRE_ROUTING', inbox: [] })
    const stored = await show({ backend, packageId: 42 })
    const { value } = control(stored.element, 'purpose')
    type(stored.element, { purpose: 'Mine' })
    stored.element.querySelector('form')!.reset()
    await waitUntil(() => !stored.element.isChanged)
    expect(control(stored.element, 'purpose').value).to.equal(value)
    expect(localStorage).to.have.length(0)
  })

  it('shows again what was typed if a script does it before anybody has done anything', async () => {
    const before = await show()
    type(before.element, { purpose: 'Mine' })
    before.element.remove()
    const { element } = await show()
    expect(control(element, 'purpose').value).to.equal('Mine')
    element.querySelector('form')!.reset()
    expect(control(element, 'purpose').value).to.equal('')
    await waitUntil(() => control(element, 'purpose').value === 'Mine')
    expect(localStorage).to.have.length(1)
    pressKey()
    element.querySelector('form')!.reset()
    await waitUntil(() => localStorage.length === 0)
    expect(control(element, 'purpose').value, 'control').to.equal('')
  })

  it('keeps everything if the page does not let it be reset', async () => {
    const { element } = await show()
    type(element, { purpose: 'Mine' })
    const form = element.querySelector('form')!
    element.addEventListener('reset', (event) => event.preventDefault())
    form.reset()
    // The form would do it in a task that is older than this one.
    await new Promise((resolve) => setTimeout(resolve))
    expect(control(element, 'purpose').value).to.equal('Mine')
    expect(localStorage).to.have.length(1)
  })
})

describe('Two new requests of one form on a page', () => {
  it('have a copy each, in the order of the page', async () => {
    const backend = createBackend()
    const first = await show({ backend })
    const second = await show({ backend })
    type(first.element, { purpose: 'One' })
    type(second.element, { purpose: 'Two' })
    expect(localStorage).to.have.length(2)
    first.element.remove()
    second.element.remove()

    const again = await show({ backend })
    const next = await show({ backend })
    expect(control(again.element, 'purpose').value).to.equal('One')
    expect(control(next.element, 'purpose').value).to.equal('Two')
  })
})

describe('A form around the element @engines', () => {
  it('lends it the fields and buttons inside it, and keeps all others', async () => {
    const backend = createBackend()
    const page = await fixture<HTMLFormElement>(html`
      <form>
        <input name="query" required />
        <button name="go" value="search">Search</button>
        <wf-form .client=${backend.client} form-id="6025"></wf-form>
      </form>
    `)
    const element = page.querySelector('wf-form')!
    // Parsers drop the inner tag.
    const content = document.createElement('div')
    const source = await fixture<HTMLFormElement>(travelForm())
    content.append(...source.childNodes)
    element.append(content)
    await waitUntil(() => element.value)
    type(element, complete)
    press(element, 'PRE_ROUTING')
    await waitUntil(() => created(backend).length === 1)
    expect(created(backend)[0]!.entry).not.to.have.property('query')
    const search = page.querySelector<HTMLButtonElement>('[name=go]')!
    let isChecked = false
    page.addEventListener('invalid', () => (isChecked = true), true)
    search.click()
    expect(isChecked, 'the browser checks the form for its own buttons').to.equal(true)
    await element.updateComplete
    expect(created(backend)).to.have.length(1)
  })
})

describe('A control outside of the element that belongs to its form @engines', () => {
  it('is read when a person changes it', async () => {
    const { element } = await show({
      form: html`<form id="pe-form"><input name="purpose" /></form>`,
    })
    const outside = await fixture<HTMLInputElement>(html`<input name="nights" form="pe-form" />`)
    outside.focus()
    await sendKeys({ type: '3' })
    expect(element.isChanged).to.equal(true)
  })
})

describe('What the console tells the author of a page', () => {
  const { info } = console
  let told: unknown[][] = []
  beforeEach(() => {
    told = []
    console.info = (...what: unknown[]) => told.push(what)
  })
  afterEach(() => {
    console.info = info
  })
  const titles = () => told.map(([text]) => String(text).replace(/[.:] .*|:$/, ''))
  const leaves = '<wf-form> leaves these buttons to the page'
  const stopped =
    'A script of the page has canceled or stopped the click or the submit event, so this <wf-form> sends nothing'

  it('names the buttons that stay the page’s, once, except those that are marked so', async () => {
    const others = html`<button name="add">Add</button><button formaction="/print">Print</button>`
    const { element, backend } = await show({
      form: travelForm(html`${others}<button data-wf="page">Look up</button>`),
    })
    for (let times = 0; times < 2; times++) {
      control(element, 'nights').focus()
      type(element, complete)
      press(element, 'PRE_ROUTING')
      await waitUntil(() => created(backend).length === 1 && !element.isChanged)
      control(element, 'nights').blur()
    }
    expect(titles()).to.deep.equal([leaves])
    expect(told[0]!.slice(1)).to.deep.equal([...element.querySelectorAll('[name=add], [formaction]')])
  })

  it('says nothing of a form whose buttons are all ours', async () => {
    const { element, backend } = await show()
    type(element, complete)
    press(element, 'PRE_ROUTING')
    await waitUntil(() => created(backend).length === 1)
    expect(told).to.deep.equal([])
  })

  for (const [how, stop] of [
    ['cancels', (event: Event) => event.preventDefault()],
    ['stops', (event: Event) => event.stopPropagation()],
    ['stops at once', (event: Event) => event.stopImmediatePropagation()],
  ] as const)
    it(`says once that a script ${how} the submit event @engines`, async () => {
      const { element, backend } = await show()
      element.querySelector('form')!.addEventListener('submit', (event) => {
        stop(event)
        event.preventDefault()
      })
      type(element, complete)
      press(element, 'PRE_ROUTING')
      press(element, 'ROUTING')
      await waitUntil(() => told.length > 0)
      press(element, 'PRE_ROUTING')
      await element.save()
      expect(titles()).to.deep.equal([stopped])
      expect(told[0]![1]).to.equal(element)
      expect(created(backend), 'only by save()').to.have.length(1)
    })
})
