import { expect } from '@open-wc/testing'
import { render } from 'lit'
import type { Session } from '../../../src/contract/schemas/session.ts'
import type { Share } from '../../../src/contract/schemas/shares.ts'
import { renderSelect } from '../../../src/elements/fs-shares/share-form.ts'
import {
  applicationOf,
  fileOf,
  renderShares,
  type ShareListContext,
} from '../../../src/elements/fs-shares/share-list.ts'
import type { SharesContent } from '../../../src/elements/fs-shares/share-page.ts'
import { shares } from '../../../src/locales/en-files.ts'
import { outline } from '../outline.ts'
import { textsOf } from '../texts.ts'

const messages = textsOf(shares)
const grantees = [{ clientId: 'archive', name: 'Library archive' }]
const names = new Map([['a', 'plan.pdf']])

describe('renderShares()', () => {
  it('lists the applications with access to all files apart, then the shared files', () => {
    const ofAll = share({ fileAssetUuid: null })
    const single = share({ fileAssetUuid: 'a', createdAt: null })
    const { lines, called, click } = show({ ofAll: [ofAll], single: [single] })
    expect(lines).to.deep.equal([
      'div part="all-files"',
      '  strong',
      '    "Access to all files, including future ones"',
      '  ul aria-label="Access to all files, including future ones"',
      '    li',
      '      bdi',
      '        "Library archive"',
      '      span class="detail"',
      '        "·"',
      '        span',
      '          "since Jan 10, 2026"',
      '  p class="detail"',
      `    "${messages.allFilesHint}"`,
      'div part="application"',
      '  strong',
      '    "Library archive"',
      '  ul aria-label="Shared with Library archive" part="shares"',
      '    li part="share"',
      '      div class="facts"',
      '        bdi',
      '          "plan.pdf"',
      '      div class="actions"',
      '        button aria-label="Stop sharing… plan.pdf with Library archive" class="quiet revoke" type="button"',
      '          "Stop sharing…"',
    ])
    click('.revoke')
    expect(called).to.deep.equal([single])
  })

  it('lists each application once, with all its files', () => {
    const shared = [
      share({ granteeClientId: 'archive', fileAssetUuid: 'a' }),
      share({ granteeClientId: 'other', fileAssetUuid: 'a' }),
      share({ granteeClientId: 'archive', fileAssetUuid: 'b' }),
    ]
    const { lines, called, click } = show({ single: shared })
    const found = lines.filter((line) => /^ *(?:div part="application"|li part)/.test(line))
    expect(found).to.deep.equal([
      'div part="application"',
      '    li part="share"',
      '    li part="share"',
      'div part="application"',
      '    li part="share"',
    ])
    click('li:nth-child(2) .revoke')
    expect(called, 'the second file of the first application').to.deep.equal([shared[2]])
  })

  it('has no button for people who may not end a share', () => {
    const { lines } = show({ single: [share()] }, { onRevoke: undefined })
    expect(lines.at(-1)).to.equal('            "since Jan 10, 2026"')
  })

  it('has the ids of what has no name, for support', () => {
    const unknown = { granteeClientId: 'other' }
    const { lines } = show({
      ofAll: [share({ ...unknown, fileAssetUuid: null })],
      single: [share({ ...unknown, fileAssetUuid: 'b' })],
    })
    const support = (indent: string, ...ids: string[]) => [
      `${indent}details part="support"`,
      `${indent}  summary`,
      `${indent}    "For support"`,
      ...ids.flatMap((id) => [
        `${indent}  p class="detail"`,
        `${indent}    "Reference"`,
        `${indent}    code dir="ltr" part="reference"`,
        `${indent}      "${id}"`,
      ]),
    ]
    for (const [indent, id] of [
      ['      ', 'other'],
      ['  ', 'other'],
      ['        ', 'b'],
    ] as const) {
      const start = lines.indexOf(`${indent}details part="support"`)
      expect(lines.slice(start, start + 7), id).to.deep.equal(support(indent, id))
    }
    expect(lines.filter((line) => line.includes('details'))).to.have.length(3)
    expect(lines).to.include('        "Another application"')
    expect(lines).to.include('          "Unnamed file"')
  })

  it('says that nothing is shared only if that is so', () => {
    expect(show({}).lines).to.deep.equal([
      'slot name="empty"',
      '  p part="empty"',
      '    "Not shared with any application."',
    ])
    expect(show({ ofAll: [share({ fileAssetUuid: null })] }).lines.join()).not.to.match(/empty|part="shares"/)
    expect(show({ single: [share()] }).lines.join()).not.to.match(/empty|all-files/)
  })
})

