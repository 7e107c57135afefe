// Finds the highest rate at which 99 of 100 responses arrive within 100 ms, and holds it while the service is killed five
// times: through the proxy, nginx and http-proxy. Linux only.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seed } from '../bench/builds.ts'
import { megabytes } from '../bench/load.ts'
import {
  bundleCommands,
  endAll,
  endLater,
  proxySettings,
  start,
  type Started,
  startPeer,
} from '../bench/processes.ts'
import { median } from '../bench/report.ts'
import { freePort } from '../../test/free-port.mjs'
import { load, type LoadTarget, people, percentile, secret, type Sent } from './load-client.ts'
import type { Measured, Sizes } from './results.ts'

const kills = 5
const echo = fileURLToPath(new URL('echo-service.mjs', import.meta.url))
const servicePath = '/workflow/test/api/developer/forms/6025/packages/42'
/** Maximum time of 99 of 100 responses, in ms. */
const goal = 100
/** Time after the service has started again in which failures are explained, in ms: a breaker waits for 5 s, then probes. */
const recovery = 7000
/** The statuses of a proxy whose service does not respond; 0 is a connection that it closed. */
const unreachable = new Set([502, 503, 504])
/** Length of a step of the search, and of the test of its result, in seconds. */
const stepSeconds = 3
const testSeconds = 20
const lowestRate = 50

interface Target extends LoadTarget {
  readonly name: string
  readonly pid: number
}

/** A load that was held. */
interface Hold {
  readonly sent: readonly Sent[]
  /** From a kill until failures are no longer explained, in ms since the beginning. */
  readonly outages: readonly { readonly from: number; readonly to: number }[]
  /** Resident memory of the proxy in MB, each second. */
  readonly memory: readonly number[]
}

/** What is wrong with a load. */
interface Verdict {
  readonly wrongPerson: number
  readonly unexplained: number
  readonly explained: number
  /** Maximum time from a kill to the last failure that it explains, in ms. */
  readonly longest: number
  /** Of all successful responses, and of those outside the outages, in ms. */
  readonly p99: number
  readonly steadyP99: number
  /** Memory after the warm-up and at the end, in MB. */
  readonly before: number
  readonly after: number
  readonly isFlat: boolean
}

