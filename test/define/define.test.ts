import { expect } from '@open-wc/testing'
import { define } from '../../src/define/define.ts'

describe('define()', () => {
  it('leaves a tag that is taken as it is, with one warning (F43)', () => {
    class First extends HTMLElement {}
    class Second extends HTMLElement {}
    const warnings: unknown[] = []
    const warn = console.warn
    console.warn = (text: unknown) => warnings.push(text)
    try {
      define('x-first', First)
      define('x-first', First)
      expect(warnings).to.deep.equal([])
      define('x-first', Second)
    } finally {
      console.warn = warn
    }

    expect(customElements.get('x-first')).to.equal(First)
    expect(warnings).to.deep.equal(['<x-first> is already defined; the first definition stays.'])
  })
})
