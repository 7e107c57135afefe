import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  accessibilityText,
  conformanceOf,
  criteria,
  type ElementResults,
  type Results,
} from '../../scripts/docs/accessibility.ts'
import { readElements } from '../../scripts/docs/manifest.ts'
import { themingText, tokenDefaults } from '../../scripts/docs/theming.ts'
import { generated, present, written } from '../../scripts/docs/write.ts'

const fix = 'Update it with: node --import tsx scripts/docs/write.ts'

describe('the generated parts of docs', () => {
  for (const name of generated) {
    it(`match the sources: ${name}`, async () => {
      assert.equal(present(name), await written(name), fix)
    })
  }
})

describe('docs/theming.md', () => {
  it('lists every token that the styles use, with its default', () => {
    const text = present('theming.md')
    const tokens = tokenDefaults()
    assert.ok(tokens.size >= 15, `${tokens.size} tokens were found`)
    for (const [token] of tokens) assert.ok(text.includes(`| \`${token}\``), `${token} is in the table`)
  })

  it('lists no token that no style uses', () => {
    const tokens = tokenDefaults()
    const documented = readElements().flatMap(({ cssProperties }) => cssProperties.map(({ name }) => name))
    assert.deepEqual(
      documented.filter((name) => !tokens.has(name)),
      [],
    )
  })

  it('describes each token for each element', () => {
    const element = { attributes: [], events: [], slots: [], summary: '', description: '' }
    const text = themingText([
      { ...element, tagName: 'a-one', cssParts: [{ name: 'x', description: 'One.' }], cssProperties: [] },
      { ...element, tagName: 'a-two', cssParts: [{ name: 'x', description: 'Two.' }], cssProperties: [] },
    ])
    assert.match(text, /^- \*\*`x`\*\* `<a-one>`: One\. `<a-two>`: Two\.$/m)
  })
})

describe('docs/accessibility.md', () => {
  const results = (more: Partial<ElementResults>) => ({
    axe: '1',
    date: '2026-11-23',
    elements: {
      'wf-history': { states: ['all'], passed: {}, undecided: {}, violated: {}, checks: {}, ...more },
    },
  })
  const row = (more: Partial<ElementResults>, number: string) =>
    new RegExp(`^\\| ${number} .*? \\| ([\\w ]+?) +\\| (.*) \\|$`, 'm').exec(accessibilityText(results(more)))

  it('lists each of the 55 criteria of WCAG 2.2, levels A and AA, once', () => {
    assert.equal(new Set(criteria.map(({ number }) => number)).size, criteria.length)
    assert.equal(criteria.filter(({ level }) => level === 'A').length, 31)
    assert.equal(criteria.filter(({ level }) => level === 'AA').length, 24)
  })

  it('has the terms of the VPAT: fails in all, in some, nothing known, everything known', () => {
    const level = (number: string, ...each: readonly Partial<ElementResults>[]) => {
      const [one] = Object.values(results({}).elements)
      const elements = Object.fromEntries(each.map((more, at) => [`wf-${at}`, { ...one!, ...more }]))
      const found = criteria.find((criterion) => criterion.number === number)!
      return conformanceOf(found, { axe: '1', date: '2026-11-23', elements })[0]
    }
    const good = { checks: { keyboard: [] } }
    const bad = { checks: { keyboard: ['a button'] } }
    assert.equal(level('2.1.1', bad, bad), 'Does Not Support')
    assert.equal(level('2.1.1', good, bad), 'Partially Supports')
    assert.equal(level('2.1.1', good, {}), 'Not Evaluated')
    assert.equal(level('2.1.1', good, good), 'Supports')
    assert.equal(level('2.2.1', good), 'Supports')
    assert.equal(level('1.2.1', good), 'Not Applicable')
  })

  it('leaves no criterion of levels A and AA unevaluated', () => {
    const recorded = JSON.parse(
      readFileSync(new URL('../../docs/accessibility.json', import.meta.url), 'utf8'),
    ) as Results
    const open = criteria.filter((criterion) => conformanceOf(criterion, recorded)[0] === 'Not Evaluated')
    assert.deepEqual(
      open.map(({ number }) => number),
      [],
    )
  })

  it('claims only the results of the tests', () => {
    const level = (more: Partial<ElementResults>, number: string) => row(more, number)?.[1]
    assert.equal(level({}, '1.1.1'), 'Not Evaluated')
    assert.equal(level({ passed: { '1.1.1': ['image-alt'] } }, '1.1.1'), 'Supports')
    assert.equal(level({ violated: { '1.1.1': ['image-alt'] } }, '1.1.1'), 'Does Not Support')
    assert.equal(level({ checks: { keyboard: [] } }, '2.1.1'), 'Supports')
    assert.equal(level({ checks: { keyboard: ['a button'] } }, '2.1.1'), 'Does Not Support')
    assert.match(row({ passed: { '1.1.1': ['image-alt'] } }, '1.1.1')?.[2] ?? '', /axe: `image-alt`\./)
    assert.match(row({}, '2.5.7')?.[2] ?? '', /Does not apply to .*`<wf-history>`/)
  })
})