export async function measure({ seconds }: Sizes): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'routeslip-lab-'))
  try {
    installPeers()
    const controls = await runControls()
    const service = await startService()
    const command = await bundleCommands()
    const direct = { ...service.started, name: 'no proxy', path: servicePath, isChecked: false }
    const limit = await findRate(direct)
    const targets: readonly Target[] = [
      await startRouteslip(command, service.url),
      {
        ...(await startNginxProxy(folder, service.url)),
        name: 'nginx, no checks',
        path: servicePath,
        isChecked: false,
      },
      {
        ...(await startPeer('http-proxy', service.url)),
        name: 'http-proxy, no checks',
        path: servicePath,
        isChecked: false,
      },
    ]
    const rows: Record<string, string | number>[] = []
    let isFine = controls.every(({ isNoticed }) => isNoticed)
    for (const target of targets) {
      const { rate, hold, verdict } = await findAndHold(target, seconds, () => service.restart())
      rows.push(rowOf(target, rate, hold, verdict))
      if (target.isChecked) isFine &&= isAsRequired(verdict)
    }
    return {
      run: `Reads of a package of 1 kB by ${people} people, in an open loop: a request is sent when it is due, and its time runs from then. The rate was raised until more than 1 of 100 requests of ${stepSeconds} seconds failed or took ${goal} ms, three times in a row. The highest rate below that which met this goal for ${testSeconds} seconds too was held for ${seconds} seconds, in which the service was killed with SIGKILL and started again ${kills} times. If it missed the goal then, a fifth less was held, twice at most; not if anything failed without reason, so that this stays visible. The load and the service ran on the same machine.`,
      rows,
      findings: [
        'The first p99 is that of all successful responses, including those right after a kill. The second leaves out the time from a kill until 7 seconds after the service is back.',
        '`failed after a kill` counts responses with 502, 503 or 504, and for the others closed connections, in that time. `seconds until recovered` runs from a kill to the last of them. Any other failure is `without reason`.',
        'Memory is the median of the second and the last quarter of the time. It counts as flat if it did not grow by more than 10 % and 5 MB.',
        `The load reached ${limit} requests per second without a proxy. Higher rates cannot be measured here.`,
        `Controls: ${controls.map(({ what, isNoticed }) => `${what} was ${isNoticed ? 'noticed' : '**not noticed**'}`).join('; ')}.`,
      ],
      isFine,
    }
  } finally {
    await endAll()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Finds the rate of a target, and holds it. If the goal is missed then, tries again with a lower rate, twice. */
async function findAndHold(target: Target, seconds: number, restart: () => Promise<void>) {
  let rate = Math.max(lowestRate, await findRate(target))
  for (let attempt = 1; ; attempt++) {
    console.log(`${target.name}: holding ${rate} per second for ${seconds} seconds`)
    const found = await hold(target, rate, seconds, restart)
    const verdict = judge(target, found)
    if (verdict.steadyP99 < goal || attempt === 3 || rate === lowestRate)
      return { rate, hold: found, verdict }
    // Worse findings than a slow response must not get lost.
    if (verdict.wrongPerson + verdict.unexplained > 0) return { rate, hold: found, verdict }
    console.log(`${target.name}: p99 ${Math.round(verdict.steadyP99)} ms`)
    rate = Math.max(lowestRate, Math.round(rate * 0.8))
  }
}

function isAsRequired({ wrongPerson, unexplained, isFlat, steadyP99 }: Verdict): boolean {
  return wrongPerson + unexplained === 0 && isFlat && steadyP99 < goal
}

function rowOf(target: Target, rate: number, { sent, outages }: Hold, verdict: Verdict) {
  return {
    proxy: target.name,
    'requests per second': rate,
    requests: sent.length,
    'p99 in ms': Math.round(verdict.p99),
    'p99 without kills': Math.round(verdict.steadyP99),
    kills: outages.length,
    'failed after a kill': verdict.explained,
    'seconds until recovered': (verdict.longest / 1000).toFixed(1),
    'failed without reason': verdict.unexplained,
    'for the wrong person': target.isChecked ? verdict.wrongPerson : 'not checked',
    'MB before and after': `${Math.round(verdict.before)}, ${Math.round(verdict.after)}${verdict.isFlat ? '' : ' (**not flat**)'}`,
  }
}

/** Holds a rate, and kills the service meanwhile. */
async function hold(
  target: Target,
  rate: number,
  seconds: number,
  restart: (() => Promise<void>) | undefined,
): Promise<Hold> {
  const begin = performance.now()
  const elapsed = () => performance.now() - begin
  const outages: { from: number; to: number }[] = []
  const memory: number[] = []
  let isKilled = restart === undefined
  let isOver = false

  async function killAll(): Promise<void> {
    for (let kill = 1; restart && kill <= kills; kill++) {
      await pause(Math.max(0, (seconds * 1000 * kill) / (kills + 1) - elapsed()))
      const from = elapsed()
      await restart()
      outages.push({ from, to: elapsed() + recovery })
    }
    isKilled = true
  }

  async function watchMemory(): Promise<void> {
    while (!isOver) {
      memory.push(await megabytes(target.pid, 'VmRSS'))
      await pause(1000)
    }
  }

  const sending = load(target, rate, (time) => isKilled && time >= seconds * 1000).finally(
    () => (isOver = true),
  )
  const [sent] = await Promise.all([sending, killAll().finally(() => (isKilled = true)), watchMemory()])
  return { sent, outages, memory }
}

function judge(target: Pick<Target, 'isChecked'>, { sent, outages, memory }: Hold): Verdict {
  const failed = sent.filter(({ status }) => status !== 200)
  // A request that was due long before the kill may still wait, or be on its way.
  const outageOf = ({ at, time }: Sent) => outages.find(({ from, to }) => at + time >= from && at <= to)
  // The other proxies close the connection.
  const isKnown = ({ status }: Sent) => unreachable.has(status) || (status === 0 && !target.isChecked)
  const explained = failed.filter((each) => isKnown(each) && outageOf(each))
  const successful = sent.filter(({ status }) => status === 200)
  const quarter = Math.max(1, Math.floor(memory.length / 4))
  const before = median(memory.slice(quarter, 2 * quarter))
  const after = median(memory.slice(-quarter))
  return {
    wrongPerson: sent.filter(({ isWrongPerson }) => isWrongPerson).length,
    unexplained: failed.length - explained.length,
    explained: explained.length,
    longest: explained.reduce((most, each) => Math.max(most, each.at - (outageOf(each)?.from ?? each.at)), 0),
    p99: percentile(successful),
    steadyP99: percentile(successful.filter((each) => !outageOf(each))),
    before,
    after,
    isFlat: after < before * 1.1 + 5,
  }
}

/** Returns the highest rate at which the goal is met, in requests per second; 0 if there is none. */
async function findRate(target: Target): Promise<number> {
  const isMet = async (rate: number, seconds: number, attempts: number) => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      // With a second of requests behind, it cannot meet the goal any more.
      const sent = await load(target, rate, (time, backlog) => time >= seconds * 1000 || backlog > rate)
      const p99 = percentile(sent.map((each) => (each.status === 200 ? each : { time: Infinity })))
      const failed = sent.filter(({ status }) => status !== 200)
      const statuses = [...new Set(failed.map(({ status }) => status))].join(', ')
      console.log(
        `${target.name}: ${rate} per second for ${seconds} seconds, p99 ${Math.round(p99)} ms, ${failed.length} failed${statuses && ` with ${statuses}`}`,
      )
      if (p99 < goal) return true
    }
    return false
  }
  // The code of the proxy is compiled in the meantime.
  await load(target, lowestRate, (time) => time >= stepSeconds * 1000)
  let rate = lowestRate
  if (!(await isMet(rate, stepSeconds, 3))) return 0
  for (const factor of [1.5, 1.2, 1.08])
    while (await isMet(Math.round(rate * factor), stepSeconds, 3)) rate = Math.round(rate * factor)
  while (rate > lowestRate && !(await isMet(rate, testSeconds, 2))) rate = Math.round(rate * 0.85)
  return rate
}

