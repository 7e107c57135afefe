import assert from 'node:assert/strict'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { publint } from 'publint'
import { productionPackages } from './dependencies.ts'
import { pack, type Packed } from './packed.ts'

// Checks the package that `npm publish` would publish now.

/** Patterns of all files in the package. Each pattern has to match at least one file. */
const expected = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|llms\.txt|custom-elements\.json)$/,
  /^docs\/(?:[a-z-]+\.(?:md|conf)|language-template\.js)$/,
  /^docs\/deploy\/(?:Containerfile|README\.md|[a-z]+\.(?:service|yaml))$/,
  /^docs\/stacks\/[\w./-]+\.(?:conf|cs|cshtml|html|java|json|md|php|properties|py|yml)$/,
  /^docs\/themes\/[\w-]+\.css$/,
  /^lib\/(?:index|(?:cli|client|conformance|contract|define|elements|emulator|proxy|react)\/[a-z0-9./-]+|locales\/[A-Za-z-]+)\.js$/,
  /^lib\/(?:index|(?:cli|client|conformance|contract|define|elements|emulator|proxy|react)\/[a-z0-9./-]+|locales\/[A-Za-z-]+)\.d\.ts$/,
  /^lib\/cli\/demo\/(?:(?:page|form|console|admin|denied)\.html|page\.css|crest\.svg)$/,
  /^dist\/(?:routeslip|routeslip-autoload)\.js$/,
  /^dist\/late\/[a-z-]+\.js$/,
  /^dist\/chunks\/[\w.-]+\.js$/,
  /^dist\/locales\/[a-z]{2,3}(?:-[A-Z][A-Za-z]+)?\.js$/,
  /^dist\/(?:integrity|importmap|sbom\.cdx)\.json$/,
  /^dist\/THIRD_PARTY_LICENSES\.md$/,
  /^dist\/editors\/(?:vscode\.(?:html|css)-custom-data|web-types)\.json$/,
  /^dist\/types\/[a-z]+\.d\.ts$/,
]

/** Licences that allow everybody to use and redistribute a dependency. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

/** Sources that only the scripts in `dist` contain. */
const onlyInScripts = ['define/drop-in.ts', 'elements/drop-in-order.ts']

