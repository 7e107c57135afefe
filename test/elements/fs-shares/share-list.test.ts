import { expect, oneEvent } from '@open-wc/testing'
import type { FsShares } from '../../../src/elements/fs-shares/fs-shares.ts'
import type { SharesContent } from '../../../src/elements/fs-shares/share-page.ts'
import { type Backend } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { directory, sampleUuids, share } from '../../../stories/stored-files.ts'
import { waitUntil } from '../../wait-until.ts'
import { applications, choose, find, rows, show, textOf, withMany, withShares } from './element.ts'

const [first = '', , third = ''] = sampleUuids
const geology = { clientId: 'department-1', name: 'Department of Geology' }

describe('the list of <fs-shares>', () => {
  it('groups the files by application, in the order of the shares', async () => {
    const backend = withShares()
    share(backend, 'department-1', third, 3)
    const { element } = await show(backend, { grantees: [...directory, geology] })
    const names = () =>
      applications(element).map((text) => text.replace(/ · since .*?\d{4} Stop sharing…/g, ';'))
    expect(names()).to.deep.equal([
      'Records office lodging-receipt.png; itinerary.pdf;',
      'Department of Geology expenses.xlsx;',
    ])
    const lists = [...element.shadowRoot!.querySelectorAll('[part=shares]')]
    expect(lists.map(({ ariaLabel }) => ariaLabel)).to.deep.equal([
      'Shared with Records office',
      'Shared with Department of Geology',
    ])
    share(backend, 'department-1', first, 1)
    await element.refresh()
    await waitUntil(() => rows(element).length === 4)
    expect(names()[0]).to.equal('Department of Geology itinerary.pdf; expenses.xlsx;')
  })

  it('has filters only if there are more than five shares', async () => {
    const backend = withShares()
    share(backend, 'department-1', third, 3)
    share(backend, 'department-2', third, 3)
    const { element } = await show(backend)
    expect(textOf(element, '[part=header]')).to.equal('5 shares')
    expect(find(element, '[part=filters]')).to.equal(null)
    share(backend, 'department-3', third, 3)
    await element.refresh()
    await waitUntil(() => textOf(element, '[part=header]') === '6 shares')
    expect(find(element, '[part=filters]')).not.to.equal(null)
  })

  it('moves the focus to another share if the last one of an application has ended', async () => {
    const backend = withShares()
    share(backend, 'department-1', third, 1)
    const { element } = await show(backend)
    expect(applications(element)).to.have.length(2)
    find(element, '.revoke')!.focus()
    for (const [key, found] of backend.emulator.shares.test)
      if (found.granteeClientId !== 'storage-admin') backend.emulator.shares.test.delete(key)
    await element.refresh()
    await waitUntil(() => applications(element).length === 1)
    expect(element.shadowRoot!.activeElement?.className).to.include('revoke')
  })

  it('says that there are no shares, without a header and filters', async () => {
    const backend = withShares()
    backend.emulator.shares.test.clear()
    const { element } = await show(backend)
    expect(textOf(element, '[part=empty]')).to.equal('Not shared with any application.')
    expect(element.matches(':state(empty)')).to.equal(true)
    expect(find(element, '[part=header]')).to.equal(null)
    expect(find(element, '[part=filters]')).to.equal(null)
    expect(find(element, '[part=shares]')).to.equal(null)
    expect(find(element, '[part=all-files]')).to.equal(null)
  })

  it('reports rows that could not be read', async () => {
    const backend = withShares()
    const { element } = await show(backend)
    expect(find(element, 'p.error:not([role])')).to.equal(null)
    backend.send = changeBody(backend, '/shares?', (body: { content: unknown[] }) =>
      body.content.push(null, 7),
    )
    const loaded = oneEvent<CustomEvent & { content?: SharesContent }>(element, 'wf-load')
    await element.refresh()
    await loaded
    await settled(element)
    expect(element.value!.leftOut).to.equal(2)
    expect(textOf(element, 'p.error:not([role])')).to.match(/^2 /)
  })

  it('shows a share without the name of its file if that cannot be read', async () => {
    const backend = withShares()
    backend.intercept = ({ url }) =>
      url.includes(`${first}/meta`) ? Promise.reject(new TypeError('No connection')) : undefined
    const { element } = await show(backend)
    expect(rows(element).map((row) => row.split(' ')[0])).to.deep.equal(['lodging-receipt.png', 'Unnamed'])
  })

  it('is forbidden if the proxy serves no shares, and asks for none', async () => {
    const backend = withShares()
    backend.send = changeBody(backend, '/session', (body: { allows: { operations: string[] } }) => {
      body.allows.operations = body.allows.operations.filter((name) => !name.includes('Share'))
    })
    const { element } = await show(backend)
    expect(element.matches(':state(forbidden)')).to.equal(true)
    expect(textOf(element, '[part=forbidden]')).to.match(/^You don’t have permission/)
    expect(backend.journal.filter((line) => line.includes('/shares'))).to.deep.equal([])
  })
})

