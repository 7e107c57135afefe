import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { html } from 'lit'
import { createBackend } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { input, sent, show, textOf, waitForOptions } from './element.ts'

describe('<wf-office> in a form', () => {
  it('has its default value as soon as it is in the page @engines', () => {
    const form = document.createElement('form')
    form.innerHTML = '<wf-office value="110420"></wf-office>'
    document.body.append(form)
    try {
      expect(form.querySelector('wf-office')!.value).to.equal('11-0420')
    } finally {
      form.remove()
    }
  })

  it('is invalid without a value only if it is required, and shows that when the form is sent @engines', async () => {
    const { element, form } = await show()
    expect(form.checkValidity()).to.equal(true)
    expect(sent(form)).to.equal('')
    element.required = true
    await element.updateComplete
    expect(textOf(element, 'error')).to.equal('')
    expect(form.reportValidity()).to.equal(false)
    expect(element.validity.valueMissing).to.equal(true)
    await element.updateComplete
    expect(textOf(element, 'error')).to.equal('Enter the number of an office, such as 11-0420.')
    expect(input(element)).to.have.attribute('aria-required', 'true')
  })

  it('restores text and name after a step back, even if the search is down @engines', async () => {
    const { element } = await show({}, downBackend())
    element.formStateRestoreCallback(JSON.stringify({ text: '11-0420', key: '11-0420', name: 'Biology' }))
    await element.updateComplete
    expect(element.value).to.equal('11-0420')
    await waitUntil(() => element.matches(':state(failed)'))
    expect(textOf(element, 'name')).to.equal('Biology')
    element.formStateRestoreCallback(JSON.stringify({ text: 'biol', key: 'biol' }))
    await element.updateComplete
    expect(input(element).value, 'text that is not an office').to.equal('biol')
    expect(textOf(element, 'error')).to.match(/Choose an office/)
  })

  it('follows a disabled fieldset, and sends nothing then @engines', async () => {
    const { element, form } = await show({ value: '11-0420' })
    const fieldset = document.createElement('fieldset')
    form.append(fieldset)
    fieldset.append(element)
    fieldset.disabled = true
    await element.updateComplete
    expect(input(element).disabled).to.equal(true)
    expect(sent(form)).to.equal(null)
    fieldset.disabled = false
    await element.updateComplete
    expect(input(element).disabled).to.equal(false)
    expect(sent(form)).to.equal('11-0420')
  })

  it('is disabled and enabled by its property and its attribute', async () => {
    const { element, form } = await show({ value: '11-0420' })
    const changes: readonly ((isDisabled: boolean) => unknown)[] = [
      (isDisabled) => (element.disabled = isDisabled),
      (isDisabled) => element.toggleAttribute('disabled', isDisabled),
    ]
    for (const change of changes) {
      for (const isDisabled of [true, false]) {
        change(isDisabled)
        await waitUntil(() => input(element).disabled === isDisabled)
        expect(element.matches(':disabled')).to.equal(isDisabled)
        expect([element.disabled, element.hasAttribute('disabled')]).to.deep.equal([isDisabled, isDisabled])
        expect(element.shadowRoot!.querySelector<HTMLElement>('[part=toggle]')!.hidden).to.equal(isDisabled)
        expect(sent(form)).to.equal(isDisabled ? null : '11-0420')
      }
    }
  })

  it('can be read but not changed if it is read-only @engines', async () => {
    const { element, form } = await show({ value: '11-0420', readonly: true })
    input(element).focus()
    await sendKeys({ type: '9' })
    await sendKeys({ press: 'ArrowDown' })
    await element.updateComplete
    expect(element.value).to.equal('11-0420')
    expect(textOf(element, 'toggle')).to.equal('')
    expect(input(element)).to.have.attribute('aria-expanded', 'false')
    expect(sent(form)).to.equal('11-0420')
  })

  it('belongs to the form that its attribute names @engines', async () => {
    const { element, form } = await show({ value: '11-0420', form: 'elsewhere' })
    const other = document.createElement('form')
    other.id = 'elsewhere'
    form.after(other)
    try {
      expect(element.form).to.equal(other)
      expect(sent(other)).to.equal('11-0420')
      expect(sent(form)).to.equal(null)
    } finally {
      other.remove()
    }
  })

  it('shows a message of the page until the text changes @engines', async () => {
    const { element, form } = await show({ value: '11-0420' })
    element.setCustomValidity('This office is closed.')
    await element.updateComplete
    expect(textOf(element, 'error')).to.equal('This office is closed.')
    expect(element.validationMessage).to.equal('This office is closed.')
    expect(form.checkValidity()).to.equal(false)
    expect(input(element)).to.have.attribute('aria-invalid', 'true')
    input(element).focus()
    await sendKeys({ press: 'Backspace' })
    await element.updateComplete
    expect(textOf(element, 'error')).to.equal('')
    expect(element.validationMessage).not.to.include('closed')
  })

  it('shows a message that the page has set before the first update', async () => {
    for (const value of ['', '11-0420']) {
      const element = document.createElement('wf-office')
      if (value) element.setAttribute('value', value)
      const form = document.createElement('form')
      form.append(element)
      element.setCustomValidity('This office is closed.')
      document.body.append(form)
      await element.updateComplete
      expect(textOf(element, 'error')).to.equal('This office is closed.')
      expect(form.checkValidity()).to.equal(false)
      element.setAttribute('value', '11-0430')
      await element.updateComplete
      expect(element.validationMessage, 'another office is shown').not.to.include('closed')
      form.remove()
    }
  })

  it('takes over how a form marks its fields: invalid, described, labelled', async () => {
    const { element } = await show({}, createBackend(), html`<p id="problem">Enter the department</p>`)
    element.setAttribute('aria-describedby', 'problem')
    element.setAttribute('aria-invalid', 'true')
    await waitUntil(() => input(element).getAttribute('aria-invalid') === 'true')
    const described = () => input(element).ariaDescribedByElements?.map(({ id }) => id)
    expect(described()).to.deep.equal(['problem', 'error', 'name', 'hint'])
    element.required = true
    await element.updateComplete
    element.checkValidity()
    await element.updateComplete
    expect(textOf(element, 'error'), 'the page shows the reason').to.equal('')
    element.removeAttribute('aria-describedby')
    element.removeAttribute('aria-invalid')
    await waitUntil(() => input(element).getAttribute('aria-invalid') === 'true' && textOf(element, 'error'))
    expect(described()).to.deep.equal(['error', 'name', 'hint'])
    element.setAttribute('aria-label', 'Paying office')
    await waitUntil(() => input(element).getAttribute('aria-label') === 'Paying office')
  })

  it('fits into 320 pixels, and its list lies above what follows @engines', async () => {
    const { element, form } = await show()
    form.style.inlineSize = '320px'
    await element.updateComplete
    const next = () => form.querySelector('#next')!.getBoundingClientRect().top
    const before = next()
    input(element).focus()
    await sendKeys({ type: '11' })
    await waitForOptions(element, 6)
    expect(element.scrollWidth).to.be.at.most(320)
    const list = element.shadowRoot!.querySelector('[part=list]')!.getBoundingClientRect()
    expect(document.elementFromPoint(list.left + 30, list.top + 30)).to.equal(element)
    expect(next(), 'a click on what follows must not miss it').to.equal(before)
    await sendKeys({ press: 'Tab' })
    await waitUntil(() => textOf(element, 'name') === 'School of Life Sciences')
    expect(next(), 'nor after the field').to.equal(before)
  })
})

function downBackend() {
  const backend = createBackend()
  backend.intercept = () => Promise.reject(new TypeError('down'))
  return backend
}
