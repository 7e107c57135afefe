// The plugin in WordPress. `npm run test:stacks` sets the paths of the programs.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type EmulatorServer, serveEmulator } from '../../src/cli/emulator/emulator.ts'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { createListener } from '../../src/proxy/node/index.ts'
import type { Proxy } from '../../src/proxy/mount/proxy.ts'
import { launchBrowser } from '../../test/browser.ts'
import { freePort } from '../../test/free-port.mjs'
import {
  fromPage,
  type ReceivedResponse,
  receiveResponse,
  sendRequest,
  until,
} from '../../test/cli/proxy-command.ts'
import { people } from '../../test/proxy/mount.ts'
import { proxyOf } from './wordpress/proxy.ts'
import { enter } from './wordpress/sign-in.ts'
import { startWordPress, stricterPolicy, strictPolicy, versionIn, type WordPress } from './wordpress/site.ts'
import { createVisits, shoot, type Visits } from './wordpress/visits.ts'

const api = '/wp-json/routeslip/v1'
const packagePath = `${api}/forms/6025/packages/42`
/** Uploads of this size or more end in a sink, so that the test measures only WordPress. */
const huge = 500_000_000

/** What the preview of each block shows: a part, and a text in it. */
const previews: Readonly<Record<string, readonly [part: string, text: string]>> = {
  'wf-package-status': ['[part=state]', 'In routing'],
  'wf-badge': ['[part=state]', 'In routing'],
  'wf-history': ['[part=event]', 'Amara Okafor'],
  'wf-comments': ['[part=comment]', 'Which budget pays for the train?'],
  'wf-attachments': ['[part=file]', 'receipt.txt'],
  'fs-uploader': ['[part=choose]', 'Choose files'],
  'fs-files': ['[part=file]', 'itinerary.txt'],
  'fs-shares': ['[part=share]', 'itinerary.txt'],
  'wf-office': ['[part=input]', ''],
  'wf-route': ['[part~=stop]', 'Department'],
  'wf-overrides': ['[part=override]', 'Mei-Ling Zhou'],
}

/** A form with one file, as it arrived. */
interface SunkForm {
  /** The headers of the file. */
  readonly head: string
  readonly bytes: number
  readonly hash: string
  /** Whether the form ends after the file. */
  readonly isComplete: boolean
}

for (const source of ['WORDPRESS', 'LATER_WORDPRESS'])
  describe(`the WordPress plugin in ${versionIn(source)}`, () => testPlugin(source))