describe('the pages of renderShares()', () => {
  const three = [share(), share(), share()]
  const page = (totalElements: number | null, number: number | null, size: number | null) => ({
    page: { totalElements, number, size, totalPages: null },
    single: three,
  })

  it('have the range that is shown, and a button in each possible direction', () => {
    const { lines, called, click } = show({ ...page(9, 1, 3) })
    expect(lines.slice(-7)).to.deep.equal([
      'nav aria-label="Pages of shares" part="pages"',
      '  span class="detail"',
      '    "4–6 of 9"',
      '  button aria-disabled="false" class="quiet" type="button"',
      '    "Previous"',
      '  button aria-disabled="false" class="quiet" type="button"',
      '    "Next"',
    ])
    click('nav button:first-of-type')
    click('nav button:last-of-type')
    expect(called).to.deep.equal([0, 2])
  })

  it('end with the last share', () => {
    const { lines, called, click } = show({ ...page(6, 1, 3) })
    expect(lines.slice(-5)).to.deep.equal([
      '    "4–6 of 6"',
      '  button aria-disabled="false" class="quiet" type="button"',
      '    "Previous"',
      '  button aria-disabled="true" class="quiet" type="button"',
      '    "Next"',
    ])
    click('nav button:last-of-type')
    expect(called).to.deep.equal([])
  })

  it('begin with the first share, also if the service does not give the number of the page', () => {
    for (const number of [0, null]) {
      const { lines, called, click } = show({ ...page(6, number, 3) })
      expect(lines.slice(-5)).to.deep.equal([
        '    "1–3 of 6"',
        '  button aria-disabled="true" class="quiet" type="button"',
        '    "Previous"',
        '  button aria-disabled="false" class="quiet" type="button"',
        '    "Next"',
      ])
      click('nav button:first-of-type')
      expect(called).to.deep.equal([])
      click('nav button:last-of-type')
      expect(called).to.deep.equal([1])
    }
  })

  it('count what is shown if the service gives no size or total', () => {
    expect(show({ ...page(9, 1, null) }).lines).to.include('    "4–6 of 9"')
    expect(show({ ...page(null, 2, 4) }).lines).to.include('    "9–11 of 11"')
  })

  it('count shares of all files and rows that could not be read too', () => {
    const { lines } = show({ ...page(9, 0, 6), ofAll: [share({ fileAssetUuid: null })], leftOut: 2 })
    expect(lines).to.include('    "1–6 of 9"')
  })

  it('are absent if everything is shown', () => {
    for (const content of [page(3, 0, 20), page(null, null, null), page(2, 0, 20)])
      expect(show(content).lines.join()).not.to.include('nav')
  })
})

describe('a share', () => {
  it('has names for people', () => {
    const context = { grantees, messages } as unknown as ShareListContext
    expect(applicationOf(share(), context)).to.equal('Library archive')
    expect(applicationOf(share({ granteeClientId: 'x' }), context)).to.equal('Another application')
    expect(fileOf(share(), names, messages)).to.equal('plan.pdf')
    expect(fileOf(share({ fileAssetUuid: null }), names, messages)).to.equal('Unnamed file')
    expect(fileOf(share({ fileAssetUuid: null }), new Map([['', 'x']]), messages)).to.equal('x')
  })
})

describe('renderSelect()', () => {
  const options = [
    ['1', 'One'],
    ['2', 'Two'],
  ] as const

  it('begins with an option that chooses nothing', () => {
    const { lines } = select('kind', 'Kind', 'Choose', options)
    expect(lines).to.deep.equal([
      'label class="field"',
      '  span',
      '    "Kind"',
      '  select aria-invalid="false" name="kind"',
      '    option value',
      '      "Choose"',
      '    option value="1"',
      '      "One"',
      '    option value="2"',
      '      "Two"',
    ])
  })

  it('marks what is selected or not valid, and reports each choice', () => {
    const chosen: string[] = []
    const { lines, container } = select('kind', 'Kind', '', options, true, '2', (value) => chosen.push(value))
    expect(lines.slice(3)).to.deep.equal([
      '  select aria-describedby="create-problem" aria-invalid="true" name="kind" (2)',
      '    option value="1"',
      '      "One"',
      '    option selected value="2"',
      '      "Two"',
    ])
    const control = container.querySelector('select')!
    control.value = '1'
    control.dispatchEvent(new Event('change'))
    expect(chosen).to.deep.equal(['1'])
  })

  function select(...args: Parameters<typeof renderSelect>) {
    const container = document.createElement('div')
    render(renderSelect(...args), container)
    return { container, lines: outline(container) }
  }
})

function share(fields: Partial<Share> = {}): Share {
  return {
    ownerClientId: 'demo-app',
    granteeClientId: 'archive',
    fileAssetUuid: 'a',
    type: 'SINGLE_FILE',
    createdAt: '2026-01-10T12:00:00',
    ...fields,
  }
}

/** Renders a page of shares. Returns its content, and what its buttons have called. */
function show(content: Partial<SharesContent>, fields: Partial<ShareListContext> = {}) {
  const called: unknown[] = []
  const container = document.createElement('div')
  const all: SharesContent = {
    session: {} as Session,
    ofAll: [],
    single: [],
    leftOut: 0,
    page: { totalElements: null, totalPages: null, number: null, size: null },
    names,
    isServed: true,
    ...content,
  }
  const context: ShareListContext = {
    messages,
    language: 'en',
    grantees,
    onRevoke: (one) => called.push(one),
    onPage: (page) => called.push(page),
    ...fields,
  }
  render(renderShares(all, context), container)
  const click = (selector: string) => container.querySelector<HTMLElement>(selector)!.click()
  return { lines: outline(container), called, click }
}
