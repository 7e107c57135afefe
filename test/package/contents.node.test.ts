import assert from 'node:assert/strict'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { transformSync } from 'esbuild'
import { publint } from 'publint'
import { containedPackages } from '../../scripts/packages.mjs'
import { productionPackages } from './dependencies.ts'
import { parseDocument } from '../docs/documents.ts'
import { pack, type PackageName, type Packed } from './packed.ts'

// Checks the package that `npm publish` would publish now.

/** The packages that `npm run release` would publish now, and the patterns of their files. Each pattern has to match at least one. */
const packages: Readonly<Record<PackageName, Expected>> = {
  routeslip: {
    files: [
      ...documents(),
      /^docs\/(?:accessibility|browsers|drop-in|elements|frameworks|glossary|languages|moving-over|theming|wordpress)\.md$/,
      /^docs\/demo\.png$/,
      /^docs\/language-template\.js$/,
      /^docs\/themes\/[\w-]+\.css$/,
      /^(?:llms\.txt|custom-elements\.json)$/,
      /^lib\/(?:index|configure|languages|(?:client|contract|define|elements|react)\/[a-z0-9./-]+|locales\/[A-Za-z-]+)\.(?:js|js\.map|d\.ts)$/,
      /^dist\/(?:integrity|importmap|sbom\.cdx)\.json$/,
      /^dist\/editors\/(?:vscode\.(?:html|css)-custom-data|web-types)\.json$/,
      /^dist\/types\/[a-z]+\.d\.ts$/,
      ...scripts(),
    ],
    folders: ['client', 'contract', 'define', 'elements', 'locales', 'react'],
    sbom: 'dist/sbom.cdx.json',
    maxSize: 1_720_000,
    minDependencies: 5,
    minEntries: 25,
  },
  'routeslip-server': {
    files: [
      ...documents(),
      /^docs\/(?:emulator|other-stacks|policy|proxy|scale|testing)\.md$/,
      /^docs\/stacks\/[\w./-]+\.(?:conf|cs|cshtml|html|java|json|md|php|properties|py|yml)$/,
      /^docs\/nginx\.conf$/,
      /^docs\/deploy\/(?:Containerfile|README\.md|[a-z]+\.(?:service|yaml))$/,
      /^sbom\.cdx\.json$/,
      /^lib\/(?:cli\/(?:main|demo)|(?:conformance|contract|emulator|proxy|proxy\/node|testing)\/index|chunks\/[\w-]+)\.js(?:\.map)?$/,
      /^lib\/(?:conformance|contract|emulator|proxy|testing)\/[a-z0-9./-]+\.d\.ts$/,
      /^lib\/THIRD_PARTY_LICENSES\.md$/,
      /^lib\/cli\/demo\/(?:[a-z]+\.html|(?:page|admin)\.js|page\.css|crest\.svg)$/,
      ...scripts(),
    ],
    folders: ['cli', 'conformance', 'contract', 'emulator', 'proxy', 'testing'],
    sbom: 'sbom.cdx.json',
    maxSize: 1_650_000,
    minDependencies: 50,
    minEntries: 5,
  },
}

interface Expected {
  readonly files: readonly RegExp[]
  /** The folders of `src/` whose modules the package contains. */
  readonly folders: readonly string[]
  readonly sbom: string
  /** Maximum size of the tarball in bytes. */
  readonly maxSize: number
  readonly minDependencies: number
  readonly minEntries: number
}

function documents(): readonly RegExp[] {
  return [
    /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
    /^docs\/(?:architecture|public-api|reliability|security)\.md$/,
  ]
}

/** The scripts for pages without a build, with their licences. */
function scripts(): readonly RegExp[] {
  return [
    /^dist\/(?:routeslip|routeslip-autoload)\.js$/,
    /^dist\/late\/[a-z-]+\.js$/,
    /^dist\/chunks\/[\w.-]+\.js$/,
    /^dist\/locales\/[a-z]{2,3}(?:-[A-Z][A-Za-z]+)?\.js$/,
    /^dist\/THIRD_PARTY_LICENSES\.md$/,
  ]
}

