import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { launchBrowser } from '../browser.ts'

// Uses the demo of `npm start` as a visitor would. The tests depend on each other: together they are one visit.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'routeslip-'))
const document = join(folder, 'itinerary.pdf')

describe('npm start', () => {
  let demo: ChildProcess
  let output = ''
  let home = ''
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** The requests of the browser, with headers and body. */
  const requests: string[] = []
  const complaints: string[] = []

  before(async () => {
    demo = spawn('npm', ['start'], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    demo.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    demo.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await until(
      () => /^Routeslip demo on http/m.test(output),
      120_000,
      () => output,
    )
    home = /^Routeslip demo on (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(output)?.[1] ?? ''

    writeFileSync(document, Buffer.concat([Buffer.from('%PDF-1.7'), randomBytes(50_000_000 - 8)]))
    browser = await launchBrowser()
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
    page = await context.newPage()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => {
      const { url, method, headers } = {
        url: request.url(),
        method: request.method(),
        headers: request.headers(),
      }
      requests.push(`${method} ${url} ${JSON.stringify(headers)} ${request.postData()?.slice(0, 2000) ?? ''}`)
    })
    await page.goto(home)
  })

  after(async () => {
    await browser?.close()
    if (demo?.exitCode === null) demo.kill('SIGKILL')
    for (const pid of emulators()) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true })
  })

  const status = () => page.locator('wf-package-status')
  const uploader = () => page.locator('fs-uploader')
  const state = () => status().locator('[part=state]')

  async function become(role: string): Promise<void> {
    const select = page.getByLabel('Signed in as')
    const label = await select.locator('option', { hasText: role }).textContent()
    await select.selectOption({ label: label ?? '' })
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Switch' }).click()])
    await status().locator('[part=state], [part=forbidden]').waitFor()
  }

  it('prints one line when it is ready', () => {
    assert.equal(output.match(/Routeslip demo on/g)?.length, 1)
  })

  it('shows the status of the package', async () => {
    await status()
      .getByText(/since Nov 16/)
      .first()
      .waitFor()
    const text = await textOf(status())
    assert.match(
      text,
      /In routing (Test )?Waiting for Daniel Reyes.* Must sign · Travel Office · since Nov 16, 2026, 9:42 AM/,
    )
    assert.match(text, /Initiator Amara Okafor/)
    assert.equal(text.match(/9:42 AM/g)?.length, 1, 'each time once')
  })

  for (const [name, options, prepare] of [
    ['light', { colorScheme: 'light' }, ''],
    ['dark', { colorScheme: 'dark' }, ''],
    ['forced colours', { forcedColors: 'active' }, ''],
    ['right-to-left', {}, "document.documentElement.dir = 'rtl'"],
  ] as const) {
    it(`has no accessibility violation, ${name}, wide and at 320 px`, async () => {
      for (const width of [1280, 320]) {
        const visitor = await browser.newContext({ ...options, viewport: { width, height: 800 } })
        const other = await visitor.newPage()
        await other.goto(home)
        await other.locator('wf-package-status [part=state]').waitFor()
        if (prepare) await other.evaluate(prepare)
        // In forced colours, the system of the user decides on contrast.
        const isForced = 'forcedColors' in options
        assert.deepEqual(await violations(other, isForced ? ['color-contrast'] : []), [])
        const overflow = await other.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(overflow, 0, 'nothing sticks out')
        await visitor.close()
      }
    })
  }

  it('uploads a file of 50 MB with progress, and shows its uuid', async () => {
    // Recorded inside the page, because a busy machine would poll too rarely from here.
    await uploader().evaluate((element) => {
      const positions: number[] = []
      const watch = setInterval(() => {
        const bar = element.shadowRoot?.querySelector('progress')
        // Negative while the progress is indeterminate.
        if (bar && bar.position >= 0) positions.push(bar.position)
      }, 10)
      Object.assign(element, { positions, watch })
    })
    await uploader().locator('input').setInputFiles(document)
    await uploader()
      .getByText(/^Uploaded /)
      .first()
      .waitFor({ timeout: 60_000 })
    const positions = await uploader().evaluate((element) => {
      const recorder = element as unknown as { positions: number[]; watch: number }
      clearInterval(recorder.watch)
      return recorder.positions
    })

    assert.ok(
      positions.some((value) => value > 0 && value < 1),
      `steps between nothing and all: ${positions.join()}`,
    )
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
      'it never goes back',
    )
    assert.match(
      (await uploader().locator('[part=reference]').textContent()) ?? '',
      /^[0-9a-f]{8}-[0-9a-f-]{27}$/,
    )
    assert.deepEqual(await violations(page), [])
  })

  it('downloads the same bytes, under the same name, without leaving the page', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      uploader().getByRole('link', { name: 'Download itinerary' }).click(),
    ])
    const saved = join(folder, 'saved')
    await download.saveAs(saved)

    assert.equal(hash(saved), hash(document))
    assert.match(download.suggestedFilename(), /^itinerary\.pdf$/)
    assert.equal(page.url(), home)
  })

  it('offers the void button only to users whose actions allow it', async () => {
    for (const [role, mayVoid] of [
      ['second approver', false],
      ['administrator', true],
      ['first approver', true],
      ['initiator', true],
    ] as const) {
      await become(role)
      await state().waitFor()
      assert.equal(await status().locator('[data-action=voidPackage]').count(), mayVoid ? 1 : 0, role)
    }
  })

  it('shows an outsider that the package is not available to them', async () => {
    await become('outsider')
    await status().getByText('This request is not available to you.').first().waitFor()
    assert.equal(await state().count(), 0)
    await page.getByRole('heading', { name: 'Why you cannot see this request' }).waitFor()
    await page.getByRole('heading', { name: 'Progress' }).waitFor({ state: 'hidden' })
    assert.deepEqual(await violations(page), [])
    await become('initiator')
    await page.getByRole('heading', { name: 'Progress' }).waitFor()
    await page.getByRole('heading', { name: 'Why you cannot see this request' }).waitFor({ state: 'hidden' })
  })

  it('keeps its content while the emulator is down, marks it as stale, and recovers', async () => {
    const before = complaints.length
    await uploader()
      .locator('input')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await uploader().getByRole('link', { name: 'Download a.txt' }).waitFor()
    const console = await context.newPage()
    await console.goto(`${home}console`)
    await console.getByRole('button', { name: 'Stop both services' }).click()
    await console.getByText('Both services are stopped.').first().waitFor()
    assert.deepEqual(await violations(console), [])
    await console.close()

    // The proxy notices the outage when it next searches for changes, and requests that pages poll.
    await status()
      .locator('[part=stale]')
      .getByRole('button', { name: 'Try again' })
      .waitFor({ timeout: 60_000 })
    // The notice stands once, above; this is a mark.
    await uploader().locator('[part=stale]', { hasText: 'May be out of date.' }).waitFor({ timeout: 60_000 })
    assert.match(await textOf(status()), /In routing (Test )?Waiting for Daniel Reyes/)
    assert.match(await textOf(uploader()), /a\.txt/)
    const failed = page.waitForEvent('download')
    await uploader().getByRole('link', { name: 'Download a.txt' }).click()
    assert.ok(await (await failed).failure())
    assert.equal(page.url(), home, 'a download that fails does not take the page away')
    assert.deepEqual(await violations(page), [])

    await until(() => output.includes('The emulator is running again'), 60_000)
    await status().locator('[part=stale]').waitFor({ state: 'detached', timeout: 40_000 })
    await uploader().locator('[part=stale]').waitFor({ state: 'detached', timeout: 40_000 })
    assert.match(await textOf(status()), /In routing (Test )?Waiting for Daniel Reyes/)
    // The browser logs each 502 and 503 of the outage. Nothing else may be logged.
    const others = complaints
      .splice(before)
      .filter((text) => !/^Failed to load resource: .* (502|503|404)/.test(text))
    assert.deepEqual(others, [])

    // The services have kept their data.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      uploader().getByRole('link', { name: 'Download a.txt' }).click(),
    ])
    assert.equal(readFileSync(await download.path(), 'utf8'), 'a')
    for (const name of ['a.txt', 'itinerary.pdf']) {
      await uploader()
        .getByRole('button', { name: `Delete… ${name}` })
        .click()
      await uploader()
        .getByRole('button', { name: `Delete ${name}`, exact: true })
        .click()
      await uploader().getByText(name).first().waitFor({ state: 'detached' })
    }
  })

  it('leads an approver to the page where they sign', async () => {
    await become('first approver')
    await status().getByRole('link', { name: 'Sign' }).click()
    await page.getByRole('button', { name: 'Sign as Daniel Reyes' }).waitFor()
    await page.goto(home)
    await become('initiator')
    assert.equal(await status().getByRole('link', { name: 'Sign' }).count(), 0)
  })

  it('downloads the package as a PDF with the chosen parts', async () => {
    await status().getByRole('button', { name: 'Download PDF…' }).click()
    await status().getByLabel('Include the routing history').check()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      status().getByRole('link', { name: 'Download PDF' }).click(),
    ])
    const saved = join(folder, 'package.pdf')
    await download.saveAs(saved)
    assert.match(readFileSync(saved, 'latin1').slice(0, 5), /^%PDF-/)
    assert.equal(await status().getByRole('dialog').count(), 0)
  })

  describe('the console', () => {
    let other: Page
    let comment = ''

    before(async () => {
      other = await context.newPage()
      other.on('console', (message) => complaints.push(message.text()))
      other.on('pageerror', (error) => complaints.push(String(error)))
    })
    after(() => other.close())

    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no accessibility violation, ${colorScheme}, wide and at 320 px`, async () => {
        for (const width of [1280, 320]) {
          const visitor = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
          const its = await visitor.newPage()
          await its.goto(`${home}console`)
          assert.deepEqual(await violations(its), [])
          const overflow = await its.evaluate('document.documentElement.scrollWidth - innerWidth')
          assert.equal(overflow, 0, 'nothing sticks out')
          await visitor.close()
        }
      })
    }

    it('lets an approver sign, and the page shows it without a reload', async () => {
      // The policy of the page forbids `waitForFunction`.
      const hears = async (text: string) => {
        const isHeard = `window.heard.includes(${JSON.stringify(text)})`
        await until(
          () => page.evaluate<boolean>(isHeard),
          60_000,
          () => `Heard in vain for ${text}`,
        )
      }
      await page.evaluate(`void (async () => {
        window.heard = ''
        const { body } = await fetch('/api/wf/events?package=6025-42', { headers: { 'x-routeslip': '1' } })
        const reader = body.pipeThrough(new TextDecoderStream()).getReader()
        for (;;) window.heard += (await reader.read()).value ?? ''
      })().catch(() => {})`)
      await hears('hello')

      await other.goto(home)
      await other.getByRole('link', { name: 'Emulator console' }).click()
      await other.getByRole('button', { name: 'Sign as Daniel Reyes' }).click()
      const notice = other.getByText('Package signed.')
      await notice.waitFor()
      assert.ok(await notice.evaluate((element) => element.matches(':focus')), 'focused')
      // The console shows the callbacks as they were when it was loaded. A slow machine delivers them later.
      const delivered = other.getByText('arrived at stop College: delivered')
      await until(
        async () => (await delivered.isVisible()) || (await other.reload().then(() => delivered.isVisible())),
        60_000,
        () => 'The callback was not delivered',
      )
      await other.getByText('Travel request 42 is in your inbox, to Mei-Ling Zhou').first().waitFor()

      await hears('event: change\ndata: {"formId":6025,"packageId":42}')
      await status()
        .getByText(/Mei-Ling Zhou/)
        .first()
        .waitFor()
    })

    it('shows why the service rejects a request', async () => {
      await other.getByRole('button', { name: 'Sign as Mei-Ling Zhou' }).click()
      await other
        .getByText('The service rejected this: Upload Receipt before routing completes.')
        .first()
        .waitFor()
      assert.deepEqual(await violations(other), [])
      complaints.splice(0, Infinity, ...complaints.filter((text) => !/status of 409/.test(text)))
    })

    it('adds comments as text, whatever they contain', async () => {
      comment = '<img src=x onerror=alert(1)> $& "quoted" & $1'
      await other.getByLabel('Comment as').selectOption({ label: 'Daniel Reyes (first approver)' })
      await other.getByLabel('Comment', { exact: true }).fill(comment)
      await other.getByLabel('Show to approvers only').check()
      await other.getByRole('button', { name: 'Add comment' }).click()
      await other.getByText(`Daniel Reyes, for approvers only: ${comment}`).first().waitFor()
    })

    it('moves the clock', async () => {
      const read = async () => Date.parse((await other.locator('p time').getAttribute('datetime')) ?? '')
      const before = await read()
      await other.getByLabel('Move the clock forward by').selectOption('1 day')
      await other.getByRole('button', { name: 'Move clock' }).click()
      await other.getByText('Clock moved forward.').first().waitFor()
      assert.ok((await read()) - before >= 24 * 3600 * 1000, 'by a day')
    })

    it('resets the data', async () => {
      await other.getByRole('button', { name: 'Reset data' }).click()
      await other.getByRole('button', { name: 'Sign as Daniel Reyes' }).waitFor()
      await other.getByText(comment).first().waitFor({ state: 'detached' })
      await other
        .getByText(/The boat is booked/)
        .first()
        .waitFor()
      // No callback reports this.
      await page.reload()
      await status()
        .getByText(/Daniel Reyes/)
        .first()
        .waitFor()
    })

    it('rejects requests from other sites', async () => {
      const post = async (site: string | undefined, action: string) => {
        const { status: code } = await fetch(`${home}console/${action}`, {
          method: 'POST',
          redirect: 'manual',
          headers: site === undefined ? {} : { 'sec-fetch-site': site },
          body: new URLSearchParams({ univid: '10000002' }),
        })
        return code
      }
      for (const site of [undefined, 'none', 'same-site', 'cross-site']) {
        assert.equal(await post(site, 'sign'), 403, String(site))
      }
      await other.reload()
      await other.getByRole('button', { name: 'Sign as Daniel Reyes' }).waitFor()
      assert.equal(await post('same-origin', 'deliver'), 303)
      assert.equal(await post('same-origin', 'toString'), 404)
    })
  })

  it('is voided by keyboard alone, on the page and in the emulator', async () => {
    await page.getByLabel('Signed in as').focus()
    for (let presses = 0; presses < 30 && !(await focused('Void…')); presses++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await status().getByRole('dialog').waitFor()
    assert.deepEqual(await violations(page), [])
    // The first reason has the focus.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await state().filter({ hasText: 'Void' }).waitFor()

    // The headline follows when the history has been read.
    await status().getByText('Voided by').first().waitFor()
    assert.match(await textOf(status()), /Void (Test )?Voided by Amara Okafor .*Reason Incorrect form/)
    await status().locator('[data-action=voidPackage]').waitFor({ state: 'detached' })
    await until(
      () => focused('Void'),
      60_000,
      () => 'The focus is not on the new state',
    )
    await page.reload()
    await state().filter({ hasText: 'Void' }).waitFor()
  })

  it('makes the browser send requests only to the site, and sends it no secret (T11, T30)', () => {
    const elsewhere = requests.filter((line) => !line.includes(` ${home}`))
    assert.ok(elsewhere.every((line) => /^GET http:\/\/127\.0\.0\.1:\d+\/objects\/[0-9a-f-]{36} /.test(line)))
    assert.equal(elsewhere.length, 2, 'the downloads, by their links')

    const calls = requests.filter((line) => line.includes('/api/wf/'))
    assert.ok(calls.length > 10)
    const secrets =
      /demo-secret|demo-app|ZGVtby1hcHA|authorization|bypass|request-user|developer|\/wf\/workflow|\/fs\/test/i
    for (const line of requests) assert.doesNotMatch(line, secrets)
    assert.doesNotMatch(
      readFileSync('dist/routeslip.js', 'utf8'),
      /demo-secret|demo-app|bypass-authorization|Basic |zod/i,
    )
  })

  it('logs nothing to the console', () => {
    assert.deepEqual(complaints, [])
  })

  it('ends cleanly on a signal, although a page is open', async () => {
    const [emulator] = emulators()
    assert.ok(emulator)
    demo.kill('SIGTERM')
    await once(demo, 'exit')
    let isOver = false
    await until(() => {
      fetch(home).catch(() => (isOver = true))
      return isOver
    }, 60_000)
    await until(() => !isRunning(emulator), 60_000)
  })

  it('reports which port is in use', async () => {
    const { port } = new URL(home)
    const first = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'demo'], {
      env: { ...process.env, PORT: port },
    })
    await once(first.stdout, 'data')
    const second = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'demo'], {
      env: { ...process.env, PORT: port },
    })
    let message = ''
    second.stderr.on('data', (chunk: Buffer) => (message += chunk.toString()))
    const [code] = (await once(second, 'exit')) as [number]
    assert.equal(code, 1)
    assert.equal(message.trim(), `Port ${port} is taken. Choose another with PORT.`)

    first.kill('SIGINT')
    const [firstCode] = (await once(first, 'exit')) as [number]
    assert.equal(firstCode, 0)
  })

  /** Whether a process is running: neither gone nor a zombie. */
  function isRunning(pid: number): boolean {
    try {
      return !/^Z?$/.test(
        execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' })
          .trim()
          .slice(0, 1),
      )
    } catch {
      return false
    }
  }

  /** Whether the focused element, in any shadow root, shows this text. */
  function focused(text: string): Promise<boolean> {
    return page.evaluate<boolean>(`(() => {
      let found = document.activeElement
      while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
      return found?.textContent.trim() === ${JSON.stringify(text)}
    })()`)
  }

  /** Emulator processes that descend from this test. */
  function emulators(): number[] {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .filter((found) => found !== null)
      .map(([, pid, parent, args = '']) => ({ pid: Number(pid), parent: Number(parent), args }))
    const isOurs = (pid: number): boolean =>
      pid === process.pid || table.some((row) => row.pid === pid && row.parent > 1 && isOurs(row.parent))
    return table
      .filter(({ pid, args }) => args.includes('main.ts emulator') && isOurs(pid))
      .map(({ pid }) => pid)
  }
})

async function violations(page: Page, without: readonly string[] = []): Promise<string[]> {
  // The debugger evaluates it, so the policy of the page does not apply.
  await page.evaluate(axe)
  const rules = JSON.stringify(Object.fromEntries(without.map((rule) => [rule, { enabled: false }])))
  return await page.evaluate<string[]>(
    `axe.run({ rules: ${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((n) => n.target).join(' | ')))`,
  )
}

/** Returns the text in the shadow root of an element. */
async function textOf(element: Locator): Promise<string> {
  return (await element.locator('[part=base]').innerText()).replace(/\s+/g, ' ').trim()
}

async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
  describe = () => '',
): Promise<void> {
  const end = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited ${milliseconds} ms in vain. ${describe()}`)
    await pause(50)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function hash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
