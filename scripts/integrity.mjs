// Writes the hashes with which browsers verify the drop-in: `dist/integrity.json` for every script, and
// `dist/importmap.json`, the part of an import map for the files that scripts load themselves.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const files = ['', 'chunks/', 'late/', 'locales/'].flatMap((folder) =>
  readdirSync(`dist/${folder}`)
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => folder + name),
)
const integrity = Object.fromEntries(
  files.map((file) => {
    const content = readFileSync(`dist/${file}`)
    const hash = createHash('sha384').update(content).digest('base64')
    return [file, { integrity: `sha384-${hash}`, bytes: content.length }]
  }),
)
const hashes = Object.entries(integrity).map(([file, { integrity }]) => [`./${file}`, integrity])
write('dist/integrity.json', integrity)
write('dist/importmap.json', { integrity: Object.fromEntries(hashes) })

function write(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
