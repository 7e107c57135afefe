// Licences of the packages that the drop-in holds. Whoever passes its files on passes these on with them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes down whose code the modules of a bundle are, and under which terms. */
export function writeLicences(modules) {
  const folders = new Set([...modules].flatMap((id) => packageFolder(id) ?? []))
  const byText = new Map()
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = ['LICENSE', 'LICENSE.md', 'license', 'LICENCE'].find((name) =>
      existsSync(join(folder, name)),
    )
    if (!file) throw new Error(`${name} ${version} is bundled and has no licence file`)
    const text = readFileSync(join(folder, file), 'utf8').trim()
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const parts = [...byText].map(([text, names]) => `## ${names.join(', ')}\n\n\`\`\`text\n${text}\n\`\`\`\n`)
  writeFileSync(
    'dist/THIRD_PARTY_LICENSES.md',
    ['# Licences of what these files hold besides Routeslip\n', ...parts].join('\n'),
  )
}

/** Folder of the package that a module is from; undefined for our own and what the bundler adds. */
function packageFolder(id) {
  return /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id)?.[1]
}
