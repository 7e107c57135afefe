import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The version that the package contains, besides the one of Debian. */
const version = '6.5'
const builds = '@wp-playground/wordpress-builds@0.9.19'
const cache = 'node_modules/.cache/routeslip'

/**
 * Returns the variable with the folder of a later WordPress than that of Debian, and downloads it once: 158 MB. `unzip` is the
 * path of the program, `theme` that of a theme to add.
 */
export function laterWordPress({ UNZIP_PROGRAM: unzip, TWENTYTWENTYONE: theme }) {
  const folder = join(cache, `wordpress-${version}`)
  if (!existsSync(folder)) {
    console.error(`Downloading WordPress ${version}…`)
    mkdirSync(cache, { recursive: true })
    const work = mkdtempSync(join(cache, 'wordpress-'))
    const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    try {
      run('npm', 'pack', '--silent', '--pack-destination', work, builds)
      const [archive] = readdirSync(work)
      // The package keeps what browsers load apart from the PHP files.
      const [site, code] = [`public/wp-${version}`, `src/wordpress/wp-${version}.zip`]
      run('tar', '-xzf', join(work, archive), '-C', work, `package/${site}`, `package/${code}`)
      run(unzip, '-qo', join(work, 'package', code), '-d', join(work, 'package', site))
      const themes = join(work, 'package', site, 'wp-content/themes/twentytwentyone')
      cpSync(theme, themes, { recursive: true, dereference: true })
      renameSync(join(work, 'package', site), folder)
    } finally {
      rmSync(work, { recursive: true })
    }
  }
  return { LATER_WORDPRESS: folder }
}
