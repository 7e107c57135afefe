import { expect, oneEvent } from '@open-wc/testing'
import { english } from '../../../src/locales/english.ts'
import { FsErrorEvent } from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { FsBeforeShareEvent, FsShareEvent } from '../../../src/elements/fs-shares/fs-shares.events.ts'
import type { FsShares } from '../../../src/elements/fs-shares/fs-shares.ts'
import { type Backend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { sampleUuids } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcement } from '../notices/announcements.ts'
import { choose, create, find, rows, show, textOf, withShares } from './element.ts'

const [first = '', second = '', third = ''] = sampleUuids

describe('the form of <fs-shares>', () => {
  it('marks the choice that is missing and moves the focus to it, until something is chosen @engines', async () => {
    const { element } = await show(withShares())
    const file = field(element, 'file')
    const grantee = field(element, 'grantee')
    expect([file.ariaInvalid, grantee.ariaInvalid]).to.deep.equal(['false', 'false'])
    expect(find(element, '[part=create] [role=alert]')!.hidden).to.equal(true)

    create(element, '', 'storage-admin')
    await waitUntil(() => textOf(element, '[part=create] [role=alert]') === 'Choose a file.')
    expect(element.shadowRoot!.activeElement).to.equal(file)
    expect([file.ariaInvalid, grantee.ariaInvalid]).to.deep.equal(['true', 'false'])
    expect(file).to.have.attribute('aria-describedby', 'create-problem')
    expect(grantee).not.to.have.attribute('aria-describedby')

    choose(element, 'file', third)
    await waitUntil(() => find(element, '[part=create] [role=alert]')!.hidden)
    create(element, third, '')
    await waitUntil(() => textOf(element, '[part=create] [role=alert]') === 'Choose an application.')
    expect(element.shadowRoot!.activeElement).to.equal(grantee)
    expect([file.ariaInvalid, grantee.ariaInvalid]).to.deep.equal(['false', 'true'])
    expect(grantee).to.have.attribute('aria-describedby', 'create-problem')
  })

  it('keeps the chosen file if another one leaves the page', async () => {
    const { element } = await show(withShares())
    choose(element, 'file', second)
    const loaded = oneEvent(element, 'wf-load')
    element.files = [second, third].join(' ')
    await element.updateComplete
    expect(field(element, 'file').value, 'at once').to.equal(second)
    await loaded
    await settled(element)
    expect(field(element, 'file').value).to.equal(second)
  })

  it('sends a share once, shows that it does, and is empty afterwards @engines', async () => {
    const { element, backend } = await show(withShares())
    const button = find(element, '[part=create] [type=submit]')!
    expect(button).to.have.attribute('aria-disabled', 'false')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) =>
      request.method === 'POST' ? held.then(() => backend.emulator.fetch(request)) : undefined
    create(element, third, 'storage-admin')
    await waitUntil(() => button.textContent.trim() === 'Sharing…' && posts(backend).length === 1)
    expect(button).to.have.attribute('aria-disabled', 'true')
    create(element, third, 'storage-admin')
    release()
    await waitUntil(() => button.textContent.trim() === 'Share')
    expect(button).to.have.attribute('aria-disabled', 'false')
    expect(posts(backend)).to.have.length(1)
    expect([field(element, 'file').value, field(element, 'grantee').value]).to.deep.equal(['', ''])
  })

  it('keeps what was chosen if the share fails, and says why', async () => {
    const { element, backend } = await show(withShares())
    const errors: unknown[] = []
    element.addEventListener(FsErrorEvent.type, ({ error }) => errors.push(error))
    const problem = () => textOf(element, '[part=create] [role=alert]')
    const { send } = backend
    for (const [status, text] of [
      [401, english.common.isSignedOut],
      [403, 'Not shared: you don’t have permission to share this file'],
      [410, 'Not shared: you don’t have permission to share this file'],
      [409, 'Not shared: the service refused it. An application that has'],
      [500, 'Couldn’t be shared. Try again.'],
    ] as const) {
      errors.length = 0
      backend.send = async (input, init) => {
        const request = new Request(input, init)
        const detail = status === 409 ? 'Shared with everybody.' : 'For nobody to read.'
        // A session that has ended refuses every request.
        return request.method === 'POST' || status === 401
          ? Response.json({ detail }, { status, headers: { 'x-routeslip': '1' } })
          : await send(request)
      }
      create(element, third, 'storage-admin')
      await waitUntil(() => errors.length === 1 && problem().includes(text), `${status}: ${text}`)
      expect(problem().includes('Shared with everybody.'), `${status}`).to.equal(status === 409)
      expect(problem()).not.to.include('For nobody')
      backend.send = send
      await element.refresh()
      await waitUntil(() => find(element, '[part=create]'))
      expect(field(element, 'file').value, `${status}`).to.equal(third)
    }
  })

  it('sends nothing if the page refuses it, and announces nothing', async () => {
    const { element, backend } = await show(withShares())
    const asked: FsBeforeShareEvent[] = []
    element.addEventListener(FsBeforeShareEvent.type, (event) => {
      asked.push(event)
      event.preventDefault()
    })
    element.addEventListener(FsShareEvent.type, () => expect.fail('nothing was shared'))
    create(element, third, 'storage-admin')
    await waitUntil(() => field(element, 'file').value === '')
    expect(asked.map(({ operation, share }) => [operation, share])).to.deep.equal([
      ['createShare', { fileAssetUuid: third, granteeClientId: 'storage-admin' }],
    ])
    expect(posts(backend)).to.deep.equal([])
    expect(announcement()).not.to.include('Shared')
  })

  it('is about the file of the element, and names it', async () => {
    const backend = withShares()
    const { element } = await show(backend, { file: third })
    expect(textOf(element, '[part=create] strong')).to.equal('Share expenses.xlsx')
    expect(find(element, '[name=file]')).to.equal(null)
    const shared = oneEvent<FsShareEvent>(element, FsShareEvent.type)
    choose(element, 'grantee', 'storage-admin')
    ;(find(element, '[part=create]') as HTMLFormElement).requestSubmit()
    expect((await shared).share.fileAssetUuid).to.equal(third)
  })

  it('is about the only file that people can choose, and that of many only if they may see it', async () => {
    const { element } = await show(withShares(), { files: `${second}, ${second}` })
    expect(textOf(element, '[part=create] strong')).to.equal('Share lodging-receipt.png')
    expect(find(element, '[name=file]')).to.equal(null)
    const missing = '0f5e0000-0000-4000-8000-000000000009'
    element.files = [first, second, missing].join(' ')
    await waitUntil(() => textOf(element, '[part=create] strong') === 'Share a file')
    const names = [...field(element, 'file').options].map(({ text }) => text)
    expect(names).to.deep.equal(['Choose a file', 'itinerary.pdf', 'lodging-receipt.png'])
  })

  it('says "Unnamed file" if the file of the element has no name', async () => {
    const backend = withShares()
    Object.assign(backend.emulator.files.test.get(third)!.asset, { filename: null })
    const { element } = await show(backend, { file: third })
    expect(textOf(element, '[part=create] strong')).to.equal('Share Unnamed file')
  })

  it('is absent without applications, without files, and without the right to share', async () => {
    const { element, backend } = await show(withShares())
    expect(find(element, '[part=create]')).not.to.equal(null)
    const { grantees, files } = element
    element.grantees = []
    await element.updateComplete
    expect(find(element, '[part=create]')).to.equal(null)
    Object.assign(element, { grantees, files: '' })
    await element.updateComplete
    expect(find(element, '[part=create]')).to.equal(null)
    element.files = files
    await waitUntil(() => find(element, '[part=create]'))

    const { send } = backend
    backend.send = async (input, init) => {
      const request = new Request(input, init)
      const response = await send(request)
      if (!request.url.endsWith('/session')) return response
      const session = (await response.json()) as { allows: { operations: string[] } }
      session.allows.operations = session.allows.operations.filter((name) => !/^(create|revoke)/.test(name))
      return new Response(JSON.stringify(session), { headers: response.headers })
    }
    await element.refresh()
    await waitUntil(() => !find(element, '[part=create]'))
    expect(rows(element)).to.have.length(2)
    expect(find(element, '.revoke')).to.equal(null)
  })
})

