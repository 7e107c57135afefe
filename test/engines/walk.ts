// A visit of the demo in an engine other than Chromium. `npm run test:engines` sets ENGINE.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type EnginePage, startEngine } from '../../scripts/engines/start-engine.mjs'

const engine = process.env['ENGINE'] ?? 'firefox'

// The tests depend on each other: together they are one visit.
describe(`The demo in ${engine}`, () => {
  let demo: ChildProcess
  let home = ''
  let page: EnginePage

  before(async () => {
    demo = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'demo'], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    demo.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await until(() => (home = /^Routeslip demo on (\S+)$/m.exec(output)?.[1] ?? ''), 'the demo started')
    page = await startEngine(engine)
    await page.setViewportSize({ width: 1000, height: 700 })
    await page.goto(home)
  })

  after(async () => {
    await page?.close()
    demo.kill()
    if (demo.exitCode === null) await once(demo, 'exit')
  })

  /** Waits until the script, which returns a value, returns a truthy one. Returns it. */
  async function see<Value>(what: string, script: string): Promise<Value> {
    return await until(async () => (await page.evaluate(script)) as Value, what)
  }

  const inStatus = 'const root = document.querySelector("wf-package-status").shadowRoot;'
  const inUploader =
    'const uploader = document.querySelector("fs-uploader"); const root = uploader.shadowRoot;'

  it('shows the request, its history, comments and attachments', async () => {
    await see('the status', `${inStatus} return root.querySelector("[part=state]")?.textContent.trim()`)
    for (const [tag, part] of [
      ['wf-history', 'event'],
      ['wf-comments', 'comment'],
      ['wf-attachments', 'type'],
    ])
      await see(
        tag ?? '',
        `return document.querySelector("${tag}").shadowRoot.querySelector("[part~=${part}]") !== null`,
      )
  })

  it('opens the question about voiding by keyboard, and closes it with Escape', async () => {
    await page.evaluate(`${inStatus} root.querySelector("[data-action=voidPackage]").focus()`)
    await page.keyboard.press('Enter')
    await see('the dialog', `${inStatus} return root.querySelector("dialog[open]") !== null`)
    await page.keyboard.press('Escape')
    await see('no dialog', `${inStatus} return root.querySelector("dialog[open]") === null`)
    const focused = await page.evaluate(`${inStatus} return root.activeElement?.dataset.action`)
    assert.equal(focused, 'voidPackage', 'the focus is on the button again')
  })

  it('uploads a file of 20 MB with progress, as a value of the form', async () => {
    await page.evaluate(`${inUploader}
      window.seen = new Set()
      new MutationObserver(() => window.seen.add(root.querySelector("progress")?.value)).observe(root, { subtree: true, attributes: true, childList: true })
      const bytes = new Uint8Array(20000000)
      bytes.set([37, 80, 68, 70, 45, 49, 46, 55])
      uploader.add([new File([bytes], "travel plan.pdf", { type: "application/pdf" })])`)
    const uuid = await see<string>('the uuid', `${inUploader} return uploader.assets[0]?.uuid`)
    assert.match(uuid, /^[\da-f-]{36}$/)
    const steps = await page.evaluate('return [...window.seen].filter((value) => value > 0).length')
    assert.ok(Number(steps) > 0, 'progress was shown')
    const values = await page.evaluate(
      `${inUploader} return uploader.closest("form") && [...new FormData(uploader.closest("form")).values()]`,
    )
    assert.deepEqual(values, [uuid])
  })

  it('downloads the same bytes', async (test) => {
    if (!page.downloads) return test.skip('MiniBrowser saves nothing while it is driven')
    await page.evaluate(`${inUploader} root.querySelector("[part=download]").focus()`)
    await page.keyboard.press('Enter')
    const path = join(page.downloads, 'travel plan.pdf')
    await until(
      () => existsSync(path) && statSync(path).size === 20_000_000,
      'the file in the folder of downloads',
    )
    assert.equal(readFileSync(path, 'latin1').slice(0, 8), '%PDF-1.7')
    assert.ok(
      await page.evaluate(`${inUploader} return uploader.assets.length === 1`),
      'the page is still there',
    )
    await page.bringToFront()
  })

  it('deletes the file after a question', async () => {
    await page.evaluate(`${inUploader} root.querySelector(".delete").focus()`)
    await page.keyboard.press('Enter')
    await see('the question', `${inUploader} return root.querySelector(".keep") === root.activeElement`)
    await page.evaluate(`${inUploader} root.querySelector(".danger").focus()`)
    await page.keyboard.press('Enter')
    await see('no file', `${inUploader} return uploader.assets.length === 0`)
  })

  it('shows a signature in the console of the service without a reload', async () => {
    await page.evaluate('window.isSame = true')
    const signed = await fetch(`${home}console/sign`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ package: '42', univid: '10000002' }),
    })
    assert.equal(signed.status, 303)
    await see(
      'the next approver',
      `${inStatus} return /Mei-Ling Zhou/.test(root.textContent) && window.isSame`,
    )
  })

  it('has no content that is wider than a page of 320 px', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    assert.equal(
      await page.evaluate(
        'return document.documentElement.scrollWidth - document.documentElement.clientWidth',
      ),
      0,
    )
    await page.setViewportSize({ width: 1000, height: 700 })
  })

  it('voids the request by keyboard alone', async () => {
    await page.evaluate(`${inStatus} root.querySelector("[data-action=voidPackage]").focus()`)
    await page.keyboard.press('Enter')
    await see('the first reason has the focus', `${inStatus} return root.activeElement?.type === "radio"`)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await see(
      'the state',
      `${inStatus} return /^Void/.test(root.querySelector("[part=state]")?.textContent.trim())`,
    )
  })
})

async function until<Value>(probe: () => Value | Promise<Value>, what: string): Promise<Value> {
  for (const end = Date.now() + 30_000; ;) {
    const value = await probe()
    if (value) return value
    if (Date.now() > end) throw new Error(`Not seen within 30 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
