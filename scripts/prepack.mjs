// npm runs this before `npm run pack`, and before plain `npm pack` and `npm publish`, which would pack the repository.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

if (/^run(-script)?$/.test(process.env['npm_command'] ?? '')) {
  execFileSync(process.execPath, [fileURLToPath(new URL('setup.mjs', import.meta.url))], { stdio: 'inherit' })
} else {
  console.error(
    'This would pack the repository. "npm run pack" writes both packages to release/, ready to install.',
  )
  process.exitCode = 1
}
