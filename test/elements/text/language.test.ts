import { expect, fixture, html } from '@open-wc/testing'
import { languageOf } from '../../../src/elements/text/language.ts'

describe('languageOf()', () => {
  it('returns the lang of the element itself, or else of its nearest ancestor @engines', async () => {
    const page = await fixture(
      html`<div lang="es">
        <p><b></b><i lang="de"></i></p>
      </div>`,
    )
    expect(languageOf(page.querySelector('b')!)).to.equal('es')
    expect(languageOf(page.querySelector('i')!)).to.equal('de')
  })

  it('continues outside shadow roots @engines', async () => {
    const page = await fixture(html`<div lang="es"><p></p></div>`)
    const outer = page.firstElementChild!.attachShadow({ mode: 'open' })
    const host = outer.appendChild(document.createElement('div'))
    const inner = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('b'))
    expect(languageOf(inner)).to.equal('es')
    host.lang = 'fr'
    expect(languageOf(inner)).to.equal('fr')
  })

  it('passes forms whose controls hide their members @engines', async () => {
    const page = await fixture(
      html`<div lang="es">
        <form><input name="parentNode" /><input name="lang" /></form>
      </div>`,
    )
    expect(languageOf(page.querySelector('input')!)).to.equal('es')
  })

  it('skips an empty lang', async () => {
    const page = await fixture(
      html`<div lang="es">
        <p lang=""><b></b></p>
      </div>`,
    )
    expect(languageOf(page.querySelector('b')!)).to.equal('es')
  })

  it('returns the language of the browser for an element outside the document @engines', () => {
    expect(languageOf(document.createElement('b'))).to.equal(navigator.language)
  })
})
