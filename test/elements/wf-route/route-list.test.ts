import { expect, fixture, html } from '@open-wc/testing'
import { renderRoute, renderSentences } from '../../../src/elements/wf-route/route-list.ts'
import type { RoutePerson, ShownRoute } from '../../../src/elements/wf-route/route-stops.ts'
import { common } from '../../../src/locales/en.ts'
import { route } from '../../../src/locales/en-route.ts'
import { textsOf } from '../texts.ts'

const context = { messages: textsOf(route), common: textsOf(common), formatting: { language: 'en' } }
let id = 0
const person = (fields: Partial<RoutePerson> = {}): RoutePerson => ({
  ...{ name: 'Ana', details: [], isRole: false, permission: 'SIGNATURE_REQUIRED', hasSigned: false },
  id: id++,
  ...fields,
})

describe('the list of a route', () => {
  it('shows each stop with its signers, and apart from them who needs not sign', async () => {
    const root = await show({
      stops: [
        {
          name: 'Department',
          people: [
            person(),
            person({ name: 'Ben', permission: 'VIEW_ONLY' }),
            person({ name: 'Eva', permission: 'SIGNATURE_PERMITTED' }),
          ],
        },
        { name: 'College', people: [person({ name: 'Kim' })] },
      ],
    })
    expect(textOf(root)).to.equal(
      'Department Ana must sign Eva may sign No signature needed Ben may view College Kim must sign',
    )
    const [department, college] = root.querySelectorAll('[part=stop]')
    expect(department!.querySelectorAll('ul').length).to.equal(2)
    expect(department!.querySelector('.viewers li')).to.have.trimmed.text('Ben may view')
    expect(college!.querySelectorAll('ul, .detail').length, 'no viewers').to.equal(1)
    expect(root.querySelector('[part=warnings]') === null).to.equal(true)
    expect(root.querySelector('ol')!.ariaLabel).to.equal('Route')
  })

  it('shows what is known of a person', async () => {
    const unknown = { name: null, permission: null }
    for (const [fields, text, className] of [
      [{ hasSigned: true }, 'Ana signed', 'signed'],
      [{ details: ['Dean', 'Biology'] }, 'Ana must sign Dean · Biology', ''],
      [{ isRole: true }, 'Ana must sign currently in this role', ''],
      [{ isRole: true, details: ['Chair'] }, 'Ana must sign Chair · currently in this role', ''],
      [
        { ...unknown, isRole: true, permission: 'SIGNATURE_REQUIRED' },
        'Nobody at present must sign',
        'nobody',
      ],
      [{ permission: 'MUST_WITNESS' }, 'Ana Must witness', ''],
      // Each object of JavaScript has this property.
      [{ permission: 'toString' }, 'Ana Tostring', ''],
      [unknown, 'Nobody at present', 'nobody'],
    ] as const) {
      const root = await show({ stops: [{ name: 'Stop', people: [person(fields)] }] })
      const row = root.querySelector<HTMLElement>('[part=person]')!
      expect(textOf(row)).to.equal(text)
      expect(row.className).to.equal(className)
      const hasDetails = 'details' in fields || ('isRole' in fields && !('name' in fields))
      expect(row.querySelector('.detail') !== null, text).to.equal(hasDetails)
    }
  })

  it('begins with what is unusual, and ends with what could not be read', async () => {
    const root = await show({ stops: [{ name: 'Dean', people: [] }], leftOut: 2, notes: ['One.'] })
    expect(textOf(root)).to.equal(
      'One. Nobody is named at “Dean”. Ask the office before you submit the request. Dean ' +
        '2 entries couldn’t be read.',
    )
    expect([...root.querySelectorAll('[part=warnings] li')].length).to.equal(2)
    expect(root.querySelector('[part=warnings] > p') === null, 'no heading').to.equal(true)
    expect(textOf(await show({ stops: [] }))).to.equal('')
  })

  it('shows sentences below their heading', async () => {
    const root = await fixture<HTMLElement>(
      html`<div>${renderSentences('differences', ['A.'], 'Now:')}</div>`,
    )
    expect(textOf(root.querySelector('[part=differences]')!)).to.equal('Now: A.')
    expect(root.querySelector('[part=differences] > p')).to.have.trimmed.text('Now:')
  })
})

async function show(fields: Pick<ShownRoute, 'stops'> & Partial<ShownRoute>): Promise<HTMLElement> {
  const shown = { leftOut: 0, requester: { id: -1, isSelf: true, name: '' }, ...fields }
  return await fixture<HTMLElement>(html`<div>${renderRoute(shown, context)}</div>`)
}

function textOf(element: HTMLElement): string {
  return element.innerText.replace(/\s+/g, ' ').trim()
}
