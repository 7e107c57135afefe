import { expect, fixture, html } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import type { WfOffice } from '../../../src/elements/wf-office/wf-office.ts'
import { createBackend } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcements } from '../notices/announcements.ts'
import { input, options, show, textOf, waitForOptions } from './element.ts'

const plainInput = {
  part: 'input',
  role: 'combobox',
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: 'false',
  'aria-autocomplete': 'list',
  'aria-controls': 'options',
  'aria-expanded': 'false',
  'aria-invalid': 'false',
  'aria-label': 'Department',
  'aria-required': 'false',
}

const plainToggle = {
  type: 'button',
  part: 'toggle',
  tabindex: '-1',
  'aria-label': 'Show the list of offices',
  'aria-controls': 'options',
  'aria-expanded': 'false',
}

describe('<wf-office> and its markup', () => {
  it('describes the field and its button to assistive technology', async () => {
    const { element } = await show()
    expect(attributesOf(input(element))).to.deep.equal(plainInput)
    expect(attributesOf(part(element, 'toggle'))).to.deep.equal(plainToggle)
    expect(part(element, 'base')).to.have.attribute('class', '')
    expect(textOf(element, 'hint')).to.equal('The number of an office, such as 11-0420.')
    expect(part(element, 'hint').className).to.equal('')
    expect([part(element, 'error').hidden, part(element, 'name').hidden]).to.deep.equal([true, true])

    element.required = true
    await element.updateComplete
    element.checkValidity()
    await waitUntil(() => textOf(element, 'error'))
    expect(attributesOf(input(element))).to.deep.equal({
      ...plainInput,
      'aria-invalid': 'true',
      'aria-required': 'true',
    })
    expect(part(element, 'hint').className).to.equal('covered')
  })

  it('lists the offices as options, of which the arrow keys reach one @engines', async () => {
    const { element } = await show({ level: 'sub_department' })
    input(element).focus()
    await sendKeys({ type: '110420' })
    await waitForOptions(element, 2)
    await sendKeys({ press: 'ArrowDown' })
    await element.updateComplete
    expect(attributesOf(input(element))).to.deep.equal({
      ...plainInput,
      'aria-expanded': 'true',
      'aria-activedescendant': 'option-0',
    })
    expect(attributesOf(part(element, 'toggle'))).to.include({ 'aria-expanded': 'true' })
    expect(part(element, 'base').className).to.equal('open')
    const list = part(element, 'list')
    expect(list.hidden).to.equal(false)
    expect(attributesOf(list.firstElementChild!)).to.deep.equal({
      id: 'options',
      role: 'listbox',
      'aria-label': 'Department',
      tabindex: '-1',
    })
    expect(options(element).map((option) => [attributesOf(option), oneLine(option)])).to.deep.equal([
      [
        { id: 'option-0', part: 'option', role: 'option', 'aria-selected': 'true' },
        'Freshwater Laboratory 11-0420-0010',
      ],
      [
        { id: 'option-1', part: 'option', role: 'option', 'aria-selected': 'false' },
        'Herbarium 11-0420-0020',
      ],
    ])
    expect(textOf(element, 'note')).to.equal('2 offices.')
    await sendKeys({ press: 'Escape' })
    await element.updateComplete
    expect(attributesOf(input(element))).to.deep.equal(plainInput)
    expect([list.hidden, list.querySelectorAll('[role=option]').length]).to.deep.equal([true, 0])
    expect(part(element, 'base').className).to.equal('')
  })

  it('moves nowhere in a list without offices @engines', async () => {
    const { element } = await show()
    input(element).focus()
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowUp']) await sendKeys({ press: key })
    await waitUntil(() => textOf(element, 'note'))
    expect(attributesOf(input(element))).to.deep.equal(plainInput)
    expect((part(element, 'list').firstElementChild as HTMLElement).hidden).to.equal(true)
    await sendKeys({ type: '05' })
    await waitForOptions(element, 4)
    expect(input(element)).not.to.have.attribute('aria-activedescendant')
    await sendKeys({ press: 'ArrowDown' })
    await element.updateComplete
    expect(input(element)).to.have.attribute('aria-activedescendant', 'option-0')
  })

  it('keeps the editing while people press the list or its button, but not the caret @engines', async () => {
    const { element } = await show()
    const press = (target: Element) =>
      target.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
    expect([press(part(element, 'toggle')), press(input(element))]).to.deep.equal([false, true])
  })

  it('opens the list on a click into an empty field, and not if it has a text @engines', async () => {
    const { element } = await show({ within: '11', level: 'department' })
    input(element).click()
    await waitForOptions(element, 2)
    element.value = '11-0420'
    await waitForOptions(element, 0)
    input(element).click()
    await element.updateComplete
    expect(part(element, 'base').className).to.equal('')
  })

  it('has the name of its labels, of its attribute, or its own', async () => {
    const form = await fixture<HTMLFormElement>(html`
      <form>
        <label for="office"> Paying </label><label for="office"> office </label>
        <wf-office id="office"></wf-office>
      </form>
    `)
    const element = form.querySelector('wf-office')!
    await element.updateComplete
    expect(input(element).ariaLabel).to.equal('Paying office')
    element.setAttribute('aria-label', 'Payer')
    await waitUntil(() => input(element).ariaLabel === 'Payer')
    const alone = await fixture<WfOffice>(html`<wf-office></wf-office>`)
    expect(input(alone).ariaLabel).to.equal('Office')
  })

  it('sends a form without a button with Enter, and nothing without a form @engines', async () => {
    const form = await fixture<HTMLFormElement>(html`
      <form @submit=${(event: Event) => event.preventDefault()}>
        <button type="button">Other</button><wf-office></wf-office><input />
      </form>
    `)
    const element = form.querySelector('wf-office')!
    let submits = 0
    let clicks = 0
    form.addEventListener('submit', () => submits++)
    form.querySelector('button')!.addEventListener('click', () => clicks++)
    const press = () =>
      input(element).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, composed: true }),
      )
    expect(press(), 'the field handles the key').to.equal(false)
    expect([submits, clicks]).to.deep.equal([1, 0])
    form.after(element)
    expect(press()).to.equal(false)
    expect(submits).to.equal(1)
    element.remove()
  })

  it('accepts every level if its attribute names none that exists', async () => {
    for (const level of ['', 'team', 'constructor']) {
      const { element } = await show({ level, value: '11' })
      expect(textOf(element, 'base').split('\n').at(-1)).not.to.include('undefined')
      expect(element.validity.valid, level).to.equal(true)
      expect(part(element, 'hint').textContent.trim()).to.equal('The number of an office, such as 11-0420.')
    }
  })

  it('offers a person who is signed out a link in another tab, in the list and below the field @engines', async () => {
    const { element } = await show({ 'sign-in-url': '/login' }, createBackend(null))
    input(element).focus()
    await sendKeys({ type: '11' })
    await waitUntil(() => part(element, 'note').querySelector('a'))
    expect(textOf(element, 'note')).to.equal('You are signed out. Sign in')
    expect(attributesOf(part(element, 'note').querySelector('a')!)).to.deep.equal({
      part: 'sign-in',
      href: `${location.origin}/login`,
      target: '_blank',
    })
    await sendKeys({ press: 'Tab' })
    expect(element.shadowRoot!.activeElement?.localName, 'the link can be reached').to.equal('a')
    await sendKeys({ press: 'Tab' })
    await waitUntil(() => part(element, 'name').querySelector('a')?.checkVisibility())
    expect(textOf(element, 'name')).to.equal(
      'The number couldn’t be checked. You can send it as it is. You are signed out. Sign in',
    )
    expect(part(element, 'name').className).to.equal('check')
    expect(part(element, 'name').querySelector('a')!.target).to.equal('_blank')
  })

  it('announces what the list has after a choice that only leads further @engines', async () => {
    const { element, backend } = await show({ level: 'sub_department' })
    const template = backend.emulator.offices.get('11-0420-0010')!
    for (let number = 1001; number <= 1060; number++)
      backend.emulator.offices.set(`11-0420-${number}`, { ...template, naturalKey: `11-0420-${number}` })
    const heard = announcements()
    const events: string[] = []
    for (const type of ['input', 'change']) element.addEventListener(type, () => events.push(type))
    input(element).focus()
    await sendKeys({ type: '11' })
    await waitForOptions(element, 2)
    await waitUntil(() => heard.length === 1)
    options(element)[1]!.click()
    await waitUntil(() => heard.length === 2)
    await allAnnounced(element)
    expect(heard).to.deep.equal(['2 of 63 offices. Type more of the number.', '1 office.'])
    expect(events, 'nothing was chosen').to.deep.equal(['input', 'input', 'input'])
    expect(input(element)).not.to.have.attribute('aria-activedescendant')
    expect(part(element, 'error').hidden).to.equal(true)
  })

  it('keeps the option that the arrow keys have reached in sight @engines', async () => {
    const { element, backend } = await show()
    const template = backend.emulator.offices.get('11-0420-0010')!
    for (let number = 1001; number <= 1030; number++)
      backend.emulator.offices.set(`11-0420-${number}`, { ...template, naturalKey: `11-0420-${number}` })
    input(element).focus()
    await sendKeys({ type: '110420' })
    await waitForOptions(element, 33)
    await sendKeys({ press: 'ArrowUp' })
    await waitUntil(() => input(element).getAttribute('aria-activedescendant') === 'option-32')
    const { bottom } = options(element)[32]!.getBoundingClientRect()
    expect(bottom).to.be.at.most(part(element, 'list').getBoundingClientRect().bottom + 1)
    await expect(element).to.be.accessible()
    await sendKeys({ press: 'Tab' })
    expect(document.activeElement?.id, 'the list is no stop for Tab').to.equal('next')
    expect(element.value, 'Tab takes the option').to.equal('11-0420-1030')
  })
})

function part(element: WfOffice, name: string): HTMLElement {
  return element.shadowRoot!.querySelector<HTMLElement>(`[part="${name}"]`)!
}

function oneLine({ innerText }: HTMLElement): string {
  return innerText.replace(/\s+/g, ' ').trim()
}

function attributesOf({ attributes }: Element): Record<string, string> {
  const all = [...attributes].map(({ name, value }) => [name, value] as const)
  // Its value depends on the browser: it also stands for references to elements outside.
  return Object.fromEntries(all.filter(([name]) => name !== 'aria-describedby'))
}
