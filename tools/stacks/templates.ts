// The examples of docs/stacks/README.md in their template engines. `npm run test:stacks` sets the paths of the engines.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../test/browser.ts'
import { parseDocument } from '../../test/docs/documents.ts'

/** The second ends an attribute, a tag, a comment or an expression of an engine, if it is not escaped. */
const ids = ['42', `42"><script>alert(1)</script>'&quot;{{ 7 * 7 }}\${7 * 7}-->`]

const programs = fileURLToPath(new URL('templates', import.meta.url))
const file = 'docs/stacks/README.md'
const document = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const { blocks } = parseDocument(file, /\n## Templates\n[^]*?\n(?=## )/.exec(document)?.[0] ?? '')

/** Returns the example for an engine. */
function example(language: string): string {
  const [block, ...others] = blocks.filter((each) => each.language === language)
  assert.ok(block && others.length === 0, `${file} has one example for ${language}`)
  return block.text
}

describe('the examples for template engines', () => {
  let folder: string
  let browser: Browser
  let page: Page

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'routeslip-templates-'))
    browser = await launchBrowser()
    page = await browser.newPage()
  })
  after(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  it('escape the id in Twig', async () => {
    await check(run(php, 'twig.php', example('twig'), variable('TWIG')))
  })

  it('escape the id in Blade', async () => {
    await check(run(php, 'blade.php', example('blade'), variable('BLADE')))
  })

  it('escape the id in Jinja', async () => {
    // The interpreter of Debian, which has Debian's modules.
    await check(run('/usr/bin/python3', 'jinja.py', example('jinja')))
  })

  it('escape the id in Nunjucks', async () => {
    writeFileSync(join(folder, 'package.json'), '{}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', 'nunjucks@3.2.4'], {
      cwd: folder,
    })
    const { Environment } = createRequire(join(folder, 'package.json'))('nunjucks') as Nunjucks
    await check(
      [true, false].flatMap((autoescape) =>
        ids.map((id) => new Environment([], { autoescape }).renderString(example('nunjucks'), { id })),
      ),
    )
  })

  it('escape the id in JSP', async () => {
    const pages = join(folder, 'pages')
    mkdirSync(pages)
    writeFileSync(
      join(pages, 'page.jsp'),
      `<%@ page contentType="text/html; charset=UTF-8" %>
      <%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
      <c:set var="id" value="\${param.id}"/>${example('jsp')}`,
    )
    const [java = '', ...folders] = ['JAVAC', 'TOMCAT', 'JSTL', 'ECJ'].map((name) => dirname(variable(name)))
    const libraries = [...new Set(folders)].flatMap((path) =>
      readdirSync(path)
        .filter((name) => /^(?:tomcat9-[a-z-]+|taglibs-standard-[a-z]+|ecj)\.jar$/.test(name))
        .map((name) => join(path, name)),
    )
    const server = spawn(
      join(java, 'java'),
      ['-cp', libraries.join(':'), `${programs}/JspServer.java`, pages, join(folder, 'tomcat')],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    try {
      let output = ''
      for await (const chunk of server.stdout) if (/Port \d+/.test((output += String(chunk)))) break
      const port = /\d+/.exec(output)?.[0]
      const printed = await Promise.all(
        ids.map(async (id) => {
          const body = new URLSearchParams({ id })
          const response = await fetch(`http://127.0.0.1:${port}/page.jsp`, { method: 'POST', body })
          assert.equal(response.status, 200)
          return await response.text()
        }),
      )
      await check(printed)
    } finally {
      server.kill()
    }
  })

  it('are caught by this test if they do not escape (control)', async () => {
    const open = example('twig').replace('|e ', '|raw ')
    await assert.rejects(check(run(php, 'twig.php', open, variable('TWIG'))), /script/)
  })

  const php = process.env['PHP'] ?? 'php'

  /** Runs a program that prints what an engine makes of a template, for each id. */
  function run(interpreter: string, program: string, template: string, ...args: string[]): string[] {
    const output = execFileSync(interpreter, [`${programs}/${program}`, ...args], {
      input: JSON.stringify({ template, ids }),
      encoding: 'utf8',
    })
    return JSON.parse(output) as string[]
  }

  /** Checks that each text is the element with its id, and nothing else. An engine may have printed all ids repeatedly. */
  async function check(printed: readonly string[]): Promise<void> {
    assert.ok(printed.length > 0 && printed.length % ids.length === 0)
    for (const [index, html] of printed.entries()) {
      const found = await page.evaluate((text) => {
        const { body } = new DOMParser().parseFromString(text, 'text/html')
        return {
          tags: [...body.querySelectorAll('*')].map(({ localName }) => localName),
          attributes: Object.fromEntries(
            [...(body.firstElementChild?.attributes ?? [])].map(({ name, value }) => [name, value]),
          ),
          text: body.textContent?.trim(),
        }
      }, html)
      assert.deepEqual(
        found,
        {
          tags: ['wf-history'],
          attributes: {
            endpoint: '/api/wf',
            'form-id': '6025',
            'package-id': ids[index % ids.length],
          },
          text: 'Ask the office.',
        },
        html,
      )
    }
  }
})

/** Returns the path of an engine. */
function variable(name: string): string {
  return process.env[name] ?? assert.fail('Run these tests with: npm run test:stacks')
}

interface Nunjucks {
  readonly Environment: new (
    loaders: readonly never[],
    options: { readonly autoescape: boolean },
  ) => { readonly renderString: (template: string, values: object) => string }
}
