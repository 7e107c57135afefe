// What is missing before the next step, on the card. The cases of the rule itself are in missing.node.test.ts.
import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-package-status.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { inState } from '../../../stories/package-state.ts'
import { receipt, sign, useOddRoute } from '../../../stories/routing.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { action, part } from './element.ts'

const scope = { params: { formId: 6025, packageId: 42 } }
const refusal = 'The service may refuse your signature until Receipt is uploaded.'

describe('<wf-package-status> of a package that the person can sign', () => {
  it('names the document without which the service may refuse the last signature, and still links to sign', async () => {
    const backend = createBackend(people.secondApprover)
    await sign(backend, people.firstApprover)
    const element = await show(backend)
    await waitUntil(() => checks(element) === refusal)
    const link = part<HTMLAnchorElement>(element, 'sign')!
    expect(link.getAttribute('aria-describedby')).to.equal(part(element, 'checks')!.id)

    backend.emulator.packages.test.get(42)!.attachments.push(receipt)
    await element.refresh()
    await waitUntil(() => checks(element) === '')
    expect(part(element, 'sign')).to.have.trimmed.text('Sign')
    expect(part(element, 'sign')!.hasAttribute('aria-describedby')).to.equal(false)
  })

  it('says nothing of it to those before the last, and reads the rest of the route only if a document is required', async () => {
    const backend = createBackend(people.firstApprover)
    const element = await show(backend)
    await waitUntil(() => backend.client.getCached('getFutureHistory', scope))
    await settled(element)
    expect(checks(element)).to.equal('')

    const free = createBackend(people.secondApprover)
    await sign(free, people.firstApprover)
    const form = free.emulator.forms.test.get(6025)!
    free.emulator.forms.test.set(6025, { ...form, attachmentTypes: form.attachmentTypes.slice(0, 1) })
    const other = await show(free)
    await waitUntil(() => free.client.getCached('getAttachmentTypes', scope))
    await settled(other)
    expect(checks(other)).to.equal('')
    expect(free.journal.filter((line) => /attachments$|future_history/.test(line))).to.deep.equal([])
  })

  it('says that documents could not be checked, until they can', async () => {
    const backend = createBackend(people.secondApprover)
    await sign(backend, people.firstApprover)
    backend.intercept = ({ url }) =>
      url.endsWith('/attachments/types') ? Promise.reject(new TypeError('down')) : undefined
    const element = await show(backend)
    await waitUntil(() => checks(element) === 'Whether a document is missing could not be checked.')
    expect(part(element, 'sign') === null).to.equal(false)

    backend.intercept = () => undefined
    await element.refresh()
    await waitUntil(() => checks(element) === refusal)
  })

  it('tells a person who signs for an office, whom no inbox names', async () => {
    const backend = createBackend(people.firstApprover)
    const { send } = backend
    backend.send = async (input, init) => {
      const response = await send(input, init)
      const text = (await response.text()).replaceAll(/"signatureId":\d+/g, '"signatureId":null')
      return new Response(text || null, response)
    }
    const element = await show(backend, { signUrl: '' })
    await waitUntil(() => checks(element) === 'You can sign this request.')
  })
})

describe('<wf-package-status> of a package that its initiator can start', () => {
  it('names documents, stops without anybody, and the person as an approver', async () => {
    const backend = inState('PRE_ROUTING', { history: [], position: [0, -1] }, people.initiator)
    useOddRoute(backend)
    const element = await show(backend)
    await waitUntil(
      () =>
        checks(element) ===
        'Still needed before the last signature: Receipt. ' +
          'Nobody is named at “Stop 2”. Ask the office before you submit the request. ' +
          'You approve your own request at “Laboratory”.',
    )
    expect(action(element, 'routePackage') === null).to.equal(false)
    await expect(element).to.be.accessible()
  })

  it('says that the route could not be checked', async () => {
    const backend = inState('PRE_ROUTING', { history: [], attachments: [receipt] }, people.initiator)
    backend.intercept = ({ url }) =>
      url.endsWith('/future_history') ? Promise.reject(new TypeError('down')) : undefined
    const element = await show(backend)
    await waitUntil(() => checks(element) === 'The rest of the route could not be checked.')
    expect(action(element, 'routePackage') === null).to.equal(false)
  })

  it('shows none of it to others', async () => {
    const backend = inState('PRE_ROUTING', { history: [], position: [0, -1] }, people.administrator)
    useOddRoute(backend)
    const element = await show(backend)
    await waitUntil(() => backend.client.getCached('getAttachments', scope))
    await settled(element)
    expect(checks(element)).to.equal('')
    expect(backend.journal.some((line) => line.includes('future_history'))).to.equal(false)
  })
})

async function show(backend: Backend, properties: Partial<WfPackageStatus> = {}): Promise<WfPackageStatus> {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status
      .client=${backend.client}
      form-id="6025"
      package-id="42"
      sign-url="/sign/{signatureId}"
    >
    </wf-package-status>
  `)
  Object.assign(element, properties)
  await waitUntil(() => part(element, 'environment'))
  return element
}

function checks(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'checks')?.innerText.replace(/\s+/g, ' ').trim() ?? ''
}
