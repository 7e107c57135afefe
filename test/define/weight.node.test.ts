import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  addedWeight,
  type Build,
  buildAutoload,
  buildDropIn,
  buildOwn,
  heavyDependency,
  root,
  weigh,
} from '../../tools/bench/builds.ts'
import {
  addedLimits,
  autoloadLimit,
  autoloadedLimits,
  dropInLimit,
  dropInWithUploadsLimit,
  elementLimits,
} from '../../tools/bench/limits.ts'

const tags = Object.keys(elementLimits) as (keyof typeof elementLimits)[]

/** Asserts that the initial size of a page is below its limit, but close enough for the limit to be useful. */
function assertWithin(
  { first }: Build,
  { admitted, tags }: { readonly admitted: number; readonly tags?: readonly string[] },
): void {
  const { gzip } = weigh(first)
  const advice = `${tags ? `With ${tags.join(', ')}. ` : ''}See tools/bench/limits.ts.`
  assert.ok(gzip <= admitted, `${gzip} kB, at most ${admitted} are admitted. ${advice}`)
  assert.ok(gzip > admitted - 0.6, `Only ${gzip} kB: the limit of ${admitted} kB is too high. ${advice}`)
}

describe('the download size of a page', () => {
  for (const tag of tags) {
    it(`stays within its limit: <${tag}> alone`, async () => {
      assertWithin(await buildOwn(`src/define/${tag}.ts`), elementLimits[tag])
    })
  }

  for (const [tag, { admitted }] of Object.entries(addedLimits)) {
    it(`stays within its limit: what <${tag}> adds to the others`, async () => {
      const { gzip } = (await addedWeight(tag)).first
      assert.ok(gzip <= admitted, `${gzip} kB, at most ${admitted} are admitted. See tools/bench/limits.ts.`)
      assert.ok(gzip > admitted - 0.6, `Only ${gzip} kB: the limit of ${admitted} kB is too high.`)
    })
  }

  it('stays within its limit: all elements in one script', async () => {
    const built = await buildDropIn()
    assertWithin(built, dropInLimit)
    const uploads = built.later.filter(({ name }) => name === 'late/upload-elements.js')
    assertWithin({ first: [...built.first, ...uploads], later: [] }, dropInWithUploadsLimit)
    assert.deepEqual(
      built.later.map(({ name }) => name),
      [
        'late/comment-extras.js',
        'late/live-hints.js',
        'late/missing.js',
        'late/package-actions.js',
        'late/routing-notes.js',
        'late/upload-elements.js',
        'late/wf-badge.js',
      ],
    )
  })

  it('stays within its limit: the script that loads only the elements of a page', async () => {
    const pageWith = await buildAutoload()
    assertWithin(pageWith(), autoloadLimit)
    for (const limit of autoloadedLimits) assertWithin(pageWith(...limit.tags), limit)
  })

  it('exceeds its limit with one more dependency (control)', async () => {
    for (const size of [1, 20]) {
      const built = await buildOwn('src/define/wf-comments.ts', { seeds: [heavyDependency(size)] })
      assert.throws(
        () => assertWithin(built, elementLimits['wf-comments']),
        /are admitted/,
        `${size} kB more`,
      )
    }
  })

  it('matches the figures in the README', () => {
    const readme = readFileSync(`${root}README.md`, 'utf8')
    const [whole, least, most] = [
      dropInLimit.admitted,
      ...[Math.min, Math.max].map((pick) => pick(...tags.map((tag) => elementLimits[tag].admitted))),
    ].map((limit) => Math.round(limit ?? NaN))
    const { wanted } = elementLimits['fs-uploader']
    for (const sentence of [
      `The whole script is ${whole} kB (min + gzip)`,
      `A single element with these parts is ${least} kB`,
      `to ${most} kB`,
      `Our targets are ${dropInLimit.wanted} kB and ${wanted} kB`,
    ]) {
      assert.ok(readme.includes(sentence), `README.md does not contain: ${sentence}`)
    }
  })
})
