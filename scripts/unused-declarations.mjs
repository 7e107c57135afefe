import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesBelow } from './files.mjs'

/** Removes the declarations in the `lib` of a package that no entry of it refers to. On a disk, each takes at least 4 kB. */
export function removeUnusedDeclarations(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const used = new Set()
  const visit = (file) => {
    if (used.has(file)) return
    if (!existsSync(file)) throw new Error(`${file} is missing`)
    used.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, target] of text.matchAll(/(?:\bfrom |\bimport\(|^import )['"]([.][^'"]+)[.]ts['"]/gm))
      visit(posix.join(posix.dirname(file), `${target}.d.ts`))
  }
  const declarations = filesBelow(join(folder, 'lib')).filter((file) => file.endsWith('.d.ts'))
  for (const target of Object.values(exports)) {
    if (!target.endsWith?.('.js')) continue
    const [start, end] = join(folder, target.replace(/[.]js$/, '.d.ts')).split('*')
    if (end === undefined) visit(start)
    else for (const file of declarations) if (file.startsWith(start) && file.endsWith(end)) visit(file)
  }
  for (const file of declarations) if (!used.has(file)) rmSync(file)
}
