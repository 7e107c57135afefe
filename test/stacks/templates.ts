// The includes of integrations/templates in their real engines. `npm run test:stacks` sets the paths of the engines.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
