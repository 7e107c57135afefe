// The includes of integrations/templates in their real engines. `npm run test:stacks` sets the paths of the engines.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { readElements } from '../../scripts/docs/manifest.ts'
import { launchBrowser } from '../browser.ts'

/** Ends an attribute, a tag, a comment or an expression of an engine, if it is not escaped. */
const hostile = `"'><img src=x onerror=alert(1)>&quot;{{ 7 * 7 }}--></script>`

/** What an include gets: values of attributes, and content as text. */
interface Job {
  readonly tag: string
  readonly values: Readonly<Record<string, string | number | boolean | null>>
  readonly content: string
}

const includes = fileURLToPath(new URL('../../integrations/templates', import.meta.url))
const programs = fileURLToPath(new URL('templates', import.meta.url))

describe('the includes', () => {
  const elements = readElements()
  const jobs: readonly Job[] = elements.flatMap(({ tagName: tag, attributes }) => {
    const every = (value: (isFlag: boolean) => string | boolean) =>
      Object.fromEntries(attributes.map(({ name, type }) => [name, value(type.text === 'boolean')]))
    return [
      { tag, values: { ...every((isFlag) => isFlag || hostile), onclick: 'alert(1)' }, content: hostile },
      { tag, values: { ...every(() => false), 'form-id': 6025, id: 'here', class: null }, content: '' },
    ]
  })
  let folder: string
  let browser: Browser
  let page: Page

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'routeslip-templates-'))
    browser = await launchBrowser()
    page = await (await browser.newContext({ javaScriptEnabled: true })).newPage()
  })
  after(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  it('escape values in Twig', async () => {
    await check(JSON.parse(php('twig.php', process.env['TWIG'], `${includes}/twig`)) as string[])
  })

  it('escape values in Blade', async () => {
    const views = join(folder, 'views')
    cpSync(`${includes}/blade`, `${views}/components`, { recursive: true })
    mkdirSync(join(folder, 'compiled'))
    await check(
      JSON.parse(php('blade.php', process.env['BLADE'], views, join(folder, 'compiled'))) as string[],
    )
  })

  it('escape values in Jinja', async () => {
    // The interpreter of Debian, which has Debian's modules.
    const output = execFileSync('/usr/bin/python3', [`${programs}/jinja.py`, `${includes}/jinja`], {
      input: JSON.stringify(jobs),
      encoding: 'utf8',
    })
    await check(JSON.parse(output) as string[])
  })

  it('escape values in Nunjucks', async () => {
    writeFileSync(join(folder, 'package.json'), '{}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', 'nunjucks@3.2.4'], {
      cwd: folder,
    })
    const { configure } = createRequire(join(folder, 'package.json'))('nunjucks') as Nunjucks
    const engine = configure(`${includes}/nunjucks`, { autoescape: true })
    await check(
      jobs.map(({ tag, values, content }) =>
        engine.renderString(
          `{% import 'routeslip.njk' as routeslip %}{{ routeslip.${tag.replaceAll('-', '_')}(values, content) }}`,
          { values, content },
        ),
      ),
    )
    const called = engine.renderString(
      `{% from 'routeslip.njk' import wf_history %}{% call wf_history({'package-id': 42}) %}<a href="/42">See</a>{% endcall %}`,
      {},
    )
    assert.equal(called, '<wf-history package-id="42"><a href="/42">See</a></wf-history>')
  })

  it('escape values in JSP', async () => {
    const pages = join(folder, 'pages')
    cpSync(`${includes}/jsp`, `${pages}/WEB-INF/tags/routeslip`, { recursive: true })
    for (const [index, { tag, values }] of jobs.entries()) {
      // Texts arrive as parameters of the request, so that the page itself contains no hostile text.
      const attributes = Object.entries(values).map(([name, value]) =>
        typeof value === 'string' ? `${name}="\${param['${name}']}"` : `${name}="\${${value}}"`,
      )
      writeFileSync(
        join(pages, `${index}.jsp`),
        `<%@ page contentType="text/html; charset=UTF-8" %>
        <%@ taglib prefix="routeslip" tagdir="/WEB-INF/tags/routeslip" %>
        <%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
        <routeslip:${tag} ${attributes.join(' ')}><c:out value="\${param.content}"/></routeslip:${tag}>`,
      )
    }
    const folders = [
      process.env['JAVAC'],
      process.env['TOMCAT'],
      process.env['JSTL'],
      process.env['ECJ'],
    ].map((path) => dirname(path ?? assert.fail('Run these tests with: npm run test:stacks')))
    const libraries = [...new Set(folders.slice(1))].flatMap((path) =>
      readdirSync(path)
        .filter((name) => /^(?:tomcat9-[a-z-]+|taglibs-standard-[a-z]+|ecj)\.jar$/.test(name))
        .map((name) => join(path, name)),
    )
    const server = spawn(
      join(folders[0]!, 'java'),
      ['-cp', libraries.join(':'), `${programs}/JspServer.java`, pages, join(folder, 'tomcat')],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    try {
      let output = ''
      for await (const chunk of server.stdout) if (/Port \d+/.test((output += String(chunk)))) break
      const port = /\d+/.exec(output)?.[0]
      const printed = await Promise.all(
        jobs.map(async ({ values, content }, index) => {
          const texts = Object.entries(values).filter(([, value]) => typeof value === 'string')
          const body = new URLSearchParams([...(texts as [string, string][]), ['content', content]])
          const response = await fetch(`http://127.0.0.1:${port}/${index}.jsp`, { method: 'POST', body })
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
    const printed = jobs.map(({ tag, values }) => `<${tag} form-id="${String(values['form-id'])}"></${tag}>`)
    await assert.rejects(check(printed))
  })

  function php(program: string, ...args: readonly (string | undefined)[]): string {
    const paths = args.map((path) => path ?? assert.fail('Run these tests with: npm run test:stacks'))
    return execFileSync(process.env['PHP'] ?? 'php', [`${programs}/${program}`, ...paths], {
      input: JSON.stringify(jobs),
      encoding: 'utf8',
    })
  }

  /** Parses what an engine has printed for each job, and compares it with the job. */
  async function check(printed: readonly string[]): Promise<void> {
    assert.equal(printed.length, jobs.length)
    for (const [index, html] of printed.entries()) {
      const job = jobs[index] ?? assert.fail()
      const found = await page.evaluate((text) => {
        const { body } = new DOMParser().parseFromString(text, 'text/html')
        return {
          count: body.querySelectorAll('*').length,
          tag: body.firstElementChild?.localName,
          content: body.firstElementChild?.textContent,
          attributes: Object.fromEntries(
            [...(body.firstElementChild?.attributes ?? [])].map((one) => [one.name, one.value]),
          ),
        }
      }, html)
      const known =
        elements.find(({ tagName }) => tagName === job.tag)?.attributes.map(({ name }) => name) ?? []
      const expected = Object.entries(job.values).filter(
        ([name, value]) => [...known, 'id', 'class'].includes(name) && value !== false && value !== null,
      )
      assert.deepEqual([found.count, found.tag], [1, job.tag], html)
      assert.deepEqual(Object.keys(found.attributes).sort(), expected.map(([name]) => name).sort(), html)
      for (const [name, value] of expected) {
        const text = found.attributes[name]
        // A boolean attribute is present, with any value.
        if (value !== true) assert.equal(text, String(value), html)
      }
      assert.equal(found.content?.trim(), job.content, html)
    }
  }
})

interface Nunjucks {
  readonly configure: (
    path: string,
    options: object,
  ) => { readonly renderString: (template: string, values: object) => string }
}
