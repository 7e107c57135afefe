// The plugin in a network of sites. `npm run test:stacks` sets the paths of the programs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { type EmulatorServer, serveEmulator } from '../../src/cli/emulator/emulator.ts'
import { listen, type LocalServer } from '../../src/cli/listen.ts'
import { createListener } from '../../src/proxy/node/index.ts'
import type { Proxy } from '../../src/proxy/mount/proxy.ts'
import { launchBrowser } from '../../test/browser.ts'
import { freePort } from '../../test/free-port.mjs'
import { fromPage, sendRequest } from '../../test/cli/proxy-command.ts'
import { proxyOf } from './wordpress/proxy.ts'
import { enter } from './wordpress/sign-in.ts'
import { startWordPress, type WordPress } from './wordpress/site.ts'

const packagePath = '/wp-json/routeslip/v1/forms/6025/packages/42'

describe('the WordPress plugin in a network of sites', () => {
  let emulator: EmulatorServer
  let proxy: Proxy
  let server: LocalServer
  let wordpress: WordPress
  let browser: Browser
  /** Address of the second site. */
  let second: string

  before(async () => {
    const port = await freePort()
    emulator = await serveEmulator({ port })
    const proxyPort = await freePort()
    wordpress = await startWordPress(() => ({}), { isNetwork: true })
    second = `${wordpress.url}/second`
    wordpress.php(
      `require_once ABSPATH . 'wp-admin/includes/admin.php';
      deactivate_plugins('routeslip/routeslip.php');
      $error = activate_plugin('routeslip/routeslip.php', '', true);
      is_wp_error($error) && exit('Fatal error: ' . $error->get_error_message());
      grant_super_admin(1);
      $site = wpmu_create_blog(get_network()->domain, '/second/', 'Graduate College', 1);
      is_wp_error($site) && exit('Fatal error: ' . $site->get_error_message());
      // WordPress removes the colon of a port from the domain.
      $wpdb->update($wpdb->blogs, ['domain' => get_network()->domain], ['blog_id' => $site]);
      clean_blog_cache($site);
      foreach (['amara' => 'subscriber', 'edith' => 'administrator'] as $name => $role)
        add_user_to_blog($site, get_user_by('login', $name)->ID, $role);
      switch_to_blog($site);
      update_option('home', '${second}');
      update_option('siteurl', '${second}');
      update_option('permalink_structure', '/%postname%/');
      update_option('routeslip', ['proxy' => 'http://127.0.0.1:${proxyPort}/api/wf', 'forms' => [6025 => 'Travel request']]);
      wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Travel request', 'post_name' => 'travel',
        'post_content' => '<!-- wp:routeslip/wf-package-status /-->']);
      restore_current_blog();`,
    )
    phpOfSecond('flush_rewrite_rules(); Routeslip\\Identity::publish_key();')
    proxy = proxyOf(second, `${second}/wp-content/uploads/sites/2`, `http://127.0.0.1:${port}`)
    server = await listen(createListener(proxy), proxyPort, '')
    browser = await launchBrowser()
  })

  after(async () => {
    await browser?.close()
    await wordpress?.close()
    await proxy?.close()
    await server?.close()
    await emulator?.close()
  })

  /** Runs PHP in the second site, and returns what it prints. */
  const phpOfSecond = (code: string) => wordpress.php(code, '/second/')

  async function signIn(name: string): Promise<BrowserContext> {
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(`${second}/wp-login.php?redirect_to=${encodeURIComponent(`${second}/wp-admin/`)}`)
    await enter(page, name, /\/second\/wp-admin/)
    // Chromium sometimes never closes a page that is still loading.
    await page.waitForLoadState()
    await page.close()
    return context
  }

  it('forwards the requests of a second site with the settings and the key of that site', async () => {
    const context = await signIn('amara')
    const page = await context.newPage()
    await page.goto(`${second}/travel/?package=42`)
    await page.locator('wf-package-status [part=state]', { hasText: 'In routing' }).waitFor()
    const cookie = (await context.cookies(second + packagePath)).map(({ name, value }) => `${name}=${value}`)
    const send = (url: string) =>
      sendRequest(url, { headers: { ...fromPage, origin: wordpress.url, cookie: cookie.join('; ') } })
    assert.equal((await send(second + packagePath)).status, 200)
    // The first site has no proxy.
    const first = await send(wordpress.url + packagePath)
    assert.equal(first.status, 503)
    assert.match(first.body.toString(), /The address of the proxy is missing/)
    const keyOf = async (uploads: string) => await (await fetch(`${uploads}/routeslip/jwks.json`)).text()
    wordpress.php('Routeslip\\Identity::publish_key();')
    assert.notEqual(
      await keyOf(`${wordpress.url}/wp-content/uploads`),
      await keyOf(`${second}/wp-content/uploads/sites/2`),
    )
    await context.close()
  })

  it('lets the administrator of a site change its forms, but not its proxy or who users are', async () => {
    const context = await signIn('edith')
    const page = await context.newPage()
    await page.goto(`${second}/wp-admin/options-general.php?page=routeslip`)
    assert.ok(await page.getByLabel('Address of the proxy').isDisabled())
    assert.ok(await page.getByLabel('The user name').isDisabled())
    assert.equal(await page.getByRole('button', { name: 'Replace the key' }).count(), 0)
    await page.getByLabel('Forms').fill('6025 Travel\n7001 Leave')
    // A forged form contains the protected settings too.
    await page.evaluate(
      `for (const input of document.querySelectorAll('input:disabled')) input.disabled = false`,
    )
    await page.getByLabel('Address of the proxy').fill('http://127.0.0.1:9/api/wf')
    await page.getByLabel('The user name').check()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByText('Settings saved.').first().waitFor()
    const settings = JSON.parse(phpOfSecond(`echo json_encode(get_option('routeslip'));`)) as {
      readonly proxy: string
      readonly identity: string
      readonly forms: object
    }
    assert.match(settings.proxy, /^http:\/\/127\.0\.0\.1:\d{2,}\/api\/wf$/)
    assert.equal(settings.identity, 'meta')
    assert.deepEqual(settings.forms, { 6025: 'Travel', 7001: 'Leave' })
    await context.close()
  })

  it('removes the options and files of all sites', () => {
    const left = () =>
      wordpress.php(
        `global $wpdb; foreach ([$wpdb->base_prefix, $wpdb->base_prefix . '2_'] as $prefix)
          echo $wpdb->get_var("SELECT COUNT(*) FROM {$prefix}options WHERE option_name LIKE 'routeslip%'"), ' ';
        foreach (['', '/sites/2'] as $site) echo is_dir(WP_CONTENT_DIR . "/uploads$site/routeslip") ? 'folder ' : 'none ';`,
      )
    assert.equal(left(), '2 2 folder folder ')
    wordpress.php(
      `require_once ABSPATH . 'wp-admin/includes/admin.php'; deactivate_plugins('routeslip/routeslip.php', false, true);
       define('WP_UNINSTALL_PLUGIN', 'routeslip/routeslip.php'); require WP_PLUGIN_DIR . '/routeslip/uninstall.php';`,
    )
    assert.equal(left(), '0 0 none none ')
  })
})
