import { expect } from '@open-wc/testing'
import { define, skip } from '../../src/define/define.ts'

describe('define() @engines', () => {
  it('keeps the first definition of a tag and logs one warning (F43)', async () => {
    class First extends HTMLElement {}
    class Second extends HTMLElement {}
    class Other extends HTMLElement {}
    const warnings: unknown[] = []
    const warn = console.warn
    console.warn = (text: unknown) => warnings.push(text)
    try {
      define('x-first', First)
      define('x-first', First)
      define('x-other', Other)
      await Promise.resolve()
      expect(warnings).to.deep.equal([])
      define('x-first', Second)
      skip('x-other')
      await Promise.resolve()
    } finally {
      console.warn = warn
    }

    expect(customElements.get('x-first')).to.equal(First)
    expect(warnings).to.deep.equal(['Already defined, so the first definition stays: <x-first>, <x-other>.'])
  })
})
