import { mkdirSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { enter } from './sign-in.ts'
import type { WordPress } from './site.ts'

/** A page, and what it has complained about. */
export interface Visit {
  readonly page: Page
  /** Errors of scripts, and messages in the console that concern the plugin. */
  readonly complaints: readonly string[]
}

/** What the tests of a site do in the browser. */
export interface Visits {
  /** Signs a user in. The password of each is the name. */
  readonly signIn: (name: string, options?: BrowserContextOptions) => Promise<BrowserContext>
  /** Opens a path of the site. */
  readonly open: (context: BrowserContext, path: string) => Promise<Visit>
  /** Creates a published page and returns its path. */
  readonly publish: (slug: string, content: string) => string
  /** Returns the header `Cookie` that a page of the site would send to a path. */
  readonly cookiesOf: (context: BrowserContext, path: string) => Promise<string>
}

export function createVisits(browser: Browser, wordpress: WordPress): Visits {
  return {
    async signIn(name, options = {}) {
      const context = await browser.newContext({
        locale: 'en-US',
        viewport: { width: 1280, height: 900 },
        ...options,
      })
      // The editor needs long to load while other tests run.
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      await page.goto(`${wordpress.url}/wp-login.php`)
      await enter(page, name, /wp-admin/)
      // Chromium sometimes never closes a page that is still loading.
      await page.waitForLoadState()
      await page.close()
      return context
    },

    async open(context, path) {
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        // WordPress looks for files of its own, some of them elsewhere. Pages poll if no live stream is free.
        const isOurs = /routeslip(?!.*\/events\?)/.test(message.location().url + message.text())
        if (message.type() === 'error' && isOurs) complaints.push(message.text())
      })
      await page.goto(wordpress.url + path)
      return { page, complaints }
    },

    publish(slug, content) {
      wordpress.php(
        // An administrator may write any HTML.
        `wp_set_current_user(1); kses_remove_filters();
        wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Travel request',
          'post_name' => '${slug}', 'post_content' => ${JSON.stringify(content).replaceAll('$', '\\$')}]);`,
      )
      return `/${slug}/`
    },

    cookiesOf: async (context, path) =>
      (await context.cookies(wordpress.url + path)).map(({ name, value }) => `${name}=${value}`).join('; '),
  }
}

/** Draws a page if SHOTS names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
