// Measures uploads with <fs-uploader>, with Uppy, and with XMLHttpRequest alone, which is the limit of the browser. It sends
// six files at a time, the maximum number of connections, or three, like the element, which leaves the others to the page.
// A server on this machine discards the files. Each sample is a new page.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { build, type Plugin } from 'vite'
import { seed } from './builds.ts'
import { median, type Options, type Report, spread } from './report.ts'

const peers = ['fs-uploader', 'Uppy', 'XMLHttpRequest, three', 'XMLHttpRequest, six'] as const
type Peer = (typeof peers)[number]

/** The number of files, and their size in bytes. */
const loads = [
  { name: '200 files of 1 MB', count: 200, size: 1_000_000 },
  { name: 'one file of 1 GB', count: 1, size: 1_000_000_000 },
]

/** A single file uses one connection. */
function peersOf({ count }: (typeof loads)[number]): readonly Peer[] {
  return peers.filter((peer) => count > 1 || peer !== 'XMLHttpRequest, three')
}

interface Sample {
  /** MB per second, from the selection until all files are stored. */
  readonly rate: number
  /** The longest task of the main thread in milliseconds, as elapsed time and as processor time. */
  readonly task: number
  readonly taskCpu: number
  /** The sum of the milliseconds that tasks took beyond 50. */
  readonly blocked: number
}

/**
 * Sends one file at a time, and computes a checksum of each, bit by bit and twelve times, in the thread of the page. All budgets
 * must detect it.
 */
const slowDown = [
  seed('client/uploads/file-upload.ts', 'createLimiter(3)', 'createLimiter(1)'),
  seed(
    'elements/upload/send-file.ts',
    '  let isSent = false\n',
    `  let isSent = false
  const piece = 16_000_000
  let checksum = 0
  for (let at = 0; at < file.size; at += piece) {
    const bytes = new Uint8Array(await file.slice(at, at + piece).arrayBuffer())
    for (let time = 0; time < 12; time++) {
      for (const byte of bytes) {
        checksum ^= byte
        for (let bit = 0; bit < 8; bit++) checksum = (checksum >>> 1) ^ (checksum & 1 ? 0xedb88320 : 0)
      }
    }
  }
  Object.assign(globalThis, { checksum })\n`,
  ),
]

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'routeslip-bench-'))
  const paths = new Map<string, readonly string[]>()
  for (const load of loads) paths.set(load.name, await createFiles(folder, load))
  await bundle('src/define/fs-uploader.ts', 'fs-uploader', folder, isSlowed ? slowDown : [])
  await bundle('tools/bench/peers/uppy.js', 'uppy', folder)
  const server = spawn(process.execPath, [pathOf('peers/upload-server.mjs'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const browser = await chromium.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  })
  try {
    const site = await addressOf(server)
    const samples = new Map<string, Sample[]>()
    const of = (peer: Peer, name: string) => samples.get(`${peer} ${name}`) ?? []
    // Each round takes seconds, so a few are enough.
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      for (const load of loads) {
        for (const peer of peersOf(load)) {
          const found = await sample(browser, site, peer, load, paths.get(load.name) ?? [])
          samples.set(`${peer} ${load.name}`, [...of(peer, load.name), found])
        }
      }
    }
    const ratios = (name: string, peer: Peer, to: Peer) =>
      of(peer, name).map(({ rate }, index) => rate / (of(to, name)[index]?.rate ?? NaN))
    return {
      title: 'Files from a page to a server on the same machine',
      rows: loads.flatMap((load) => {
        const { name, count } = load
        return peersOf(load).map((peer) => ({
          what: `${name}: ${peer}`,
          'MB/s': spread(of(peer, name).map(({ rate }) => rate)),
          '÷ three': count > 1 ? spread(ratios(name, peer, 'XMLHttpRequest, three'), 2) : '',
          '÷ six': spread(ratios(name, peer, 'XMLHttpRequest, six'), 2),
          'longest task ms': spread(of(peer, name).map(({ task }) => task)),
          'its CPU ms': spread(of(peer, name).map(({ taskCpu }) => taskCpu)),
          'blocked ms': spread(of(peer, name).map(({ blocked }) => blocked)),
        }))
      }),
      budgets: loads.flatMap(({ name, count }) => [
        {
          what: `${name}: rate of XMLHttpRequest, six at a time, ÷ that of <fs-uploader>`,
          found: 1 / median(ratios(name, 'fs-uploader', 'XMLHttpRequest, six')),
          wanted: 1.11,
          // The element sends three files at a time, reads the size and the first bytes of each, and renders each state.
          admitted: count > 1 ? 2 : 1.3,
          unit: '×',
        },
        ...(count > 1
          ? [
              {
                what: `${name}: rate of XMLHttpRequest, three at a time, ÷ that of <fs-uploader>`,
                found: 1 / median(ratios(name, 'fs-uploader', 'XMLHttpRequest, three')),
                wanted: 1.11,
                admitted: 1.67,
                unit: '×',
              },
            ]
          : []),
        {
          what: `${name}: longest task`,
          found: median(of('fs-uploader', name).map(({ taskCpu }) => taskCpu)),
          wanted: 50,
          unit: 'ms of processor time',
        },
      ]),
    }
  } finally {
    await browser.close()
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates sparse files. Reads them once, because otherwise the first upload of each would wait for the disk. */
async function createFiles(
  folder: string,
  { count, size }: (typeof loads)[number],
): Promise<readonly string[]> {
  const paths = Array.from({ length: count }, (_, index) => join(folder, `${size}-${index}.bin`))
  for (const path of paths) {
    const file = await open(path, 'w+')
    await file.truncate(size)
    for await (const chunk of file.createReadStream({ autoClose: false })) void chunk
    await file.close()
  }
  return paths
}

async function bundle(
  entry: string,
  name: string,
  outDir: string,
  seeds: readonly Plugin[] = [],
): Promise<void> {
  await build({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [...seeds],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: false,
      lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

async function addressOf(server: ChildProcess): Promise<string> {
  for await (const chunk of server.stdout ?? []) {
    const address = / on (http:\S+)/.exec(String(chunk))?.[1]
    if (address !== undefined) return address
  }
  throw new Error('The server did not start')
}

async function sample(
  browser: Browser,
  site: string,
  peer: Peer,
  { count, size }: (typeof loads)[number],
  paths: readonly string[],
): Promise<Sample> {
  const page = await browser.newPage()
  const received = async () => (await (await fetch(`${site}received`)).json()) as number
  try {
    // tsx calls it in functions that run in the page.
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.goto(site)
    await page.waitForFunction(() => customElements.get('fs-uploader') && 'uploadWithUppy' in globalThis)
    await page.locator('#files').setInputFiles([...paths])
    const tracer = await page.context().newCDPSession(page)
    const traced: Traced[] = []
    tracer.on('Tracing.dataCollected', ({ value }) => {
      traced.push(...(value as unknown as Traced[]))
    })
    await tracer.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'blink.user_timing'] },
    })
    const before = await received()
    await page.evaluate(prepare, peer)
    const { stored, milliseconds } = await page.evaluate(send, peer)
    const complete = new Promise((resolve) => tracer.once('Tracing.tracingComplete', resolve))
    await tracer.send('Tracing.end')
    await complete
    const came = (await received()) - before
    if (stored !== count || came < count * size)
      throw new Error(`${peer}: ${stored} stored, ${came} bytes came`)

    const began = traced.find(({ name }) => name === 'began')
    if (!began) throw new Error('the trace lacks a mark')
    const tasks = traced.filter(
      ({ name, pid, tid, ts, dur = 0 }) =>
        name === 'RunTask' && pid === began.pid && tid === began.tid && ts + dur > began.ts,
    )
    return {
      rate: (count * size) / 1e6 / (milliseconds / 1000),
      task: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000,
      taskCpu: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
      blocked: tasks.reduce((sum, { dur = 0 }) => sum + Math.max(0, dur / 1000 - 50), 0),
    }
  } finally {
    await page.close()
  }
}

