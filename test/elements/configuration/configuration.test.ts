import { expect, fixture, html } from '@open-wc/testing'
import '../../../src/define/wf-package-status.ts'
import { configure } from '../../../src/elements/configuration/configuration.ts'
import type { WfContext } from '../../../src/elements/wf-context/wf-context.ts'
import '../../../src/define/wf-history.ts'
import type { WfPackageStatus } from '../../../src/elements/wf-package-status/wf-package-status.ts'
import { addLanguage } from '../../../src/elements/text/added-languages.ts'
import { createBackend, people } from '../../../stories/backend.ts'
import { settled } from '../../../stories/settled.ts'
import { pseudo } from '../../pseudo.ts'
import { waitUntil } from '../../wait-until.ts'

describe('configuration', () => {
  // First of all: the tag is defined later than the elements in it.
  it('of a <wf-context> reaches elements that were there before it was defined @engines', async () => {
    const { client } = createBackend()
    const context = await fixture<WfContext>(html`
      <wf-context .client=${client} form-id="6025" package-id="42">
        <wf-package-status></wf-package-status>
      </wf-context>
    `)
    const element = context.querySelector('wf-package-status')!
    expect(textOf(element)).to.include('needs endpoint, form-id, package-id')
    await import('../../../src/define/wf-context.ts')
    context.client = client
    await waitUntil(() => textOf(element).includes('In routing'))
  })

  it('comes from the element first, then the nearest context, then the page', async () => {
    const watched: string[] = []
    const clientOf = (name: string) => {
      const { client } = createBackend()
      return {
        ...client,
        watch: (...args: Parameters<typeof client.watch>) => (watched.push(name), client.watch(...args)),
      }
    }
    configure({ client: clientOf('page'), formId: 6025, packageId: 42 })
    try {
      await fixture(html`<wf-package-status></wf-package-status>`)
      await waitUntil(() => watched.includes('page'))
      await fixture(html`
        <wf-context .client=${clientOf('outer')} package-id="43">
          <wf-context .client=${clientOf('inner')} package-id="44">
            <wf-package-status id="inner" package-id="42"></wf-package-status>
          </wf-context>
          <wf-package-status id="outer"></wf-package-status>
        </wf-context>
      `)
      await waitUntil(() => watched.length === 3)
      expect(watched.slice(1).sort()).to.deep.equal(['inner', 'outer'])
    } finally {
      configure({ client: undefined, formId: undefined, packageId: undefined })
    }
  })

  it('crosses shadow roots, and follows a context that changes @engines', async () => {
    const { client } = createBackend()
    const context = await fixture<WfContext>(html`
      <wf-context .client=${client} form-id="6025" package-id="43"><div></div></wf-context>
    `)
    const root = context.querySelector('div')!.attachShadow({ mode: 'open' })
    const element = document.createElement('wf-package-status')
    root.append(element)
    await waitUntil(() => element.shadowRoot?.querySelector('slot[name=missing]'))
    context.packageId = 42
    await waitUntil(() => textOf(element).includes('In routing'))
  })

  it('leads to requests only if the form and the package are given', async () => {
    const backend = createBackend()
    const { send } = backend
    let requests = 0
    let errors = 0
    backend.send = (...input) => {
      requests++
      return send(...input)
    }
    const element = await fixture(html`
      <wf-package-status
        .client=${backend.client}
        package-id="42"
        @wf-error=${() => errors++}
      ></wf-package-status>
    `)
    await waitUntil(() => textOf(element).includes('needs form-id'))
    element.setAttribute('form-id', '6025')
    element.removeAttribute('package-id')
    await waitUntil(() => textOf(element).includes('needs package-id'))
    expect([requests, errors]).to.deep.equal([0, 0])
    element.setAttribute('package-id', '42')
    await waitUntil(() => textOf(element).includes('In routing'))
    expect(requests).to.be.greaterThan(0)
  })

  it('comes from the context around the element now, and from none outside', async () => {
    const { client } = createBackend()
    const place = await fixture(html`
      <div>
        <wf-context .client=${client} form-id="6025" package-id="42">
          <wf-package-status></wf-package-status>
        </wf-context>
        <wf-context .client=${client} form-id="6025" package-id="43"></wf-context>
      </div>
    `)
    const element = place.querySelector('wf-package-status')!
    await waitUntil(() => textOf(element).includes('In routing'))
    const [first, second] = place.querySelectorAll('wf-context')

    second!.append(element)
    await waitUntil(() => element.shadowRoot?.querySelector('slot[name=missing]'))
    place.append(element)
    await waitUntil(() => textOf(element).includes('needs endpoint, form-id, package-id'))
    first!.packageId = 44
    second!.packageId = 42
    await second!.updateComplete
    await element.updateComplete
    expect(textOf(element), 'it hears no more of where it stood').to.include('needs endpoint')
    second!.append(element)
    await waitUntil(() => textOf(element).includes('In routing'))
  })

  it('goes with a context that moves, and ends where it is taken out of another @engines', async () => {
    const { client } = createBackend()
    const place = await fixture(html`
      <div>
        <wf-context .client=${client} form-id="6025" package-id="43">
          <wf-context package-id="42"><wf-package-status></wf-package-status></wf-context>
        </wf-context>
      </div>
    `)
    const element = place.querySelector('wf-package-status')!
    await waitUntil(() => textOf(element).includes('In routing'))
    place.append(place.querySelector('wf-context wf-context')!)
    await waitUntil(() => textOf(element).includes('needs endpoint, form-id to'))
  })

  it('comes from a script of JSON in the page, which is read once', async () => {
    const script = document.createElement('script')
    script.type = 'application/json'
    script.setAttribute('data-wf-config', '')
    script.textContent = JSON.stringify({ endpoint: '/nowhere', formId: 6025 })
    document.head.append(script)
    // A copy of its own, as on another page.
    // @ts-expect-error -- TypeScript knows no query.
    const found: unknown = await import('../../../src/elements/configuration/configuration.ts?another')
    const copy = found as typeof import('../../../src/elements/configuration/configuration.ts')
    expect(copy.fromPage('endpoint')).to.equal('/nowhere')
    expect(copy.fromPage('formId')).to.equal(6025)
    copy.configure({ formId: 7 })
    expect(copy.fromPage('formId'), 'a call goes before the script').to.equal(7)
    script.remove()
  })

  it('sends nothing to another origin, unless the page lists it (T30)', async () => {
    const endpoint = 'https://attacker.test/api/wf'
    const requested: string[] = []
    const fetch = window.fetch
    window.fetch = (input) => {
      requested.push(input instanceof Request ? input.url : input.toString())
      return Promise.reject(new TypeError('no network here'))
    }
    try {
      const element = await fixture<WfPackageStatus>(
        html`<wf-package-status endpoint=${endpoint} form-id="6025" package-id="42"></wf-package-status>`,
      )
      expect(textOf(element)).to.include('cannot use a proxy at https://attacker.test')
      expect(requested).to.deep.equal([])
      for (const trick of [
        '//attacker.test/api',
        '/\\attacker.test/api',
        'https:\\\\attacker.test',
        'HTTPS://attacker.test',
      ]) {
        element.endpoint = trick
        await element.updateComplete
        expect(textOf(element), trick).to.include('cannot use')
      }
      expect(requested).to.deep.equal([])

      element.endpoint = endpoint
      configure({ origins: ['https://attacker.test'] })
      await waitUntil(() => requested.length > 0)
      expect(requested[0]).to.include('https://attacker.test/api/wf/forms/6025/')
    } finally {
      window.fetch = fetch
      configure({ origins: [] })
    }
  })
})

