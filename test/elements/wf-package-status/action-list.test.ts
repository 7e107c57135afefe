import { expect, fixture, html } from '@open-wc/testing'
import { type ActionLink, linksFor } from '../../../src/elements/wf-package-status/actions/action-link.ts'
import {
  type ActionListOptions,
  renderActionList,
} from '../../../src/elements/wf-package-status/actions/action-list.ts'
import type { PackageStatusContent } from '../../../src/elements/wf-package-status/content.ts'
import { packageStatus } from '../../../src/locales/en-package-status.ts'
import { textsOf } from '../texts.ts'

const links: readonly ActionLink[] = [
  { name: 'sign', label: 'sign', url: 'https://page.test/sign' },
  { name: 'edit', label: 'edit', url: 'https://page.test/edit' },
  { name: 'edit', label: 'editAndSubmit', url: 'https://page.test/submit' },
]

describe('the list of actions of a package', () => {
  it('is empty without links and actions', async () => {
    expect((await show({})).children.length).to.equal(0)
  })

  it('shows links before buttons, and marks what takes something away', async () => {
    const root = await show({ links, names: ['removePackage', 'getPdf'] })
    expect(controls(root)).to.deep.equal([
      ['a', 'sign', 'button solid', 'https://page.test/sign', 'Sign'],
      ['a', 'edit', 'button', 'https://page.test/edit', 'Edit'],
      ['a', 'edit', 'button solid', 'https://page.test/submit', 'Edit and submit'],
      ['button', 'action', 'danger quiet', 'removePackage', 'Remove from routing…'],
      ['button', 'action', '', 'getPdf', 'Download PDF…'],
    ])
    expect(root.querySelector('details') === null, 'no menu for two').to.equal(true)
    const button = root.querySelector('button')!
    expect([button.type, button.ariaHasPopup]).to.deep.equal(['button', 'dialog'])
  })

  it('shows links alone, and a single action alone', async () => {
    expect(controls(await show({ links: links.slice(0, 1) })).length).to.equal(1)
    expect(controls(await show({ names: ['voidPackage'] }))).to.deep.equal([
      ['button', 'action', 'danger quiet', 'voidPackage', 'Void…'],
    ])
  })

  it('shows more than two actions as a menu, which Escape closes @engines', async () => {
    const root = await show({ names: ['getPdf', 'restartPackage', 'voidPackage'] })
    const menu = root.querySelector('details')!
    expect(menu.querySelectorAll('li > button').length).to.equal(3)
    const summary = menu.querySelector('summary')!
    expect(summary).to.have.trimmed.text('Actions')
    menu.open = true
    const press = (key: string) =>
      menu.querySelector('button')!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    menu.querySelector('button')!.focus()
    press('a')
    expect([menu.open, document.activeElement === summary]).to.deep.equal([true, false])
    press('Escape')
    expect([menu.open, document.activeElement === summary]).to.deep.equal([false, true])
    summary.blur()
    press('Escape')
    expect(document.activeElement === summary, 'if it is closed already').to.equal(false)
  })

  it('reports what is chosen, and what people approach @engines', async () => {
    const calls: unknown[] = []
    const root = await show({
      links: links.slice(0, 1),
      names: ['getPdf'],
      onOpen: (name) => calls.push(['open', name]),
      onFollow: (event, link) => {
        event.preventDefault()
        calls.push(['follow', link])
      },
      onApproach: () => calls.push(['approach']),
    })
    const row = root.querySelector('.row')!
    row.dispatchEvent(new PointerEvent('pointerenter'))
    row.dispatchEvent(new FocusEvent('focusin'))
    root.querySelector('a')!.click()
    root.querySelector('button')!.click()
    expect(calls).to.deep.equal([['approach'], ['approach'], ['follow', links[0]], ['open', 'getPdf']])
  })
})

describe('the links of a package', () => {
  const actions = { canSign: true, canEdit: true, signatureId: 7 }
  const of = (state: string, isInitiator: boolean, rights: object | null = actions, page = '/{name}') => {
    const content = { found: { id: 42, state }, actions: rights } as unknown as PackageStatusContent
    const template = (name: string) =>
      `${page.replace('{name}', name)}?f={formId}&p={packageId}&s={signatureId}`
    return linksFor(content, isInitiator, 6025, template).map(({ name, label, url }) => [
      name,
      label,
      url.replace(location.origin, ''),
    ])
  }
  const sign = ['sign', 'sign', '/sign?f=6025&p=42&s=7']
  const edit = ['edit', 'edit', '/edit?f=6025&p=42&s=7']
  const submit = ['edit', 'editAndSubmit', '/edit?f=6025&p=42&s=7']

  it('depend on the state and on who the person is', () => {
    for (const [state, isInitiator, found] of [
      ['ROUTING', false, [sign, edit]],
      ['ROUTING', true, [sign, edit]],
      ['DRAFT', false, [edit]],
      ['DRAFT', true, [submit]],
      ['PRE_ROUTING', true, [edit]],
      ['COMPLETE', true, []],
      ['VOID', true, []],
      ['NOT_ROUTING', true, []],
      ['ROUTING_PAUSED', true, []],
    ] as const)
      expect(of(state, isInitiator), `${state} ${isInitiator}`).to.deep.equal(found)
  })

  it('depend on what the person may do', () => {
    expect(of('ROUTING', true, { ...actions, canSign: false })).to.deep.equal([edit])
    expect(of('ROUTING', true, { ...actions, canEdit: false })).to.deep.equal([sign])
    expect(of('ROUTING', true, null)).to.deep.equal([])
  })

  it('need an address to which they may lead', () => {
    expect(of('ROUTING', true, actions, 'javascript:alert')).to.deep.equal([])
  })
})

async function show(options: Partial<ActionListOptions>): Promise<HTMLElement> {
  const all: ActionListOptions = {
    ...{ names: [], links: [], messages: textsOf(packageStatus), describedBy: undefined },
    ...{ onOpen: () => {}, onFollow: () => {}, onApproach: () => {} },
    ...options,
  }
  return await fixture<HTMLElement>(html`<div>${renderActionList(all)}</div>`)
}

/** Tag, part, class, address or action, and text of each control. */
function controls(root: HTMLElement) {
  return [...root.querySelectorAll<HTMLElement>('a, button')].map((control) => [
    control.localName,
    control.getAttribute('part'),
    control.className.trim(),
    control.getAttribute('href') ?? control.dataset['action'],
    control.textContent.trim(),
  ])
}
