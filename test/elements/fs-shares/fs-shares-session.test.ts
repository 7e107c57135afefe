import { expect, oneEvent } from '@open-wc/testing'
import { english } from '../../../src/locales/english.ts'
import { FsErrorEvent } from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { FsBeforeShareEvent, FsShareEvent } from '../../../src/elements/fs-shares/fs-shares.events.ts'
import { type Backend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { sampleUuids, share } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'
import { allAnnounced, announcements } from '../notices/announcements.ts'
import { choose, create, find, rows, show, textOf, withMany, withShares } from './element.ts'

const [first = '', second = '', third = ''] = sampleUuids

describe('<fs-shares> while a person is signed out', () => {
  it('keeps what was chosen in the form, shows nothing else, and says it only once', async () => {
    const { element, backend } = await show(withShares())
    choose(element, 'file', third)
    backend.person = null
    await element.refresh()
    await waitUntil(() => element.matches(':state(signed-out)'))
    await settled(element)
    expect(textOf(element, '[part=signed-out]')).to.match(/^You are signed out\./)
    expect(textOf(element, '[part=header]')).to.equal('Shares')
    expect([rows(element), find(element, '[part=loading]') === null]).to.deep.equal([[], true])
    create(element, third, 'storage-admin')
    await waitUntil(() => problemOf(element).startsWith(english.common.isSignedOut))
    await waitUntil(() => find(element, '[part=signed-out]') === null, 'the form says it')

    backend.person = people.administrator
    await element.refresh()
    await waitUntil(() => rows(element).length === 2)
    expect(problemOf(element)).to.equal('')
    expect(chosen(element)).to.deep.equal([third, 'storage-admin'])
  })

  it('shows no form in which nothing was chosen', async () => {
    const { element, backend } = await show(withShares())
    backend.person = null
    await element.refresh()
    await waitUntil(() => element.matches(':state(signed-out)'))
    await settled(element)
    expect(find(element, '[part=create]') === null).to.equal(true)
    expect(find(element, '.card') === null).to.equal(true)
  })

  it('discards what was chosen and closes the dialog if another person signs in', async () => {
    const { element, backend } = await show(withShares(), { file: first })
    choose(element, 'grantee', 'storage-admin')
    ;(find(element, '[part=create]') as HTMLFormElement).requestSubmit()
    await waitUntil(() => problemOf(element).includes('already shared'))
    find(element, '.revoke')!.click()
    await waitUntil(() => find(element, 'dialog[open]'))
    backend.person = people.initiator
    await element.refresh()
    await waitUntil(() => find(element, 'dialog[open]') === null)
    await waitUntil(() => rows(element).length === 1 && find(element, '[part=create]'))
    expect((find(element, '[name=grantee]') as HTMLSelectElement).value).to.equal('')
    expect(problemOf(element)).to.equal('')
  })

  it('keeps the dialog open if the list is read again for the same person', async () => {
    const { element } = await show(withShares())
    find(element, '.revoke')!.click()
    await waitUntil(() => find(element, 'dialog[open]'))
    await element.refresh()
    await settled(element)
    expect(find(element, 'dialog[open]') === null).to.equal(false)
  })
})

describe('the events of <fs-shares>', () => {
  it('name the operation and the share, reach the page, and only the first can be canceled', async () => {
    const { element, backend } = await show(withShares())
    const events: unknown[] = []
    const note = (event: FsBeforeShareEvent | FsShareEvent) =>
      events.push([event.type, event.operation, event.share, event.cancelable])
    for (const { type } of [FsBeforeShareEvent, FsShareEvent])
      element.parentElement!.addEventListener(type, (event) => note(event))
    const announced = announcements()
    create(element, third, 'storage-admin')
    await waitUntil(() => events.length === 2)
    const share = { fileAssetUuid: third, granteeClientId: 'storage-admin' }
    expect(events).to.deep.equal([
      ['fs-before-share', 'createShare', share, true],
      ['fs-share', 'createShare', share, false],
    ])
    await waitUntil(() => announced.includes('Shared with Records office.'))
    await waitUntil(() => rows(element).length === 3)
    events.length = 0
    await revokeFirst(element)
    await waitUntil(() => events.length === 2)
    expect(events).to.deep.equal([
      ['fs-before-share', 'revokeShare', share, true],
      ['fs-share', 'revokeShare', share, false],
    ])
    expect(requests(backend)).to.deep.equal(['POST', 'DELETE'])
    await waitUntil(() => announced.includes('No longer shared with Records office.'))
  })

  it('include the failure of a change, after which the list is read again', async () => {
    const { element, backend } = await show(withShares())
    const errors: string[] = []
    element.addEventListener(FsErrorEvent.type, ({ error }) => errors.push(error.name))
    backend.intercept = ({ method }) =>
      method === 'DELETE' ? Promise.resolve(new Response('', { status: 500 })) : undefined
    const loaded = oneEvent(element, 'wf-load')
    await revokeFirst(element)
    await loaded
    await waitUntil(() => textOf(element, 'dialog').includes('Couldn’t be stopped. Try again.'))
    expect(errors).to.deep.equal(['UnavailableError'])
  })

  it('announce nothing if the page refuses that a share ends', async () => {
    const { element, backend } = await show(withShares())
    const announced = announcements()
    element.addEventListener(FsBeforeShareEvent.type, (event) => event.preventDefault(), { once: true })
    await revokeFirst(element)
    await waitUntil(() => find(element, 'dialog[open]') === null)
    await revokeFirst(element)
    await waitUntil(() => announced.length > 0)
    await allAnnounced(element)
    expect(announced).to.deep.equal(['No longer shared with Records office.'])
    expect(requests(backend)).to.deep.equal(['DELETE'])
  })
})

describe('the texts of <fs-shares>', () => {
  it('name the filters, and the share that the dialog is about', async () => {
    const { element } = await show(withMany())
    expect(find(element, '[part=filters]')!.ariaLabel).to.equal('Filter the shares')
    const fields = [...element.shadowRoot!.querySelectorAll('[part=filters] .field > span')]
    expect(fields.map(({ textContent }) => textContent)).to.deep.equal(['Application', 'File', 'Order'])
    const dialog = find(element, 'dialog') as HTMLDialogElement
    expect(dialog.getAttribute('closedby')).to.equal('closerequest')
    find(element, '.revoke')!.click()
    await waitUntil(() => dialog.open)
    expect(textOf(element, 'dialog')).to.equal(
      'Stop sharing lodging-receipt.png with Records office? Records office loses access to the file. Links that it has already got work until they expire, for 7 days at the latest. The file stays, and you can share it again. Stop sharing Keep sharing',
    )
    expect(element.shadowRoot!.activeElement, 'the focus').to.have.trimmed.text('Keep sharing')
  })

  it('have the choices of the filters, which keep what was chosen', async () => {
    const backend = withShares()
    for (let number = 1; number <= 4; number++) share(backend, `department-${number}`, first)
    const { element } = await show(backend, { file: first })
    expect(find(element, '[name=by-file]') === null).to.equal(true)
    choose(element, 'by-grantee', 'storage-admin')
    choose(element, 'order', 'granteeClientId,asc')
    await element.updateComplete
    await waitUntil(() => rows(element).length === 1)
    const selected = ['by-grantee', 'order'].map(
      (name) => (find(element, `[name=${name}]`) as HTMLSelectElement).value,
    )
    expect(selected).to.deep.equal(['storage-admin', 'granteeClientId,asc'])
  })

  it('are in the states loaded and forbidden, and never in both', async () => {
    const backend = withShares()
    const { element } = await show(backend)
    const states = () =>
      ['loading', 'loaded', 'empty', 'busy', 'stale', 'failed', 'forbidden', 'signed-out'].filter((state) =>
        element.matches(`:state(${state})`),
      )
    await waitUntil(() => states().join() === 'loaded')
    backend.person = people.outsider
    element.file = second
    await waitUntil(() => states().join() === 'forbidden')
    backend.person = null
    await element.refresh()
    await waitUntil(() => states().join() === 'signed-out')
  })
})

type Shares = Awaited<ReturnType<typeof show>>['element']

function problemOf(element: Shares): string {
  return textOf(element, '[part=create] [role=alert]')
}

function chosen(element: Shares): string[] {
  return ['file', 'grantee'].map((name) => (find(element, `[name=${name}]`) as HTMLSelectElement).value)
}

async function revokeFirst(element: Shares): Promise<void> {
  find(element, '.revoke')!.click()
  await waitUntil(() => find(element, 'dialog[open]'))
  find(element, 'dialog .danger')!.click()
}

/** The methods of all changes that reached the service. */
function requests({ journal }: Backend): string[] {
  return journal.map((line) => line.split(' ')[0]!).filter((method) => method !== 'GET')
}
