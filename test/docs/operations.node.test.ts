import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createClient } from '../../src/client/index.ts'
import { operations } from '../../src/contract/services/operations.ts'
import { type BrowserOperation, routes } from '../../src/contract/routes/routes.ts'
import { createOpenapi } from '../../src/proxy/openapi/openapi.ts'

// Walks the table of operations: each one has to be usable by a person, or the documents state why not.

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const names = Object.keys(operations)

/** What a browser never calls, because only the proxy needs it. */
const onlyForProxy = ['getPublicKey']

const client: object = createClient({ endpoint: 'https://site.test/api/wf', live: false })
const routeOf = (name: string) => routes[name as BrowserOperation]
const isLink = (name: string) => /^(?:redirect|file)$/.test(routeOf(name).response)

describe('each operation of the services', () => {
  const forBrowsers = names.filter((name) => !onlyForProxy.includes(name))

  it('has a method of the client, or is a link', () => {
    const missing = forBrowsers.filter((name) => !isLink(name) && !(name in client))
    assert.deepEqual(missing, [])
    assert.ok(!('getPublicKey' in client), 'control: others have none')
  })

  it('has a route of the proxy, and a description in its API', () => {
    const document = JSON.stringify(createOpenapi({ basePath: '/api/wf' }))
    assert.deepEqual(
      forBrowsers.filter((name) => !document.includes(`"operationId":"${name}"`)),
      [],
    )
    assert.ok(!document.includes('"operationId":"getPublicKey"'), 'control: others have none')
  })

  it('is documented', () => {
    const text = read('docs/other-stacks.md')
    assert.deepEqual(
      forBrowsers.filter((name) => !text.includes(`| \`${name}\``)),
      [],
    )
  })

  it('is used by an element, or the documents state why not', () => {
    const reasons = reasonsIn(read('docs/elements.md'))
    const used = usedIn('src/elements')
    assert.deepEqual(
      names.filter((name) => !used(name) && !reasons.has(name)),
      [],
    )
    assert.deepEqual(
      [...reasons.keys()].filter((name) => !names.includes(name)),
      [],
    )
    for (const [name, reason] of reasons) assert.match(reason, /^[A-Z].{20,}\.$/, name)
    assert.ok(!used('getPublicKey'), 'control: not everything is used')
  })
})

/** Returns the reasons in the table of operations without an element, by operation. */
function reasonsIn(document: string): ReadonlyMap<string, string> {
  const [, section = ''] = document.split('## Operations without an element')
  const rows = [...section.matchAll(/^\| (`.+?`) +\| (.+?) +\|$/gm)]
  return new Map(
    rows.flatMap(([, cell = '', reason = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, reason] as const),
    ),
  )
}

/** Returns a function that tells whether an element calls an operation or links to it. */
function usedIn(folder: string): (name: string) => boolean {
  const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  const source = files
    // The type of an event names operations without calling them.
    .filter((file) => file.endsWith('.ts') && !file.endsWith('events.ts'))
    .map((file) => read(`${folder}/${file}`))
    .join('\n')
  return (name) => new RegExp(`\\.${name}\\(|['"]${name}['"]|\\b${name}:`).test(source)
}