/** Licences that allow everybody to use and redistribute a dependency. */
const allowed = ['0BSD', '(MIT AND Zlib)', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

/** A source that only the scripts in `dist` contain. */
const onlyInScripts = 'define/drop-in.ts'

/** The modules of the contract that no page imports. */
const serverContract = [
  'contract/index',
  'contract/services/own-service-operations',
  'contract/services/parse-query',
  'contract/values/byte-text',
  'contract/values/public-key',
  'contract/values/stream-body',
]

/** Returns the declarations in `lib` to which the entries of the package lead. */
function typesOfEntries(read: (path: string) => string, files: readonly string[]): readonly string[] {
  const { exports } = JSON.parse(read('package.json')) as { readonly exports: Record<string, unknown> }
  const used = new Set<string>()
  const visit = (path: string): void => {
    if (used.has(path)) return
    used.add(path)
    for (const [, target = ''] of read(path).matchAll(
      /\b(?:from|import)\b[\s(]*['"]([.][^'"]+)[.][jt]s['"]/g,
    ))
      visit(`${posix.join(posix.dirname(path), target)}.d.ts`)
  }
  for (const target of Object.values(exports)) {
    if (typeof target !== 'string' || !target.endsWith('.js')) continue
    const pattern = new RegExp(`^${escape(target.slice(2, -3)).replace('\\*', '[^/]+')}[.]d[.]ts$`)
    for (const path of files) if (pattern.test(path)) visit(path)
  }
  return [...used].map((path) => path.slice('lib/'.length, -'.d.ts'.length)).sort()
}

/** A repository that links of documents lead to. */
const repository = 'https://git.example.edu/forms/routeslip'

for (const name of Object.keys(packages) as PackageName[]) {
  describe(`the package ${name}`, () => {
    const expected = packages[name]
    const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
    let packed: Packed
    before(() => {
      packed = pack(name, folder, repository)
    })
    after(() => rmSync(folder, { recursive: true }))

    const read = (path: string) => {
      const text = packed.files.get(path)
      assert.ok(text !== undefined, `${path} is missing in the package`)
      return text
    }

    it('contains the expected files and no others', () => {
      const paths = [...packed.files.keys()]
      const others = paths.filter((path) => !expected.files.some((pattern) => pattern.test(path)))
      assert.deepEqual(others, [], 'unexpected files')
      const missing = expected.files.filter((pattern) => !paths.some((path) => pattern.test(path)))
      assert.deepEqual(missing, [], 'missing files')
      assert.ok(packed.bytes.length < expected.maxSize, `${packed.bytes.length} bytes`)
    })

    if (name === 'routeslip') {
      it('contains a module and its source map for each source, the types of its entries, and no others', () => {
        const made = (extension: RegExp) =>
          [...packed.files.keys()]
            .filter((path) => path.startsWith('lib/') && extension.test(path))
            .map((path) => path.slice('lib/'.length).replace(extension, ''))
            .sort()
        const sources = sourcesOf(expected.folders, 'index', 'configure', 'languages')
        // Pages need neither the schemas of the contract nor a library for schemas.
        const isSchema = (path: string) => isPart(path) && /'zod'/.test(readSource(path))
        const isPart = (path: string) => path.startsWith('contract/')
        const modules = sources.filter((path) => !isSchema(path) && !serverContract.includes(path)).sort()
        assert.deepEqual(made(/\.js$/), modules)
        const types = typesOfEntries(read, [...packed.files.keys()])
        assert.deepEqual(made(/\.d\.ts$/), types)
        const ofList = types.filter((path) => path.startsWith('elements/wf-list/'))
        assert.ok(ofList.includes('elements/wf-list/wf-list'), 'control')
        assert.ok(!ofList.includes('elements/wf-list/late'), 'control: no entry refers to it')
        assert.deepEqual(
          serverContract.filter((path) => types.includes(path)),
          [],
        )
        // Those of texts, styles, event classes, imports and single definitions help nobody.
        const isData = (path: string) =>
          /^locales\/(?:en|en-[a-z-]+|[a-z]{2}(?:-[A-Z]\w+)?)$|(?:\.styles|\.events|(?:^|\/)late)$|^(?:define|react)\/(?:wf|fs|routing)-[a-z-]+$/.test(
            path,
          )
        const mapped = modules.filter((path) => !isData(path))
        assert.deepEqual(made(/\.js\.map$/), mapped)
        for (const path of modules.filter(isData))
          assert.doesNotMatch(packed.files.get(`lib/${path}.js`) ?? '', /sourceMappingURL/, path)
        assert.ok(mapped.includes('locales/messages') && modules.includes('locales/en-upload'), 'control')
      })
    } else {
      it('contains each source in a few modules with source maps, and the types of its entries', () => {
        const modules = [...packed.files.keys()].filter(isModule)
        assert.ok(modules.length < 80, `${modules.length} modules`)
        const mapped = modules.filter((path) => packed.files.has(`${path}.map`))
        const found = mapped.flatMap((path) => {
          const { sources, sourcesContent } = JSON.parse(read(`${path}.map`)) as SourceMap
          return sources.flatMap((source, index) => {
            const [, module = ''] = /^(?:[.][.]\/)+src\/(.+)[.]ts$/.exec(source) ?? []
            if (module) assert.equal(sourcesContent[index], readSource(module), source)
            else assert.equal(sourcesContent[index], null, source)
            return module || []
          })
        })
        assert.deepEqual(found.toSorted(), [...new Set(found)].sort(), 'each is there once')
        const missing = sourcesOf(expected.folders).filter(
          (path) => !found.includes(path) && transformSync(readSource(path), { loader: 'ts' }).code,
        )
        // The first five are for pages. The others only export what others contain.
        const entries = ['conformance', 'emulator', 'proxy', 'proxy/node', 'testing'].map(
          (folder) => `${folder}/index`,
        )
        assert.deepEqual(
          missing.sort(),
          [
            'contract/for-pages',
            'contract/readers/form-list-readers',
            'contract/readers/list-readers',
            'contract/readers/lock-readers',
            'contract/values/media-types',
            ...entries,
          ].sort(),
        )
        const others = modules.filter((path) => !mapped.includes(path)).map(read)
        assert.ok(others.length < 3, 'only modules of other packages have no source map')
        for (const text of others) assert.doesNotMatch(text, /sourceMappingURL|[/][/] src[/]/)
        // The proxy looks for the modules of its threads beside the modules that start them.
        const starting = modules.filter((path) => /\bnew Worker\(/.test(read(path)))
        assert.deepEqual(starting.map(posix.dirname), ['lib/chunks'])
        for (const name of ['work-thread', 'database-thread'])
          assert.ok(modules.includes(`lib/chunks/${name}.js`), name)
      })

      it('does not install the packages that its modules contain, and has their licences', () => {
        const { dependencies } = JSON.parse(read('package.json')) as { readonly dependencies: object }
        const text = read('lib/THIRD_PARTY_LICENSES.md')
        const all = productionPackages(name)
        for (const contained of containedPackages) {
          assert.ok(!(contained in dependencies), contained)
          const { version, license } = all.find((one) => one.name === contained) ?? {}
          assert.ok(text.includes(`${contained} ${version} (${license})`), contained)
        }
        const imported = [...packed.files]
          .filter(([path]) => isModule(path))
          .flatMap(([, code]) => [...code.matchAll(/(?:\bfrom|\bimport\(|^import) ?"(@?\w[\w./-]*)"/gm)])
          .map(([, specifier = '']) =>
            specifier
              .split('/')
              .slice(0, specifier.startsWith('@') ? 2 : 1)
              .join('/'),
          )
          .filter((specifier) => !specifier.startsWith('node:') && !isBuiltin(specifier))
        assert.deepEqual(
          [...new Set(imported)].sort(),
          [...Object.keys(dependencies), '@opentelemetry/api'].sort(),
        )
      })
    }

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
      const found = [...packed.files].flatMap(([path, content]) => {
        const text = path.endsWith('.map') ? Object.values(JSON.parse(content) as object).join('\n') : content
        return marks.flatMap((mark) => mark.exec(text)?.[0] ?? []).map((what) => `${path}: ${what}`)
      })
      assert.deepEqual(found, [])
    })

    it('has source maps that contain the sources', () => {
      const modules = [...packed.files].filter(([path]) => isModule(path) && packed.files.has(`${path}.map`))
      assert.ok(modules.length > 20, 'they were found')
      for (const [path, text] of modules) {
        assert.match(text, new RegExp(`\n//# sourceMappingURL=${path.split('/').at(-1)}\\.map\\s*$`), path)
        const { sources, sourcesContent } = JSON.parse(read(`${path}.map`)) as SourceMap
        assert.equal(sourcesContent.length, sources.length, path)
        // A module that only exports what others contain has none.
        assert.ok(sources.length === 0 || sourcesContent.some(Boolean), path)
      }
    })

    it('has documents without dead links, whose other links lead to the repository', () => {
      const texts = [...packed.files].filter(
        ([path]) => /\.(?:md|txt)$/.test(path) && !path.startsWith('dist/'),
      )
      const links = texts.flatMap(([path, text]) =>
        parseDocument(path, text).links.map((link) => [path, link] as const),
      )
      const local = links.filter(([, link]) => !/^(?:[a-z]+:|#)/.test(link))
      assert.ok(local.length > 20, 'links were found')
      const places = [...packed.files.keys()]
      const dead = local.filter(([path, link]) => {
        const place = posix.join(posix.dirname(path), link.split('#')[0] ?? '').replace(/\/$/, '')
        return !places.some((each) => each === place || each.startsWith(`${place}/`))
      })
      assert.deepEqual(dead, [])
      const elsewhere = links.filter(([, link]) => link.startsWith(repository))
      assert.ok(
        elsewhere.some(
          ([path, link]) =>
            path === 'README.md' && link === `${repository}/blob/v${version()}/CONTRIBUTING.md`,
        ),
      )
      const gone = elsewhere.filter(
        ([, link]) => !existsSync(link.slice(`${repository}/blob/v${version()}/`.length).split('#')[0] ?? ''),
      )
      assert.deepEqual(gone, [])
      const commands = texts.flatMap(([path, text]) =>
        [...text.matchAll(/npm run (?:emulator|proxy|conformance|policy)\b/g)].map(() => path),
      )
      assert.deepEqual(commands, [], 'consumers use npx routeslip')
    })

    it('has documents with the hash of its script', () => {
      const hash = createHash('sha384').update(read('dist/routeslip.js')).digest('base64')
      for (const document of ['README.md', ...(name === 'routeslip' ? ['docs/drop-in.md'] : [])]) {
        const tag = /\/routeslip\.js"\s+integrity="([^"]*)"/.exec(read(document))
        assert.equal(tag?.[1], `sha384-${hash}`, document)
      }
    })

    it('names its author and where it comes from, and nothing that only developers need', () => {
      const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, unknown>>
      const { license, author, homepage, bugs, repository: place } = manifest
      assert.deepEqual(
        { license, author, homepage, bugs, place },
        {
          license: 'MIT',
          author: 'The Routeslip authors',
          homepage: `${repository}#readme`,
          bugs: `${repository}/issues`,
          place: {
            type: 'git',
            url: `git+${repository}.git`,
            ...(name === 'routeslip-server' && { directory: 'server' }),
          },
        },
      )
      for (const key of ['scripts', 'devDependencies', 'workspaces', 'private', 'overrides'])
        assert.ok(!(key in manifest), key)
    })

    if (name === 'routeslip')
      it('has an entry that defines each element, and one that exports its class', () => {
        const { exports, ...manifest } = JSON.parse(read('package.json')) as Record<string, unknown> & {
          readonly exports: Record<string, unknown>
        }
        const tags = [...read('lib/define/autoload.js').matchAll(/^ {4}'([a-z]+-[a-z-]+)': async/gm)].map(
          ([, tag]) => tag,
        )
        assert.ok(tags.length >= 7, 'the tags were found')
        const under = (folder: string) =>
          Object.keys(exports).flatMap((entry) =>
            entry.startsWith(folder) ? entry.slice(folder.length) : [],
          )
        assert.deepEqual(under('./elements/').sort(), tags.toSorted())
        assert.deepEqual(under('./define/').sort(), [...tags, 'autoload'].sort())
        for (const network of ['unpkg', 'jsdelivr']) assert.equal(manifest[network], 'dist/routeslip.js')
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
      const patterns = name === 'routeslip' ? ['./locales/es', ...types.map((type) => `./${type}`)] : []
      const { entrypoints, problems } = (await checkPackage(createPackageFromTarballData(packed.bytes), {
        includeEntrypoints: patterns,
      })) as Analysis
      assert.ok(Object.keys(entrypoints).length > expected.minEntries, 'all entries were looked at')
      // The package supports neither `require` nor resolution that ignores `exports`.
      const ours = problems.filter(
        ({ resolutionKind = '' }) => !['node10', 'node16-cjs'].includes(resolutionKind),
      )
      assert.deepEqual(ours, [])
    })

    describe('its dependencies', () => {
      it('have licences that allow everybody to use and redistribute them', () => {
        const dependencies = productionPackages(name)
        assert.ok(dependencies.length >= expected.minDependencies, 'they were found')
        const others = dependencies.filter(({ path, license = '' }) => {
          const manifest = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as {
            readonly license?: string
          }
          return !allowed.includes(license) || manifest.license !== license
        })
        assert.deepEqual(others, [])
      })

      it('are the packages in the SBOM', () => {
        const text = read(expected.sbom)
        const sbom = JSON.parse(text) as Sbom
        assert.equal(sbom.bomFormat, 'CycloneDX')
        assert.equal(sbom.metadata.component['bom-ref'], `${name}@${version()}`)
        assert.equal(sbom.metadata.component.name, name)
        assert.deepEqual(
          sbom.components.map(({ name, version }) => `${name}@${version}`).sort(),
          [...new Set(productionPackages(name).map(({ name, version }) => `${name}@${version}`))].sort(),
        )
        const unlicensed = sbom.components.filter(
          ({ licenses: [first] = [] }) => !allowed.includes(first?.license?.id ?? first?.expression ?? ''),
        )
        assert.deepEqual(unlicensed, [])
        assert.deepEqual(text.match(/https?:\/\/[^"]+/g), [sbom.$schema], 'no addresses')
        assert.doesNotMatch(text, /node_modules|file:/)
      })

      it('have their licences beside the scripts that contain them', () => {
        const text = read('dist/THIRD_PARTY_LICENSES.md')
        // The scripts are the same in both packages.
        const dependencies = productionPackages('routeslip')
        const named = [...text.matchAll(/(@?[\w./-]+) (\d+\.\d+\.\d+) \(([\w.-]+)\)/g)]
        for (const [, name, version, license] of named) {
          const locked = dependencies.find((one) => one.name === name)
          assert.deepEqual([locked?.version, locked?.license], [version, license], String(name))
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
}

describe('package-lock.json', () => {
  it('installs all dependencies of the server where the sources find them', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      readonly packages: object
    }
    assert.deepEqual(
      Object.keys(packages).filter((path) => path.startsWith('server/')),
      [],
    )
  })
})

/** Whether a file of a package is a module that we built. */
function isModule(path: string): boolean {
  return path.startsWith('lib/') && path.endsWith('.js') && !path.startsWith('lib/cli/demo/')
}

/** Returns the modules of folders of `src/`, and others that are named. */
function sourcesOf(folders: readonly string[], ...others: readonly string[]): readonly string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && path !== onlyInScripts)
    .map((path) => path.replace(/\.ts$/, ''))
    .filter((path) => folders.includes(path.split('/')[0] ?? '') || others.includes(path))
}

function readSource(path: string): string {
  return readFileSync(`src/${path}.ts`, 'utf8')
}

/** Escapes a text for use in a pattern. */
function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

interface Analysis {
  readonly entrypoints: Readonly<Record<string, unknown>>
  readonly problems: readonly { readonly kind: string; readonly resolutionKind?: string }[]
}

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent: readonly (string | null)[]
}

interface Sbom {
  readonly $schema: string
  readonly bomFormat: string
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } }
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly licenses?: readonly {
      readonly license?: { readonly id?: string }
      readonly expression?: string
    }[]
  }[]
}