describe('the dialog of <fs-shares>', () => {
  it('says that it sends, can neither be closed nor send twice meanwhile, and is ready the next time @engines', async () => {
    const { element, backend } = await show(withShares())
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    backend.intercept = (request) =>
      request.method === 'DELETE' ? held.then(() => backend.emulator.fetch(request)) : undefined
    await openDialog(element)
    const dialog = find(element, 'dialog') as HTMLDialogElement
    const [confirm, keep] = [...dialog.querySelectorAll('button')]
    expect([keep!.ariaDisabled, confirm!.ariaDisabled]).to.deep.equal(['false', 'false'])
    confirm!.click()
    await waitUntil(() => confirm!.textContent.trim() === 'Stopping…')
    expect([keep!.ariaDisabled, confirm!.ariaDisabled]).to.deep.equal(['true', 'true'])
    expect(cancel(dialog), 'Escape').to.equal(false)
    keep!.click()
    confirm!.click()
    expect(dialog.open).to.equal(true)
    release()
    await waitUntil(() => !dialog.open)
    expect(backend.journal.filter((line) => line.startsWith('DELETE'))).to.have.length(1)
    await waitUntil(() => rows(element).length === 1)

    await openDialog(element)
    expect(confirm!.textContent.trim()).to.equal('Stop sharing')
    expect(cancel(dialog), 'Escape').to.equal(true)
    keep!.click()
    expect(dialog.open).to.equal(false)
    expect(backend.emulator.shares.test.size).to.equal(2)
  })

  it('shows a failure even if the browser has closed the dialog meanwhile, as on a second Escape @engines', async () => {
    const { element, backend } = await show(withShares())
    let respond: ((response: Response) => void) | undefined
    backend.intercept = (request) =>
      request.method === 'DELETE' ? new Promise((resolve) => (respond = resolve)) : undefined
    await openDialog(element)
    const dialog = find(element, 'dialog') as HTMLDialogElement
    find(element, 'dialog .danger')!.click()
    await waitUntil(() => respond && dialog.getAttribute('closedby') === 'none')
    dialog.close()
    respond!(new Response('', { status: 503 }))
    await waitUntil(() => !find(element, 'dialog [role=alert]')!.hidden)
    await waitUntil(() => dialog.open)
  })

  it('says why a share could not be ended, and forgets that when it is opened again', async () => {
    const { element, backend } = await show(withShares())
    const alert = () => find(element, 'dialog [role=alert]')!
    const { send } = backend
    for (const [status, text] of [
      [401, english.common.isSignedOut],
      [403, 'You don’t have permission to stop sharing this file.'],
      [409, 'Couldn’t be stopped. Try again.'],
    ] as const) {
      await openDialog(element)
      expect(alert().hidden).to.equal(true)
      backend.send = async (input, init) => {
        const request = new Request(input, init)
        return request.method === 'DELETE'
          ? Response.json({}, { status, headers: { 'x-routeslip': '1' } })
          : await send(request)
      }
      find(element, 'dialog .danger')!.click()
      await waitUntil(() => !alert().hidden && textOf(element, 'dialog [role=alert]').startsWith(text), text)
      backend.send = send
      find(element, 'dialog button:not(.danger)')!.click()
      await element.refresh()
      await waitUntil(() => find(element, '.revoke'))
    }
  })

  it('closes if the share had already ended, and reads the list again @engines', async () => {
    const { element, backend } = await show(withShares())
    await openDialog(element)
    backend.emulator.shares.test.clear()
    find(element, 'dialog .danger')!.click()
    await waitUntil(() => !find(element, 'dialog[open]'))
    await waitUntil(() => textOf(element, '[part=empty]') === 'Not shared with any application.')
  })
})

function field(element: FsShares, name: string): HTMLSelectElement {
  return find(element, `[part=create] [name=${name}]`) as HTMLSelectElement
}

async function openDialog(element: FsShares): Promise<void> {
  find(element, '.revoke')!.click()
  await waitUntil(() => find(element, 'dialog[open]'))
}

/** Fires what a browser fires for Escape. Returns whether it would close the dialog. */
function cancel(dialog: HTMLDialogElement): boolean {
  return dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
}

function posts(backend: Backend): string[] {
  return backend.journal.filter((line) => line.startsWith('POST'))
}
