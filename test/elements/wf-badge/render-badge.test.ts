import { expect } from '@open-wc/testing'
import {
  ForbiddenError,
  NoProxyError,
  NotFoundError,
  SignedOutError,
  UnavailableError,
} from '../../../src/client/index.ts'
import { type BadgeInput, renderBadge } from '../../../src/elements/wf-badge/render-badge.ts'
import type { BadgeContent } from '../../../src/elements/wf-badge/read-badges.ts'
import { common } from '../../../src/locales/en.ts'
import { packageStatus } from '../../../src/locales/en-package-status.ts'
import { textsOf } from '../texts.ts'

const down = new UnavailableError('getStatus', 'got no response')

describe('renderBadge()', () => {
  it('names the state, and who has to act while the package is in routing', () => {
    for (const [state, approvers, label, title] of [
      ['ROUTING', ['Ana'], 'In routing', 'Waiting for Ana'],
      ['ROUTING', ['Ana', null, 'Ben'], 'In routing', 'Waiting for Ana, Someone, and Ben'],
      ['ROUTING', [], 'In routing', ''],
      ['COMPLETE', ['Ana'], 'Complete', ''],
      ['ON_HOLD', ['Ana'], 'On hold', ''],
    ] as const) {
      const badge = render({ value: content(state, approvers) })
      expect(badge.textContent).to.equal(title ? `${label}, ${title}` : label)
      expect(badge.title).to.equal(title)
      expect(badge).to.have.attribute('data-state', state)
      expect(badge).to.have.attribute('part', 'state')
      expect(badge).not.to.have.attribute('role')
      expect(badge.querySelectorAll('svg')).to.have.length(1)
    }
  })

  it('marks a state that may be out of date', () => {
    const badge = render({ value: content('ROUTING', ['Ana']), error: down })
    expect(badge.title).to.equal(
      "Waiting for Ana. This may be out of date. The latest version couldn't be loaded.",
    )
    expect(badge).to.have.attribute('part', 'state stale')
    expect([...badge.childNodes].map(({ nodeName }) => nodeName)).to.deep.equal([
      'svg',
      '#text',
      'svg',
      'SPAN',
    ])
    expect(render({ value: content('VOID'), error: down }).title).to.equal(common.stale)
  })

  it('says why there is no state', () => {
    for (const [input, part, text, title] of [
      [{ error: new ForbiddenError('a', 'b') }, 'failure', 'Not available', ''],
      [{ error: new NotFoundError('a', 'b') }, 'failure', 'Not available', ''],
      [{ error: new NoProxyError('a', '/wf') }, 'no-proxy', 'No Routeslip proxy found at /wf.', ''],
      [{ error: down }, 'failure', 'Not loaded', common.unavailable],
      [{ error: new SignedOutError('a', 'b') }, 'failure', 'Not loaded', common.signedOut],
      [{ problem: 'It needs endpoint.', value: content('VOID') }, 'not-configured', 'It needs endpoint.', ''],
    ] as const) {
      const badge = render(input)
      expect(badge.textContent).to.equal(title ? `${text}, ${title}` : text)
      expect(badge).to.have.attribute('part', part)
      expect(badge.title).to.equal(title)
      expect(badge.querySelectorAll('svg')).to.have.length(part === 'failure' ? 1 : 0)
      expect(badge).not.to.have.attribute('data-state')
    }
  })

  it('is an image with a description while the package loads', () => {
    const badge = render({})
    expect(badge).to.have.attribute('role', 'img')
    expect(badge).to.have.attribute('part', 'loading')
    expect([badge.textContent, badge.title]).to.deep.equal(['\u00a0', 'Loading…'])
  })

  it('hides its icons from assistive technology, and has one for each state', () => {
    const icons = ['ROUTING', 'VOID', 'COMPLETE', 'ON_HOLD'].map((state) =>
      render({ value: content(state) }).querySelector('svg')!,
    )
    for (const icon of icons) {
      expect(icon).to.have.attribute('aria-hidden', 'true')
      expect(icon).to.have.attribute('viewBox', '0 0 24 24')
    }
    expect(new Set(icons.map((icon) => icon.querySelector('path')!.getAttribute('d'))).size).to.equal(4)
  })

  it('has the language of its words, also after the same badge in another language', () => {
    expect(render({ value: content('VOID'), language: 'en' }).lang).to.equal('en')
    expect(render({ value: content('VOID'), language: 'de' }).lang).to.equal('de')
    const names = render({ value: content('ROUTING', ['Ana', 'Ben']), language: 'de' }).title
    expect(names).to.equal('Waiting for Ana und Ben')
  })

  it('has no attribute that the page has added to all objects (F45)', () => {
    const added = { value: 'patched', enumerable: true, configurable: true }
    Object.defineProperty(Object.prototype, 'inherited', added)
    try {
      const badge = render({ value: content('UNDER_REVIEW'), error: down })
      expect(badge).to.have.attribute('data-state', 'UNDER_REVIEW')
      for (const one of [badge, ...badge.querySelectorAll('*')])
        expect(one.hasAttribute('inherited'), one.localName).to.equal(false)
    } finally {
      Reflect.deleteProperty(Object.prototype, 'inherited')
    }
  })
})

function render(input: Partial<BadgeInput>): HTMLElement {
  const messages = textsOf(packageStatus)
  const nothing = { problem: '', value: undefined, error: undefined, language: 'en' }
  return renderBadge({ ...nothing, messages, common: textsOf(common), ...input })
}

function content(state: string, approvers: readonly (string | null)[] = []): BadgeContent {
  return {
    found: { id: 1, state },
    approvers: approvers.map((approver) => ({ approver })),
  } as unknown as BadgeContent
}
