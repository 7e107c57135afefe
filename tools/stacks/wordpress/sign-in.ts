import type { Page } from 'playwright-core'

/**
 * Fills in the sign-in page of WordPress, and waits for the page after it. The password of each user is the name. All of it is one
 * task: a script of the page moves the focus at some time, which would interrupt typing.
 */
export async function enter(page: Page, name: string, next: RegExp): Promise<void> {
  await page.locator('#wp-submit').waitFor()
  await page.evaluate(`(() => {
    for (const id of ['user_login', 'user_pass']) document.getElementById(id).value = ${JSON.stringify(name)}
    document.getElementById('wp-submit').click()
  })()`)
  await page.waitForURL(next, { waitUntil: 'commit', timeout: 120_000 })
}