/** Maximum size of the tarball in bytes. */
const maxSize = 1_300_000

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
  let packed: Packed
  before(() => {
    packed = pack(folder)
  })
  after(() => rmSync(folder, { recursive: true }))

  const read = (path: string) => {
    const text = packed.files.get(path)
    assert.ok(text !== undefined, `${path} is missing in the package`)
    return text
  }

  it('contains the expected files and no others', () => {
    const paths = [...packed.files.keys()]
    const others = paths.filter((path) => !expected.some((pattern) => pattern.test(path)))
    assert.deepEqual(others, [], 'unexpected files')
    const missing = expected.filter((pattern) => !paths.some((path) => pattern.test(path)))
    assert.deepEqual(missing, [], 'missing files')
    assert.ok(packed.bytes.length < maxSize, `${packed.bytes.length} bytes`)
  })

  it('contains a module and its types for each source, and no others', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts') && !onlyInScripts.includes(path))
      .map((path) => path.replace(/\.ts$/, ''))
    const made = (extension: RegExp) =>
      [...packed.files.keys()]
        .filter(
          (path) => path.startsWith('lib/') && extension.test(path) && !path.startsWith('lib/cli/demo/'),
        )
        .map((path) => path.slice('lib/'.length).replace(extension, ''))
    assert.deepEqual(made(/\.js$/).sort(), sources.sort())
    assert.deepEqual(made(/\.d\.ts$/).sort(), sources.sort())
  })

  it('contains no paths of the build machine and no secrets', () => {
    const registry = execFileSync('npm', ['config', 'get', 'registry', '--loglevel=error'], {
      encoding: 'utf8',
    })
    const marks = [
      new RegExp(`${escape(process.cwd())}|${escape(homedir())}/|${escape(tmpdir())}/routeslip`),
      /\/(?:home|Users|root)\/[\w.-]+\/|[A-Z]:\\\w/,
      new RegExp(`${escape(new URL(registry).host)}|registry\\.npmjs\\.org`),
      /_authToken|\bnpm_[A-Za-z0-9]{36}|\bgh[pousr]_[A-Za-z0-9]{36}|\bAKIA[A-Z0-9]{16}/,
      /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
    ]
    const found = [...packed.files].flatMap(([path, text]) =>
      marks.flatMap((mark) => mark.exec(text)?.[0] ?? []).map((what) => `${path}: ${what}`),
    )
    assert.deepEqual(found, [])
  })

  it('refers only to source maps that exist', () => {
    const maps = [...packed.files].flatMap(([path, text]) =>
      [...text.matchAll(/^\/\/[#@] sourceMappingURL=(.+)$/gm)].map(([, map = '']) => `${path} ${map}`),
    )
    assert.deepEqual(maps, [])
  })

  it('has an entry that defines each element, and one that exports its class', () => {
    const { exports } = JSON.parse(read('package.json')) as { readonly exports: Record<string, unknown> }
    const tags = [...read('lib/define/autoload.js').matchAll(/^ {4}'([a-z]+-[a-z-]+)': async/gm)].map(
      ([, tag]) => tag,
    )
    assert.ok(tags.length >= 7, 'the tags were found')
    const under = (folder: string) =>
      Object.keys(exports).flatMap((entry) => (entry.startsWith(folder) ? entry.slice(folder.length) : []))
    assert.deepEqual(under('./elements/').sort(), tags.toSorted())
    assert.deepEqual(under('./define/').sort(), [...tags, 'autoload'].sort())
  })

  it('passes publint', async () => {
    const { buffer, byteOffset, byteLength } = packed.bytes
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
    const { messages } = await publint({ pack: { tarball }, strict: true })
    assert.deepEqual(messages, [])
  })

  it('has types that resolve in every module resolution that supports exports', async () => {
    const types = [...packed.files.keys()].flatMap(
      (path) => /^dist\/(types\/[a-z]+)\.d\.ts$/.exec(path)?.[1] ?? [],
    )
    const { entrypoints, problems } = (await checkPackage(createPackageFromTarballData(packed.bytes), {
      includeEntrypoints: ['./locales/es', ...types.map((name) => `./${name}`)],
    })) as Analysis
    assert.ok(Object.keys(entrypoints).length > 25, 'all entries were looked at')
    // The package supports neither `require` nor resolution that ignores `exports`.
    const ours = problems.filter(
      ({ resolutionKind = '' }) => !['node10', 'node16-cjs'].includes(resolutionKind),
    )
    assert.deepEqual(ours, [])
  })

  describe('its dependencies', () => {
    it('have licences that allow everybody to use and redistribute them', () => {
      const packages = productionPackages()
      assert.ok(packages.length > 50, 'they were found')
      const others = packages.filter(({ path, license = '' }) => {
        const manifest = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as {
          readonly license?: string
        }
        return !allowed.includes(license) || manifest.license !== license
      })
      assert.deepEqual(others, [])
    })

    it('are the packages in the SBOM', () => {
      const text = read('dist/sbom.cdx.json')
      const sbom = JSON.parse(text) as Sbom
      assert.equal(sbom.bomFormat, 'CycloneDX')
      assert.equal(sbom.metadata.component['bom-ref'], `routeslip@${version()}`)
      assert.equal(sbom.metadata.component.name, 'routeslip')
      assert.deepEqual(
        sbom.components.map(({ name, version }) => `${name}@${version}`).sort(),
        productionPackages()
          .map(({ name, version }) => `${name}@${version}`)
          .sort(),
      )
      const unlicensed = sbom.components.filter(
        ({ licenses }) => !allowed.includes(licenses?.[0]?.license.id ?? ''),
      )
      assert.deepEqual(unlicensed, [])
      assert.deepEqual(text.match(/https?:\/\/[^"]+/g), [sbom.$schema], 'no addresses')
      assert.doesNotMatch(text, /node_modules|file:/)
    })

    it('have their licences beside the scripts that contain them', () => {
      const text = read('dist/THIRD_PARTY_LICENSES.md')
      const named = [...text.matchAll(/(@?[\w./-]+) (\d+\.\d+\.\d+) \(([\w.-]+)\)/g)]
      const packages = productionPackages()
      for (const [, name, version, license] of named) {
        const locked = packages.find((one) => one.name === name)
        assert.deepEqual([locked?.version, locked?.license], [version, license], name)
      }
      const names = named.map(([, name]) => name)
      for (const name of ['lit', 'lit-html', 'lit-element', '@lit/reactive-element', '@lit/task'])
        assert.ok(names.includes(name), `${name} is not named`)
      assert.match(text, /Copyright \(c\) 2017 Google LLC[.] All rights reserved[.]/)
    })
  })

  function version(): string {
    return (JSON.parse(read('package.json')) as { readonly version: string }).version
  }
})

/** Escapes a text for use in a pattern. */
function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

interface Analysis {
  readonly entrypoints: Readonly<Record<string, unknown>>
  readonly problems: readonly { readonly kind: string; readonly resolutionKind?: string }[]
}

interface Sbom {
  readonly $schema: string
  readonly bomFormat: string
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } }
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly licenses?: readonly { readonly license: { readonly id?: string } }[]
  }[]
}