describe('the pages of <fs-shares>', () => {
  it('have 20 shares if the size is not valid', async () => {
    const queries: string[] = []
    for (const pageSize of [0, -1, Number.NaN, 1]) {
      const backend = withShares()
      backend.intercept = ({ url }) => {
        if (url.includes('/shares?')) queries.push(new URL(url).searchParams.get('size')!)
        return undefined
      }
      await show(backend, { pageSize })
    }
    expect(queries).to.deep.equal(['20', '20', '20', '1'])
  })

  it('return to the first one if the page shows another file, and to the previous one if the last is empty', async () => {
    const backend = withMany()
    const { element } = await show(backend, { pageSize: 6 })
    buttons(element)[1]!.click()
    await waitUntil(() => textOf(element, '[part=pages]').startsWith('7–7'))
    const [oldest] = [...backend.emulator.shares.test.keys()].slice(-1)
    backend.emulator.shares.test.delete(oldest!)
    await element.refresh()
    await waitUntil(() => rows(element).length + ofAll(element) === 6)
    expect(find(element, '[part=pages]')).to.equal(null)

    share(backend, 'department-9', third, 30)
    await element.refresh()
    await waitUntil(() => find(element, '[part=pages]'))
    buttons(element)[1]!.click()
    await waitUntil(() => textOf(element, '[part=pages]').startsWith('7–7'))
    element.file = first
    await waitUntil(() => rows(element)[0]?.startsWith('itinerary.pdf'))
    expect(find(element, '[name=by-file]'), 'the file is fixed').to.equal(null)
  })

  it('ignore a file that is not a uuid', async () => {
    const { element } = await show(withShares(), { file: 'report' })
    expect(rows(element)).to.have.length(2)
  })

  it('can be filtered to one share, and back', async () => {
    const { element } = await show(withMany())
    choose(element, 'by-file', first)
    await waitUntil(() => rows(element).length === 1)
    expect(find(element, '[part=filters]')).not.to.equal(null)
    choose(element, 'by-grantee', 'storage-admin')
    await waitUntil(() => textOf(element, '[part=header]') === '1 share')
    expect(find(element, '[part=all-files]')).to.equal(null)
    expect(find(element, '[part=filters]'), 'the way back').not.to.equal(null)
    choose(element, 'by-grantee', '')
    choose(element, 'by-file', '')
    await waitUntil(() => rows(element).length === 6)
    expect(choicesOf(element, 'by-file')).to.deep.equal([
      'All files',
      'itinerary.pdf',
      'lodging-receipt.png',
      'expenses.xlsx',
    ])
    expect(choicesOf(element, 'by-grantee')).to.deep.equal([
      'All applications',
      'Library archive',
      'Records office',
    ])
    expect(choicesOf(element, 'order')).to.deep.equal(['Newest first', 'Oldest first', 'By application'])
  })
})

/** Changes the body of responses to the page. */
function changeBody<Body>(backend: Backend, path: string, change: (body: Body) => unknown): Backend['send'] {
  const { send } = backend
  return async (input, init) => {
    const request = new Request(input, init)
    const response = await send(request)
    if (!request.url.includes(path)) return response
    const body = (await response.json()) as Body
    change(body)
    return new Response(JSON.stringify(body), { headers: response.headers })
  }
}

function buttons(element: FsShares): HTMLButtonElement[] {
  return [...element.shadowRoot!.querySelectorAll<HTMLButtonElement>('[part=pages] button')]
}

function ofAll(element: FsShares): number {
  return element.value?.ofAll.length ?? 0
}

function choicesOf(element: FsShares, name: string): string[] {
  return [...(find(element, `[name=${name}]`) as HTMLSelectElement).options].map(({ text }) => text)
}
