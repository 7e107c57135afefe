// Uploads files with <fs-uploader> in Chromium, through nginx and a proxy to the services, while connections are cut at random
// bytes. A person presses "Try again" until each file is uploaded. No file may be lost or stored twice, and no screen may
// state what is not true.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { listen, toNodeListener } from '../../src/cli/listen.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { launchBrowser } from '../../test/browser.ts'
import { startNginx } from '../../test/cli/nginx.ts'
import { endAll, exampleEnv, start } from '../../test/cli/proxy-command.ts'
import { createRandom, startCutter } from './cutter.ts'
import type { Measured, Sizes } from './results.ts'

/** Files that a person adds at a time. */
const batchSize = 20
const person = '10000001'
/** How often the connection of one file is cut at most. */
const maxCuts = 3

const page = `<!doctype html><html lang="en"><title>A page</title>
<script type="module" src="/dist/routeslip.js"></script>
<fs-uploader endpoint="/api/wf"></fs-uploader></html>`

export async function measure({ runs }: Sizes): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-lab-'))
  const random = createRandom(20_261_123)
  const emulator = createEmulator()
  const services = await listen(
    toNodeListener((request) => emulator.fetch(request)),
    0,
    '',
  )
  const problems: string[] = []
  const cutsOf = new Map<string, number>()
  try {
    const proxy = await start(exampleEnv(services.url))
    const site = await startSite(folder, new URL(proxy.url).host)
    const cutter = await startCutter(Number(new URL(site).port), 'POST /api/wf/files ', (head, size) => {
      const key = /^idempotency-key: (.*)\r$/im.exec(head)?.[1] ?? ''
      const count = cutsOf.get(key) ?? 0
      cutsOf.set(key, count + 1)
      if (count >= maxCuts || (count > 0 && random() < 0.5)) return undefined
      // Any byte of the request, or one of the first 200 of the response.
      return Math.ceil(random() < 0.4 ? random() * size : size + random() * 200)
    })
    const browser = await launchBrowser()
    const begin = performance.now()
    for (let done = 0; done < runs; done += batchSize) {
      const names = Array.from(
        { length: Math.min(batchSize, runs - done) },
        (_, at) => `file-${done + at}.txt`,
      )
      const context = await browser.newContext({
        locale: 'en-US',
        httpCredentials: { username: person, password: 'pass' },
      })
      const opened = await context.newPage()
      await opened.goto(`http://127.0.0.1:${cutter.port}/page.html`)
      await opened.locator('fs-uploader [part~=choose]').waitFor()
      const sizes = names.map(() => Math.ceil(random() * 200_000))
      await opened.locator('fs-uploader input[type=file]').setInputFiles(
        names.map((name, at) => ({
          name,
          mimeType: 'text/plain',
          buffer: Buffer.alloc(sizes[at] ?? 1, 'text '),
        })),
      )
      problems.push(...(await uploadAll(opened, names, countOf)))
      await context.close()
      console.log(`${done + names.length} of ${runs}, ${problems.length} problems`)
    }
    await browser.close()
    cutter.close()
    const all = Array.from({ length: runs }, (_, at) => countOf(`file-${at}.txt`))
    const lost = all.filter((count) => count === 0).length
    const doubled = all.filter((count) => count > 1).length
    const seconds = Math.round((performance.now() - begin) / 1000)
    return {
      run: `${runs} files of up to 200 kB, with <fs-uploader> in Chromium, through nginx and the proxy. The connection of each file was cut one to ${maxCuts} times, at a random byte of the request or the response. It took ${seconds} seconds.`,
      rows: [
        {
          files: runs,
          'cut in the request': cutter.cuts.request,
          'cut in the response': cutter.cuts.response,
          lost,
          'stored twice': doubled,
          'untrue screens': problems.length,
        },
      ],
      findings: findingsOf(problems, doubled),
      isFine: lost + doubled + problems.length === 0 && cutter.cuts.request >= runs / 4,
    }
  } finally {
    await endAll()
    await services.close()
    rmSync(folder, { recursive: true, force: true })
  }

  function countOf(name: string): number {
    return [...emulator.files.test.values()].filter(({ asset }) => asset.filename === name).length
  }
}

/** Serves the page and the built scripts with docs/nginx.conf. Returns its address. */
async function startSite(folder: string, proxyHost: string): Promise<string> {
  const people = join(folder, 'people')
  const pages = join(folder, 'pages')
  writeFileSync(people, `${person}:{PLAIN}pass\n`)
  mkdirSync(pages)
  writeFileSync(join(pages, 'page.html'), page)
  cpSync('dist', join(pages, 'dist'), { recursive: true })
  return await startNginx('docs/nginx.conf', folder, {
    'server 127.0.0.1:8090;': `server ${proxyHost};`,
    'server_name forms.example.edu;': 'types { text/html html; text/javascript js; }',
    '/etc/nginx/routeslip-people': people,
    '/var/www/html': pages,
  })
}

/** Sums up what went wrong, and prints the first examples. */
function findingsOf(problems: readonly string[], doubled: number): readonly string[] {
  for (const problem of problems.slice(0, 10)) console.log(problem)
  const unnoticed = problems.filter((problem) => problem.includes('Not uploaded')).length
  return [
    ...(unnoticed > 0
      ? [`${unnoticed} screens said that a file was not uploaded, although it was stored.`]
      : []),
    ...(doubled > 0 ? [`${doubled} files were stored more than once.`] : []),
  ]
}

/** A row of the element: the name of its file, and its text. */
interface Row {
  readonly name: string
  readonly text: string
}

/** Presses "Try again" until all files are uploaded. Returns the statements of the screens that were not true. */
async function uploadAll(
  opened: Page,
  names: readonly string[],
  countOf: (name: string) => number,
): Promise<readonly string[]> {
  const lies: string[] = []
  for (let step = 0; ; step++) {
    const rows = await settledRows(opened)
    for (const { name, text } of rows) {
      const count = countOf(name)
      const isWrong = /Uploaded/.test(text) ? count !== 1 : /Not uploaded/.test(text) && count !== 0
      if (isWrong) lies.push(`The screen says "${text}", but ${name} is stored ${count} times`)
    }
    if (names.every((name) => rows.some((row) => row.name === name && /Uploaded/.test(row.text)))) return lies
    if (step > 20) return [...lies, `A person gives up at: ${rows.map(({ text }) => text).join(' | ')}`]
    // All at once: each button disappears with its click.
    await opened
      .locator('fs-uploader')
      .getByRole('button', { name: /^Try again/ })
      .evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()))
  }
}

/** Returns the rows when no file is on its way. */
async function settledRows(opened: Page): Promise<readonly Row[]> {
  await opened.locator('fs-uploader:not(:state(busy))').waitFor({ timeout: 120_000 })
  return await opened.locator('fs-uploader li').evaluateAll((rows) =>
    rows.map((row) => {
      const text = row.textContent?.replace(/\s+/g, ' ').trim() ?? ''
      return { name: /file-\d+\.txt/.exec(text)?.[0] ?? '', text }
    }),
  )
}
