import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { build } from 'vite'
import { createClient } from '../../src/client/index.ts'
import type { WfContext as WfContextElement } from '../../src/elements/wf-context/wf-context.ts'
import { WfContext, WfHistory } from '../../src/react/index.ts'
import { launchBrowser } from '../browser.ts'

/** The same page twice: with the components, and with the tags, which React 19 supports. */
const entry = '.react-entry.ts'
const source = `
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { WfContext, WfHistory, WfPackageStatus } from './src/react/index.ts'
import { createBackend, people } from './stories/backend.ts'

const { client } = createBackend(people.firstApprover)
const given = [{ '@class': 'complete', actionDate: '2026-11-17T10:00:00' }]

function Page({ context, status, history, names }) {
  const [count, setCount] = useState('nothing')
  const [url, setUrl] = useState('nowhere')
  const [isGiven, setGiven] = useState(false)
  return h(context, { client, [names.form]: 6025, [names.package]: names.id },
    h(status, { [names.sign]: '#sign', [names.onSign]: (event) => { event.preventDefault(); setUrl(event.url) } }),
    h(history, { className: 'wide', ...(isGiven && { history: given }), [names.onLoad]: ({ value }) => setCount(value.past.length + ' events') }),
    h('output', {}, count + ' ' + url),
    h('button', { onClick: () => setGiven(true) }, 'Give'))
}

createRoot(document.querySelector('#components')).render(h(Page, {
  context: WfContext, status: WfPackageStatus, history: WfHistory,
  names: { form: 'formId', package: 'packageId', id: 42, sign: 'signUrl', onSign: 'onWfSign', onLoad: 'onWfLoad' },
}))
createRoot(document.querySelector('#tags')).render(h(Page, {
  context: 'wf-context', status: 'wf-package-status', history: 'wf-history',
  names: { form: 'form-id', package: 'package-id', id: '42', sign: 'sign-url', onSign: 'onwf-sign', onLoad: 'onwf-load' },
}))
`

describe('in React', () => {
  let browser: Browser
  let page: Page
  const errors: string[] = []

  before(async () => {
    writeFileSync(entry, source)
    const outputs = await build({
      configFile: false,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        target: 'es2022',
        write: false,
        minify: false,
        lib: { entry, formats: ['es'], fileName: 'main' },
      },
    })
    const files = new Map<string, string>()
    for (const { output } of [outputs].flat() as { output: { fileName: string; code?: string }[] }[])
      for (const { fileName, code = '' } of output) files.set(`/${fileName}`, code)

    browser = await launchBrowser()
    page = await browser.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    await page.route('https://react.test/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      const body =
        files.get(pathname) ??
        '<!doctype html><html lang="en"><link rel="icon" href="data:,"><div id="components"></div><div id="tags"></div><script type="module" src="/main.js"></script>'
      await route.fulfill({ contentType: files.has(pathname) ? 'text/javascript' : 'text/html', body })
    })
    await page.goto('https://react.test/')
  })

  after(async () => {
    await browser?.close()
    rmSync(entry, { force: true })
  })

  for (const [way, id] of [
    ['components', '#components'],
    ['tags', '#tags'],
  ] as const)
    it(`${way} set properties and receive events`, async () => {
      const place = page.locator(id)
      await place
        .getByText(/^[1-9]\d* events nowhere$/)
        .first()
        .waitFor()
      assert.equal(await place.locator('wf-history').getAttribute('class'), 'wide')
      assert.equal(
        await place.locator('wf-context').evaluate((element) => (element as WfContextElement).packageId),
        42,
      )

      await place.getByRole('link', { name: 'Sign' }).click()
      await place
        .getByText(/events https:\/\/react\.test\/#sign$/)
        .first()
        .waitFor()
      assert.equal(page.url(), 'https://react.test/', 'the page has taken over')

      await place.getByRole('button', { name: 'Give' }).click()
      await place.locator('wf-history .complete').waitFor()
    })

  it('logs no error', () => assert.deepEqual(errors, []))

  it('components can be rendered on a server', () => {
    const client = createClient({ endpoint: '/api/wf' })
    const props = { className: 'wide', id: 'past', packageId: 42, history: [], onWfLoad: () => {} }
    const history = createElement(WfHistory, props, 'Loading')
    const markup = renderToString(
      createElement(WfContext, { endpoint: '/api/wf', formId: 6025, client }, history),
    )
    assert.equal(
      markup,
      '<wf-context endpoint="/api/wf" form-id="6025">' +
        '<wf-history class="wide" id="past" package-id="42">Loading</wf-history></wf-context>',
    )
  })
})
