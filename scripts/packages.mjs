// Makes the two packages from the output of `npm run build`: `routeslip` for pages, `routeslip-server` for servers.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { filesBelow } from './files.mjs'

/** The documents about the elements in pages, which operators of a proxy do not need. */
const pageDocuments = [
  'docs/accessibility.md',
  'docs/browsers.md',
  'docs/demo.png',
  'docs/drop-in.md',
  'docs/elements.md',
  'docs/frameworks.md',
  'docs/glossary.md',
  'docs/language-template.js',
  'docs/languages.md',
  'docs/moving-over.md',
  'docs/themes',
  'docs/theming.md',
  'docs/wordpress.md',
]

/** The documents about running a proxy, which pages do not need. */
const serverDocuments = [
  'docs/deploy',
  'docs/emulator.md',
  'docs/nginx.conf',
  'docs/other-stacks.md',
  'docs/policy.md',
  'docs/proxy.md',
  'docs/scale.md',
  'docs/stacks',
  'docs/testing.md',
]

/** The documents that both packages contain. */
const documents = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
    .filter((file) => ![...pageDocuments, ...serverDocuments].includes(file)),
]

/** The files of each package by their place in the repository, if it differs. */
const packages = {
  routeslip: {
    from: '.',
    files: ['lib', 'dist', 'custom-elements.json', 'llms.txt', ...documents, ...pageDocuments],
  },
  'routeslip-server': {
    from: 'server',
    files: ['server/lib', 'server/sbom.cdx.json', ...demoFiles(), ...documents, ...serverDocuments],
  },
}

/**
 * Dependencies of the server that its modules contain (see server-modules.mjs), so that applications do not install them: of what
 * they bring, the server needs a small part. The SBOM lists them.
 */
export const containedPackages = ['@pdfme/pdf-lib']

/** Names of the packages. */
export const packageNames = Object.keys(packages)

/**
 * Writes a package into a folder, ready for `npm pack` and `npm publish`. `repository` is the address of the public repository,
 * such as `https://git.example.edu/routeslip/routeslip`. Links to files that are only there lead to it, or become text. Documents
 * get the hash of `routeslip.js` where their script tags have `sha384-…`.
 */
export function writePackage(name, folder, repository) {
  const { from, files } = packages[name]
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const included = files.flatMap((file) => (isFolder(file) ? filesBelow(file) : [file]))
  const placeOf = (file) => (file.startsWith(`${from}/`) ? file.slice(from.length + 1) : file)
  const places = new Set(included.map(placeOf))
  const { integrity } = JSON.parse(readFileSync('dist/integrity.json', 'utf8'))['routeslip.js']
  for (const file of included) {
    const target = join(folder, placeOf(file))
    mkdirSync(dirname(target), { recursive: true })
    if (!/\.(?:md|txt)$/.test(file)) cpSync(file, target)
    else {
      const text = readFileSync(file, 'utf8').replace(
        /(?<=\/routeslip\.js"\s+integrity=")sha384-…/g,
        integrity,
      )
      writeFileSync(target, withLinks(text, file, places, repository, manifest.version))
    }
  }
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(publicManifest(manifest, from, repository), null, 2)}\n`,
  )
}

/** Returns the manifest without what only developers of the package need. */
function publicManifest(manifest, from, repository) {
  const developer = ['private', 'workspaces', 'scripts', 'overrides', 'devDependencies', 'allowScripts']
  const entries = Object.entries(manifest).filter(([key]) => !developer.includes(key))
  const kept = Object.fromEntries(entries)
  const installed = Object.entries(kept.dependencies).filter(([name]) => !containedPackages.includes(name))
  kept.dependencies = Object.fromEntries(installed)
  // Sources are not published.
  // Pages run in browsers.
  if (from === '.') delete kept.engines
  if (kept.sideEffects) kept.sideEffects = kept.sideEffects.filter((path) => /^\.\/(?:lib|dist)\//.test(path))
  if (!repository) return kept
  return {
    ...kept,
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
    repository: {
      type: 'git',
      url: `git+${repository}.git`,
      ...(from !== '.' && { directory: from }),
    },
  }
}

/** Lets links to files that the package does not contain lead to the repository. Without its address, keeps only their text. */
function withLinks(text, file, places, repository, version) {
  const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g
  return text.replace(link, (whole, image, label, target) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole
    const [path] = target.split('#')
    const place = posix.join(posix.dirname(file), path).replace(/\/$/, '')
    if ([...places].some((each) => each === place || each.startsWith(`${place}/`))) return whole
    if (!repository) return label
    return `${image}[${label}](${repository}/blob/v${version}/${posix.join(posix.dirname(file), target)})`
  })
}

/** The scripts of the elements, which the demo serves. */
function demoFiles() {
  const scripts = ['chunks', 'late', 'locales'].map((folder) => `dist/${folder}`)
  return ['dist/routeslip.js', 'dist/routeslip-autoload.js', 'dist/THIRD_PARTY_LICENSES.md', ...scripts]
}

function isFolder(path) {
  if (!existsSync(path)) throw new Error(`${path} does not exist. Run "npm run build" first.`)
  return !/\.[a-z]+$/.test(path) && path !== 'LICENSE'
}

/** Returns the address of the public repository for browsers, such as `https://git.example.edu/forms/routeslip`. */
export function repositoryAddress() {
  const { status, stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) return undefined
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/(?:[\w-]+@)?|[\w-]+@)([\w.-]+\.[a-z]{2,})(?::\d+(?=\/))?[:/]([\w./~-]+?)(?:\.git)?\/?$/.exec(
      stdout.trim(),
    ) ?? []
  return host && `https://${host}/${path}`
}
