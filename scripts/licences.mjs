// Writes the licences of the packages that our files contain. Who redistributes the files has to redistribute these too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the copyright holders and the terms of all modules in a bundle. */
export function writeLicences(modules, file = 'dist/THIRD_PARTY_LICENSES.md') {
  const folders = new Set([...modules].flatMap((id) => packageFolder(id) ?? []))
  const byText = new Map()
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const terms = ['LICENSE', 'LICENSE.md', 'license', 'LICENCE'].find((name) =>
      existsSync(join(folder, name)),
    )
    if (!terms) throw new Error(`${name} ${version} is bundled but has no licence file`)
    const text = readFileSync(join(folder, terms), 'utf8').trim()
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const parts = [...byText].map(([text, names]) => `## ${names.join(', ')}\n\n\`\`\`text\n${text}\n\`\`\`\n`)
  writeFileSync(file, ['# Licences of what these files hold besides Routeslip\n', ...parts].join('\n'))
}

/** Returns the folder of a module's package, or `undefined` for our own modules and those that the bundler adds. */
function packageFolder(id) {
  return /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id)?.[1]
}
