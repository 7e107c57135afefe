import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { createBackend } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcements } from '../notices/announcements.ts'
import { input, listed, options, show, textOf, waitForOptions } from './element.ts'

describe('the list of <wf-office>', () => {
  it('begins with the offices within one', async () => {
    const { element } = await show({ within: '11', level: 'department' })
    input(element).click()
    await waitForOptions(element, 2)
    expect(listed(element)).to.deep.equal(['Biology 11-0420', 'Chemistry 11-0430'])
    expect(textOf(element, 'note')).to.equal('2 offices.')
  })

  it('opens on the side of the field that has room @engines', async () => {
    const { element, form } = await show({ within: '11', level: 'department' })
    const rectOf = (part: string) =>
      element.shadowRoot!.querySelector(`[part=${part}]`)!.getBoundingClientRect()
    form.style.cssText = 'position: fixed; inset-block-start: 0; inset-inline-start: 0'
    input(element).click()
    await waitForOptions(element, 2)
    expect(rectOf('list').top).to.be.at.least(rectOf('input').bottom)
    toggle(element).click()
    form.style.cssText = 'position: fixed; inset-block-end: 0; inset-inline-start: 0'
    toggle(element).click()
    await waitForOptions(element, 2)
    await waitUntil(() => rectOf('list').bottom <= rectOf('input').top)
    // The keyboard of a phone has gone.
    form.style.cssText = 'position: fixed; inset-block-start: 0; inset-inline-start: 0'
    visualViewport!.dispatchEvent(new Event('resize'))
    await waitUntil(() => rectOf('list').top >= rectOf('input').bottom)
  })

  it('narrows down while digits are typed, without another request until the next level', async () => {
    const { element, backend } = await show()
    await type(element, '11')
    await waitForOptions(element, 6)
    await type(element, '042')
    await waitForOptions(element, 3)
    expect(backend.journal).to.have.length(1)
    await type(element, '0')
    await waitUntil(() => backend.journal.length === 2)
    await waitForOptions(element, 3)
    await type(element, '9')
    await waitForOptions(element, 0)
    expect(textOf(element, 'note')).to.equal('No office number starts with 1104209.')
  })

  it('leads through higher levels to the one that the field accepts @engines', async () => {
    const { element, backend } = await show({ level: 'sub_department' })
    for (let number = 1; number <= 60; number++)
      addOffice(backend, `11-0420-${1000 + number}`, `Group ${number}`)
    await type(element, '11')
    await waitForOptions(element, 2)
    expect(listed(element)).to.deep.equal([
      'Biology 11-0420 See the offices below',
      'Chemistry 11-0430 See the offices below',
    ])
    expect(textOf(element, 'note')).to.equal('2 of 63 offices. Type more of the number.')
    options(element)[1]!.click()
    await waitForOptions(element, 1)
    expect(input(element).value, 'the number of the department').to.equal('11-0430')
    expect(listed(element)).to.deep.equal(['Chemistry Stores 11-0430-0001'])
    await replace(element, '11')
    await waitForOptions(element, 2)
    options(element)[0]!.click()
    await waitForOptions(element, 50)
    expect(textOf(element, 'note')).to.equal('50 of 62 offices. Type more of the number.')
    await type(element, '-103')
    await waitForOptions(element, 10)
    await sendKeys({ press: 'ArrowDown' })
    await sendKeys({ press: 'Enter' })
    await element.updateComplete
    expect(element.value).to.equal('11-0420-1030')
    expect(element.validity.valid).to.equal(true)
  })

  it('shows the offices beside a chosen one when it opens again', async () => {
    const { element } = await show({ value: '11-0420-0010' })
    await waitUntil(() => textOf(element, 'name') === 'Freshwater Laboratory')
    toggle(element).click()
    await waitForOptions(element, 3)
    expect(listed(element)).to.deep.equal([
      'Biology 11-0420',
      'Freshwater Laboratory 11-0420-0010',
      'Herbarium 11-0420-0020',
    ])
    toggle(element).click()
    await waitForOptions(element, 0)
    expect(element.value).to.equal('11-0420-0010')
  })

  it('takes a tapped office, and keeps the focus in the field @engines', async () => {
    const { element } = await show()
    await type(element, '05')
    await waitForOptions(element, 4)
    options(element)[1]!.click()
    await element.updateComplete
    expect(element.value).to.equal('05-0100')
    expect(options(element)).to.have.length(0)
    expect(element.shadowRoot!.activeElement).to.equal(input(element))
  })

  it('announces what the list has once the typing pauses, and nothing after a choice @engines', async () => {
    const { element } = await show()
    const heard = announcements()
    await type(element, '11')
    await waitForOptions(element, 6)
    await type(element, '-04')
    await waitUntil(() => heard.length > 0)
    await allAnnounced(element)
    expect(heard, 'once').to.deep.equal(['5 offices.'])

    await replace(element, '05')
    await waitForOptions(element, 4)
    await sendKeys({ press: 'ArrowDown' })
    await sendKeys({ press: 'Enter' })
    await element.updateComplete
    // The control: another field announces later what was typed later.
    const { element: other } = await show()
    await type(other, '99')
    await waitUntil(() => heard.length > 1)
    expect(heard, 'nothing more').to.deep.equal(['5 offices.', 'No office number starts with 99.'])
  })

  it('shows an office as text, whatever its name contains', async () => {
    const backend = createBackend()
    addOffice(backend, '11-0440', '<img src=x onerror=alert(1)>')
    const { element } = await show({}, backend)
    await type(element, '110440')
    await waitForOptions(element, 1)
    expect(options(element)[0]!.querySelector('img')).to.equal(null)
    expect(listed(element)[0]).to.equal('<img src=x onerror=alert(1)> 11-0440')
  })
})

function toggle(element: Element): HTMLElement {
  return element.shadowRoot!.querySelector('[part=toggle]')!
}

async function type(element: Parameters<typeof input>[0], text: string): Promise<void> {
  input(element).focus()
  await sendKeys({ type: text })
}

async function replace(element: Parameters<typeof input>[0], text: string): Promise<void> {
  input(element).focus()
  input(element).select()
  await sendKeys({ type: text })
}

function addOffice({ emulator }: ReturnType<typeof createBackend>, naturalKey: string, name: string): void {
  const template = emulator.offices.get('11-0420-0010')!
  emulator.offices.set(naturalKey, { ...template, naturalKey, name })
}