/** Runs the load against a proxy and services with faults that it must notice. */
async function runControls(): Promise<readonly { readonly what: string; readonly isNoticed: boolean }[]> {
  const command = await bundleCommands([
    seed(
      'proxy/upstream/upstream.ts',
      ': call.as.univid\n',
      ": call.as.univid.endsWith('7') ? '10000000' : call.as.univid\n",
    ),
    seed(
      'proxy/upstream/upstream.ts',
      'measure(response.status)\n',
      ';(globalThis.kept ??= []).push(Buffer.alloc(300_000, 1)); measure(response.status)\n',
    ),
  ])
  const judged = async (env: Readonly<Record<string, string>>) => {
    const service = await startService(env)
    const target = await startRouteslip(command, service.url)
    return { service, target, verdict: judge(target, await hold(target, lowestRate, 10, undefined)) }
  }
  const { wrongPerson, isFlat } = (await judged({})).verdict
  const { unexplained } = (await judged({ FAIL_EVERY: '100' })).verdict
  const slow = await startService({ SLOW_EVERY: '50' })
  const rate = await findRate(await startRouteslip(command, slow.url))
  await endAll()
  return [
    { what: 'a proxy that confuses people', isNoticed: wrongPerson > 0 },
    { what: 'a proxy that keeps 300 kB of each request', isNoticed: !isFlat },
    { what: 'a service that fails for 1 of 100 requests', isNoticed: unexplained > 0 },
    { what: 'a service that takes 300 ms for 1 of 50 requests', isNoticed: rate === 0 },
  ]
}

async function startService(env: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const run = () => start([echo], { ...env, PORT: String(port) })
  const started = await run()
  let { pid } = started
  return {
    started,
    url: `http://127.0.0.1:${port}`,
    async restart() {
      process.kill(pid, 'SIGKILL')
      ;({ pid } = await run())
    },
  }
}

async function startRouteslip(command: string, url: string): Promise<Target> {
  const settings = {
    ...proxySettings(url, url),
    ROUTESLIP_IDENTITY: 'header',
    ROUTESLIP_IDENTITY_SECRET: secret,
  }
  const started = await start([command, 'proxy'], settings)
  return { ...started, name: 'Routeslip', path: '/api/wf/forms/6025/packages/42', isChecked: true }
}

function installPeers(): void {
  const cwd = fileURLToPath(new URL('../bench', import.meta.url))
  if (existsSync(join(cwd, 'node_modules/.package-lock.json'))) return
  execFileSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { cwd, stdio: ['ignore', 2, 2] })
}

async function startNginxProxy(folder: string, url: string): Promise<Started> {
  const port = await freePort()
  const prefix = join(folder, 'nginx')
  await mkdir(prefix)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = join(prefix, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; master_process off; pid ${prefix}/pid; error_log stderr crit;
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 1000000000;
  ${temporary.map((kind) => `${kind}_temp_path ${prefix}/${kind};`).join('\n  ')}
  upstream service { server ${url.slice('http://'.length)}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection '';
    location / { proxy_pass http://service; }
  }
}
`,
  )
  // nginx would interpret this variable as sockets to inherit.
  const { NGINX: program = 'nginx', ...env } = process.env
  const child = endLater(
    spawn(program, ['-p', prefix, '-c', file, '-e', 'stderr'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const begin = performance.now()
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  while (!(await isUp())) {
    if (performance.now() - begin > 30_000) throw new Error('nginx did not start; its output is above')
    await pause(50)
  }
  return { pid: child.pid ?? 0, port }
}