function testPlugin(source: string): void {
  let emulator: EmulatorServer
  let proxy: Proxy
  let server: LocalServer
  let wordpress: WordPress
  let browser: Browser
  let services: string
  let visits: Visits
  const signIn: Visits['signIn'] = (...args) => visits.signIn(...args)
  const open: Visits['open'] = (...args) => visits.open(...args)
  const publish: Visits['publish'] = (...args) => visits.publish(...args)
  const cookiesOf = (context: BrowserContext) => visits.cookiesOf(context, packagePath)
  /** The forms that the sink has received. */
  const sunk: SunkForm[] = []

  before(async () => {
    const port = await freePort()
    emulator = await serveEmulator({ port })
    services = `http://127.0.0.1:${port}`
    const proxyPort = await freePort()
    const settings = () => ({
      proxy: `http://127.0.0.1:${proxyPort}/api/wf`,
      forms: { 6025: 'Travel request' },
      streams: 2,
    })
    wordpress = await startWordPress(settings, { source })
    wordpress.php('Routeslip\\Identity::publish_key();')
    await logControl()
    proxy = proxyOf(wordpress.url, `${wordpress.url}/wp-content/uploads`, services)
    const toProxy = createListener(proxy)
    server = await listen(
      (incoming: IncomingMessage, response: ServerResponse) =>
        Number(incoming.headers['content-length'] ?? huge) >= huge && incoming.url === '/api/wf/files'
          ? sink(incoming, response)
          : toProxy(incoming, response),
      proxyPort,
      '',
    )
    browser = await launchBrowser()
    visits = createVisits(browser, wordpress)
  })

  after(async () => {
    await browser?.close()
    await wordpress?.close()
    await proxy?.close()
    await server?.close()
    await emulator?.close()
  })

  /** Lets a file of the plugin cause a notice, to prove that notices are logged. */
  async function logControl(): Promise<void> {
    const file = `${wordpress.folder}/site/wp-content/plugins/routeslip/control.php`
    writeFileSync(file, "<?php require '../../../wp-load.php'; trigger_error('A control');")
    await fetch(`${wordpress.url}/wp-content/plugins/routeslip/control.php`)
    rmSync(file)
  }

  function sink(incoming: IncomingMessage, response: ServerResponse): void {
    const limit = /boundary=(.+)$/.exec(incoming.headers['content-type'] ?? '')?.[1]
    const end = `\r\n--${limit}--\r\n`
    const hash = createHash('sha256')
    let head: string | undefined
    let bytes = 0
    let rest = Buffer.alloc(0)
    incoming.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      if (head === undefined) {
        const at = rest.indexOf('\r\n\r\n')
        if (at < 0) return
        head = rest.subarray(0, at).toString()
        rest = rest.subarray(at + 4)
      }
      const known = Math.max(0, rest.length - end.length)
      hash.update(rest.subarray(0, known))
      bytes += known
      rest = rest.subarray(known)
    })
    incoming.on('end', () => {
      sunk.push({ head: head ?? '', bytes, hash: hash.digest('hex'), isComplete: rest.toString() === end })
      response.writeHead(200, { 'content-type': 'application/json', 'x-routeslip': '1' }).end('{}')
    })
  }

  const allTags = [
    ...['wf-package-status', 'wf-route', 'wf-history', 'wf-comments', 'wf-attachments'],
    'fs-uploader',
  ]
  const allBlocks = allTags.map((tag) => `<!-- wp:routeslip/${tag} /-->`).join('\n')

  describe('in the editor', () => {
    let context: BrowserContext
    before(async () => {
      context = await signIn('edith')
    })
    after(() => context?.close())

    it('inserts a block that shows example data, with its attributes in the sidebar', async () => {
      const { page, complaints } = await open(context, '/wp-admin/post-new.php?post_type=page')
      await readyEditor(page)
      await page.getByRole('textbox', { name: 'Add title' }).fill('Where requests are')
      await page.getByRole('button', { name: 'Toggle block inserter' }).click()
      await page.getByRole('searchbox', { name: /Search/ }).fill('Request history')
      await page.getByRole('option', { name: 'Request history' }).click()
      await page.locator('wf-history [part=event]').first().waitFor()
      await page.getByText('Example data').first().waitFor()
      await page.getByRole('button', { name: 'Toggle block inserter' }).click()
      await page.getByRole('document', { name: 'Block: Request history' }).click()
      const id = page.getByRole('spinbutton', { name: 'Package ID' })
      if (!(await id.isVisible()))
        await page.getByRole('button', { name: 'Settings', exact: true }).first().click()
      await id.fill('42')
      await shoot(page, 'editor-history')
      const saved = await page.evaluate(
        `(async () => { await wp.data.dispatch('core/editor').editPost({ status: 'publish' });
          await wp.data.dispatch('core/editor').savePost();
          return { content: wp.data.select('core/editor').getEditedPostContent(), link: wp.data.select('core/editor').getPermalink() } })()`,
      )
      const { content, link } = saved as { content: string; link: string }
      assert.equal(content, '<!-- wp:routeslip/wf-history {"settings":{"package-id":"42"}} /-->')
      await page.goto(link)
      assert.equal(await page.locator('wf-history').getAttribute('package-id'), '42')
      assert.deepEqual(complaints, [])
    })

    it('shows every block of the patterns', async () => {
      const { page, complaints } = await open(context, '/wp-admin/post-new.php?post_type=page')
      await readyEditor(page)
      for (const pattern of ['request-page', 'request-form']) {
        await page.evaluate(
          `(async () => { const { content } = (await wp.data.resolveSelect('core').getBlockPatterns())
              .find(({ name }) => name === 'routeslip/${pattern}');
            wp.data.dispatch('core/block-editor').resetBlocks(wp.blocks.parse(content)) })()`,
        )
        if (pattern === 'request-page') {
          await page.locator('wf-package-status [part=state]').first().waitFor()
          await page.locator('wf-route [part~=stop]').first().waitFor()
          await page.locator('wf-comments [part=comment]').first().waitFor()
          await page.locator('wf-attachments [part~=type]').first().waitFor()
        } else await page.getByRole('document', { name: 'Block: Form field' }).first().waitFor()
        assert.equal(await page.getByText('unexpected or invalid content').count(), 0)
        await shoot(page, `editor-${pattern}`)
      }
      assert.deepEqual(complaints, [])
    })

    it('shows example data in the preview of every block', async () => {
      const { page, complaints } = await open(context, '/wp-admin/post-new.php?post_type=page')
      await readyEditor(page)
      const blocks = Object.keys(previews).map((tag) => `<!-- wp:routeslip/${tag} /-->`)
      await page.evaluate(
        `wp.data.dispatch('core/block-editor').resetBlocks(wp.blocks.parse(${JSON.stringify(blocks.join(''))}))`,
      )
      for (const [tag, [part, hasText]] of Object.entries(previews))
        await page
          .locator(`[data-type="routeslip/${tag}"] ${tag}`)
          .locator(part, { hasText })
          .first()
          .waitFor()
      const preview = page.locator('.routeslip-preview')
      assert.equal(await preview.getByText('Example data', { exact: true }).count(), blocks.length)
      assert.equal(await preview.locator('[inert] > *').count(), blocks.length, 'none can be used')
      const problems =
        '[part~=no-proxy], [part~=not-configured], [part~=forbidden], [part~=failure], [part~=empty]'
      assert.equal(await preview.locator(problems).count(), 0)
      assert.deepEqual(complaints, [])
      await page.setViewportSize({ width: 1280, height: 4400 })
      await shoot(page, 'editor-previews')
      // The others contain blocks.
      assert.deepEqual(
        await page.evaluate(
          `Object.keys(routeslipEditor.elements).filter((tag) => !routeslipEditor.elements[tag].isContainer)`,
        ),
        Object.keys(previews),
      )
    })

    it('offers every attribute of every block in the sidebar', async () => {
      const { page, complaints } = await open(context, '/wp-admin/post-new.php?post_type=page')
      await readyEditor(page)
      const { elements, labels } = await page.evaluate<{
        readonly elements: Readonly<Record<string, { readonly attributes: object }>>
        readonly labels: Readonly<Record<string, string>>
      }>('routeslipEditor')
      for (const [tag, { attributes }] of Object.entries(elements)) {
        await showBlock(page, tag)
        const shown = await page.locator('.block-editor-block-inspector label').allInnerTexts()
        // Some style sheets show labels in capital letters.
        const found = shown.map((label) => label.toLowerCase())
        for (const name of Object.keys(attributes)) {
          const label = labels[`${tag} ${name}`] ?? labels[name] ?? assert.fail(name)
          assert.ok(found.includes(label.toLowerCase()), `${tag} ${name}: ${shown.join(', ')}`)
        }
      }
      assert.deepEqual(complaints, [])
    })

    it('shows blocks in a context and in a form with their settings', async () => {
      const { page, complaints } = await open(context, '/wp-admin/post-new.php?post_type=page')
      await readyEditor(page)
      const inner = '<!-- wp:routeslip/wf-badge /-->'
      const blocks = `<!-- wp:routeslip/wf-context {"settings":{"package-id":"42"}} -->${inner}<!-- /wp:routeslip/wf-context -->
        <!-- wp:routeslip/wf-form {"submitLabel":"Send it"} --><!-- wp:routeslip/field {"label":"Purpose","hint":"In one sentence"} /--><!-- /wp:routeslip/wf-form -->`
      await page.evaluate(
        `wp.data.dispatch('core/block-editor').resetBlocks(wp.blocks.parse(${JSON.stringify(blocks)}))`,
      )
      const type = (name: string) => page.locator(`[data-type="routeslip/${name}"]`)
      await type('wf-context').locator('wf-badge').getByText('In routing').first().waitFor()
      await type('wf-form').getByText('Purpose (optional)').first().waitFor()
      await type('wf-form').getByText('In one sentence').first().waitFor()
      await type('wf-form').getByText('Send it').first().waitFor()
      await type('wf-form').getByText('Save for later').first().waitFor()
      await shoot(page, 'editor-containers')
      assert.deepEqual(complaints, [])
    })

    it('lists the fields of HTML in a form, and lets the author choose their kinds', async () => {
      const { page } = await open(context, '/wp-admin/post-new.php?post_type=page')
      await readyEditor(page)
      const html =
        '<!-- wp:html --><label>Purpose <input name="purpose" required></label><label>Cost <input name="cost"></label><!-- /wp:html -->'
      await page.evaluate(
        `wp.data.dispatch('core/block-editor').resetBlocks(wp.blocks.parse(${JSON.stringify(`<!-- wp:routeslip/wf-form -->${html}<!-- /wp:routeslip/wf-form -->`)}))`,
      )
      await page.evaluate(
        `wp.data.dispatch('core/block-editor').selectBlock(wp.data.select('core/block-editor').getBlocks()[0].clientId)`,
      )
      await page.getByRole('combobox', { name: 'cost' }).selectOption('currency')
      await shoot(page, 'editor-form-kinds')
      const content = String(await page.evaluate(`wp.data.select('core/editor').getEditedPostContent()`))
      assert.match(content, /"kinds":\{"cost":"currency"\}/)
      const path = publish('html-form', content)
      await page.goto(wordpress.url + path)
      assert.equal(await page.locator('input[name=cost]').getAttribute('data-kind'), 'currency')
      assert.equal(await page.locator('input[name=purpose]').getAttribute('data-kind'), null)
    })
  })

  async function readyEditor(page: Page): Promise<void> {
    await page.waitForFunction(`window.wp?.data?.select('core/editor')?.getCurrentPostId()`)
    await page.evaluate(`wp.data.dispatch('core/edit-post').openGeneralSidebar('edit-post/block')`)
    await page.evaluate(
      `wp.data.select('core/edit-post').isFeatureActive('welcomeGuide') && wp.data.dispatch('core/edit-post').toggleFeature('welcomeGuide')`,
    )
  }

  /** Inserts a block and opens all its settings in the sidebar. */
  async function showBlock(page: Page, tag: string): Promise<void> {
    await page.evaluate(
      `(() => { const block = wp.blocks.createBlock('routeslip/${tag}');
        wp.data.dispatch('core/block-editor').resetBlocks([block]);
        wp.data.dispatch('core/block-editor').selectBlock(block.clientId) })()`,
    )
    const closed = page.locator(
      '.block-editor-block-inspector .components-panel__body:not(.is-opened) button',
    )
    await page.locator('.block-editor-block-inspector .components-panel__body').first().waitFor()
    while ((await closed.count()) > 0) await closed.first().click()
  }

  describe('on pages', () => {
    let path: string
    before(() => {
      path = publish('travel', allBlocks)
    })

    it('loads the script as a module with its hash, only on pages that use it', async () => {
      const page = await fetch(wordpress.url + path).then((response) => response.text())
      const tag = /<script[^>]*routeslip-autoload[^>]*>/.exec(page)?.[0] ?? ''
      assert.match(tag, /type="module"/)
      const script = /src="([^"]+)"/.exec(tag)?.[1]?.replaceAll('&#038;', '&') ?? ''
      const content = Buffer.from(await (await fetch(script)).arrayBuffer())
      assert.match(
        tag,
        new RegExp(
          `integrity="${escape(`sha384-${createHash('sha384').update(content).digest('base64')}`)}"`,
        ),
      )
      const other = await fetch(wordpress.url + publish('other', 'Nothing here')).then((response) =>
        response.text(),
      )
      assert.doesNotMatch(other, /routeslip/)
    })

    it('shows a signed-in user live data, uploads 50 MB, voids, and shows what others change', async () => {
      const context = await signIn('amara')
      const { page, complaints } = await open(context, path)
      const stream = page.waitForResponse((response) => response.url().includes('/events?') && response.ok())
      await page.goto(`${wordpress.url}${path}?package=42`)
      await page.locator('wf-package-status [part=state]', { hasText: 'In routing' }).waitFor()
      await page.locator('wf-history [part=event]').first().waitFor()

      const file = `${wordpress.folder}/fifty.bin`
      writeFileSync(file, randomBytes(50_000_000))
      await page.locator('fs-uploader input[type=file]').setInputFiles(file)
      await page
        .locator('fs-uploader')
        .getByText(/^Uploaded /)
        .first()
        .waitFor({ timeout: 120_000 })

      // The change of somebody else comes with the stream: while it is open, the page polls only every five minutes.
      const events = await stream
      assert.match(events.headers()['content-type'] ?? '', /^text\/event-stream/)
      let isOver = false
      page.on('requestfinished', (request) => (isOver ||= request.url() === events.url()))
      page.on('requestfailed', (request) => (isOver ||= request.url() === events.url()))
      await addComment('Which budget pays for the train?')
      await page
        .locator('wf-comments')
        .getByText('Which budget pays for the train?')
        .first()
        .waitFor({ timeout: 120_000 })
      assert.equal(isOver, false, 'the stream is still open')

      await page.locator('wf-package-status').getByRole('button', { name: 'Void…' }).click()
      await page.locator('wf-package-status').getByRole('dialog').waitFor()
      await shoot(page, 'front-void-dialog')
      // The first reason has the focus.
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.locator('wf-package-status [part=state]', { hasText: 'Void' }).waitFor()
      assert.deepEqual(complaints, [])
      await context.close()
      await resetServices()
    })

    it('asks a signed-out visitor to sign in, and returns to the page', async () => {
      const context = await browser.newContext({ locale: 'en-US' })
      const { page } = await open(context, `${path}?package=42`)
      const link = page
        .locator('wf-package-status [part=signed-out] a, wf-package-status a[part~=sign-in]')
        .first()
      await link.waitFor()
      assert.equal(await page.locator('wf-package-status [part=state]').count(), 0)
      await shoot(page, 'front-signed-out')
      await link.click()
      await enter(page, 'amara', /\/travel\/\?package=42/)
      await page.locator('wf-package-status [part=state]').first().waitFor()
      await context.close()
    })

    it('hides the package from people who may not see it', async () => {
      const context = await signIn('outsider')
      const { page } = await open(context, `${path}?package=42`)
      await page.locator('wf-package-status [part=forbidden]').waitFor()
      assert.equal(await page.locator('wf-package-status [part=state]').count(), 0)
      await context.close()
    })

    for (const theme of ['twentytwentythree', 'twentytwentyone']) {
      it(`works with the theme ${theme}, with and without strict policies, light and dark, at 320 px`, async () => {
        wordpress.php(`switch_theme('${theme}');`)
        const context = await signIn('amara')
        for (const policy of ['none', 'strict', 'stricter'] as const) {
          for (const [scheme, width] of [
            ['light', 1280],
            ['dark', 1280],
            ['light', 320],
          ] as const) {
            const page = await context.newPage()
            const complaints: string[] = []
            page.on('pageerror', (error) => {
              // Strict policies block the import map of WordPress, so its own modules fail.
              const isTheirs = policy !== 'none' && /specifier "@wordpress\//.test(String(error))
              if (!isTheirs) complaints.push(String(error))
            })
            page.on('console', (message) => {
              // Under the strict policy, WordPress complains about its own inline scripts.
              const isOurs = /routeslip(?!.*\/events\?)/.test(message.location().url + message.text())
              if (message.type() === 'error' && isOurs) complaints.push(message.text())
            })
            await page.setViewportSize({ width, height: 900 })
            await page.emulateMedia({ colorScheme: scheme })
            await page.setExtraHTTPHeaders({ 'x-test-policy': policy })
            const response = await page.goto(`${wordpress.url}${path}?package=42`)
            assert.equal(
              response?.headers()['content-security-policy'],
              { none: undefined, strict: strictPolicy, stricter: stricterPolicy }[policy],
            )
            await page.locator('wf-package-status [part=state]', { hasText: 'In routing' }).waitFor()
            await page.locator('wf-history [part=event]').first().waitFor()
            await page.locator('wf-route [part~=stop]').first().waitFor()
            const overflow = await page.evaluate(
              `[...document.querySelectorAll('${allTags.join()}')]
                .filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.localName)`,
            )
            assert.deepEqual(overflow, [])
            await shoot(page, `${theme}-${policy}-${scheme}-${width}`)
            assert.deepEqual(complaints, [])
            await page.close()
          }
        }
        await context.close()
      })
    }

    it('turns a form without code into a request', async () => {
      wordpress.php(`switch_theme('twentytwentythree');`)
      const field = (label: string, name: string, kind: string) =>
        `<!-- wp:routeslip/field ${JSON.stringify({ label, name, kind, required: true })} /-->`
      // Fields of the form in the service that the page does not use.
      const unused = {
        ...{ nights: 'number', website: 'url', contact: 'email', notice: 'no_answer' },
        ...{ traveler: 'university_id', org: 'org', sub_department: 'sub_department', position: 'position' },
      }
      const hidden = ([name, kind]: readonly [string, string]) =>
        `<!-- wp:routeslip/field ${JSON.stringify({ name, kind, hidden: true })} /-->`
      const form = publish(
        'new-request',
        `<!-- wp:routeslip/wf-form {"settings":{"success-url":"/travel/?package={packageId}"}} -->
        ${field('Purpose', 'purpose', 'text')}${field('Departure', 'departure', 'date')}${field('Cost', 'cost', 'currency')}
        ${field('Department', 'department', 'department')}${Object.entries(unused).map(hidden).join('')}
        <!-- wp:routeslip/wf-attachments /-->
        <!-- /wp:routeslip/wf-form -->`,
      )
      const context = await signIn('amara')
      const { page, complaints } = await open(context, form)
      await page.getByLabel('Purpose').fill('A conference')
      await page.getByLabel('Departure').fill('2027-05-14')
      await page.getByLabel('Cost').fill('1,250.50')
      await page.locator('wf-office').getByRole('combobox').fill('11-0420')
      await shoot(page, 'front-form')
      await page.getByRole('button', { name: 'Save for later' }).click()
      await page.locator('wf-attachments [part~=type]').first().waitFor()
      await page.getByLabel('Purpose').fill('A large conference')
      await page.getByRole('button', { name: 'Submit' }).click()
      await page.waitForURL(/\/travel\/\?package=\d+/)
      const id = new URL(page.url()).searchParams.get('package')
      await page.locator('wf-package-status [part=state]', { hasText: 'In routing' }).waitFor()
      const entry = await page.evaluate(
        `fetch('${api}/forms/6025/packages/${id}/entry', { headers: { 'x-routeslip': '1' } }).then((r) => r.json())`,
      )
      assert.match(JSON.stringify(entry), /"purpose":"A large conference"/)
      assert.match(JSON.stringify(entry), /"cost":1250\.5/)
      assert.deepEqual(complaints, [])
      await context.close()
    })

    it('prints shortcodes with the same attributes', async () => {
      const slug = publish(
        'shortcodes',
        '[wf_history package-id="42" onclick="alert(1)" endpoint="//evil.example"]Ask the office[/wf_history] [wf_badge form-id="6025" package-id=\'42" onclick="x\']',
      )
      const page = await fetch(wordpress.url + slug).then((response) => response.text())
      assert.match(page, /<wf-history package-id="42">Ask the office<\/wf-history>/)
      assert.match(page, /<wf-badge form-id="6025"><\/wf-badge>/)
    })

    it('is in Arabic and runs from right to left on a site in Arabic', async (test) => {
      // Debian has no translations of WordPress itself, so it can neither choose the language nor know the direction.
      const plugins = `${wordpress.folder}/site/wp-content/mu-plugins`
      mkdirSync(plugins)
      const context = await signIn('amara', { locale: 'ar' })
      test.after(async () => {
        rmSync(plugins, { recursive: true })
        // An open page would keep its live stream.
        await context.close()
      })
      writeFileSync(
        `${plugins}/arabic.php`,
        `<?php add_filter('locale', fn() => 'ar');
        add_action('after_setup_theme', fn() => $GLOBALS['wp_locale']->text_direction = 'rtl');`,
      )
      const form = publish(
        'arabic',
        `${allBlocks}<!-- wp:routeslip/wf-form --><!-- wp:routeslip/field {"label":"الغرض","name":"purpose"} /--><!-- /wp:routeslip/wf-form -->`,
      )
      const { page, complaints } = await open(context, `${form}?package=42`)
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 900 })
        await page.reload()
        assert.equal(await page.locator('html[lang=ar][dir=rtl]').count(), 1)
        await page.locator('wf-package-status [part=state]', { hasText: 'قيد الاعتماد' }).waitFor()
        await page.getByRole('button', { name: 'حفظ لوقت لاحق' }).waitFor()
        await page.getByLabel('الغرض').waitFor()
        const overflow = await page.evaluate(
          `[...document.querySelectorAll(${JSON.stringify(allTags.join())})].filter((each) => {
            const { left, right } = each.getBoundingClientRect()
            return left < 0 || right > innerWidth
          }).map((each) => each.localName)`,
        )
        assert.deepEqual(overflow, [])
        await shoot(page, `front-arabic-${width}`)
      }
      assert.deepEqual(complaints, [])
    })

    it('configures pages in the language and the colors of the site', async () => {
      wordpress.php(
        `Routeslip\\Settings::register(); update_option('routeslip', ['colors' => ['accent' => 'contrast', 'on_accent' => 'base']] + get_option('routeslip'));`,
      )
      const page = await fetch(`${wordpress.url}${path}?package=42`).then((response) => response.text())
      const css = /href='([^']+tokens\.css[^']*)'/.exec(page)?.[1]?.replaceAll('&#038;', '&') ?? ''
      assert.match(
        await fetch(css).then((response) => response.text()),
        /--wf-accent: var\(--wp--preset--color--contrast, #000000\);/,
      )
      const json = /data-wf-config>([^<]+)</.exec(page)?.[1] ?? ''
      assert.deepEqual(JSON.parse(json), {
        endpoint: api,
        formId: 6025,
        packageId: 42,
        timeZone: 'America/Chicago',
        signInUrl: `${wordpress.url}/wp-login.php?redirect_to={returnUrl}`,
      })
    })
  })

  describe('the forwarder', () => {
    let context: BrowserContext
    let cookie: string
    before(async () => {
      context = await signIn('amara')
      const { page } = await open(context, '/travel/?package=42')
      await page.locator('wf-package-status [part=state]').first().waitFor()
      cookie = await cookiesOf(context)
      await page.close()
    })
    after(() => context?.close())

    const send = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      sendRequest(wordpress.url + path, { method, headers: { ...fromPage, cookie, ...headers } })

    it('accepts requests only from pages of the site', async () => {
      assert.equal((await send(packagePath)).status, 200)
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'none' },
      ]) {
        const { status, headers: received } = await send(packagePath, headers)
        assert.deepEqual([status, received['content-type']], [403, 'application/problem+json; charset=utf-8'])
        assert.equal(received['access-control-allow-origin'], undefined)
      }
    })

    it('ignores an identity that a browser sends', async () => {
      const forged = {
        authorization: 'Bearer x.y.z',
        'x-remote-user': people.initiator,
        'x-univid': people.initiator,
      }
      const { status } = await sendRequest(wordpress.url + packagePath, {
        headers: { ...fromPage, ...forged },
      })
      assert.equal(status, 401)
      assert.equal((await send(packagePath, forged)).status, 200)
    })

    /** Returns the cookie with the nonce that a read sets. */
    async function nonceFor(sent: string): Promise<string> {
      const { headers } = await sendRequest(wordpress.url + packagePath, {
        headers: { ...fromPage, cookie: sent },
      })
      const found = /routeslip_[0-9a-f]+_1=[^;]+/.exec(String(headers['set-cookie']))?.[0]
      assert.ok(found, 'a read has set the cookie')
      return found
    }

    it('rejects the nonce of another user or session', async () => {
      const own = /routeslip_[0-9a-f]+_1=[^;]+/.exec(cookie)?.[0] ?? ''
      for (const name of ['outsider', 'amara']) {
        const other = await signIn(name)
        const nonce = await nonceFor(await cookiesOf(other))
        await other.close()
        assert.notEqual(nonce, own)
        const { status, body } = await send(
          `${packagePath}/restart`,
          { cookie: cookie.replace(own, nonce), 'idempotency-key': `"${'k'.repeat(20)}"` },
          'PUT',
        )
        assert.equal(status, 403)
        assert.match(body.toString(), /Reload it/)
      }
    })

    it('believes single sign-on of the web server, and no header of a visitor', async () => {
      const settings = wordpress.php(`echo json_encode(get_option('routeslip'));`)
      const session = (univid: string) => ({ cookie: `single_sign_on=session-of-${univid}` })
      const visit = (headers: Readonly<Record<string, string>>, method = 'GET', path = packagePath) =>
        sendRequest(wordpress.url + path, { method, headers: { ...fromPage, ...headers } })
      for (const variable of ['REMOTE_USER', 'HTTP_X_SINGLE_SIGN_ON']) {
        wordpress.php(
          `update_option('routeslip', ['identity' => 'server', 'server_variable' => '${variable}'] + get_option('routeslip'));`,
        )
        const forged = {
          'remote-user': people.initiator,
          'x-remote-user': people.initiator,
          'x-single-sign-on': people.initiator,
        }
        assert.equal((await visit(forged)).status, 401, variable)
        assert.equal((await visit(session(people.initiator))).status, 200, variable)
        assert.equal((await visit({ ...session('10000008'), ...forged })).status, 403, variable)
        // An account of WordPress counts for nothing.
        assert.equal((await visit({ cookie })).status, 401, variable)
      }
      const nonce = await nonceFor(session('10000008').cookie)
      const change = (sent: string) =>
        visit(
          {
            cookie: `${session(people.initiator).cookie}; ${sent}`,
            'idempotency-key': `"${'k'.repeat(20)}"`,
          },
          'PUT',
          `${packagePath}/restart`,
        )
      assert.match((await change(nonce)).body.toString(), /Reload it/)
      // Control: the proxy refuses this.
      const own = await nonceFor(session(people.initiator).cookie)
      assert.doesNotMatch((await change(own)).body.toString(), /Reload it/)
      wordpress.php(`update_option('routeslip', json_decode('${settings}', true));`)
    })

    it('hands the roles of the account to the policy of the proxy as groups', async (test) => {
      const settings = wordpress.php(`echo json_encode(get_option('routeslip'));`)
      test.after(async () => {
        wordpress.php(`update_option('routeslip', json_decode('${settings}', true));`)
        setRole('amara', 'subscriber')
        await resetServices()
      })
      const restart = async (sent: string, more: Readonly<Record<string, string>> = {}) => {
        const response = await send(
          `${packagePath}/restart`,
          { cookie: sent, 'idempotency-key': `"${randomBytes(12).toString('hex')}"`, ...more },
          'PUT',
        )
        assert.doesNotMatch(response.body.toString(), /Reload it/)
        return response.status
      }
      const setRole = (name: string, role: string) =>
        wordpress.php(`get_user_by('login', '${name}')->set_role('${role}');`)
      const user = await signIn('amara')
      const session = await cookiesOf(user)
      await user.close()
      const subscriber = `${session}; ${await nonceFor(session)}`
      assert.equal(await restart(subscriber), 403)
      assert.equal(await restart(subscriber, { 'x-groups': 'editor', groups: 'editor' }), 403, 'forged')
      setRole('amara', 'editor')
      assert.equal(await restart(subscriber), 200)
      // A second role counts too.
      setRole('amara', 'subscriber')
      wordpress.php(`get_user_by('login', 'amara')->add_role('editor');`)
      assert.equal(await restart(subscriber), 200)
      setRole('amara', 'subscriber')
      // A token is valid for a while, but its groups are read for each request.
      assert.equal(await restart(subscriber), 403)

      // The account of an editor, and another person according to single sign-on.
      setRole('amara', 'editor')
      wordpress.php(`update_option('routeslip', ['identity' => 'server'] + get_option('routeslip'));`)
      const person = `${session}; single_sign_on=session-of-${people.initiator}`
      assert.equal(await restart(`${person}; ${await nonceFor(person)}`), 403)
    })

    it('takes user names for IDs if the settings say so', async () => {
      // The field of these users names somebody else.
      wordpress.php(
        `foreach (['${people.initiator}' => '10000008', '10000008' => '${people.initiator}'] as $name => $field)
          update_user_meta(wp_create_user($name, $name, "$name@northfield.example"), 'univid', $field);
        update_option('routeslip', ['identity' => 'login'] + get_option('routeslip'));`,
      )
      for (const [name, expected] of [
        [people.initiator, 200],
        ['10000008', 403],
        ['amara', 401],
      ] as const) {
        const user = await signIn(name)
        const sent = { ...fromPage, cookie: await cookiesOf(user), 'x-univid': people.initiator }
        await user.close()
        assert.equal(
          (await sendRequest(wordpress.url + packagePath, { headers: sent })).status,
          expected,
          name,
        )
      }
      wordpress.php(`update_option('routeslip', ['identity' => 'meta'] + get_option('routeslip'));`)
    })

    it('rejects changes without the nonce of the session', async () => {
      const nonce = /routeslip_[0-9a-f]+_1=([^;]+)/.exec(cookie)?.[0] ?? ''
      assert.ok(nonce, 'a read has set the cookie')
      const change = (sent: string) =>
        send(`${packagePath}/restart`, { cookie: sent, 'idempotency-key': `"${'k'.repeat(20)}"` }, 'PUT')
      const without = await change(cookie.replace(nonce, ''))
      assert.equal(without.status, 403)
      assert.match(without.body.toString(), /Reload it/)
      const forged = await change(cookie.replace(nonce, nonce.replace(/=.*/, '=0123456789')))
      assert.match(forged.body.toString(), /Reload it/)
      // Control: the proxy, not the site, refuses this user.
      assert.doesNotMatch((await change(cookie)).body.toString(), /Reload it/)
    })

    it('hides metrics, health and paths with a second meaning', async () => {
      for (const path of [
        '/metrics',
        '/healthz',
        '/readyz',
        '/%6detrics',
        '/x/../metrics',
        '//metrics',
        '/./metrics',
      ])
        assert.equal((await send(api + path)).status, 404, path)
    })

    it('shows no secret in any response', async () => {
      const secret = wordpress.php(`echo get_option('routeslip_signing_key');`)
      assert.ok(secret.length > 80)
      for (const path of [
        packagePath,
        `${api}/session`,
        '/travel/',
        '/wp-content/uploads/routeslip/jwks.json',
        '/wp-json/wp/v2/settings',
      ]) {
        const { body, headers } = await send(path)
        const text = body.toString() + JSON.stringify(headers)
        assert.ok(!text.includes(secret) && !/Bearer|eyJ/.test(text), path)
      }
    })

    for (const server of ['url', 'streaming'] as const) {
      it(`forwards 1 GB in flat memory (${server === 'url' ? 'as PHP receives it' : 'as docs/wordpress.md shows'})`, async () => {
        const hash = createHash('sha256')
        const head = Buffer.from(
          '--limit\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: video/mp4\r\n\r\n',
        )
        const tail = Buffer.from('\r\n--limit--\r\n')
        const upload = request(`${wordpress[server]}${api}/files`, {
          method: 'POST',
          headers: {
            ...fromPage,
            cookie,
            'content-type': 'multipart/form-data; boundary=limit',
            'content-length': head.length + 1_000_000_000 + tail.length,
          },
        })
        const response: Promise<ReceivedResponse> = receiveResponse(upload)
        upload.write(head)
        for (let count = 0; count < 1000; count++) {
          const chunk = Buffer.alloc(1_000_000, `chunk ${count} `)
          hash.update(chunk)
          if (!upload.write(chunk)) await new Promise((resolve) => upload.once('drain', resolve))
        }
        upload.end(tail)
        const { status, body } = await response
        assert.equal(status, 200, body.toString())
        const last = sunk.pop()
        assert.deepEqual(
          [last?.bytes, last?.hash, last?.isComplete],
          [1_000_000_000, hash.digest('hex'), true],
        )
        assert.match(last?.head ?? '', /; name="file"; filename="large\.bin"\r\nContent-Type: video\/mp4$/)
        const memory = wordpress.memoryOfPhp()
        console.log(`1 GB, ${server}: PHP used up to ${Math.round(memory / 1e6)} MB`)
        assert.ok(memory < 128_000_000, `${memory} bytes of memory`)
      })
    }

    it('leaves the forms of WordPress alone after streamed uploads', async () => {
      // Enough for every process of PHP.
      await Promise.all(
        Array.from({ length: 40 }, () =>
          sendRequest(`${wordpress.streaming}${api}/session`, { headers: { ...fromPage, cookie } }),
        ),
      )
      for (let count = 0; count < 20; count++) {
        const { status } = await sendRequest(`${wordpress.streaming}/wp-login.php`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'log=amara&pwd=amara',
        })
        assert.equal(status, 302)
      }
    })

    it('forwards a download and its interruption', async () => {
      const pdf = await send(`${packagePath}/pdf`, { 'sec-fetch-dest': 'document' })
      assert.equal(pdf.status, 200)
      assert.equal(pdf.headers['content-type'], 'application/pdf')
      assert.match(pdf.body.toString('latin1'), /^%PDF-/)
    })

    it('serves as many live streams as the settings allow', async () => {
      const connect = async () => {
        const stream = request(`${wordpress.url}${api}/events?package=6025-42`, {
          headers: { ...fromPage, cookie },
        }).end()
        const [response] = (await once(stream, 'response')) as [IncomingMessage]
        return { stream, response }
      }
      const streams: Awaited<ReturnType<typeof connect>>[] = []
      // Also proves that the streams of pages that were closed before have ended.
      await until(async () => {
        const one = await connect()
        if (one.response.statusCode === 200) streams.push(one)
        else one.stream.destroy()
        return streams.length === 2
      })
      const { response } = await connect()
      assert.deepEqual([response.statusCode, response.headers['retry-after']], [503, '60'])
      for (const { stream } of streams) stream.destroy()
      // Their places are free again soon after.
      await until(async () => {
        const one = await connect()
        one.stream.destroy()
        return one.response.statusCode === 200
      })
    })

    it('names the user to a web server that forwards itself', async () => {
      const { status, headers } = await send(`${api}/signed-in`)
      assert.deepEqual([status, headers['x-univid']], [204, people.initiator])
      assert.equal((await sendRequest(`${wordpress.url}${api}/signed-in`)).status, 401)
    })
  })

  it('is in the language of the user, also for regions without a translation', async () => {
    wordpress.php(`update_user_meta(get_user_by('login', 'edith')->ID, 'locale', 'de_CH');
      update_user_meta(1, 'locale', 'de_DE');`)
    const editor = await signIn('edith')
    const { page } = await open(editor, '/wp-admin/post-new.php?post_type=page')
    await page.waitForFunction(`window.wp?.data?.select('core/editor')?.getCurrentPostId()`)
    const { title, label } = await page.evaluate<{ title: string; label: string }>(
      `({ title: wp.blocks.getBlockType('routeslip/wf-history').title, label: routeslipEditor.labels['package-id'] })`,
    )
    assert.deepEqual([title, label], ['Verlauf des Antrags', 'Antrags-ID'])
    await readyEditor(page)
    await showBlock(page, 'fs-uploader')
    await page.getByText('Leer: beliebig viele Dateien.').first().waitFor()
    await shoot(page, 'editor-german')
    wordpress.php(`update_user_meta(get_user_by('login', 'edith')->ID, 'locale', 'ar');`)
    await page.reload()
    await readyEditor(page)
    await showBlock(page, 'fs-uploader')
    await page.getByText('فارغ: أي عدد من الملفات.').first().waitFor()
    await shoot(page, 'editor-arabic')
    await editor.close()
    const administrator = await signIn('admin')
    const settings = await open(administrator, '/wp-admin/options-general.php?page=routeslip')
    await settings.page.getByLabel('Adresse des Proxys').waitFor()
    await settings.page.getByText('✓ Der Proxy antwortet.').first().waitFor()
    await administrator.close()
  })

  it('lets administrators change the ID of a user, but not the user', async () => {
    const idOf = () =>
      wordpress.php(`echo get_user_meta(get_user_by('login', 'nobody')->ID, 'univid', true);`)
    const user = wordpress.php(`echo get_user_by('login', 'nobody')->ID;`)
    wordpress.php(`delete_user_meta(1, 'locale');`)
    const administrator = await signIn('admin')
    const { page } = await open(administrator, `/wp-admin/user-edit.php?user_id=${user}`)
    const save = async (value: string) => {
      await page.getByLabel('University ID').fill(value)
      await page.getByRole('button', { name: 'Update User' }).click()
      await page.getByText('User updated.').first().waitFor()
      await page.waitForLoadState()
    }
    await save('10000003')
    assert.equal(idOf(), '10000003')
    await page.goto(`${wordpress.url}/wp-admin/user-edit.php?user_id=${user}`)
    await save('10000003 OR 1')
    assert.equal(idOf(), '10000003', 'not an ID')
    await administrator.close()

    const person = await signIn('nobody')
    const profile = (await open(person, '/wp-admin/profile.php')).page
    const field = profile.getByLabel('University ID')
    assert.ok(await field.isDisabled())
    // A forged form contains the field too.
    await field.evaluate((input: HTMLInputElement) => (input.disabled = false))
    await field.fill('10000001')
    await profile.getByRole('button', { name: 'Update Profile' }).click()
    await profile.getByText('Profile updated.').first().waitFor()
    assert.equal(idOf(), '10000003')
    await person.close()
  })

  it('shows the settings, the state of the proxy and colors that are hard to read', async () => {
    wordpress.php(`delete_user_meta(1, 'locale');`)
    const context = await signIn('admin')
    const { page } = await open(context, '/wp-admin/options-general.php?page=routeslip')
    await page.getByText('The proxy responds').first().waitFor()
    await page.getByText(`ROUTESLIP_IDENTITY_ISSUER=${wordpress.url}`).first().waitFor()
    for (const label of ['Buttons and links', 'Text on buttons'])
      await page.getByLabel(label, { exact: true }).selectOption('contrast')
    await page.getByLabel('Address of the proxy').fill('http://user:pass@127.0.0.1/api/wf')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByText('Enter the address of the proxy with its path').first().waitFor()
    await page.getByText('have a contrast of 1.0:1').first().waitFor()
    await shoot(page, 'settings')
    await page.setViewportSize({ width: 320, height: 900 })
    await shoot(page, 'settings-320')
    const settings = JSON.parse(wordpress.php(`echo json_encode(get_option('routeslip'));`)) as {
      proxy: string
    }
    assert.match(settings.proxy, /^http:\/\/127\.0\.0\.1:\d+\/api\/wf$/)
    await context.close()
  })

  it('removes its options and files, but not the IDs of users', () => {
    const left = () =>
      wordpress.php(
        `global $wpdb; echo $wpdb->get_var("SELECT GROUP_CONCAT(option_name ORDER BY option_name) FROM $wpdb->options WHERE option_name LIKE 'routeslip%'"),
          is_dir(WP_CONTENT_DIR . '/uploads/routeslip') ? ' folder ' : ' none ',
          get_user_meta(get_user_by('login', 'amara')->ID, 'univid', true);`,
      )
    assert.equal(left(), `routeslip,routeslip_signing_key folder ${people.initiator}`)
    wordpress.php(
      `require ABSPATH . 'wp-admin/includes/admin.php'; deactivate_plugins('routeslip/routeslip.php');
       define('WP_UNINSTALL_PLUGIN', 'routeslip/routeslip.php'); require WP_PLUGIN_DIR . '/routeslip/uninstall.php';`,
    )
    assert.equal(left(), ` none ${people.initiator}`)
  })

  it('causes no notices of PHP', () => {
    const notices = readFileSync(`${wordpress.folder}/debug.log`, 'utf8')
      .split('\n')
      .filter((line) => /plugins\/routeslip/.test(line))
    // The first one proves that notices are logged.
    assert.match(notices.shift() ?? '', /PHP Notice: {2}A control in/)
    assert.deepEqual(notices, [])
  })

  async function addComment(comment: string): Promise<void> {
    const response = await fetch(`${services}/_emulator/test/forms/6025/packages/42/comments`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ univid: people.firstApprover, comment }),
    })
    assert.ok(response.ok, await response.text())
  }

  async function resetServices(): Promise<void> {
    const response = await fetch(`${services}/_emulator/reset`, { method: 'POST' })
    assert.ok(response.ok, await response.text())
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
