import { expect, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'
import { FsChangeEvent } from '../../../src/elements/fs-uploader/fs-uploader.events.ts'
import { people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { sampleUuids, share } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'
import { announcement } from '../notices/announcements.ts'
import { choose, create, find, rows, show, textOf, withShares } from './element.ts'

const [first = '', second = '', third = ''] = sampleUuids

describe('<fs-shares>', () => {
  it('lists applications with access to all files apart, without a way to end it', async () => {
    const { element } = await show(withShares())
    expect(textOf(element, '[part=header]')).to.equal('3 shares')
    expect(textOf(element, '[part=all-files]')).to.match(
      /future ones Library archive · since .*Only an administrator/,
    )
    expect(find(element, '[part=all-files] button')).to.equal(null)
    expect(rows(element).map((row) => row.replace(/ · since .*\d{4}/, ''))).to.deep.equal([
      'lodging-receipt.png Stop sharing…',
      'itinerary.pdf Stop sharing…',
    ])
    const shown = find(element, '[part=base]')!.innerText
    for (const id of [...sampleUuids, 'partner-app', 'storage-admin']) expect(shown).not.to.include(id)
  })

  it('follows changes of its files elsewhere in the page', async () => {
    const backend = withShares()
    const { element } = await show(backend)
    const { client } = backend
    const changed = await client.updateFileMeta({ params: { uuid: first }, body: { filename: 'route.pdf' } })
    let loads = 0
    element.addEventListener('wf-load', () => loads++)
    // Control: another file changes nothing here.
    document.body.dispatchEvent(
      new FsChangeEvent('updateFileMeta', { ...changed, uuid: '00000000-0000-4000-8000-000000000000' }),
    )
    document.body.dispatchEvent(new FsChangeEvent('updateFileMeta', changed))
    await waitUntil(() => rows(element).some((row) => row.startsWith('route.pdf')))
    expect(loads).to.equal(1)

    await client.deleteFile({ params: { uuid: first } })
    document.body.dispatchEvent(new FsChangeEvent('deleteFile', changed))
    await waitUntil(() => !rows(element).some((row) => row.startsWith('route.pdf')))
    element.remove()
    document.body.dispatchEvent(new FsChangeEvent('updateFileMeta', changed))
    expect(loads).to.equal(2)
  })

  it('filters by application and by file, sorts, and turns pages', async () => {
    const backend = withShares()
    for (let number = 1; number <= 3; number++) share(backend, `department-${number}`, third, 20 + number)
    const { element } = await show(backend, { pageSize: 4 })
    const queries: string[] = []
    backend.intercept = ({ url }) => {
      if (url.includes('/shares?')) queries.push(new URL(url).search)
      return undefined
    }
    const change = async (name: string, value: string) => {
      const loaded = oneEvent(element, 'wf-load')
      choose(element, name, value)
      await loaded
      await settled(element)
    }
    expect(textOf(element, '[part=pages]')).to.equal('1–4 of 6 Previous Next')
    const next = oneEvent(element, 'wf-load')
    find(element, '[part=pages] button:last-child')!.click()
    await next
    await settled(element)
    expect(textOf(element, '[part=pages]')).to.equal('5–6 of 6 Previous Next')

    await change('by-grantee', 'storage-admin')
    expect(rows(element)).to.have.length(2)
    await change('by-file', first)
    expect(rows(element)).to.have.length(1)
    await change('by-grantee', '')
    // The service also returns the shares of all files, because they include the file.
    expect(textOf(element, '[part=all-files]')).to.include('Library archive')
    await change('order', 'createdAt,asc')
    expect(queries).to.deep.equal([
      '?page=1&size=4&sort=createdAt%2Cdesc',
      '?page=0&size=4&sort=createdAt%2Cdesc&granteeClientId=storage-admin',
      `?page=0&size=4&sort=createdAt%2Cdesc&granteeClientId=storage-admin&fileAssetUuid=${first}`,
      `?page=0&size=4&sort=createdAt%2Cdesc&fileAssetUuid=${first}`,
      `?page=0&size=4&sort=createdAt%2Casc&fileAssetUuid=${first}`,
    ])
  })

  it('explains both conflicts and what is missing, and sends nothing', async () => {
    const { element, backend } = await show(withShares())
    const problem = () => textOf(element, '[part=create] [role=alert]')
    for (const [file, grantee, text] of [
      ['', '', 'Choose a file.'],
      [third, '', 'Choose an application.'],
      [third, 'partner-app', 'Library archive already has access to all files'],
      [first, 'storage-admin', 'The file is already shared with Records office.'],
    ] as const) {
      create(element, file, grantee)
      await waitUntil(() => problem().includes(text), text)
    }
    expect(backend.journal.filter((line) => line.startsWith('POST'))).to.deep.equal([])
    expect(textOf(element, '[part=all-files]')).to.include('only while no single file is shared with it')

    // The other share may have been created at the same moment.
    backend.intercept = (request) =>
      request.method === 'GET' && request.url.includes('granteeClientId=partner-app')
        ? Promise.resolve(Response.json({ content: [], page: null }))
        : undefined
    create(element, third, 'partner-app')
    await waitUntil(() => problem().startsWith('Not shared: the service refused it.'))
  })

  it('no longer says that a file is shared after that share has ended', async () => {
    const { element, backend } = await show(withShares())
    const problem = () => textOf(element, '[part=create] [role=alert]')
    create(element, first, 'storage-admin')
    await waitUntil(() => problem() === 'The file is already shared with Records office.')
    await element.refresh()
    expect(problem(), 'still true').to.include('already shared')
    const { shares } = backend.emulator
    for (const [key, { fileAssetUuid, granteeClientId }] of shares.test)
      if (fileAssetUuid === first && granteeClientId === 'storage-admin') shares.test.delete(key)
    await element.refresh()
    await waitUntil(() => problem() === '')
  })

  it('drops that text after the share has ended here, also if the list has further pages', async () => {
    const { element } = await show(withShares())
    element.pageSize = 1
    await waitUntil(() => element.value?.single.length === 1 && element.value.page.totalElements! > 1)
    const { fileAssetUuid, granteeClientId } = element.value!.single[0]!
    const problem = () => textOf(element, '[part=create] [role=alert]')
    create(element, fileAssetUuid!, granteeClientId)
    await waitUntil(() => problem().includes('already shared'))
    find(element, '.revoke')!.click()
    await waitUntil(() => find(element, 'dialog[open]'))
    find(element, 'dialog .danger')!.click()
    await waitUntil(() => problem() === '')
  })

  it('asks by keyboard before a share ends, and says what stays @engines', async () => {
    const { element, backend } = await show(withShares())
    find(element, '.revoke')!.focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => find(element, 'dialog[open]'))
    expect(textOf(element, 'dialog')).to.match(
      /^Stop sharing lodging-receipt\.png with Records office\? .* The file stays, and you can share it again\./,
    )
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => !find(element, 'dialog[open]'))
    expect(backend.emulator.shares.test.size).to.equal(3)

    await sendKeys({ press: 'Enter' })
    await waitUntil(() => find(element, 'dialog[open]'))
    find(element, 'dialog .danger')!.click()
    await waitUntil(() => rows(element).length === 1)
    expect(backend.emulator.shares.test.size).to.equal(2)
    expect(backend.emulator.files.test.get(second)!.isDeleted).to.equal(false)
    await waitUntil(() => announcement() === 'No longer shared with Records office.')
  })

  it('shows the owner of a file its shares, and nobody else', async () => {
    const backend = withShares(people.initiator)
    const { element } = await show(backend, { file: first })
    expect(rows(element)).to.have.length(1)
    backend.person = people.outsider
    await element.refresh()
    await waitUntil(() => element.matches(':state(forbidden)'))
    expect(textOf(element, '[part=base]')).to.match(/^You don’t have permission/)
  })
})
