// Finds the highest rate at which 99 of 100 responses arrive within 100 ms, and holds it while the service is killed five
// times: through the proxy, nginx and http-proxy. Linux only.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
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
import { freePort } from '../test/cli/nginx.ts'
import type { Measured, Sizes } from './results.ts'

const kills = 5
const secret = 'a secret of the laboratory, 32 characters at least'
const echo = fileURLToPath(new URL('echo-service.mjs', import.meta.url))
/** Maximum time of 99 of 100 responses, in ms. */
const goal = 100
/** Time after a kill in which failures are explained, in ms: the service starts again, and the breaker probes it. */
const recovery = 15_000

/** What is measured. `isChecked`: whether a response contains the person who made the request. */
interface Target extends Started {
  readonly name: string
  readonly path: string
  readonly isChecked: boolean
}

interface Sent {
  /** Milliseconds since the beginning of the load. */
  readonly at: number
  readonly time: number
  /** 0 if the connection failed. */
  readonly status: number
  readonly isWrongPerson: boolean
}

export async function measure({ seconds }: Sizes): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'routeslip-lab-'))
  const rows: Record<string, string | number>[] = []
  let isFine = true
  try {
    const port = await freePort()
    const startService = () => start([echo], { PORT: String(port) })
    let service = await startService()
    const url = `http://127.0.0.1:${port}`
    const path = '/workflow/test/api/developer/forms/6025/packages/42'
    const command = await bundleCommands()
    const settings = {
      ...proxySettings(url, url),
      ROUTESLIP_IDENTITY: 'header',
      ROUTESLIP_IDENTITY_SECRET: secret,
    }
    installPeers()
    const targets: readonly Target[] = [
      {
        ...(await start([command, 'proxy'], settings)),
        name: 'Routeslip',
        path: '/api/wf/forms/6025/packages/42',
        isChecked: true,
      },
      { ...(await startNginxProxy(folder, url)), name: 'nginx, no checks', path, isChecked: false },
      { ...(await startPeer('http-proxy', url)), name: 'http-proxy, no checks', path, isChecked: false },
    ]
    for (const target of targets) {
      const rate = await findRate(target)
      const before = await megabytes(target.pid, 'VmRSS')
      const killed: number[] = []
      const begin = performance.now()
      let isOver = false
      const killing = (async () => {
        for (let kill = 1; kill <= kills; kill++) {
          await pause((seconds * 1000) / (kills + 1))
          if (isOver) return
          killed.push(performance.now() - begin)
          process.kill(service.pid, 'SIGKILL')
          service = await startService()
        }
      })()
      const sent = await load(target, rate, seconds)
      isOver = true
      await killing
      const failed = sent.filter(({ status }) => status !== 200)
      const unexplained = failed.filter(
        ({ at }) => !killed.some((kill) => at >= kill - 1000 && at <= kill + recovery),
      )
      const wrong = sent.filter(({ isWrongPerson }) => isWrongPerson).length
      const after = await megabytes(target.pid, 'VmRSS')
      rows.push({
        proxy: target.name,
        'requests per second': rate,
        requests: sent.length,
        'p99 in ms': Math.round(percentile(sent.filter(({ status }) => status === 200))),
        kills: killed.length,
        'failed after a kill': failed.length - unexplained.length,
        'failed without reason': unexplained.length,
        'for the wrong person': target.isChecked ? wrong : 'not checked',
        'MB before and after': `${Math.round(before)}, ${Math.round(after)}`,
      })
      if (target.isChecked) isFine = wrong + unexplained.length === 0
    }
    return {
      run: `Reads of a package of 1 kB by 500 people. The rate was raised in steps of ${stepSeconds} seconds until 1 of 100 responses took more than ${goal} ms. The highest rate below that was held for ${seconds} seconds, in which the service was killed and started again ${kills} times. The load was created on the same machine.`,
      rows,
      findings: [],
      isFine,
    }
  } finally {
    await endAll()
    await rm(folder, { recursive: true, force: true })
  }
}

const stepSeconds = 3

/** Returns the highest rate, in requests per second, at which the goal is met. */
async function findRate(target: Target): Promise<number> {
  let best = 50
  await load(target, best, stepSeconds)
  for (let rate = 100; rate < 10_000; rate = Math.round(rate * 1.25)) {
    const sent = await load(target, rate, stepSeconds)
    const isMet = sent.every(({ status }) => status === 200) && percentile(sent) < goal
    console.log(`${target.name}: ${rate} per second, p99 ${Math.round(percentile(sent))} ms`)
    if (!isMet) return best
    best = rate
  }
  return best
}

/** Sends requests at a rate, whether or not earlier ones have a response, and waits for all of them. */
async function load(target: Target, rate: number, seconds: number): Promise<readonly Sent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 })
  const begin = performance.now()
  const all: Promise<Sent>[] = []
  while (performance.now() - begin < seconds * 1000) {
    const due = Math.floor(((performance.now() - begin) / 1000) * rate)
    while (all.length < due) all.push(sendOne(target, agent, all.length, begin))
    await pause(2)
  }
  const sent = await Promise.all(all)
  agent.destroy()
  return sent
}

function sendOne(
  { port, path, isChecked }: Target,
  agent: Agent,
  index: number,
  begin: number,
): Promise<Sent> {
  const univid = String(10_000_000 + (index % 500))
  const at = performance.now() - begin
  return new Promise((resolve) => {
    const finish = (status: number, text: string) => {
      const isWrongPerson = isChecked && status === 200 && !text.includes(`For ${univid}.`)
      resolve({ at, time: performance.now() - begin - at, status, isWrongPerson })
    }
    const headers = {
      'x-remote-user': univid,
      'x-routeslip-front': secret,
      'x-routeslip': '1',
      'sec-fetch-site': 'same-origin',
    }
    const sent = request({ port, path, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => finish(response.statusCode ?? 0, text))
      response.on('error', () => finish(0, ''))
    })
    sent.on('error', () => finish(0, ''))
    sent.setTimeout(20_000, () => sent.destroy())
    sent.end()
  })
}

/** The time of 99 of 100 responses, in ms. */
function percentile(sent: readonly Sent[]): number {
  const times = sent.map(({ time }) => time).sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? Infinity
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
  while (
    !(await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ))
  )
    await pause(50)
  return { pid: child.pid ?? 0, port }
}
