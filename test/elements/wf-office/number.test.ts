import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { createBackend, hang, pageNotFound, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcements } from '../notices/announcements.ts'
import { enter, input, sent, show, textOf, waitForOptions } from './element.ts'

describe('<wf-office> and a typed number', () => {
  it('takes a number in any form that people write, and shows the form of the service', async () => {
    const { element, form } = await show()
    await enter(element, ' 11 – 0420 ')
    expect([element.value, sent(form), input(element).value]).to.deep.equal(['11-0420', '11-0420', '11-0420'])
    await waitUntil(() => element.office?.naturalKey === '11-0420')
    expect(element.validity.valid).to.equal(true)
  })

  it('shows the name of the office below it, and nothing else', async () => {
    const { element } = await show({ value: '11-0420' })
    await waitUntil(() => element.office)
    await settled(element)
    expect(textOf(element, 'base')).to.equal('Biology')
  })

  it('leaves the text and the caret alone while people type @engines', async () => {
    const { element } = await show()
    input(element).focus()
    await sendKeys({ type: '110420' })
    await waitForOptions(element, 3)
    expect(input(element).value).to.equal('110420')
    input(element).setSelectionRange(2, 2)
    await sendKeys({ type: '-' })
    await element.updateComplete
    expect(input(element).value).to.equal('11-0420')
    expect(input(element).selectionStart).to.equal(3)
  })

  it('takes the whole name of a loaded office, alone or after its number @engines', async () => {
    const { element } = await show({ within: '11' })
    input(element).focus()
    await sendKeys({ press: 'ArrowDown' })
    await waitForOptions(element, 6)
    await enter(element, 'chemistry')
    expect(element.value).to.equal('11-0430')
    await enter(element, '11-0420 Biology')
    expect(element.value).to.equal('11-0420')
    await enter(element, '11-0420 Chemistry')
    expect(element.value, 'they contradict each other').to.equal('11-0420 Chemistry')
    expect(element.validity.valid).to.equal(false)
  })

  for (const [typed, reason] of [
    ['1104', /has 2, 6 or 10 digits/],
    ['12-0420', /^No office was found for 12-0420\. Check the number\.$/],
  ] as const) {
    it(`keeps "${typed}", never the earlier value, and shows why it is not valid`, async () => {
      const { element, form } = await show({ value: '11-0420' })
      await waitUntil(() => textOf(element, 'name') === 'Biology')
      await enter(element, typed)
      await waitUntil(() => textOf(element, 'error'))
      expect(textOf(element, 'error')).to.match(reason)
      expect(element.validationMessage).to.equal(textOf(element, 'error'))
      expect(input(element).value).to.equal(typed)
      expect(element.value).to.equal(typed)
      expect(sent(form)).to.equal(typed)
      expect(textOf(element, 'name')).to.equal('')
      expect(form.checkValidity()).to.equal(false)
      expect(input(element)).to.have.attribute('aria-invalid', 'true')

      await enter(element, '11-0430')
      await waitUntil(() => textOf(element, 'name') === 'Chemistry')
      expect(textOf(element, 'error')).to.equal('')
      expect(form.checkValidity()).to.equal(true)
    })
  }

  it('shows no reason while people type @engines', async () => {
    const { element } = await show()
    input(element).focus()
    await sendKeys({ type: '1' })
    await element.updateComplete
    expect(textOf(element, 'error')).to.equal('')
    await sendKeys({ press: 'Tab' })
    await element.updateComplete
    expect(textOf(element, 'error')).to.match(/2, 6 or 10/)
  })

  it('commits the number if Tab comes before the response, and then shows the name without announcing it @engines', async () => {
    const { element, backend } = await show()
    const respond = held(backend)
    const heard = announcements()
    await enter(element, '110420')
    expect(element.value).to.equal('11-0420')
    expect(element.validity.valid).to.equal(true)
    expect(textOf(element, 'name')).to.equal('Checking the number…')
    expect(element.matches(':state(busy)')).to.equal(true)
    respond()
    await waitUntil(() => textOf(element, 'name') === 'Biology')
    expect(element.value).to.equal('11-0420')

    // The control: a number that does not exist is announced.
    await enter(element, '999999')
    await waitUntil(() => heard.length > 0)
    await allAnnounced(element)
    expect(heard).to.deep.equal(['No office was found for 99-9999. Check the number.'])
    expect(textOf(element, 'error')).to.equal(heard[0])
  })

  it('never shows a late response as the name of another number', async () => {
    const { element, backend } = await show()
    const respond = held(backend)
    await enter(element, '11-0420')
    await enter(element, '11-0430')
    respond()
    await waitUntil(() => textOf(element, 'name') === 'Chemistry')
    expect(input(element).value).to.equal('11-0430')
  })

  it('accepts a number of the right form if the search is down, and looks again later', async () => {
    const { element, backend, form } = await show()
    const errors: string[] = []
    element.addEventListener('wf-error', ({ error }) => errors.push(error.name))
    backend.intercept = () => Promise.reject(new TypeError('down'))
    await enter(element, '110420')
    const isUnchecked = () =>
      textOf(element, 'name') === 'The number couldn’t be checked. You can send it as it is.'
    await waitUntil(isUnchecked)
    expect(errors).to.deep.equal(['UnavailableError'])
    expect(element.matches(':state(failed)')).to.equal(true)
    expect(form.checkValidity()).to.equal(true)
    expect(sent(form)).to.equal('11-0420')
    await enter(element, '1104')
    expect(form.checkValidity(), 'a number of another form').to.equal(false)

    await enter(element, '110420')
    await waitUntil(isUnchecked)
    backend.intercept = () => undefined
    input(element).focus()
    await waitUntil(() => textOf(element, 'name') === 'Biology')
  })

  it('accepts a number while nobody is signed in, and says what to do', async () => {
    const { element } = await show({}, createBackend(null))
    let signedOut = 0
    element.addEventListener('wf-signed-out', () => signedOut++)
    await enter(element, '110420')
    await waitUntil(() => /You are signed out\. Sign in/.test(textOf(element, 'name')))
    expect(signedOut).to.equal(1)
    expect(element.matches(':state(signed-out)')).to.equal(true)
    expect(element.validity.valid).to.equal(true)
  })

  it('remains a field without a proxy, which it reports to the page author', async () => {
    const { element } = await show({}, createBackend(people.initiator, { fetch: pageNotFound }))
    await enter(element, '110420')
    await waitUntil(() => textOf(element, 'no-proxy'))
    expect(textOf(element, 'no-proxy')).to.match(/^No Routeslip proxy found at/)
    expect(element.value).to.equal('11-0420')
    expect(element.validity.valid).to.equal(true)
    element.client = undefined
    await waitUntil(() => textOf(element, 'not-configured'))
    expect(textOf(element, 'not-configured')).to.equal('<wf-office> needs endpoint to show anything.')
    expect(input(element).value).to.equal('11-0420')
  })

  it('stops a search that nobody needs any more', async () => {
    const { element, backend } = await show()
    hang(backend)
    await enter(element, '11-0420')
    expect(element.matches(':state(busy)')).to.equal(true)
    element.value = ''
    await waitUntil(() => !element.matches(':state(busy)'))
    expect(textOf(element, 'name')).to.equal('')
  })
})

/** Holds all responses of the services until the returned function is called. */
function held(backend: Awaited<ReturnType<typeof show>>['backend']): () => void {
  let respond = () => {}
  const until = new Promise<void>((resolve) => (respond = resolve))
  backend.intercept = (request) => until.then(() => backend.emulator.fetch(request))
  return respond
}
