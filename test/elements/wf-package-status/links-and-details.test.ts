import { expect, fixture, html, oneEvent } from '@open-wc/testing'
import '../../../src/define/wf-package-status.ts'
import { WfEditEvent } from '../../../src/elements/wf-package-status/wf-package-status.events.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { type Backend, createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { waitUntil } from '../../wait-until.ts'
import { part } from './element.ts'

describe('<wf-package-status> with `edit-url`', () => {
  it('leads people who may edit a package in routing to it, after the link to sign', async () => {
    const element = await show(createBackend(people.firstApprover), {
      signUrl: '/sign',
      editUrl: '/edit?form={formId}&package={packageId}',
    })
    const links = [...element.shadowRoot!.querySelectorAll('a')]
    expect(links.map((link) => link.textContent.trim())).to.deep.equal(['Sign', 'Edit'])
    const edit = part<HTMLAnchorElement>(element, 'edit')!
    expect(edit.href).to.equal(`${location.origin}/edit?form=6025&package=42`)

    edit.addEventListener('click', (event) => event.preventDefault())
    const edited = oneEvent<WfEditEvent>(element, WfEditEvent.type)
    edit.click()
    expect((await edited).url).to.equal(edit.href)
  })
})

describe('<wf-package-status> of a package with details', () => {
  it('shows them as text with markup, and nothing that could run', async () => {
    const element = await show(
      withDetails('<p onclick="alert(1)">Bring <b>boots</b></p><script>alert(1)</script><img src="x">'),
    )
    expect(part(element, 'details')!.firstElementChild!.innerHTML).to.equal('<p>Bring <b>boots</b></p>')
    expect(textOf(element)).to.include('Details Bring boots')
  })

  it('shows new details after a change', async () => {
    const backend = withDetails('<p>Bring boots</p>')
    const element = await show(backend)
    backend.emulator.packages.test.get(42)!.packageDetails = '<p>Bring maps</p>'
    await element.refresh()
    await waitUntil(() => textOf(element).includes('Bring maps'))
    expect(textOf(element)).not.to.include('Bring boots')
  })

  it('shows no heading if there is nothing to read', async () => {
    const element = await show(withDetails('<p></p>'))
    expect(part(element, 'details') === null).to.equal(true)
    expect(textOf(element)).not.to.include('Details')
  })

  it('stays within a page of 320 pixels, and is accessible', async () => {
    const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
    const cells = `<td>${word}</td>`.repeat(4)
    const element = await show(
      withDetails(
        `<p>${word}</p><table><tr>${cells}</tr></table><p><a href="https://a.example/">${word}</a></p>`,
      ),
    )
    element.style.display = 'block'
    element.style.inlineSize = '320px'
    expect(element.scrollWidth).to.be.at.most(320)
    await expect(element).to.be.accessible()
  })
})

function withDetails(details: string): Backend {
  const backend = createBackend(people.initiator)
  backend.emulator.packages.test.get(42)!.packageDetails = details
  return backend
}

async function show(backend: Backend, urls: Partial<WfPackageStatus> = {}): Promise<WfPackageStatus> {
  const element = await fixture<WfPackageStatus>(html`
    <wf-package-status .client=${backend.client} form-id="6025" package-id="42"></wf-package-status>
  `)
  Object.assign(element, urls)
  // The session arrives last.
  await waitUntil(() => part(element, 'environment'))
  await settled(element)
  return element
}

function textOf(element: WfPackageStatus): string {
  return part<HTMLElement>(element, 'base')!.innerText.replace(/\s+/g, ' ').trim()
}
