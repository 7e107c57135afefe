import { expect } from '@open-wc/testing'
import { configure, foreignOriginOf, fromPage } from '../../../src/elements/configuration/configuration.ts'
import { nextTurn } from '../../next-turn.ts'

// Each page reads its script once, so this file has one page with a script that is not valid.
describe('the configuration script of a page', () => {
  it('is searched once in a task, and again later @engines', async () => {
    expect(fromPage('endpoint')).to.equal(undefined)
    const script = addScript('null')
    const warnings = await warningsOf(() => {
      expect(fromPage('endpoint'), 'the script was added in the same task').to.equal(undefined)
    })
    expect(warnings).to.deep.equal([])
    await nextTurn()
    const expected = ['The script data-wf-config cannot be read: TypeError: expected an object']
    expect(await warningsOf(() => fromPage('endpoint'))).to.deep.equal(expected)
    await nextTurn()
    expect(await warningsOf(() => fromPage('formId')), 'one warning').to.deep.equal([])
    script.remove()
  })

  it('leaves the page to its other settings if it is not valid', () => {
    configure({ endpoint: '/api/wf' })
    configure({ formId: 6025 })
    expect([fromPage('endpoint'), fromPage('formId'), fromPage('packageId')]).to.deep.equal([
      '/api/wf',
      6025,
      undefined,
    ])
    configure({ formId: undefined })
    expect([fromPage('endpoint'), fromPage('formId')]).to.deep.equal(['/api/wf', undefined])
  })
})

describe('foreignOriginOf()', () => {
  it('returns the origin of an endpoint unless it is that of the page, or the page allows it', async () => {
    const other = 'https://other.example'
    for (const [endpoint, origin] of [
      ['', undefined],
      ['/api/wf', undefined],
      [`${location.origin}/api/wf`, undefined],
      ['https://', undefined],
      [`${other}/api/wf`, other],
      ['//other.example/api', `${location.protocol}//other.example`],
      ['http://other.example:8080/api', 'http://other.example:8080'],
    ] as const)
      expect(foreignOriginOf(endpoint), endpoint).to.equal(origin)
    configure({ origins: ['https://third.example', other] })
    expect(foreignOriginOf(`${other}/api/wf`)).to.equal(undefined)
    expect(foreignOriginOf('https://fourth.example/')).to.equal('https://fourth.example')

    const base = document.createElement('base')
    base.href = 'https://base.example/'
    await nextTurn()
    document.head.append(base)
    try {
      expect(foreignOriginOf('/api/wf'), 'relative to the base').to.equal('https://base.example')
    } finally {
      base.remove()
    }
  })
})

function addScript(text: string): HTMLScriptElement {
  const script = document.createElement('script')
  script.type = 'application/json'
  script.setAttribute('data-wf-config', '')
  script.textContent = text
  document.head.append(script)
  return script
}

/** Returns the warnings that an action writes to the console. */
async function warningsOf(action: () => unknown): Promise<unknown[]> {
  const { warn } = console
  const warnings: unknown[] = []
  console.warn = (...texts: unknown[]) => void warnings.push(...texts)
  try {
    await action()
  } finally {
    console.warn = warn
  }
  return warnings
}
