import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { launchBrowser } from '../browser.ts'

// Opens every story and every page of documentation in the static build of Storybook.

interface Entry {
  readonly id: string
  readonly type: 'story' | 'docs'
  readonly title: string
  readonly name: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** Returns the complaints without the one that stories about a missing proxy have to cause. */
function unexpected(id: string, complaints: readonly string[]): readonly string[] {
  if (!/^(?:elements-.*no-proxy|states-.*)$/.test(id)) return complaints
  return complaints.filter((text) => !text.startsWith('No Routeslip proxy found at '))
}

describe('Storybook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-storybook-'))
  let server: LocalServer
  let browser: Browser
  let entries: readonly Entry[]

  before(async () => {
    await promisify(execFile)('npm', ['run', 'build:storybook', '--', '--output-dir', folder], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      maxBuffer: 64_000_000,
    })
    const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { entries: object }
    entries = Object.values(index.entries) as Entry[]
    server = await listen(
      ({ url = '/' }, response) => {
        const { pathname } = new URL(url, 'http://files.test')
        const file = pathname === '/' ? '/index.html' : pathname
        try {
          const body = readFileSync(join(folder, file))
          response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream').end(body)
        } catch {
          response.writeHead(404).end()
        }
      },
      0,
      '',
    )
    browser = await launchBrowser()
  })

  after(async () => {
    await browser?.close()
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a page and records its problems, including requests to other hosts. */
  async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      viewport: { width: 1000, height: 800 },
    })
    const page = await context.newPage()
    // esbuild names functions with it, but `evaluate` does not pass it to the page.
    await page.addInitScript({ content: 'globalThis.__name = (value) => value' })
    const complaints: string[] = []
    const origin = `http://127.0.0.1:${server.port}`
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      const isFavicon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isFavicon) complaints.push(message.text().slice(0, 200))
    })
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        complaints.push(`Request to ${request.url()}`)
    })
    await page.goto(origin + path)
    return { page, complaints }
  }

  /** Opens a story in the preview frame, and waits until it has finished. */
  const openStory = async (id: string) => {
    const opened = await open(`/iframe.html?viewMode=story&id=${id}`)
    await prepare(opened.page)
    return opened
  }

  /** Waits until the first story of a page has finished, and adds axe. */
  const prepare = async (page: Page) => {
    await page.waitForFunction(() => {
      const channel = Reflect.get(globalThis, '__STORYBOOK_ADDONS_CHANNEL__') as Channel | undefined
      return channel?.last('storyFinished')
    })
    await page.addScriptTag({ content: axe })
  }

  /** Renders a story, and returns its problems, in light and dark. */
  const look = async (page: Page, id: string): Promise<string[]> => {
    const found = async () => {
      const problems = await rendering(page, id)
      // The stories in it are looked at one by one.
      if (id.startsWith('states-')) return problems
      return [...problems, ...(await page.evaluate(lookAtColors)), ...(await lookUnderFingers(page))]
    }
    try {
      return await found()
    } catch (error) {
      // Storybook loads the page again if an earlier story does not end within three turns of the event loop.
      if (!String(error).includes('context was destroyed')) throw error
      await prepare(page)
      return await found()
    }
  }

  it(
    'renders every story as described, and turns it dark and right to left, without a problem',
    {
      concurrency: 2,
    },
    async (t) => {
      const stories = entries.filter(({ type }) => type === 'story')
      const pages = await Promise.all([openStory('recipes--badges'), openStory('recipes--badges')])
      const renderAll = async (title: string) => {
        const free = pages.pop()!
        const { page, complaints } = free
        const failures: string[] = []
        try {
          for (const { id } of stories.filter((story) => story.title === title)) {
            const found = await look(page, id)
            const complained = unexpected(id, complaints.splice(0))
            failures.push(...[...found, ...complained].map((flaw) => `${id}: ${flaw}`))
          }
        } finally {
          pages.push(free)
        }
        assert.equal(failures.join('\n'), '')
      }
      const titles = [...new Set(stories.map(({ title }) => title))]
      await Promise.all(titles.map((title) => t.test(title, () => renderAll(title))))
      for (const { page } of pages) {
        await page.evaluate(() => {
          const faint = Object.assign(document.createElement('p'), {
            textContent: 'Faint',
            style: 'color: #333',
          })
          document.querySelector('#storybook-root .page')!.append(faint)
        })
        assert.match((await page.evaluate(lookAtColors)).join(), /^color-contrast, dark: .*Faint/, 'control')
        await page.evaluate(addFlawsOfTouch)
        const flaws = ['button "Low"', 'input "Choice"', 'link "Low link"', 'dialog "Moves the page"']
        assert.deepEqual(
          (await lookUnderFingers(page)).map((flaw) => flaw.replace(/^\S+ (\w+ ".*?").*/, '$1')),
          flaws,
          'control',
        )
        await page.context().close()
      }
    },
  )

  it('has documentation without problems, whose links work', async () => {
    const docs = entries.filter(({ type }) => type === 'docs')
    const ids = new Set(entries.map(({ id }) => id))
    const failures: string[] = []
    const work = async () => {
      const { page, complaints } = await openStory('recipes--badges')
      await page.evaluate(renderDocs, 'whole-page--docs')
      const status = page.locator('.sb-story wf-package-status [part=base]')
      await status.getByText('In routing').first().waitFor()
      await page.evaluate(leaveOutStories)
      for (let doc = docs.shift(); doc; doc = docs.shift()) {
        const { id } = doc
        await page.evaluate(renderDocs, id)
        await page.locator('.sbdocs-content h1').first().waitFor()
        const { flaws, links } = await page.evaluate(lookAtDocs)
        const lost = links.filter((href) => {
          const target = /[?&](?:path=\/(?:docs|story)\/|id=)([\w-]+)/.exec(href)?.[1]
          return target ? !ids.has(target) : !/^(?:https:\/\/|#)/.test(href)
        })
        failures.push(...[...flaws, ...lost, ...complaints.splice(0)].map((flaw) => `${id}: ${flaw}`))
      }
      await page.context().close()
    }
    await Promise.all([work(), work()])
    assert.equal(failures.join('\n'), '')
  })

  it('finds words in the guides, the reference and the descriptions of elements', async () => {
    const { page, complaints } = await open('/?path=/docs/search--docs')
    const frame = page.frameLocator('#storybook-preview-iframe')
    const search = frame.locator('docs-search')
    const status = search.getByRole('status')
    await search.getByRole('searchbox').fill('zzzz')
    await status.getByText('No page contains “zzzz”.').first().waitFor()
    await search.getByRole('searchbox').fill('title-field')
    await search.getByRole('heading', { name: '<wf-list>', exact: true }).waitFor()
    await search.getByRole('searchbox').fill('packagesPerHour')
    await search.getByRole('link', { name: 'ProxyLimits', exact: true }).click()
    await frame.getByRole('heading', { name: 'ProxyOptions' }).waitFor()
    // From one page of the reference to another.
    await frame.getByRole('link', { name: 'CallbackBody' }).first().click()
    await frame.getByRole('heading', { name: 'CallbackBody' }).waitFor()
    assert.match(page.url(), /path=\/docs\/reference-values--docs/)
    await page.goto(`${new URL(page.url()).origin}/?path=/docs/search--docs`)
    await search.getByRole('searchbox').fill('scenarios')
    await search.getByRole('link', { name: 'Scenarios', exact: true }).click()
    const heading = frame.getByRole('heading', { name: 'Scenarios' })
    await heading.waitFor()
    assert.match(page.url(), /path=\/docs\/guides-emulator--docs#scenarios$/)
    await page.waitForFunction(() => {
      const { contentDocument, contentWindow } = document.querySelector('iframe')!
      const { top = -1 } = contentDocument?.querySelector('#scenarios')?.getBoundingClientRect() ?? {}
      return top >= 0 && top < contentWindow!.innerHeight
    })
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  it('says if it cannot search, and shows results without accessibility violations', async () => {
    const { page } = await open('/iframe.html?viewMode=docs&id=search--docs')
    const status = page.locator('docs-search').getByRole('status')
    await page.route('**/search/pagefind.js', (route) => route.abort())
    await page.getByRole('searchbox').fill('policy')
    await status.getByText('The search could not be loaded. Reload the page').first().waitFor()
    await page.unroute('**/search/pagefind.js')
    await page.reload()
    await page.getByRole('searchbox').fill('policy')
    await status
      .getByText(/\d+ pages/)
      .first()
      .waitFor()
    await page.addScriptTag({ content: axe })
    const violations = await page.evaluate(async () => {
      const { violations } = await (Reflect.get(globalThis, 'axe') as Axe).run(
        document.querySelector('docs-search')!,
      )
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    assert.deepEqual(violations, [])
    await page.context().close()
  })

  it('has a dark frame and dark pages for people who prefer that', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' })
    const frame = page.frameLocator('#storybook-preview-iframe')
    // A blue of the background, of 255.
    const brightness = () =>
      Promise.all(
        [page.locator('nav').first(), frame.locator('.sbdocs-wrapper')].map((place) =>
          place.evaluate((element) => {
            let at: Element | null = element
            while (at && /^rgba?\(0, 0, 0, 0\)$/.test(getComputedStyle(at).backgroundColor))
              at = at.parentElement
            return at ? Number(/(\d+)\)$/.exec(getComputedStyle(at).backgroundColor)?.[1]) : 255
          }),
        ),
      )
    const openSearch = async () => {
      await page.goto(`http://127.0.0.1:${server.port}/?path=/docs/search--docs`)
      await frame.getByRole('searchbox').fill('policy')
      await frame.locator('docs-search a').first().waitFor()
    }
    await openSearch()
    for (const found of await brightness()) assert.ok(found < 60, `${found}`)
    const preview = page.frames().find((each) => each.url().includes('iframe.html'))!
    await preview.addScriptTag({ content: axe })
    const violations = await preview.evaluate(async () => {
      const { violations } = await (Reflect.get(globalThis, 'axe') as Axe).run(
        document.querySelector('docs-search')!,
      )
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    assert.deepEqual(violations, [])
    await page.emulateMedia({ colorScheme: 'light' })
    await openSearch()
    for (const found of await brightness()) assert.ok(found > 200, `${found}, control`)
    await page.context().close()
  })

  it('changes user, language, faults and latency of the current story', async () => {
    const { page, complaints } = await openStory('elements-wf-package-status--may-void')
    const shows = (text: string) => page.locator('wf-package-status [part=base]', { hasText: text }).waitFor()
    const switches = (globals: object) =>
      page.evaluate((globals) => {
        const channel = Reflect.get(globalThis, '__STORYBOOK_ADDONS_CHANNEL__') as Channel
        channel.emit('updateGlobals', { globals })
      }, globals)
    await shows('In routing')
    await switches({ person: 'outsider' })
    await shows('not available to you')
    await switches({ person: 'administrator' })
    await shows('In routing')
    await switches({ language: 'es' })
    await shows('En trámite')
    await switches({ language: 'qps' })
    await shows('⟦Iñ röütíñg')
    await switches({ language: 'en', fault: 'unavailable' })
    await shows('what was known at')
    await switches({ fault: 'none' })
    await page.locator('wf-package-status [part=stale]').waitFor({ state: 'detached' })
    await switches({ latency: 15_000 })
    await page.locator('wf-package-status:state(busy)').waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  it('has the settings in its toolbar, a control for each attribute, and a row for each other member', async () => {
    const { page, complaints } = await open('/?path=/story/elements-wf-package-status--may-void')
    const frame = page.frameLocator('#storybook-preview-iframe')
    await frame.locator('wf-package-status [part=base]', { hasText: 'In routing' }).waitFor()
    await page.getByRole('button', { name: 'Who is signed in' }).click()
    await page.getByText('Theo Marchetti, outsider').click()
    await frame.locator('wf-package-status [part=base]', { hasText: 'not available to you' }).waitFor()
    for (const name of ['Colour scheme', 'Direction', 'Language', 'Latency', 'Fault of the services'])
      assert.equal(await page.getByRole('button', { name }).count(), 1, name)

    for (const name of ['endpoint', 'form-id', 'package-id', 'sign-url', 'time-zone'])
      // A value that is not set has a button that sets it.
      assert.equal(await page.locator(`#control-${name}, #set-${name}`).count(), 1, name)
    // One row for the slot, and one for the part.
    assert.equal(await page.getByText('forbidden', { exact: true }).count(), 2)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})

/** The channel for commands to Storybook and events from it. */
interface Channel {
  emit(event: string, argument: unknown): void
  last(event: string): unknown
  on(event: string, listener: (argument: never) => void): void
  off(event: string, listener: (argument: never) => void): void
}

interface Axe {
  run(...args: object[]): Promise<{
    readonly violations: { readonly id: string; readonly nodes: { readonly html: string }[] }[]
  }>
}

/** Renders a story, waits until it and its checks have finished, and returns the problems. */
async function rendering(page: Page, id: string): Promise<string[]> {
  return await page.evaluate(async (storyId) => {
    type Report = { type: string; status: string; result: { violations?: Violation[]; error?: unknown } }
    type Violation = { id: string; nodes: { html: string }[] }
    const channel = Reflect.get(globalThis, '__STORYBOOK_ADDONS_CHANNEL__') as Channel
    const flaws: string[] = []
    // `storyFinished` may report success although the story threw an error.
    const failing = [
      'playFunctionThrewException',
      'storyThrewException',
      'storyErrored',
      'storyMissing',
      'unhandledErrorsWhilePlaying',
    ]
    const listeners = failing.map((name) => {
      const listener = (what: { readonly message?: string }) => flaws.push(`${name}: ${what.message ?? ''}`)
      return [name, listener] as const
    })
    for (const [name, listener] of listeners) channel.on(name, listener)
    const reports = await new Promise<Report[] | undefined>((resolve) => {
      // eslint-disable-next-line no-restricted-syntax -- The deadline of a story.
      const timer = setTimeout(() => resolve(undefined), 60_000)
      const finish = (finished: { storyId: string; reporters: Report[] }) => {
        if (finished.storyId !== storyId) return
        channel.off('storyFinished', finish)
        clearTimeout(timer)
        resolve(finished.reporters)
      }
      channel.on('storyFinished', finish)
      channel.emit('setCurrentStory', { storyId, viewMode: 'story' })
    })
    for (const [name, listener] of listeners) channel.off(name, listener)
    if (!reports) return [...flaws, 'it did not finish']
    const isGrid = storyId.startsWith('states-')
    if (flaws.length === 0 && !isGrid && !reports.some(({ type }) => type === 'a11y'))
      flaws.push('accessibility was not looked at')
    for (const { type, status, result } of reports) {
      const violations = (result.violations ?? []).map(
        ({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`,
      )
      if (status === 'failed') flaws.push(`${type}: ${violations.join('; ') || String(result.error)}`)
    }
    return flaws
  }, id)
}

/** Turns the story dark and right to left, and returns what axe finds of its colors and sizes: nothing else depends on that. */
async function lookAtColors(): Promise<string[]> {
  const pages = [...document.querySelectorAll<HTMLElement>('#storybook-root .page')]
  if (pages.length === 0) return ['the story has no page']
  for (const page of pages) {
    page.classList.replace('light', 'dark')
    page.dir = 'rtl'
  }
  const rules = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable']
  const { violations } = await (Reflect.get(globalThis, 'axe') as Axe).run(document.body, {
    resultTypes: ['violations'],
    runOnly: { type: 'rule', values: rules },
  })
  for (const page of pages) {
    page.classList.replace('dark', 'light')
    page.dir = 'ltr'
  }
  return violations.map(({ id, nodes }) => `${id}, dark: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Returns the problems of the story for people who press with their fingers. */
async function lookUnderFingers(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const press = async (enabled: boolean) => {
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled })
    await page.waitForFunction((coarse) => matchMedia('(pointer: coarse)').matches === coarse, enabled)
  }
  await press(true)
  const flaws = await page.evaluate(lookAtTargets)
  await press(false)
  await devtools.detach()
  return flaws
}

/**
 * Returns the targets of the elements that are smaller than 44 px, or 24 px for a link that is an item of a list, and what scrolls
 * the page behind it. Links within a sentence may be as high as its lines.
 */
function lookAtTargets(): string[] {
  const describe = (one: Element, kind: string = one.localName) =>
    `${(one.getRootNode() as ShadowRoot).host.localName}: ${kind} "${one.textContent.trim().slice(0, 30)}"`
  const look = (root: ShadowRoot): string[] =>
    [...root.querySelectorAll<HTMLElement>('*')].flatMap((one) => {
      const nested = one.shadowRoot ? look(one.shadowRoot) : []
      if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return nested
      if (one.matches('dialog, [role=listbox]'))
        return getComputedStyle(one).overscrollBehaviorY === 'contain' ? nested : [...nested, describe(one)]
      // People also press the label of a box to check, and the area around an input for files.
      const label = one.matches('[type=checkbox], [type=radio]') && (one as HTMLInputElement).labels?.[0]
      const { width, height } = (label || one).getBoundingClientRect()
      const size = ` is ${Math.round(width)} x ${Math.round(height)} px`
      const isControl = one.matches(
        'button, .button, summary, input:not([type=file]), select, textarea, [role=option]',
      )
      if (isControl && Math.min(width, height) < 44)
        return [...nested, describe(label || one, one.localName) + size]
      const isItem =
        one.matches('li a') && one.closest('div, li')?.textContent.trim() === one.textContent.trim()
      return isItem && !isControl && height < 24 ? [...nested, describe(one, 'link') + size] : nested
    })
  const hosts = document.querySelectorAll('#storybook-root *')
  return [...hosts].flatMap(({ localName, shadowRoot }) =>
    shadowRoot && /^(?:wf|fs|routing)-/.test(localName) ? look(shadowRoot) : [],
  )
}

/** Adds an element with each kind of problem that `lookAtTargets` finds to the story. */
function addFlawsOfTouch(): void {
  const host = document.createElement('wf-control')
  document.querySelector('#storybook-root')!.append(host)
  const style = 'display: inline-block; block-size: 20px; min-block-size: 0 !important'
  const create = (name: string, textContent: string, facts: object = {}) =>
    Object.assign(document.createElement(name), { textContent, style, ...facts })
  const choice = create('label', 'Choice')
  choice.prepend(create('input', '', { type: 'checkbox' }))
  const item = document.createElement('li')
  item.append(create('a', 'Low link', { href: '#' }))
  const dialog = create('dialog', 'Moves the page', { open: true, style: 'overscroll-behavior: auto' })
  host.attachShadow({ mode: 'open' }).append(create('button', 'Low'), choice, item, dialog)
}

/** Goes to a page of documentation, and waits until it is rendered. */
async function renderDocs(id: string): Promise<void> {
  const channel = Reflect.get(globalThis, '__STORYBOOK_ADDONS_CHANNEL__') as Channel
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${id} was not rendered within 60 s.`)), 60_000)
    const rendered = (renderedId: string) => {
      if (renderedId !== id) return
      channel.off('docsRendered', rendered)
      clearTimeout(timer)
      resolve()
    }
    channel.on('docsRendered', rendered)
    channel.emit('setCurrentStory', { storyId: id, viewMode: 'docs' })
  })
}

/** Leaves the stories out of pages of documentation: each is looked at by itself, and those of an element together in `States`. */
function leaveOutStories(): void {
  Object.assign(Reflect.get(globalThis, '__STORYBOOK_PREVIEW__') as object, {
    renderStoryToElement: () => async () => {},
  })
}

/** Returns the accessibility violations of a page of documentation, and the targets of its links. */
async function lookAtDocs(): Promise<{ readonly flaws: string[]; readonly links: string[] }> {
  const { violations } = await (Reflect.get(globalThis, 'axe') as Axe).run(
    { include: [['.sbdocs-content']] },
    // Storybook defines the colours and landmarks.
    { rules: { region: { enabled: false }, 'color-contrast': { enabled: false } } },
  )
  const texts = [...document.querySelectorAll('.sbdocs-content p')].map(({ textContent }) => textContent)
  return {
    flaws: [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      // MDX has no tables.
      ...texts.filter((text) => text.startsWith('|')).map((text) => `a table as text: ${text.slice(0, 40)}`),
    ],
    links: [...document.querySelectorAll('.sbdocs-content a[href]')].map((a) => a.getAttribute('href') ?? ''),
  }
}
