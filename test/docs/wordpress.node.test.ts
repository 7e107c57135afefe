import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { fieldKinds } from '../../src/contract/values/values.ts'

// Checks of the WordPress plugin that need no WordPress. tools/stacks/wordpress.ts runs it in one.

const plugin = 'integrations/wordpress/routeslip/'
const phpPath = process.env['PHP'] ?? 'php'

describe('the WordPress plugin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-plugin-'))
  after(() => rmSync(folder, { recursive: true }))
  const files = readdirSync(plugin, { recursive: true, encoding: 'utf8' })
  const read = (file: string) => readFileSync(plugin + file, 'utf8')

  it('contains valid PHP that runs only inside WordPress', () => {
    const sources = files.filter((file) => file.endsWith('.php'))
    assert.ok(sources.length >= 15, sources.join())
    for (const file of sources) {
      const { status, stdout } = spawnSync(phpPath, ['-l', plugin + file], { encoding: 'utf8' })
      assert.equal(status, 0, stdout)
      assert.match(read(file), /^defined\( '(?:ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;$/m, file)
    }
  })

  it('names every kind of field', () => {
    const [, table = ''] =
      /function kinds\(\): array \{([^]*?)\n\t\}/.exec(read('includes/class-form.php')) ?? []
    const kinds = [...table.matchAll(/'(\w+)' +=> __/g)].map(([, kind]) => kind)
    assert.deepEqual(kinds.toSorted(), [...fieldKinds, 'none'].toSorted())
  })

  it('has a title and an icon for every block', () => {
    const { elements } = JSON.parse(read('elements.json')) as { readonly elements: Record<string, unknown> }
    for (const file of ['includes/class-elements.php', 'includes/class-blocks.php'])
      for (const tag of Object.keys(elements))
        assert.match(read(file), new RegExp(`'${tag}' +=>`), `${file}: ${tag}`)
  })

  for (const [kind, name] of [
    ['a label', 'labels'],
    ['a sentence', 'helps'],
  ] as const) {
    it(`has ${kind} for every attribute, and for none that no element has`, () => {
      const { elements } = JSON.parse(read('elements.json')) as {
        readonly elements: Readonly<Record<string, { readonly attributes: object }>>
      }
      const [, table = ''] =
        new RegExp(`function ${name}\\(\\): array \\{([^]*?)\\n\\t\\}`).exec(
          read('includes/class-elements.php'),
        ) ?? []
      const keys = [...table.matchAll(/'([\w-]+(?: [\w-]+)?)' +=> __/g)].map(([, key = '']) => key)
      const names = new Set(Object.values(elements).flatMap(({ attributes }) => Object.keys(attributes)))
      assert.deepEqual(
        keys.filter((key) => !key.includes(' ')),
        [...names].toSorted(),
      )
      // Where an attribute means something else in one element.
      const exceptions = keys.filter((key) => key.includes(' ')).map((key) => key.split(' '))
      assert.ok(exceptions.length > 0)
      for (const [tag = '', attribute = ''] of exceptions)
        assert.ok(attribute in (elements[tag]?.attributes ?? {}), `${tag} ${attribute}`)
    })
  }

  it('is packed with its scripts and the version of the package', () => {
    const zip = join(folder, 'plugin.zip')
    execFileSync(process.execPath, ['tools/wordpress/build.mjs', zip])
    const packed = unzip(readFileSync(zip))
    const names = [...packed.keys()]
    for (const name of [
      ...['routeslip.php', 'uninstall.php', 'elements.json', 'examples.json', 'LICENSE'],
      'languages/routeslip-de_DE.mo',
    ])
      assert.ok(names.includes(`routeslip/${name}`), name)
    for (const pattern of [/dist\/routeslip-autoload\.js$/, /dist\/chunks\/[\w.-]+\.js$/])
      assert.ok(
        names.some((name) => pattern.test(name)),
        String(pattern),
      )
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
    const main = packed.get('routeslip/routeslip.php') ?? ''
    assert.ok(main.includes(`\n * Version:           ${version}\n`))
    assert.ok(main.includes(`'${version}';`))
  })
})

/** Returns the texts in a zip file by path, from its central directory. */
function unzip(zip: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let at = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(at) === 0x02014b50;) {
    const [nameLength, size, offset] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 42),
    ]
    const content = zip.subarray(offset + 30 + nameLength, offset + 30 + nameLength + size)
    found.set(zip.toString('utf8', at + 46, at + 46 + nameLength), inflateRawSync(content).toString())
    at += 46 + nameLength
  }
  return found
}
