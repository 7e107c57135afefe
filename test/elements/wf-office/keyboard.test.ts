import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { waitUntil } from '../../wait-until.ts'
import { input, listed, options, show, textOf, waitForOptions } from './element.ts'

describe('<wf-office> by keyboard @engines', () => {
  it('lists the offices while people type, and takes the one that the arrow keys reach', async () => {
    const { element, form } = await show()
    input(element).focus()
    await sendKeys({ type: '11' })
    await waitForOptions(element, 6)
    expect(listed(element).slice(0, 3)).to.deep.equal([
      'School of Life Sciences 11',
      'Biology 11-0420',
      'Freshwater Laboratory 11-0420-0010',
    ])
    expect(input(element)).to.have.attribute('aria-expanded', 'true')
    expect(input(element), 'no option is active at first').not.to.have.attribute('aria-activedescendant')

    const changes: string[] = []
    for (const type of ['input', 'change'])
      form.addEventListener(type, () => changes.push(`${type} ${element.value}`))
    await sendKeys({ press: 'ArrowDown' })
    await sendKeys({ press: 'ArrowDown' })
    await element.updateComplete
    const active = input(element).getAttribute('aria-activedescendant')!
    expect(element.shadowRoot!.getElementById(active)).to.have.attribute('aria-selected', 'true')
    expect(input(element).value, 'the text stays until the choice').to.equal('11')
    await sendKeys({ press: 'Enter' })
    await element.updateComplete
    expect(element.value).to.equal('11-0420')
    expect(input(element).value).to.equal('11-0420')
    expect(textOf(element, 'name')).to.equal('Biology')
    expect(element.office).to.include({ naturalKey: '11-0420', name: 'Biology' })
    expect(input(element)).to.have.attribute('aria-expanded', 'false')
    expect(changes).to.deep.equal(['input 11-0420', 'change 11-0420'])
    expect(element.matches(':focus-within')).to.equal(true)
  })

  it('does not describe itself by a name that was read in the list, until the focus returns or the text changes', async () => {
    const { element } = await show()
    const described = () => input(element).ariaDescribedByElements?.map(({ id }) => id)
    const choose = async () => {
      await sendKeys({ type: '4' })
      await waitForOptions(element, 5)
      await sendKeys({ press: 'ArrowDown' })
      await sendKeys({ press: 'Enter' })
      await element.updateComplete
    }
    input(element).focus()
    expect(described(), 'at first').to.deep.equal(['error', 'name', 'hint'])
    await sendKeys({ type: '11-0' })
    await choose()
    expect(textOf(element, 'name'), 'visible').to.equal('Biology')
    expect(described(), 'chosen').to.deep.equal(['error', 'hint'])
    input(element).blur()
    await element.updateComplete
    expect(described(), 'left').to.deep.equal(['error', 'name', 'hint'])
    input(element).select()
    await sendKeys({ type: '11-0' })
    await choose()
    expect(described(), 'chosen again').to.deep.equal(['error', 'hint'])
    await sendKeys({ press: 'Backspace' })
    await element.updateComplete
    expect(described(), 'typed').to.deep.equal(['error', 'name', 'hint'])
    await waitForOptions(element, 3)
    options(element)[0]!.click()
    await element.updateComplete
    expect(described(), 'chosen with the mouse, so that nothing was read').to.deep.equal([
      'error',
      'name',
      'hint',
    ])
  })

  it('goes around the list, and back to the text with the keys that move the caret', async () => {
    const { element } = await show()
    input(element).focus()
    await sendKeys({ type: '05' })
    await waitForOptions(element, 4)
    const active = () => input(element).getAttribute('aria-activedescendant')
    await sendKeys({ press: 'ArrowUp' })
    await element.updateComplete
    expect(active()).to.equal('option-3')
    await sendKeys({ press: 'ArrowDown' })
    await element.updateComplete
    expect(active()).to.equal('option-0')
    await sendKeys({ press: 'ArrowLeft' })
    await element.updateComplete
    expect(active()).to.equal(null)
    expect(input(element).selectionStart, 'the key moved the caret').to.equal(1)
  })

  it('submits the form with Enter if the list is closed, and only then', async () => {
    const { element, form } = await show()
    const submitters: (string | null | undefined)[] = []
    form.addEventListener('submit', (event) => {
      submitters.push((event.submitter as HTMLButtonElement | null)?.value)
    })
    input(element).focus()
    await sendKeys({ type: '110420' })
    await waitForOptions(element, 3)
    await sendKeys({ press: 'Enter' })
    await element.updateComplete
    expect(submitters, 'Enter closed the list').to.deep.equal([])
    expect(input(element)).to.have.attribute('aria-expanded', 'false')
    await sendKeys({ press: 'Enter' })
    expect(submitters).to.deep.equal(['ROUTING'])
    expect(new FormData(form).get('department')).to.equal('11-0420')
  })

  it('closes the list with Escape and keeps the text, without closing a dialog around it', async () => {
    const { element, form } = await show()
    const keys: string[] = []
    form.addEventListener('keydown', ({ key }) => keys.push(key))
    input(element).focus()
    await sendKeys({ type: '11' })
    await waitForOptions(element, 6)
    await sendKeys({ press: 'Escape' })
    await element.updateComplete
    expect(input(element)).to.have.attribute('aria-expanded', 'false')
    expect(input(element).value).to.equal('11')
    expect(keys).not.to.include('Escape')
    await sendKeys({ press: 'Escape' })
    expect(input(element).value).to.equal('11')
    expect(keys, 'the second one is for the dialog').to.include('Escape')
  })

  it('opens and closes the list with Alt and an arrow key', async () => {
    const { element } = await show({ value: '11-0420' })
    input(element).focus()
    await pressWith('Alt', 'ArrowDown')
    await waitForOptions(element, 6)
    expect(input(element)).not.to.have.attribute('aria-activedescendant')
    await pressWith('Alt', 'ArrowUp')
    await waitForOptions(element, 0)
    expect(element.value).to.equal('11-0420')
  })

  it('is one stop for Tab', async () => {
    const { element, form } = await show({ value: '11-0420' })
    input(element).focus()
    await sendKeys({ press: 'Tab' })
    expect(document.activeElement).to.equal(form.querySelector('#next'))
    await pressWith('Shift', 'Tab')
    expect(document.activeElement).to.equal(element)
    expect(element.shadowRoot!.activeElement).to.equal(input(element))
  })

  it('leaves the keys to an input method while it composes', async () => {
    const { element, form } = await show()
    let submits = 0
    form.addEventListener('submit', () => submits++)
    const press = (isComposing: boolean) =>
      input(element).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing, bubbles: true }))
    press(true)
    expect(submits).to.equal(0)
    press(false)
    expect(submits, 'the control').to.equal(1)
  })

  it('takes the focus when its label is clicked', async () => {
    const { element, form } = await show()
    form.querySelector('label')!.click()
    await waitUntil(() => element.shadowRoot!.activeElement === input(element))
    expect(input(element)).to.have.attribute('aria-label', 'Department')
  })
})

async function pressWith(modifier: string, key: string): Promise<void> {
  await sendKeys({ down: modifier })
  await sendKeys({ press: key })
  await sendKeys({ up: modifier })
}
