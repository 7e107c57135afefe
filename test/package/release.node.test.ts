import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'

// Runs the checks of a release on a package that depends only on Lit.

describe('scripts/release.mjs', () => {
  let folder: string
  let registry: Server | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
    mkdirSync(join(folder, 'scripts'))
    for (const file of ['release', 'packages', 'files'])
      cpSync(`scripts/${file}.mjs`, join(folder, `scripts/${file}.mjs`))
    const root = { name: 'site', version: '1.2.0', dependencies: { lit: '3.3.3' } }
    write('package.json', root)
    mkdirSync(join(folder, 'server'))
    write('server/package.json', { name: 'site-server', version: '1.2.0' })
    write('package-lock.json', {
      name: 'site',
      version: '1.2.0',
      lockfileVersion: 3,
      packages: { '': root, 'node_modules/lit': { version: '3.3.3' } },
    })
  })

  afterEach(() => {
    registry?.close()
    registry = undefined
    rmSync(folder, { recursive: true })
  })

  it('rejects a version without a date in the changelog', async () => {
    for (const [heading, message] of [
      ['## [1.1.0] - 2026-10-01', 'CHANGELOG.md does not mention 1.2.0.'],
      ['## [1.2.0] - unreleased', 'CHANGELOG.md has no date for 1.2.0.'],
    ]) {
      writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n${heading}\n`)
      assert.deepEqual(await release('changelog'), { code: 1, output: `✖ changelog: ${message}\n` })
    }
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [1.2.0] - 2026-12-01\n')
    assert.deepEqual(await release('changelog'), { code: 0, output: '✔ changelog\n' })
    write('server/package.json', { name: 'site-server', version: '1.1.0' })
    assert.deepEqual(await release('changelog'), {
      code: 1,
      output: '✖ changelog: server/package.json has the version 1.1.0, not 1.2.0.\n',
    })
  })

  it('rejects a repository without a public address', async () => {
    const problem =
      '✖ repository: the remote "origin" is not the address of a public repository. ' +
      'Set it with `git remote add origin ADDRESS`.\n'
    assert.deepEqual(await release('repository'), { code: 1, output: problem })
    git('init', '--quiet')
    assert.deepEqual(await release('repository'), { code: 1, output: problem })
    git('remote', 'add', 'origin', '/srv/git/routeslip')
    assert.deepEqual(await release('repository'), { code: 1, output: problem })
    for (const address of [
      'https://git.example.edu/forms/routeslip.git',
      'git@git.example.edu:forms/routeslip.git',
      'ssh://git@git.example.edu:2222/forms/routeslip',
    ]) {
      git('remote', 'set-url', 'origin', address)
      assert.deepEqual(await release('repository'), { code: 0, output: '✔ repository\n' }, address)
    }
  })

  it('rejects changes that are not committed', async () => {
    assert.deepEqual(await release('committed'), {
      code: 1,
      output: '✖ everything committed: git status fails.\n',
    })
    git('init', '--quiet')
    const { code, output } = await release('committed')
    assert.equal(code, 1)
    assert.match(output, /^✖ everything committed: these files have changes:\n[^]*package\.json/)
    git('add', '--all')
    git('-c', 'user.name=A', '-c', 'user.email=a@example.edu', 'commit', '--quiet', '--message', 'All')
    assert.deepEqual(await release('committed'), { code: 0, output: '✔ everything committed\n' })
  })

  it('fails if the registry does not support npm audit', async () => {
    await serve((_, response) => response.writeHead(405).end())
    const { code, output } = await release('audit')
    assert.equal(code, 1)
    assert.match(output, /^✖ audit: the registry cannot be reached: 405 Method Not Allowed/)
  })

  it('rejects vulnerabilities in dependencies, and only those', async () => {
    let advisories: object = {}
    const requested: unknown[] = []
    await serve((request, response) => {
      if (!request.url?.endsWith('/advisories/bulk')) return response.writeHead(404).end()
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const body = Buffer.concat(parts)
        const isPacked = request.headers['content-encoding'] === 'gzip'
        requested.push(JSON.parse((isPacked ? gunzipSync(body) : body).toString()))
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(advisories))
      })
    })
    assert.deepEqual(await release('audit'), { code: 0, output: '✔ audit\n' })
    assert.deepEqual(requested[0], { lit: ['3.3.3'] })

    advisories = {
      lit: [
        {
          id: 1,
          url: 'https://advisories.example/1',
          title: 'A vulnerability',
          severity: 'high',
          vulnerable_versions: '<4.0.0',
        },
      ],
    }
    const { code, output } = await release('audit')
    assert.equal(code, 1)
    assert.match(output, /^✖ audit: lit \(high\) have known vulnerabilities\./)
  })

  it('rejects the name of an unknown check', async () => {
    const { code } = await release('nonsense')
    assert.equal(code, 1)
  })

  function write(name: string, content: object): void {
    writeFileSync(join(folder, name), JSON.stringify(content))
  }

  function git(...args: string[]): void {
    execFileSync('git', args, { cwd: folder })
  }

  /** Starts a fake registry. */
  async function serve(listener: RequestListener): Promise<void> {
    const server = createServer(listener)
    registry = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  function release(check: string): Promise<{ readonly code: number; readonly output: string }> {
    const port = (registry?.address() as AddressInfo | undefined)?.port
    const env = {
      ...process.env,
      ...(port && { npm_config_registry: `http://127.0.0.1:${port}/` }),
      npm_config_cache: join(folder, '.npm'),
      // Keeps git from finding a repository in a parent folder.
      GIT_CEILING_DIRECTORIES: tmpdir(),
    }
    return new Promise((resolve) => {
      execFile(process.execPath, [join(folder, 'scripts/release.mjs'), check], { env }, (error, stdout) => {
        resolve({ code: error ? Number(error.code) : 0, output: stdout })
      })
    })
  }
})

describe('npm run pack', () => {
  it('writes both packages, the plugin, SBOMs and checksums', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const printed = execFileSync(process.execPath, ['scripts/pack.mjs', '--no-build', '--to', folder], {
      encoding: 'utf8',
    })
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
    const files = [
      `routeslip-${version}.cdx.json`,
      `routeslip-${version}.tgz`,
      `routeslip-server-${version}.cdx.json`,
      `routeslip-server-${version}.tgz`,
      `routeslip-wordpress-${version}.zip`,
    ]
    assert.deepEqual(readdirSync(folder).sort(), ['SHA256SUMS', ...files].sort())
    for (const file of files) assert.ok(printed.includes(join(folder, file)), file)
    const check = () =>
      execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder, stdio: 'ignore' })
    check()
    writeFileSync(join(folder, files[0] ?? ''), 'other')
    assert.throws(check, 'control: a changed file')
  })

  it('is the only way: plain npm pack would pack the repository', () => {
    for (const cwd of ['.', 'server']) {
      const { status, stderr } = spawnSync('npm', ['pack', '--silent'], { cwd, encoding: 'utf8' })
      assert.notEqual(status, 0, cwd)
      assert.match(stderr, /"npm run pack" writes both packages to release/)
    }
  })
})
