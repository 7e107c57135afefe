// A visit of the demo in an engine other than Chromium. `npm run test:engines` sets ENGINE.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type EnginePage, startEngine } from '../../tools/engines/start-engine.mjs'

const engine = process.env['ENGINE'] ?? 'firefox'

// The tests depend on each other: together they are one visit.
describe(`The demo in ${engine}`, () => {
  let demo: ChildProcess
  let relay: Awaited<ReturnType<typeof startRelay>>
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
    relay = await startRelay(Number(new URL(home).port))
    home = `http://127.0.0.1:${relay.port}/`
    page = await startEngine(engine)
    await page.setViewportSize({ width: 1000, height: 700 })
    await page.goto(home)
  })

  after(async () => {
    await page?.close()
    relay?.close()
    demo.kill()
    if (demo.exitCode === null) await once(demo, 'exit')
  })

  /** Waits until the script, which returns a value, returns a truthy one. Returns it. */
  async function see<Value>(what: string, script: string): Promise<Value> {
    return await until(async () => (await page.evaluate(script)) as Value, what)
  }

  // An element may be defined after the page has loaded. Until then the scripts return nothing.
  const inElement = (tag: string): string =>
    `const element = document.querySelector("${tag}"); const root = element?.shadowRoot; if (!root) return;`
  const inStatus = inElement('wf-package-status')
  const inUploader = `${inElement('fs-uploader')} const uploader = element;`

  it('shows the request, its history, comments and attachments', async () => {
    await see('the status', `${inStatus} return root.querySelector("[part=state]")?.textContent.trim()`)
    for (const [tag, part] of [
      ['wf-history', 'event'],
      ['wf-comments', 'comment'],
      ['wf-attachments', 'type'],
    ] as const)
      await see(tag, `${inElement(tag)} return root.querySelector("[part~=${part}]") !== null`)
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
    await see('the place to drop files', `${inUploader} return root.querySelector("[part=choose]") !== null`)
    await page.evaluate(`${inUploader}
      const bytes = new Uint8Array(20000000)
      bytes.set([37, 80, 68, 70, 45, 49, 46, 55])
      uploader.add([new File([bytes], "travel plan.pdf", { type: "application/pdf" })])`)
    await see(
      'progress',
      `${inUploader} const bar = root.querySelector("progress"); return bar?.position > 0 && bar.position < 1`,
    )
    relay.release()
    const uuid = await see<string>('the uuid', `${inUploader} return uploader.assets[0]?.uuid`)
    assert.match(uuid, /^[\da-f-]{36}$/)
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
    await page.evaluate(`${inUploader} root.querySelector(".ask").focus()`)
    await page.keyboard.press('Enter')
    await see('the question', `${inUploader} return root.querySelector(".keep") === root.activeElement`)
    await page.evaluate(`${inUploader} root.querySelector(".delete").focus()`)
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

/**
 * Starts a server in front of a port that holds an upload after 5 MB until `release()`, so that its progress can be seen on any
 * machine.
 */
async function startRelay(port: number) {
  const held = new Set<() => void>()
  let isReleased = false
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    let size = 0
    client.on('data', (chunk) => {
      size += chunk.length
      const isWritten = target.write(chunk)
      const isHeld = !isReleased && size > 5_000_000
      if (isWritten && !isHeld) return
      client.pause()
      const resume = () => client.resume()
      if (isHeld) held.add(resume)
      else target.once('drain', resume)
    })
    target.pipe(client)
    client.on('end', () => target.end())
    for (const socket of [client, target])
      socket.on('error', () => {}).on('close', () => [client, target].forEach((one) => one.destroy()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    release() {
      isReleased = true
      for (const resume of held) resume()
    },
    close: () => server.close(),
  }
}
