import { expect } from '@open-wc/testing'
import { WfBeforeChangeEvent, WfChangeEvent } from '../../../src/elements/element/events.ts'
import { WfFormSavedEvent, WfFormSubmittedEvent } from '../../../src/elements/wf-form/wf-form.events.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { complete, created, press, show, textOf, type, writes } from './form.ts'

describe('<wf-form> with a new request', () => {
  it('saves a draft: one package, not in routing', async () => {
    const { element, backend } = await show()
    type(element, complete)
    press(element, 'PRE_ROUTING')
    await settled(element)

    const [pkg] = created(backend)
    expect(created(backend)).to.have.length(1)
    expect(pkg?.state).to.equal('PRE_ROUTING')
    expect(pkg?.initiator).to.equal(backend.person)
    expect(pkg?.entry).to.deep.include({
      purpose: 'Field work',
      departure: '2027-03-01',
      cost: 1250.5,
      nights: null,
    })
    expect(element.packageId).to.equal(pkg?.id)
    expect(textOf(element)).to.match(/Saved at .*\d:\d\d/)
    expect(element.isChanged).to.equal(false)
  })

  it('submits: creates a draft, then starts its routing', async () => {
    const { element, backend } = await show()
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)

    expect(created(backend).map(({ state }) => state)).to.deep.equal(['ROUTING'])
    expect(writes(backend).map((line) => line.split(' ')[0])).to.deep.equal(['POST', 'PUT'])
    expect(textOf(element)).to.match(/Submitted at [^.]*\.$/)
  })

  it('updates the draft that it created, and submits that one', async () => {
    const { element, backend } = await show()
    type(element, complete)
    press(element, 'PRE_ROUTING')
    await settled(element)
    type(element, { purpose: 'Longer field work' })
    expect(element.isChanged).to.equal(true)
    press(element, 'ROUTING')
    await settled(element)

    const [pkg] = created(backend)
    expect(created(backend)).to.have.length(1)
    expect(pkg?.state).to.equal('ROUTING')
    expect(pkg?.entry).to.deep.include({ purpose: 'Longer field work' })
  })

  it('creates one package however often the buttons are pressed', async () => {
    const { element, backend } = await show()
    backend.latency = 50
    type(element, complete)
    for (let press_ = 0; press_ < 5; press_++) press(element, press_ % 2 ? 'ROUTING' : 'PRE_ROUTING')
    void element.save()
    await settled(element)

    await waitUntil(() => created(backend)[0]?.state === 'ROUTING', 'the later wish is not forgotten')
    expect(created(backend)).to.have.length(1)
    expect(writes(backend).map((line) => line.split(' ')[0])).to.deep.equal(['POST', 'PUT'])
  })

  it('fires a cancelable event before each change, and facts after it', async () => {
    const { element } = await show()
    const events: unknown[] = []
    for (const name of [WfChangeEvent.type, WfFormSavedEvent.type, WfFormSubmittedEvent.type])
      element.addEventListener(name, () => events.push(name))
    element.addEventListener(WfBeforeChangeEvent.type, ({ operation }) => events.push(operation))
    type(element, complete)
    press(element, 'ROUTING')
    await settled(element)

    expect(events).to.deep.equal([
      'createPackage',
      'wf-change',
      'wf-form-saved',
      'routePackage',
      'wf-change',
      'wf-form-submitted',
    ])
  })

  for (const [operation, count] of [
    ['createPackage', 0],
    ['routePackage', 1],
  ] as const) {
    it(`stops if the page cancels ${operation}`, async () => {
      const { element, backend } = await show()
      element.addEventListener(WfBeforeChangeEvent.type, (event) => {
        if (event.operation === operation) event.preventDefault()
      })
      type(element, complete)
      press(element, 'ROUTING')
      await settled(element)

      expect(writes(backend)).to.have.length(count)
      expect(created(backend).map(({ state }) => state)).to.deep.equal(count ? ['PRE_ROUTING'] : [])
    })
  }
})
