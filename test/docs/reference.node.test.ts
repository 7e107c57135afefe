import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createReference, pages } from '../../scripts/docs/reference.ts'
import { type ProxyLimits, withDefaults } from '../../src/proxy/mount/options.ts'

const reference = createReference()

describe('the reference', () => {
  it('describes every export of the public modules, and each of its members', () => {
    assert.deepEqual(reference.undescribed, [])
  })

  it('finds exports and members without a description', () => {
    const modules = { undescribed: 'test/docs/undescribed.ts' }
    const { undescribed, pages } = createReference({ control: { title: 'Control', lead: '', modules } })
    assert.deepEqual(undescribed, ['run', 'Options', 'Options.silent', 'Inherited.silent'])
    const { control = '' } = pages
    assert.match(control, /^\| `told\?` \| Explained\.<br>`number` \|$/m)
    assert.match(control, /^function run\(_options: Options\): void$/m)
    assert.match(control, /^\| `kind` .*`"explained"` \|$/m)
    const count =
      /^\| `count` \| Explained\.<br>`\(options: `\[`Options`\]\(#options\)`, \.\.\.others: readonly number\[\]\) => number` \|$/m
    assert.match(control, count)
    assert.doesNotMatch(control, /hidden/)
  })

  it('begins each page with exports that exist', () => {
    for (const [id, { first = [] }] of Object.entries(pages))
      for (const name of first) assert.match(reference.pages[id]!, heading(name), `${name} on ${id}`)
  })

  it('has links that lead to a heading', () => {
    let links = 0
    for (const [id, text] of Object.entries(reference.pages))
      for (const [link, page = id, name = ''] of text.matchAll(
        /\]\((?:\?path=\/docs\/reference-(\w+)--docs)?#(\w+)\)/g,
      )) {
        links++
        assert.match(reference.pages[page]!, heading(name), `${link} on ${id}`)
      }
    assert.ok(links > 100, `${links} links were found`)
  })

  it('states the limits that the proxy has by default', () => {
    const identify = () => null
    const service = { baseUrl: 'http://service.test', clientId: 'a', clientSecret: 'b' }
    const { limits } = withDefaults({
      env: 'test',
      forms: [1],
      services: { workflow: service, storage: { ...service, objectOrigins: [] } },
      identity: { identify },
    })
    const [, section = ''] = reference.pages.proxy!.split('## ProxyLimits\n')
    const rows = section
      .split('\n## ')[0]!
      .matchAll(/^\| `(\w+)\?` .*?\bDefault ([\d,]+|null)(?: (kB|MB))?/gm)
    const stated = new Map(
      [...rows].map(([, name, number = '', unit]) => {
        const factor = unit === 'MB' ? 1024 ** 2 : unit === 'kB' ? 1024 : 1
        return [name, number === 'null' ? null : Number(number.replaceAll(',', '')) * factor]
      }),
    )
    assert.deepEqual(Object.fromEntries(stated), limits satisfies ProxyLimits)
  })

  it('has a page of the documentation site for each of its pages', () => {
    const folder = new URL('../../stories/docs/', import.meta.url)
    const shown = readdirSync(folder)
      .filter((file) => file.startsWith('reference-'))
      .map((file) => {
        const source = readFileSync(new URL(file, folder), 'utf8')
        const [, title = ''] = /title="Reference\/(\w+)"/.exec(source) ?? []
        assert.match(source, new RegExp(`/${title.toLowerCase()}\\.md\\?raw`), file)
        return title
      })
    const titles = Object.values(pages).map(({ title }) => title)
    assert.deepEqual(shown.toSorted(), titles.toSorted())
  })
})

/** Matches the heading of an export, in the case of letters that it has in its address or in the source. */
function heading(name: string): RegExp {
  return new RegExp(`^## ${name}(?:\\(\\))?$`, 'im')
}