describe('words', () => {
  it('are those of the nearest lang, also after it has changed @engines', async () => {
    const { client } = createBackend(people.secondApprover)
    const place = await fixture(html`
      <div lang="es-MX">
        <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    const element = place.querySelector('wf-package-status')!
    await waitUntil(() => textOf(element).includes('En trámite'))
    expect(element.shadowRoot?.querySelector('[part=base]')?.getAttribute('lang')).to.equal('es')

    place.setAttribute('lang', 'en')
    await waitUntil(() => textOf(element).includes('In routing'))
  })

  it('are English if the language has no table, and are marked as English for assistive technology (F51)', async () => {
    const { client } = createBackend()
    const place = await fixture(html`
      <div lang="fi">
        <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    const element = place.querySelector('wf-package-status')!
    await waitUntil(() => textOf(element).includes('In routing'))
    expect(element.shadowRoot?.querySelector('[part=base]')?.getAttribute('lang')).to.equal('en')
  })

  it('may be those of a language that the page adds', async () => {
    const { client } = createBackend()
    addLanguage('qps', pseudo)
    const place = await fixture(html`
      <div lang="qps">
        <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
      </div>
    `)
    await waitUntil(() => textOf(place.querySelector('wf-package-status')!).includes('⟦Iñ röütíñg'))
  })

  it('of a region apply only there, and need a valid tag', async () => {
    const { client } = createBackend()
    addLanguage('es-cl', pseudo)
    const [chile, peru] = await Promise.all(
      ['es-CL', 'es-PE'].map((lang) =>
        fixture<WfPackageStatus>(
          html`<wf-package-status
            lang=${lang}
            .client=${client}
            form-id="6025"
            package-id="42"
          ></wf-package-status>`,
        ),
      ),
    )
    await waitUntil(() => textOf(peru!).includes('En trámite'))
    await waitUntil(() => textOf(chile!).includes('⟦Iñ röütíñg'))
    expect(() => addLanguage('es_CL', pseudo)).to.throw(RangeError)
  })

  it('are English if a language that the page adds lacks them, with one warning that names them', async () => {
    const warnings: unknown[] = []
    const { warn } = console
    console.warn = (text: unknown) => warnings.push(text)
    try {
      const { permissions, someone, ...common } = pseudo.common
      const { states, stateChanged, ...packageStatus } = pseudo.packageStatus
      const { ROUTING, ...otherStates } = states
      // As from another version, or a script without types: a word, a text, a function and a whole element are missing.
      const added = {
        common: { ...common, permissions: null, someone: () => someone },
        packageStatus: { ...packageStatus, states: otherStates },
        packageActions: pseudo.packageActions,
      }
      expect([permissions, stateChanged, ROUTING], 'they exist').to.not.include(undefined)
      const { client, emulator } = createBackend()
      const history = [{ '@class': 'signature', isInInbox: true, permission: 'VIEW_ONLY' }]
      const place = await fixture(html`
        <div lang="qpt">
          <wf-package-status .client=${client} form-id="6025" package-id="42"></wf-package-status>
          <wf-history .history=${history}></wf-history>
        </div>
      `)
      const [status, timeline] = [...place.children] as [Element, Element]
      await waitUntil(() => textOf(status).includes('In routing'))
      addLanguage('qpt', added as unknown as typeof pseudo)
      await waitUntil(() => textOf(status).includes('⟦'), 'the words are not translated')
      expect(textOf(status)).to.include('In routing')
      expect(textOf(timeline)).to.include('Someone may view')
      const base = status.shadowRoot!.querySelector('[part=base]')
      expect(base, 'the language comes from the tag').to.have.attribute('lang', 'qpt')

      emulator.packages.test.get(42)!.state = 'COMPLETE'
      await (status as WfPackageStatus).refresh()
      await waitUntil(() => textOf(status).includes('The request is now'), 'a function can be missing too')

      await waitUntil(() => warnings.length > 0)
      await settled(place)
      expect(warnings).to.deep.equal([
        'The language "qpt" lacks packageStatus.states.ROUTING, packageStatus.stateChanged, common.someone, ' +
          'common.permissions, history. English is shown instead.',
      ])
    } finally {
      console.warn = warn
    }
  })
})

function textOf(element: Element): string {
  return (element.shadowRoot?.textContent ?? '').replace(/\s+/g, ' ').trim()
}
