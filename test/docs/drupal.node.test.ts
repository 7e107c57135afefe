import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { readElements } from '../../scripts/docs/manifest.ts'

// The recipe for Drupal is not run, so these tests compare the names in its files with one another.

const folder = new URL('../../docs/stacks/drupal/routeslip/', import.meta.url)
const recipe = readFileSync(new URL('../../docs/stacks/README.md', import.meta.url), 'utf8')
const section = /\n## Drupal\n([^]*?)\n## /.exec(recipe)?.[1] ?? ''

describe('the recipe for Drupal', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
  const settings = files.filter((file) => file.endsWith('.yml'))
  const elements = new Map(readElements().map(({ tagName, attributes }) => [tagName, attributes]))

  it('names classes and methods that exist', () => {
    const named = settings
      .flatMap((file) => [...read(file).matchAll(/(Drupal\\routeslip\\[\w\\]+)(?:::(\w+))?/g)])
      .map(([, name = '', method]) => [name, method] as const)
    assert.ok(named.length >= 3, settings.join())
    for (const [name, method] of named) {
      const text = read(`src/${name.replace('Drupal\\routeslip\\', '').replaceAll('\\', '/')}.php`)
      const [, space, type] = /^namespace ([\w\\]+);[^]*?^final class (\w+)/m.exec(text) ?? []
      assert.equal(`${space}\\${type}`, name)
      if (method !== undefined) assert.match(text, new RegExp(`public function ${method}\\(`))
    }
  })

  it('has settings that are indented with spaces, and the library that its parts attach', () => {
    for (const file of settings) assert.doesNotMatch(read(file), /\t|^ (?! )|^(?:  )* \w/m, file)
    const library = /^(\w+):\n/m.exec(read('routeslip.libraries.yml'))?.[1]
    const attached = [
      ...`${section}${read('src/Plugin/Block/RouteslipBlock.php')}`.matchAll(/'routeslip\/(\w+)'/g),
    ]
    assert.ok(attached.length >= 3)
    for (const [, name] of attached) assert.equal(name, library)
    const path = /^ {4}(\/libraries\/routeslip)\/routeslip-autoload\.js:/m.exec(
      read('routeslip.libraries.yml'),
    )?.[1]
    assert.ok(path && section.includes(`web${path}\``))
  })

  it('names settings, files and a folder as the controller reads them', () => {
    const controller = read('src/Controller/RouteslipController.php')
    for (const name of ['routeslip_proxy', 'routeslip_front_secret']) {
      assert.ok(controller.includes(`Settings::get('${name}')`), name)
      assert.ok(section.includes(`$settings['${name}']`), name)
    }
    assert.match(controller, /dirname\(__DIR__, 2\) \. '\/RouteslipForwarder\.php'/)
    for (const [, path = ''] of section.matchAll(/\]\(([^)#]+)/g))
      assert.ok(existsSync(new URL(`../../docs/stacks/${path}`, import.meta.url)), path)
  })

  it('offers elements and attributes that exist', () => {
    const block = read('src/Plugin/Block/RouteslipBlock.php')
    const tags = [...block.matchAll(/^ +'([a-z]+-[a-z-]+)' => '/gm)].map(([, tag = '']) => tag)
    assert.ok(tags.length >= 5, tags.join())
    for (const tag of tags) assert.ok(elements.has(tag), tag)
    const names = [...block.matchAll(/^ +'([a-z-]+)' => (?:'\/api\/wf'|\$this->configuration|\\Drupal)/gm)]
    assert.ok(names.length >= 4)
    const known = new Set([...elements.values()].flatMap((all) => all.map(({ name }) => name)))
    for (const [, name = ''] of names) assert.ok(known.has(name), name)
    const [, tag = '', allowed = ''] = /`<([a-z]+-[a-z-]+) ([a-z -]+)>`/.exec(section) ?? []
    for (const name of allowed.split(' '))
      assert.ok(
        elements.get(tag)?.some((attribute) => attribute.name === name),
        `${tag} ${name}`,
      )
  })
})
