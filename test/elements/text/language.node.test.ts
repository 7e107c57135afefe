import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { closestTag } from '../../../src/elements/text/language.ts'

const tags = ['en', 'es', 'pt-BR', 'zh-Hans', 'ar', 'sr', 'sr-Latn']

describe('closestTag()', () => {
  it('finds the language of a page in any region, if the script is the same', () => {
    const expected: Readonly<Record<string, string | undefined>> = {
      en: 'en',
      'en-GB': 'en',
      'es-419': 'es',
      pt: 'pt-BR',
      'pt-PT': 'pt-BR',
      'PT-br': 'pt-BR',
      zh: 'zh-Hans',
      'zh-CN': 'zh-Hans',
      'zh-SG': 'zh-Hans',
      'zh-Hans-HK': 'zh-Hans',
      'zh-TW': undefined,
      'zh-HK': undefined,
      'zh-Hant': undefined,
      yue: undefined,
      'ar-EG': 'ar',
      'ar-u-nu-latn': 'ar',
      'sr-ME': 'sr-Latn',
      'sr-RS': 'sr',
      fi: undefined,
    }
    const found = Object.keys(expected).map((page) => [page, closestTag(page, tags)])
    assert.deepEqual(Object.fromEntries(found), expected)
  })

  it('prefers the tag of the page, then the first', () => {
    assert.equal(closestTag('pt-PT', ['pt-BR', 'pt-PT']), 'pt-PT')
    assert.equal(closestTag('pt-AO', ['pt-BR', 'pt-PT']), 'pt-BR')
    assert.equal(closestTag('en-GB', ['en', 'en-GB']), 'en-GB')
    assert.equal(closestTag('en-US', ['en', 'en-GB']), 'en')
  })
})
