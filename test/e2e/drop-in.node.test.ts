import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { createListener, nodeRuntime } from '../../src/proxy/node/index.ts'
import { createProxy, type Proxy } from '../../src/proxy/mount/proxy.ts'
import { overEmulator, people } from '../proxy/mount.ts'
import { launchBrowser } from '../browser.ts'

// Loads the drop-in as sites do: from another origin, with hashes, and beside other scripts. Runs the examples of
// docs/drop-in.md.

const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = new URL('../../dist/', import.meta.url)
const docs = readFileSync(new URL('../../docs/drop-in.md', import.meta.url), 'utf8')

const integrity = JSON.parse(readFileSync(new URL('integrity.json', dist), 'utf8')) as Readonly<
  Record<string, { readonly integrity: string; readonly bytes: number }>
>
const scripts = ['routeslip.js', 'routeslip-autoload.js'] as const

const status =
  '<wf-package-status endpoint="/api/wf" form-id="6025" package-id="42"><p>Fallback</p></wf-package-status>'

/** Code blocks of the documentation: heading, language and text. */
const examples = docs.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n')).replace('# ', '')
  return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text = '']) => ({
    heading,
    language,
    text: text.trim(),
  }))
})

function example(heading: string, language: string, index = 0): string {
  const found = examples.filter((block) => block.heading === heading && block.language === language)[index]
  if (!found) throw new Error(`docs/drop-in.md has no such example: ${heading}, ${language}, ${index}`)
  return found.text
}

function headersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = '', value]) => [name, value ?? '']),
  )
}

/** Marks with which copies of Lit in a page know of each other, and the symbol of standard decorators. */
const globalsOfLit = [
  'litElementVersions',
  'litHtmlVersions',
  'litPropertyMetadata',
  'metadata',
  'reactiveElementVersions',
]

const policy = (index: number) =>
  headersOf(example('Content Security Policy', 'http', index))['Content-Security-Policy'] ?? ''

