import type { Browser, Page } from 'playwright-core'
import { personaCookieName } from '../../src/proxy/identity/identity.ts'
import { inPageScript } from './expected.ts'
import type { Visitor } from './visitor.ts'

/** Opens a new profile in Chromium. `timeout` is the deadline of each action, in milliseconds. */
export async function visitWithChromium(browser: Browser, url: string, timeout: number): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-US' })
  context.setDefaultTimeout(timeout)
  context.setDefaultNavigationTimeout(30_000)
  await context.addInitScript(inPageScript)
  const messages: string[] = []
  const errors: string[] = []
  let answer = 'ok'
  let asked = 0

  async function openTab(): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => messages.push(message.text()))
    page.on('dialog', async (dialog) => {
      const isAboutLeaving = dialog.type() === 'beforeunload'
      if (!isAboutLeaving) asked++
      await (isAboutLeaving || answer === 'ok' ? dialog.accept() : dialog.dismiss())
    })
    return page
  }
  let page = await openTab()

  return {
    signIn: (univid) => context.addCookies([{ name: personaCookieName, value: univid, url }]),
    goto: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    async crash() {
      const address = page.url()
      const session = await context.newCDPSession(page)
      const crashed = page.waitForEvent('crash')
      // It has no response, because the process that would respond has ended.
      session.send('Page.crash').catch(() => {})
      await crashed
      await page.close()
      page = await openTab()
      await page.goto(address)
    },
    async fill(selector, value) {
      const control = page.locator(selector)
      if (typeof value === 'string') await control.fill(value)
      else if (typeof value === 'boolean') await control.setChecked(value)
      else await control.selectOption([...value])
    },
    type: (selector, text) => page.locator(selector).pressSequentially(text),
    press: (key) => page.keyboard.press(key),
    click: (selector) => page.locator(selector).first().click(),
    async clickIfPossible(selector) {
      const target = page.locator(selector).first()
      const canBeUsed = async () => (await target.isVisible()) && (await target.isEnabled())
      if (!(await canBeUsed())) return
      // The page may take it away in the meantime.
      await target.click().catch(async (error: unknown) => {
        if (await canBeUsed()) throw error
      })
    },
    chooseFile: (selector, name, mimeType) =>
      page.locator(selector).setInputFiles({ name, mimeType, buffer: Buffer.from('%PDF-1.7 content') }),
    answer: async (chosen) => void (answer = chosen),
    asked: async () => asked,
    evaluate: (expression) => page.evaluate(expression),
    async probe(selectors, expression) {
      const elements = await Promise.all(selectors.map((selector) => page.$(selector)))
      if (elements.includes(null)) return undefined
      await page.evaluate((probed) => Object.assign(globalThis, { probed }) && undefined, elements)
      return await page.evaluate(expression)
    },
    messages: async () => messages,
    errors: async () => errors,
    close: () => context.close(),
  }
}
