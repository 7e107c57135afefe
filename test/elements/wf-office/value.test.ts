import { expect, fixture, html } from '@open-wc/testing'
import type { WfOffice } from '../../../src/elements/wf-office/wf-office.ts'
import { breakDown, createBackend, pageNotFound, people } from '../../../stories/backend.ts'
import { waitUntil } from '../../wait-until.ts'
import { enter, input, sent, show, textOf } from './element.ts'

describe('<wf-office> and its value', () => {
  it('follows its default value until people or the page replace it', async () => {
    const { element, form } = await show({ value: ' 110420 ' })
    expect([element.value, input(element).value, sent(form)]).to.deep.equal(['11-0420', '11-0420', '11-0420'])
    element.setAttribute('value', '11-0430')
    await element.updateComplete
    expect([element.value, input(element).value, sent(form)]).to.deep.equal(['11-0430', '11-0430', '11-0430'])
    element.value = ' 05 '
    element.setAttribute('value', '11')
    await element.updateComplete
    expect([element.value, input(element).value, sent(form)]).to.deep.equal(['05', '05', '05'])
    form.reset()
    await element.updateComplete
    expect([element.value, input(element).value, sent(form)]).to.deep.equal(['11', '11', '11'])
    element.setAttribute('value', '11-0420')
    await element.updateComplete
    expect(element.value, 'it follows again').to.equal('11-0420')
  })

  it('shows why a value of the page is not valid, but says nothing about an empty one', async () => {
    const { element, form } = await show({ required: true })
    expect(textOf(element, 'error')).to.equal('')
    element.value = '1'
    await element.updateComplete
    expect(textOf(element, 'error')).to.match(/2, 6 or 10 digits/)
    element.value = ''
    await element.updateComplete
    expect([textOf(element, 'error'), element.validity.valueMissing]).to.deep.equal(['', true])
    element.checkValidity()
    await element.updateComplete
    expect(textOf(element, 'error')).to.match(/^Enter the number/)
    form.reset()
    await element.updateComplete
    expect(textOf(element, 'error')).to.equal('')
  })

  it('forgets the message of the page when that takes it back, or shows another value', async () => {
    const { element, form } = await show({ value: '11-0420' })
    const facts = () => [element.validationMessage, textOf(element, 'error'), element.validity.customError]
    for (const undo of [
      () => element.setCustomValidity(''),
      () => (element.value = '11-0430'),
      () => form.reset(),
    ]) {
      element.setCustomValidity('This office is closed.')
      await element.updateComplete
      expect(facts()).to.deep.equal(['This office is closed.', 'This office is closed.', true])
      undo()
      await element.updateComplete
      expect(facts()).to.deep.equal(['', '', false])
    }
  })

  it('fires input and change as a native field does @engines', async () => {
    const { element } = await show()
    const events: unknown[] = []
    for (const type of ['input', 'change'])
      document.addEventListener(
        type,
        ({ target, bubbles, composed }) => events.push([type, target === element, bubbles, composed]),
        { once: true },
      )
    await enter(element, '110420')
    expect(events).to.deep.equal([
      ['input', true, true, true],
      ['change', true, true, false],
    ])
    let changes = 0
    element.addEventListener('change', () => changes++)
    await enter(element, '11-0420')
    await enter(element, '11 0420')
    expect(changes, 'the same office').to.equal(0)
    element.value = '11-0430'
    await enter(element, '11-0430')
    expect(changes, 'the page knows the value that it has set').to.equal(0)
    await enter(element, '')
    expect([changes, element.value]).to.deep.equal([1, ''])
  })

  it('restores only what it has kept itself, and the name for the same office only', async () => {
    const backend = createBackend()
    breakDown(backend)
    const { element } = await show({ value: '11' }, backend)
    for (const state of [null, new File([], 'a'), new FormData()]) element.formStateRestoreCallback(state)
    expect(element.value).to.equal('11')
    element.formStateRestoreCallback(JSON.stringify({ text: '110420', key: '11-0420', name: 'Biology' }))
    await waitUntil(() => textOf(element, 'name') === 'Biology')
    expect([element.value, element.office]).to.deep.equal(['11-0420', undefined])
    element.value = '11-0430'
    await waitUntil(() => /couldn’t be checked/.test(textOf(element, 'name')))
    element.value = '11-0420'
    await waitUntil(() => textOf(element, 'name') === 'Biology')
  })

  it('has states that a page can style @engines', async () => {
    const alone = await fixture<WfOffice>(html`<wf-office></wf-office>`)
    const states = (element: WfOffice) =>
      ['not-configured', 'busy', 'no-proxy', 'signed-out', 'failed'].filter((state) =>
        element.matches(`:state(${state})`),
      )
    expect(states(alone)).to.deep.equal(['not-configured'])
    for (const [backend, state] of [
      [createBackend(), undefined],
      [createBackend(null), 'signed-out'],
      [createBackend(people.initiator, { fetch: pageNotFound }), 'no-proxy'],
      [createBackend(people.initiator, { fetch: () => Promise.reject(new TypeError('down')) }), 'failed'],
    ] as const) {
      const { element } = await show({ value: '11-0420' }, backend)
      expect(states(element)).to.deep.equal(['busy'])
      await waitUntil(() => !element.matches(':state(busy)'))
      expect(states(element)).to.deep.equal(state ? [state] : [])
    }
  })
})
