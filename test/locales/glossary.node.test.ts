import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { english } from '../../src/locales/english.ts'
import { languages } from '../../src/locales/index.ts'

/** A row of a list in docs/languages.md. */
interface Row {
  readonly term: string
  /** The words of the language, and those that it does not use for this term. */
  readonly words: readonly RegExp[]
  readonly insteadOf: readonly RegExp[]
}

/** The messages that a language words without the term, because a sentence of its own needs no word for it. */
const wordedOtherwise: Readonly<Record<string, readonly string[]>> = {
  ar: ['request: savedRoute.overrides.DELEGATE', 'office: officeList.foundMore'],
  de: ['void: packageActions.consequences.unvoidPackage'],
  fr: ['upload: formOutcome.fileWaits', 'void: history.verbs.unvoid'],
  ja: [
    'request: overrides.delegateChoice',
    'request: pause.reasonMissing',
    'request: pause.continues',
    'request: pause.waits',
    'request: formReview.effect',
    'request: route.optOut',
    'request: route.nobodyAt',
    'office: officeList.amongLoaded',
  ],
  ko: [
    'request: pause.reasonMissing',
    'request: pause.continues',
    'request: pause.waits',
    'request: formReview.effect',
    'request: route.optOut',
    'request: route.nobodyAt',
  ],
  ru: [
    'request: overrides.later',
    'office: officeList.foundMore',
    'office: officeList.amongLoaded',
    'share: shares.sharing',
  ],
  vi: ['void: history.verbs.unvoid'],
  'zh-Hans': ['request: pause.reasonMissing'],
}

const glossaries = readGlossaries(readFileSync(new URL('../../docs/languages.md', import.meta.url), 'utf8'))

describe('glossary', () => {
  it('has a list for each language, with the same terms', () => {
    assert.deepEqual([...glossaries.keys()].sort(), Object.keys(languages).sort())
    const terms = [...glossaries.values()].map((rows) => rows.map(({ term }) => term).join())
    assert.equal(new Set(terms).size, 1)
    assert.match(terms[0]!, /request.*upload.*submit.*undo/)
  })

  for (const [tag, fetch] of Object.entries(languages)) {
    it(`has the words of the messages in "${tag}"`, async () => {
      assert.deepEqual(deviations(await fetch(), glossaries.get(tag)!), [...(wordedOtherwise[tag] ?? [])])
    })
  }

  it('reports a message with another word, and one without any', async () => {
    const spanish = await languages.es!()
    const changed = {
      ...spanish,
      common: { ...spanish.common, missing: 'Este expediente no existe.' },
      history: { ...spanish.history, stop: { other: 'Parada #' }, futureFailed: 'Etapas y paradas.' },
    }
    assert.deepEqual(deviations(changed, glossaries.get('es')!), [
      'request: common.missing',
      'stop: history.stop',
      'stop: history.futureFailed',
    ])
  })
})

/** Returns the messages that lack the words of a term in their English text, or have a word that stands for another. */
function deviations(messages: object, rows: readonly Row[]): readonly string[] {
  const given = new Map(leaves(messages))
  const deviating = rows.flatMap(({ term, words, insteadOf }) =>
    leaves(english)
      .filter(([path, text]) => inEnglish(term).test(text) && !path.startsWith('packageStatus.voidReasons'))
      .filter(([path]) => {
        const text = given.get(path)!
        return !words.some((word) => word.test(text)) || insteadOf.some((word) => word.test(text))
      })
      .map(([path]) => `${term}: ${path}`),
  )
  return [...new Set(deviating)]
}

/** "Stop sharing" is not about a stop. */
function inEnglish(term: string): RegExp {
  if (term === 'stop') return /\bstops?\b(?! sharing)/i
  if (term === 'share') return /\bshar(?:e|ed|ing)\b/i
  if (term === 'request') return /\b(?:request|package)\b/i
  return new RegExp(`\\b${term}`, 'i')
}

function readGlossaries(document: string): ReadonlyMap<string, readonly Row[]> {
  return new Map(
    document.split('\n### ').flatMap((section) => {
      const tag = /^.+: `([^`]+)`\n/.exec(section)?.[1]
      const rows = section.split('\n').filter((line) => line.startsWith('- '))
      return tag ? [[tag, rows.map(readRow)] as const] : []
    }),
  )
}

function readRow(line: string): Row {
  const [, term = '', cell = ''] = /^- ([\w-]+): (.+)$/.exec(line) ?? []
  const [words = '', insteadOf = ''] = cell.split('; not ')
  return { term, words: patterns(words), insteadOf: patterns(insteadOf) }
}

function patterns(cell: string): readonly RegExp[] {
  const words = cell.split(', ').filter((word) => word !== '')
  return words.map((word) => new RegExp(word.replace(/ ?… ?/g, '.*'), 'iu'))
}

/** Returns each text by its path, without its placeholders. The forms of one message are one text. */
function leaves(messages: object, path = ''): readonly (readonly [path: string, text: string])[] {
  return Object.entries(messages).flatMap(([name, message]: [string, unknown]) => {
    const inner = path ? `${path}.${name}` : name
    if (typeof message === 'string') return [[inner, message.replace(/\{\w+\}/g, '')] as const]
    const forms = Object.values(message as Readonly<Record<string, unknown>>)
    return 'other' in (message as object)
      ? [[inner, forms.join(' ').replace(/\{\w+\}/g, '')] as const]
      : leaves(message as object, inner)
  })
}