describe('the build', () => {
  it('writes the hash and size of every script', () => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .sort()
    assert.deepEqual(Object.keys(integrity).sort(), files)
    for (const file of files) {
      const content = readFileSync(new URL(file, dist))
      const hash = createHash('sha384').update(content).digest('base64')
      assert.deepEqual(integrity[file], { integrity: `sha384-${hash}`, bytes: content.length }, file)
    }
  })

  it('is the same in another folder, time zone and locale', () => {
    const folder = mkdtempSync(join(tmpdir(), 'another folder '))
    try {
      for (const part of ['src', 'scripts', 'package.json', 'vite.config.ts', 'tsconfig.json'])
        cpSync(join(root, part), join(folder, part), { recursive: true })
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      const env = { ...process.env, TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', SOURCE_DATE_EPOCH: '1' }
      for (const mode of ['production', 'languages', 'autoload'])
        execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--mode', mode], {
          cwd: folder,
          env,
        })
      execFileSync(process.execPath, ['scripts/integrity.mjs'], { cwd: folder, env })
      const again: unknown = JSON.parse(readFileSync(join(folder, 'dist/integrity.json'), 'utf8'))
      assert.deepEqual(again, integrity)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the drop-in', () => {
  let proxy: Proxy
  let site: LocalServer
  let cdn: LocalServer
  let browser: Browser
  let page: Page
  let logged: { readonly complaints: string[]; readonly warnings: string[] }

  /** Pages by path. */
  const pages = new Map<string, { readonly body: string; readonly headers: Record<string, string> }>()
  /** Paths that this test has requested from the other origin. */
  let requested: string[] = []
  /** How that origin changes files in this test, by the end of their path. */
  let changes: Readonly<Record<string, (text: string) => string>> = {}
  let cdnHeaders: Readonly<Record<string, string>> = {}
  /** Requests for packages to the proxy in this test, and listeners for them. */
  let reads: string[] = []
  /** Responses to these wait until the others have been requested too. */
  let gate: { readonly held: RegExp; readonly until: RegExp } | undefined
  /** Requests for these fail. */
  let lost: RegExp | undefined

  before(async () => {
    const emulator = createEmulator()
    proxy = createProxy({
      ...overEmulator(emulator),
      identity: { identify: () => ({ univid: people.initiator }) },
      runtime: nodeRuntime({ fetch: emulator.fetch }),
    })
    const api = createListener(proxy)
    site = await listen(
      (request: IncomingMessage, response: ServerResponse) => {
        const path = request.url ?? ''
        if (path.startsWith('/api/wf/')) {
          if (path.startsWith('/api/wf/forms/')) reads.push(path)
          return api(request, response)
        }
        const page = pages.get(path)
        if (!page) return void serveFile(path, response)
        for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value)
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end(`<!doctype html><html lang="en"><title>A page</title><body>${page.body}`)
      },
      0,
      '',
    )
    cdn = await listen(
      (request: IncomingMessage, response: ServerResponse) => {
        const path = request.url ?? ''
        requested.push(path)
        for (const [name, value] of Object.entries(cdnHeaders)) response.setHeader(name, value)
        if (lost?.test(path)) return void response.destroy()
        const { held, until: other } = gate ?? {}
        if (!held?.test(path)) return void serveFile(path, response)
        void until(() => [...requested, ...reads].some((one) => other?.test(one))).then(
          () => serveFile(path, response),
          () => response.destroy(),
        )
      },
      0,
      '',
    )
    browser = await launchBrowser()
    page = await browser.newPage({ locale: 'en-US' })
    page.on('pageerror', (error) => logged.complaints.push(String(error)))
    page.on('console', (message) => {
      const isFavicon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isFavicon) logged.complaints.push(message.text())
      if (message.type() === 'warning') logged.warnings.push(message.text())
    })
  })

  after(async () => {
    await browser?.close()
    await proxy?.close()
    await Promise.all([site?.close(), cdn?.close()])
  })

  /** Below `/routeslip/VERSION/`, with or without a query. */
  function serveFile(path: string, response: ServerResponse): void {
    const [, file = ''] = /^[/]routeslip[/][^/]+[/]([\w./-]+[.]js)(?:[?].*)?$/.exec(path) ?? []
    if (!(file in integrity)) return void response.writeHead(404).end()
    const [, change] = Object.entries(changes).find(([end]) => path.includes(end)) ?? []
    const text = readFileSync(new URL(file, dist), 'utf8')
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
    response.end(change ? change(text) : text)
  }

  /** Opens a page. `https://cdn.example.edu` in it is replaced by the other origin. */
  async function open(body: string, headers: Record<string, string> = {}): Promise<typeof logged> {
    await page.goto('about:blank')
    requested = []
    reads = []
    logged = { complaints: [], warnings: [] }
    pages.set('/page', {
      body: here(body),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, here(value)])),
    })
    await page.goto(`${site.url}page`)
    return logged
  }

  /** Returns an example with the addresses of this run. */
  const here = (text: string) =>
    text
      .replaceAll('https://cdn.example.edu/', cdn.url)
      .replace(/(?<=\/(routeslip[\w-]*\.js)"\s+integrity=")sha384-…/g, (_, file: string) =>
        String(integrity[file]?.integrity),
      )

  const shows = async (text: string, element = 'wf-package-status') => {
    await page.locator(`${element} [part=state]`, { hasText: text }).first().waitFor({ timeout: 60_000 })
  }
  const showsFallback = async () => {
    assert.equal(await page.getByText('Fallback').isVisible(), true, 'the content of the tag is shown')
  }

  const cdnFile = (file: string) => `https://cdn.example.edu/routeslip/0.1.0/${file}`
  const fromCdn = (file: string, attributes = '') =>
    `<script type="module" src="${cdnFile(file)}" ${attributes}></script>`
  // All pages share one browser, and each has to load all files.
  const allowed = () => ({
    ...headersOf(example('From another origin', 'http')),
    'Cache-Control': 'no-store',
  })
  const chunksAsked = () => requested.filter((path) => path.includes('/chunks/'))
  const fileOf = (name: string) => String(Object.keys(integrity).find((file) => file.includes(`/${name}-`)))

  beforeEach(() => {
    changes = {}
    cdnHeaders = allowed()
    gate = undefined
    lost = undefined
  })

  describe('from the own server', () => {
    for (const file of scripts) {
      it(`works under the documented policy, and adds no globals but those of Lit: ${file}`, async () => {
        const headers = { 'Content-Security-Policy': policy(0) }
        const traces = () =>
          page.evaluate(() => [
            ...Object.getOwnPropertyNames(window),
            ...Object.getOwnPropertySymbols(window).map(String),
            ...Object.getOwnPropertyNames(Symbol),
            ...Object.getOwnPropertyNames(document),
          ])
        await open('', headers)
        const before = await traces()
        await page.evaluate('window.control = 1')
        assert.deepEqual(minus(await traces(), before), ['control'], 'traces are seen')

        const tag = example('The drop-in', 'html').replace('routeslip.js', file)
        const { complaints, warnings } = await open(tag + status, headers)
        await shows('In routing')
        assert.deepEqual(minus(await traces(), [...before, ...globalsOfLit]), [])
        assert.deepEqual([...complaints, ...warnings], [])
      })
    }

    it('shows the content of the tag if scripts do not run', async () => {
      await open(`${fromCdn('routeslip.js')}${example('The drop-in', 'html', 1)}`, {
        'Content-Security-Policy': "default-src 'none'",
      })
      assert.equal(await page.getByRole('link', { name: 'See where this request stands' }).isVisible(), true)
    })
  })

  describe('from another origin', () => {
    it('works as documented, with a hash, and loads its language from there', async () => {
      const { complaints, warnings } = await open(
        `<div lang="es">${status}</div>${example('Integrity', 'html')}`,
        { 'Content-Security-Policy': policy(1) },
      )
      await shows('En trámite')
      assert.deepEqual([...complaints, ...warnings], [])
      const files = () => requested.map((path) => path.replace('/routeslip/0.1.0/', ''))
      await until(() => files().includes('late/live-hints.js'))
      assert.deepEqual(files().sort(), ['late/live-hints.js', 'locales/es.js', 'routeslip.js'])
      assert.match(example('From another origin', 'html'), /src="https:\/\/cdn\.example\.edu/)
    })

    it('loads the elements that upload files if the page has one, together', async () => {
      const files = () =>
        requested
          .map((path) => path.replace('/routeslip/0.1.0/', ''))
          .filter((file) => !/live-hints/.test(file))
      const { complaints, warnings } = await open(
        `<fs-uploader endpoint="/api/wf"></fs-uploader>
         <wf-context endpoint="/api/wf" form-id="6025" package-id="42"><wf-attachments></wf-attachments></wf-context>
         ${fromCdn('routeslip.js')}`,
        { 'Content-Security-Policy': policy(1) },
      )
      await page
        .locator('fs-uploader:state(loaded), fs-uploader:state(empty)')
        .first()
        .waitFor({ timeout: 60_000 })
      await page.locator('wf-attachments:state(loaded)').waitFor({ timeout: 60_000 })
      assert.deepEqual([...complaints, ...warnings], [])
      assert.deepEqual(files(), ['routeslip.js', 'late/upload-elements.js'])
    })

    it('draws the status before it formats times and defines the other elements', async () => {
      const look = `<script>
        frames = []
        function look() {
          const card = document.querySelector('wf-package-status')?.shadowRoot
          if (card?.querySelector('[part=state]')) frames.push({
            hasTimes: !!card.querySelector('time'),
            hasOthers: !!customElements.get('wf-history') && !!customElements.get('wf-comments'),
            hasRoom: document.querySelector('wf-history').offsetHeight > 100,
          })
          requestAnimationFrame(look)
        }
        look()
      </script>`
      await open(
        `<wf-context endpoint="/api/wf" form-id="6025" package-id="42">
           <wf-history></wf-history>${status}<wf-comments></wf-comments>
         </wf-context>${look}${fromCdn('routeslip.js')}`,
      )
      await page.locator('wf-history:state(loaded)').waitFor({ timeout: 60_000 })
      await page.locator('wf-comments:state(loaded)').waitFor({ timeout: 60_000 })
      await page.locator('wf-package-status time').first().waitFor({ timeout: 60_000 })
      const frames = await page.evaluate<readonly object[]>('frames')
      assert.deepEqual(frames[0], { hasTimes: false, hasOthers: false, hasRoom: true })
      assert.deepEqual(reads.length, 1, 'all of them share one request')
      await page.waitForFunction('frames.at(-1).hasTimes && frames.at(-1).hasOthers')
    })

    it('loads an element that only a shadow root has, if the page asks for it', async () => {
      await open(status + fromCdn('routeslip.js'))
      await shows('In routing')
      await page.evaluate(`{
        const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
        root.append(document.createElement('fs-uploader'))
      }`)
      await page.evaluate(
        `import('${here(cdnFile('routeslip.js'))}').then(({ load }) => load('fs-uploader'))`,
      )
      assert.equal(await page.evaluate(`customElements.get('fs-uploader') !== undefined`), true)
      assert.equal(requested.filter((path) => path.includes('routeslip.js')).length, 1, 'no second copy')
    })

    it('does not claim to have loaded an element that there is not', async () => {
      await open(fromCdn('routeslip-autoload.js'))
      const load = (tag: string) =>
        page.evaluate<string>(
          `import('${here(cdnFile('routeslip-autoload.js'))}')
            .then(({ load }) => load('${tag}')).then(() => 'loaded', () => 'rejected')`,
        )
      assert.equal(await load('wf-comments'), 'loaded')
      assert.equal(await load('wf-comment'), 'rejected')
    })

    it('loads the actions when a person approaches one, and again after a failure', async () => {
      await open(status + fromCdn('routeslip.js?v=2'), { 'Content-Security-Policy': policy(1) })
      // Live events load by themselves, after the content.
      const files = () =>
        requested
          .map((path) => path.replace('/routeslip/0.1.0/', ''))
          .filter((file) => file !== 'late/live-hints.js')
      const button = page.getByRole('button', { name: 'Void…' })
      await button.waitFor({ timeout: 60_000 })
      assert.deepEqual(files(), ['routeslip.js?v=2'], 'no button has been approached yet')

      lost = /[/]late[/]/
      await button.press('Enter')
      await page.locator('[part~=failure]', { hasText: 'This action couldn’t be opened' }).waitFor()
      lost = undefined
      await page.getByRole('button', { name: 'Try again' }).press('Enter')
      await page.getByRole('dialog', { name: 'Void this request?' }).waitFor()
      await page.getByRole('button', { name: 'Void', exact: true }).press('Enter')
      await page.getByText('Choose a reason.').first().waitFor()
      await page.keyboard.press('Escape')
      assert.deepEqual([...new Set(files())], ['routeslip.js?v=2', 'late/package-actions.js'])
      assert.equal(files()[0], 'routeslip.js?v=2')
      assert.equal(files().filter((file) => file.startsWith('routeslip')).length, 1, 'no second copy')

      const before = files().length
      await open(status + fromCdn('routeslip.js'))
      await button.hover({ timeout: 60_000 })
      await until(() => files().includes('late/package-actions.js'))
      assert.equal(await page.getByRole('dialog').count(), 0, 'it waits for a click')
      assert.ok(before > 2, 'it was requested again')
    })

    it('loads only the elements and the language that the page uses', async () => {
      const { complaints, warnings } = await open(
        `<div lang="es">${status}</div>${fromCdn('routeslip-autoload.js')}`,
        { 'Content-Security-Policy': policy(1) },
      )
      await shows('En trámite')
      assert.deepEqual([...complaints, ...warnings], [])
      const chunks = () => chunksAsked().map((path) => /chunks[/](.+)-.{8}[.]js$/.exec(path)?.[1])
      await until(() => chunks().includes('live-hints'))
      assert.deepEqual(chunks().sort(), [
        'attachment-rules',
        'card-reads',
        'content',
        'core',
        'guard',
        'labels',
        'live-hints',
        'page',
        'wf-package-status',
      ])
      assert.equal(requested.includes('/routeslip/0.1.0/locales/es.js'), true)
    })

    it('loads an element together with its dependencies', async () => {
      // The response with the element waits until the others have been requested. In sequence, it would never arrive.
      gate = { held: /[/]wf-package-status-/, until: /[/]core-/ }
      await open(status + fromCdn('routeslip-autoload.js'))
      await shows('In routing')
    })

    it('requests the package before the elements have loaded, and once', async () => {
      // If the request came from an element, this file would never arrive.
      gate = { held: /[/]core-/, until: /[/]page[?]part=/ }
      const { complaints } = await open(
        `<wf-context endpoint="/api/wf" form-id="6025" package-id="42">
           <wf-package-status></wf-package-status><wf-comments></wf-comments>
         </wf-context>${fromCdn('routeslip-autoload.js')}`,
      )
      await shows('In routing')
      await page.locator('wf-comments:state(loaded)').waitFor({ timeout: 60_000 })
      assert.deepEqual(complaints, [])
      const first =
        '/api/wf/forms/6025/packages/42/page?part=getActions&part=getPackage&part=getSession&part=getComments&part=getHistory'
      assert.equal(reads[0], first)
      assert.equal(reads.filter((path) => path.startsWith('/api/wf/forms/6025/packages/actions')).length, 0)
    })

    it('loads almost nothing for a page without elements', async () => {
      await open(`<p>No element</p>${fromCdn('routeslip-autoload.js')}`)
      await page.waitForLoadState('load')
      assert.equal(chunksAsked().length, 1, requested.join('\n'))
    })

    it('is blocked if the origin does not allow it', async () => {
      cdnHeaders = { ...allowed(), 'Access-Control-Allow-Origin': 'https://www.example.edu' }
      const { complaints } = await open(status + fromCdn('routeslip.js'))
      await page.waitForLoadState('load')
      await showsFallback()
      assert.match(complaints.join(), /CORS/)
    })

    for (const file of scripts) {
      it(`works if a nonce allows scripts: ${file}`, async () => {
        const { complaints } = await open(status + fromCdn(file, 'nonce="abc"'), {
          'Content-Security-Policy': policy(2).replace('…', 'abc'),
        })
        await shows('In routing')
        assert.deepEqual(complaints, [])
      })

      it(`works with async, and as the first element of the head: ${file}`, async () => {
        const { complaints } = await open(fromCdn(file, 'async') + status)
        await shows('In routing')
        assert.deepEqual(complaints, [])
      })

      it(`works if it loads late, for existing elements, later elements and placeholders: ${file}`, async () => {
        const { complaints, warnings } = await open(`<main>${status}</main>`)
        await showsFallback()
        await page.evaluate(insert(here(fromCdn(file))))
        await shows('In routing')
        await page.evaluate(insert(status.replace('<wf-package-status', '$& id="later"')))
        await shows('In routing', '#later')
        await page.evaluate(
          insert(
            '<div data-wf="package-status" data-endpoint="/api/wf" data-form-id="6025" data-package-id="42"></div>',
          ),
        )
        await shows('In routing', '[data-wf] > wf-package-status')
        assert.deepEqual([...complaints, ...warnings], [])
      })
    }
  })

  describe('more than once on a page', () => {
    const place =
      '<div data-wf="package-status" data-endpoint="/api/wf" data-form-id="6025" data-package-id="42"></div>'
    const other = fromCdn('routeslip.js').replace('0.1.0', '0.0.9')
    const otherAutoload = fromCdn('routeslip-autoload.js').replace('0.1.0', '0.0.9')

    for (const [name, tags, warned] of [
      ['the same file', [fromCdn('routeslip.js'), fromCdn('routeslip.js')], 0],
      ['the same file under another address', [fromCdn('routeslip.js'), fromCdn('routeslip.js?v=2')], 1],
      [
        'the same autoloading script',
        [fromCdn('routeslip-autoload.js'), fromCdn('routeslip-autoload.js')],
        0,
      ],
      [
        'the autoloading script under another address',
        [fromCdn('routeslip-autoload.js'), fromCdn('routeslip-autoload.js?v=2')],
        0,
      ],
      ['the file and the autoloading script', [fromCdn('routeslip.js'), fromCdn('routeslip-autoload.js')], 1],
    ] as const) {
      it(`works, and runs once: ${name}`, async () => {
        const { complaints, warnings } = await open(tags.join('') + status + place)
        await shows('In routing')
        await shows('In routing', '[data-wf] > wf-package-status')
        assert.equal(await page.locator('[data-wf] wf-package-status').count(), 1)
        assert.deepEqual(complaints, [])
        await until(() => warnings.length >= warned)
        assert.equal(warnings.length, warned, warnings.join('\n'))
      })
    }

    it('loads no element if the whole file has loaded already', async () => {
      await open(fromCdn('routeslip.js') + fromCdn('routeslip-autoload.js') + status)
      await shows('In routing')
      await page.waitForLoadState('load')
      assert.equal(chunksAsked().length, 1, requested.join('\n'))
    })

    it('works, and runs once: the autoloading script and the file', async () => {
      // Which of them defines an element first depends on the network.
      const tags = fromCdn('routeslip-autoload.js') + fromCdn('routeslip.js')
      const { complaints, warnings } = await open(tags + status + place)
      await shows('In routing')
      await shows('In routing', '[data-wf] > wf-package-status')
      assert.equal(await page.locator('[data-wf] wf-package-status').count(), 1)
      assert.deepEqual(complaints, [])
      assert.equal(warnings.length <= 2, true, warnings.join('\n'))
    })

    for (const [name, tags, text] of [
      ['this version first', [fromCdn('routeslip.js'), other], 'In routing'],
      ['another version first', [other, fromCdn('routeslip.js')], 'On its way'],
      ['this version autoloading after another', [other, fromCdn('routeslip-autoload.js')], 'On its way'],
    ] as const) {
      it(`keeps the first of two versions, with one warning: ${name}`, async () => {
        changes = { '0.0.9/routeslip.js': (text) => replaceOnce(text, 'In routing', 'On its way') }
        const { complaints, warnings } = await open(
          `${tags.join('')}<wf-context endpoint="/api/wf" form-id="6025">
             <wf-package-status package-id="42"></wf-package-status>
             <wf-history package-id="42"></wf-history>
           </wf-context>`,
          { 'Content-Security-Policy': `${policy(1).replace('0.1.0/', '')} 'allow-duplicates'` },
        )
        await shows(text)
        await page.locator('wf-history .now').waitFor({ timeout: 60_000 })
        await page.waitForLoadState('load')
        assert.deepEqual(complaints, [])
        // The autoloading script waits for the elements of the first copy.
        await until(() => warnings.length > 0)
        assert.equal(warnings.length, 1, warnings.join('\n'))
        assert.match(String(warnings[0]), /^Already defined.*<wf-package-status>/)
      })
    }

    it('uses the context of another version', async () => {
      const { complaints } = await open(
        `${otherAutoload}<wf-context endpoint="/api/wf" form-id="6025" package-id="42"></wf-context>`,
      )
      await page.waitForFunction(() => customElements.get('wf-context'))
      await page.evaluate(insert(here(fromCdn('routeslip.js'))))
      await page.waitForFunction(() => customElements.get('wf-package-status'))
      await page.evaluate(
        `document.querySelector('wf-context').append(document.createElement('wf-package-status'))`,
      )
      await shows('In routing')
      assert.deepEqual(complaints, [])
    })

    for (const file of scripts) {
      it(`does not redefine tags that the page has defined: ${file}`, async () => {
        const own = `<script>customElements.define('wf-history', class extends HTMLElement {
          connectedCallback() { this.textContent = 'The history of this page' }
        })</script>`
        const { complaints, warnings } = await open(
          `${own}${fromCdn(file)}<wf-history></wf-history>${status}`,
        )
        await shows('In routing')
        assert.equal(await page.locator('wf-history').textContent(), 'The history of this page')
        assert.deepEqual(complaints, [])
        assert.deepEqual(warnings, ['Already defined, so the first definition stays: <wf-history>.'])
        assert.equal(requested.join().includes('wf-history'), false)
      })
    }
  })

  describe('with hashes', () => {
    /** Returns a script that does the same and one thing more. */
    const tamper = (text: string) => `${text}\n;window.tampered = true`
    const isTampered = () => page.evaluate(() => 'tampered' in window)

    /** The import map that the documented command creates. */
    function importMap(): string {
      const command = example('Integrity', 'sh')
      const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' })
      assert.equal(stderr, '')
      return stdout
    }

    /** The documented page with an import map. */
    const withMap = (file: string) =>
      example('Integrity', 'html', 1)
        .replace('nonce="…"', 'nonce="abc"')
        .replace('type="module"', 'type="module" nonce="abc"')
        .replace('routeslip-autoload.js', file)
        .replace('…', importMap())
    const policies = () => ({ 'Content-Security-Policy': policy(2).replace('…', 'abc') })

    it('is blocked if the file does not match the hash in the tag', async () => {
      changes = { 'routeslip.js': tamper }
      const { complaints } = await open(status + example('Integrity', 'html'))
      await page.waitForLoadState('load')
      await showsFallback()
      assert.equal(await isTampered(), false)
      assert.match(complaints.join(), /integrity/)
    })

    for (const file of scripts) {
      it(`works with an import map under the documented policy: ${file}`, async () => {
        const { complaints, warnings } = await open(
          `${withMap(file)}<div lang="es">${status}</div>`,
          policies(),
        )
        await shows('En trámite')
        assert.deepEqual([...complaints, ...warnings], [])
      })

      it(`works in a page that requires a hash for every script: ${file}`, async () => {
        const headers = { 'Integrity-Policy': 'blocked-destinations=(script)' }
        await open(withMap(file) + status, headers)
        await shows('In routing')
        await open(fromCdn(file) + status, headers)
        await page.waitForLoadState('load')
        await showsFallback()
      })

      it(`is blocked if a script does not match the map: ${file}`, async () => {
        changes = { [file]: tamper }
        const { complaints } = await open(withMap(file) + status)
        await page.waitForLoadState('load')
        await showsFallback()
        assert.equal(await isTampered(), false)
        assert.match(complaints.join(), /integrity/)

        await open(fromCdn(file) + status)
        await shows('In routing')
        assert.equal(await isTampered(), true, 'without the map, it runs')
      })

      it(`rejects a language that does not match the map: ${file}`, async () => {
        changes = { 'es.js': tamper }
        const { complaints } = await open(`${withMap(file)}<div lang="es">${status}</div>`)
        await shows('In routing')
        await until(() => complaints.length > 0)
        assert.match(complaints.join(), /integrity/)
        assert.equal(await isTampered(), false)

        await open(`${fromCdn(file)}<div lang="es">${status}</div>`)
        await shows('En trámite')
        assert.equal(await isTampered(), true, 'without the map, it runs')
      })
    }

    for (const name of ['wf-package-status', 'core']) {
      it(`rejects a part that does not match the map, and the page keeps working: ${name}`, async () => {
        const chunk = fileOf(name)
        changes = { [chunk]: tamper }
        const { complaints, warnings } = await open(withMap('routeslip-autoload.js') + status)
        await until(() => warnings.length > 0)
        assert.match(String(warnings[0]), /<wf-package-status> could not be loaded/)
        assert.match(complaints.join(), /integrity/)
        await showsFallback()
        assert.equal(await isTampered(), false)

        await open(fromCdn('routeslip-autoload.js') + status)
        await shows('In routing')
        assert.equal(await isTampered(), true, 'without the map, it runs')
      })
    }
  })
})

/** Returns a script that inserts markup into the page and runs its scripts. */
function insert(markup: string): string {
  return `document.body.append(document.createRange().createContextualFragment(${JSON.stringify(markup)}))`
}

function minus(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name))
}

function replaceOnce(text: string, from: string, to: string): string {
  assert.equal(text.split(from).length, 2, `${from} occurs once`)
  return text.replace(from, to)
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
