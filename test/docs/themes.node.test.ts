import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { colorPairs } from '../../stories/color-pairs.ts'

const folder = new URL('../../docs/themes/', import.meta.url)

describe('the token sheets in docs/themes', () => {
  const files = readdirSync(folder)

  it('are those that docs/theming.md lists', () => {
    const text = readFileSync(new URL('../theming.md', folder), 'utf8')
    assert.deepEqual([...text.matchAll(/\(themes\/([\w-]+\.css)\)/g)].map(([, name]) => name).sort(), files)
  })

  for (const file of files) {
    it(`have enough contrast in light and dark: ${file}`, () => {
      assert.deepEqual(weakPairs(readFileSync(new URL(file, folder), 'utf8')), [])
    })
  }

  it('fail if a color is too weak, or missing (control)', () => {
    const css = readFileSync(new URL('govuk.css', folder), 'utf8')
    const weak = css.replace(/--wf-focus: .*;/, '--wf-focus: light-dark(#ffdd00, #ffdd00);')
    assert.match(weakPairs(weak).join(), /^--wf-focus on --wf-surface, light: 1\.3/)
    assert.throws(() => weakPairs(css.replace('--wf-text', '--wf-txt')), /--wf-text has no color/)
  })
})

function weakPairs(css: string): string[] {
  return ['light', 'dark'].flatMap((scheme, at) =>
    colorPairs.flatMap(([front, back, least]) => {
      const [one, other] = [front, back].map((name) => luminance(colorOf(css, name, at)))
      const contrast = (Math.max(one!, other!) + 0.05) / (Math.min(one!, other!) + 0.05)
      return contrast < least ? [`${front} on ${back}, ${scheme}: ${contrast.toFixed(2)}`] : []
    }),
  )
}

function colorOf(css: string, name: string, at: number): string {
  const value = new RegExp(`${name}: ([^;]+);`).exec(css)?.[1] ?? ''
  const colors = value.match(/#[\da-f]{6}/g)
  const color = colors?.[at] ?? colors?.[0]
  if (!color) throw new Error(`${name} has no color`)
  return color
}

/** The relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
