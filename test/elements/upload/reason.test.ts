import { expect } from '@open-wc/testing'
import { RefusedError } from '../../../src/client/index.ts'
import { addLanguage } from '../../../src/elements/text/added-languages.ts'
import { formattingLanguage } from '../../../src/elements/text/messages.ts'
import { reasonText, renderReason } from '../../../src/elements/upload/reason.ts'
import { render } from 'lit'
import * as german from '../../../src/locales/de.ts'

const refused = new RefusedError('uploadFile', 415, {
  detail: 'Choose a file of one of these types: pdf, png.',
  code: 'extensionNotAllowed',
  types: 'pdf, png',
})

/** Returns the text and the `lang` of a rendered reason on a page in a language. */
function shown(error: unknown, lang: string) {
  const parent = document.createElement('p')
  parent.lang = lang
  const language = formattingLanguage(parent)
  render(renderReason(error, language), parent)
  return [parent.textContent, parent.querySelector('[lang]')?.getAttribute('lang')]
}

describe('the reason of a refusal', () => {
  before(() => addLanguage('de', german))

  it('is in the language of the page, with its values', () => {
    const text =
      'Dateien dieses Typs können hier nicht hochgeladen werden. Wählen Sie eine Datei mit einem dieser Typen: pdf, png.'
    expect(shown(refused, 'de-CH')).to.deep.equal([text, undefined])
  })

  it('is in the words of the proxy in English, and where the language has no text', () => {
    const rare = new RefusedError('uploadFile', 422, { detail: 'No {macros}.', code: 'macros' })
    expect(shown(refused, 'en-GB')).to.deep.equal([refused.detail, 'en'])
    expect(shown(rare, 'de')).to.deep.equal(['No {macros}.', 'en'])
    expect(
      shown(new RefusedError('uploadFile', 422, { detail: 'No.', refusedBy: 'service' }), 'de'),
    ).to.deep.equal(['No.', 'en'])
  })

  it('is empty for other errors, without a reason, and for a size, which elements describe', () => {
    for (const error of [
      new Error('x'),
      new RefusedError('uploadFile', 422),
      new RefusedError('uploadFile', 413, { detail: 'Too large.' }),
    ]) {
      expect(reasonText(error, 'de')).to.equal('')
      expect(shown(error, 'de')).to.deep.equal(['', undefined])
    }
  })
})