/** A task or a mark in a trace, in microseconds. */
interface Traced {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** In the page: renders the uploader before any file is chosen. */
async function prepare(peer: Peer): Promise<void> {
  if (peer === 'Uppy') (globalThis as unknown as { readonly showUppy: () => void }).showUppy()
  if (peer !== 'fs-uploader') return
  const uploader = document.createElement('fs-uploader')
  uploader.endpoint = '/api/wf'
  document.querySelector('#place')?.append(uploader)
  while (!uploader.matches(':state(loaded)')) await new Promise(requestAnimationFrame)
}

/** In the page: uploads the chosen files. Returns the number of stored files and the duration. */
async function send(peer: Peer): Promise<{ readonly stored: number; readonly milliseconds: number }> {
  const files = [...(document.querySelector<HTMLInputElement>('#files')?.files ?? [])]
  performance.mark('began')
  const began = performance.now()
  let stored: number
  if (peer === 'Uppy') {
    const { uploadWithUppy } = globalThis as unknown as {
      readonly uploadWithUppy: (files: readonly File[]) => Promise<number>
    }
    stored = await uploadWithUppy(files)
  } else if (peer === 'fs-uploader') {
    const uploader = document.querySelector('fs-uploader')
    if (!uploader) throw new Error('There is no <fs-uploader>')
    let left = files.length
    const all = new Promise<void>((resolve, reject) => {
      uploader.addEventListener('fs-change', () => {
        if (--left === 0) resolve()
      })
      uploader.addEventListener('fs-error', ({ error }) => reject(error as Error))
    })
    uploader.add(files)
    await all
    stored = uploader.assets.length
  } else {
    const waiting = [...files]
    stored = 0
    const sendAll = async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const body = new FormData()
        body.append('file', file)
        await new Promise<void>((resolve, reject) => {
          const xhr = new XMLHttpRequest()
          xhr.open('POST', '/xhr')
          xhr.onload = () => resolve()
          xhr.onerror = () => reject(new Error('The upload failed'))
          xhr.send(body)
        })
        stored++
      }
    }
    await Promise.all(Array.from({ length: peer === 'XMLHttpRequest, six' ? 6 : 3 }, sendAll))
  }
  return { stored, milliseconds: performance.now() - began }
}
