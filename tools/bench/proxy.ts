// Measures the cost of the proxy with all of its checks, beside proxies without checks: small reads, large files, clients
// that disconnect, and idle streams of live events. Each runs as a process of its own, the proxy as built JavaScript, in
// front of services that respond from memory. Linux only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Plugin } from 'vite'
import {
  connectionsOf,
  cpuSeconds,
  fetchFile,
  type Load,
  load,
  megabytes,
  resetPeak,
  sendFile,
  type Target,
} from './load.ts'
import {
  bundleCommands,
  endAll,
  endLater,
  proxySettings,
  start,
  type Started,
  startPeer,
} from './processes.ts'
import { slowDown } from './proxy-slow-down.ts'
import { type Budget, median, type Options, type Report, spread } from './report.ts'

const connections = 50
/** Requests of one sample, unless that takes too many seconds; and as many before, so that all code is compiled. */
const sample = { requests: 15_000, seconds: 10 }
const warmUp = { requests: 10_000, seconds: 10 }
/** Size of the files, in bytes. `BENCH_FILE_SIZE=1500000000` for others. */
const fileSize = Number(process.env['BENCH_FILE_SIZE'] ?? 500_000_000)
const leavers = 30
const streams = 2000
const idleSeconds = 30
const secret = 'a secret of the bench, 32 characters at least'
const audience = 'bench'
const issuer = 'https://issuer.example.edu'

let folder = ''

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  folder = await mkdtemp(join(tmpdir(), 'routeslip-bench-'))
  try {
    const { variants, ports } = await startAll(isSlowed ? slowDown : [])
    const small = await readSmall(variants, rounds)
    const files = await moveFiles(variants, rounds)
    const checked = variants.find(({ name }) => name === ours)
    if (!checked) throw new Error('The proxy is not among what is measured')
    const others = await leaveAndIdle(checked, ports)
    return {
      title: `${connections} connections asking for 1 KB each; files of ${fileSize / 1e6} MB. ÷: against http-proxy, medians of each round`,
      rows: [...small.rows, ...files.rows, ...others.rows],
      budgets: [...small.budgets, ...files.budgets, ...others.budgets],
    }
  } finally {
    await endAll()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A measurement: its requests, and the process that handles them. */
interface Variant {
  readonly name: string
  readonly small: Asked
  readonly up?: Asked
  readonly down?: Asked
}

interface Asked extends Target {
  readonly pid: number
}

const ours = 'routeslip, one call of the service'
const oursTwice = 'routeslip, two calls'
const oursSigned = 'routeslip, one call, signed token'

async function startAll(seeds: readonly Plugin[]): Promise<{
  readonly variants: readonly Variant[]
  readonly ports: readonly number[]
}> {
  const { tokens, jwks } = await signedTokens()
  const service = await startService(jwks)
  const sink = await startPeer('sink', JSON.stringify(asset))
  const [serviceUrl, sinkUrl] = [urlOf(service), urlOf(sink)]

  const plain = { headers: () => ({ accept: 'application/json' }) }
  const direct = { ...service, ...plain, path: packagePath }
  const fileDirect = { ...direct, path: `${packagePath}/attachments/7` }
  const nginx = await startNginxProxy(serviceUrl, sinkUrl)
  const replyFrom = await startPeer('reply-from', serviceUrl)
  const httpProxy = await startPeer('http-proxy', serviceUrl)
  const httpProxyToSink = await startPeer('http-proxy', sinkUrl)
  const httpProxy3 = await startPeer('http-proxy-3', serviceUrl)

  const proxy = await bundleCommands(seeds)
  const header = { ROUTESLIP_IDENTITY: 'header', ROUTESLIP_IDENTITY_SECRET: secret }
  const byHeader = await startProxy(proxy, serviceUrl, sinkUrl, header)
  // A new process, so that its memory does not include the remains of small reads.
  const forFiles = await startProxy(proxy, serviceUrl, sinkUrl, header)
  const byToken = await startProxy(proxy, serviceUrl, sinkUrl, {
    ROUTESLIP_IDENTITY: 'jwt',
    ROUTESLIP_IDENTITY_JWKS_URL: `${serviceUrl}/jwks`,
    ROUTESLIP_IDENTITY_ISSUER: issuer,
    ROUTESLIP_IDENTITY_AUDIENCE: audience,
  })
  const forms = '/api/wf/forms/6025/packages'
  const checked = { ...byHeader, path: `${forms}/42`, headers: (index: number) => signedIn(index) }
  const bearer = (index: number) => ({ ...callHeaders, authorization: `Bearer ${tokens[index]}` })
  return {
    ports: [service.port, sink.port],
    variants: [
      { name: 'no proxy', small: direct },
      {
        name: 'nginx',
        small: { ...direct, ...nginx },
        up: { ...direct, ...nginx, path: filesPath },
        down: { ...fileDirect, ...nginx },
      },
      { name: 'fastify with reply-from', small: { ...direct, ...replyFrom } },
      {
        name: 'http-proxy',
        small: { ...direct, ...httpProxy },
        up: { ...direct, ...httpProxyToSink, path: filesPath },
        down: { ...fileDirect, ...httpProxy },
      },
      { name: 'http-proxy-3', small: { ...direct, ...httpProxy3 } },
      {
        name: ours,
        small: checked,
        up: { ...checked, ...forFiles, path: '/api/wf/files' },
        down: { ...checked, ...forFiles, path: `${forms}/42/attachments/7` },
      },
      { name: oursTwice, small: { ...checked, path: `${forms}/status?id=42` } },
      { name: oursSigned, small: { ...byToken, path: checked.path, headers: bearer } },
    ],
  }
}

/**
 * The goals of small reads. They are ratios, because the times depend on the machine, whose other load the limits allow for.
 * http-proxy checks nothing.
 */
const readBudgets = [
  { name: ours, what: 'a small read', wanted: 1, admitted: 1.3 },
  { name: oursSigned, what: 'a small read with a signed token', wanted: 1.15, admitted: 1.4 },
  { name: oursTwice, what: 'a status with its rights', wanted: 1.6, admitted: 2 },
] as const

/** Measures small reads. The variants take turns. */
async function readSmall(variants: readonly Variant[], rounds: number): Promise<Part> {
  const samples = new Map(variants.map(({ name }) => [name, [] as (Load & { readonly micros: number })[]]))
  // The measurement is about compiled code.
  for (const { small } of variants) await load(small, connections, warmUp)
  for (let round = 0; round < rounds; round++) {
    for (const { name, small } of variants) {
      const { pid } = small
      const before = await cpuSeconds(pid)
      const found = await load(small, connections, sample)
      const micros = (((await cpuSeconds(pid)) - before) * 1e6) / found.requests
      samples.get(name)?.push({ ...found, micros })
    }
  }

  const peer = samples.get('http-proxy') ?? []
  const ratios = (name: string) =>
    (samples.get(name) ?? []).map(({ micros }, index) => micros / (peer[index]?.micros ?? NaN))
  const rows = variants.map(({ name }) => {
    const found = samples.get(name) ?? []
    return row({
      what: `1 KB: ${name}`,
      'CPU µs': spread(found.map(({ micros }) => micros)),
      '÷ http-proxy': spread(ratios(name), 2),
      'a second': median(found.map(({ requests, seconds }) => requests / seconds)).toFixed(0),
      'p50 ms': median(found.map(({ p50 }) => p50)).toFixed(1),
      'p99 ms': median(found.map(({ p99 }) => p99)).toFixed(1),
    })
  })
  return {
    rows,
    budgets: readBudgets.map(({ name, what, wanted, admitted }) => ({
      what: `processor time of ${what} ÷ that of http-proxy`,
      found: median(ratios(name)),
      wanted,
      admitted,
      unit: '×',
    })),
  }
}

/** Measures uploads and downloads of large files. */
async function moveFiles(variants: readonly Variant[], rounds: number): Promise<Part> {
  interface Sample {
    /** MB a second. */
    readonly rate: number
    readonly peak: number
  }
  const samples = new Map<string, Sample[]>()
  const of = (name: string, way: string) => samples.get(`${name} ${way}`) ?? []
  const compared = variants.filter(({ name, up }) => up && ['nginx', 'http-proxy', ours].includes(name))
  for (let round = 0; round < rounds; round++) {
    for (const variant of compared) {
      for (const way of ['up', 'down'] as const) {
        const { [way]: target } = variant
        if (!target) continue
        const { pid } = target
        await resetPeak(pid)
        const began = performance.now()
        if (way === 'up') await sendFile(target, fileSize)
        else if ((await fetchFile(target)) !== fileSize) {
          throw new Error(`${variant.name}: the file is not whole`)
        }
        const rate = fileSize / 1e6 / ((performance.now() - began) / 1000)
        const moved = { rate, peak: await megabytes(pid, 'VmHWM') }
        samples.set(`${variant.name} ${way}`, [...of(variant.name, way), moved])
      }
    }
  }

  const ratios = (name: string, peer: string, way: string) =>
    of(name, way).map(({ rate }, index) => rate / (of(peer, way)[index]?.rate ?? NaN))
  const rows = (['up', 'down'] as const).flatMap((way) =>
    compared.map(({ name }) =>
      row({
        what: `file ${way}: ${name === ours ? 'routeslip' : name}`,
        'MB/s': spread(of(name, way).map(({ rate }) => rate)),
        '÷ nginx': spread(ratios(name, 'nginx', way), 2),
        '÷ http-proxy': spread(ratios(name, 'http-proxy', way), 2),
        'peak MB': Math.max(...of(name, way).map(({ peak }) => peak)).toFixed(0),
      }),
    ),
  )
  const peak = Math.max(...[...of(ours, 'up'), ...of(ours, 'down')].map(({ peak }) => peak))
  return {
    rows,
    budgets: [
      { what: 'peak memory while files go up and down', found: peak, wanted: 110, admitted: 165, unit: 'MB' },
      { what: 'nginx ÷ rate up', found: 1 / median(ratios(ours, 'nginx', 'up')), wanted: 2.5, unit: '×' },
      {
        what: 'nginx ÷ rate down',
        found: 1 / median(ratios(ours, 'nginx', 'down')),
        wanted: 3.33,
        unit: '×',
      },
    ],
  }
}

/** Tests clients that disconnect during a transfer, and many idle event streams. */
async function leaveAndIdle({ small, up, down }: Variant, ports: readonly number[]): Promise<Part> {
  if (!up || !down) throw new Error('There are no files')
  const { pid, port } = up
  await Promise.all(
    Array.from({ length: leavers }, async (_, index) => {
      const headers = () => signedIn(index)
      await sendFile({ ...up, headers }, fileSize, fileSize / 25)
      await fetchFile({ ...down, headers }, fileSize / 25)
    }),
  )
  const left = await leftOver(pid, ports)
  // If the proxy has ended, this fails.
  await load(small, 1, { requests: 10, seconds: 10 })

  const open: ClientRequest[] = []
  let bytes = 0
  await resetPeak(pid)
  for (let index = 0; index < streams; index++) {
    const path = '/api/wf/events?package=6025-42'
    const call = request({ host: '127.0.0.1', port, path, agent, headers: signedIn(index) })
    open.push(call)
    call.on('error', () => {})
    call.end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`Stream ${index}: ${response.statusCode}`)
    response.on('data', (chunk: Buffer) => (bytes += chunk.byteLength))
    response.on('error', () => {})
  }
  const cpu = await cpuSeconds(pid)
  await setTimeout(idleSeconds * 1000)
  const used = (await cpuSeconds(pid)) - cpu
  const peak = await megabytes(pid, 'VmHWM')
  for (const call of open) call.destroy()
  agent.destroy()
  const share = `${((used / idleSeconds) * 100).toFixed(1)} % of a core`
  return {
    rows: [
      row({ what: `${leavers} clients gone in the middle, up and down: ${left} calls left of the services` }),
      row({
        what: `${streams} idle streams: ${(bytes / streams).toFixed(0)} bytes each, ${share}`,
        'peak MB': peak.toFixed(0),
      }),
    ],
    budgets: [
      { what: 'calls of the services left by clients that went away', found: left, wanted: 0, unit: '' },
    ],
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Returns the number of connections to the services after idle connections have closed, or after a timeout. */
async function leftOver(pid: number, ports: readonly number[]): Promise<number> {
  for (let waited = 0; ; waited++) {
    const left = await connectionsOf(pid, ports)
    if (left === 0 || waited === 15) return left
    await setTimeout(1000)
  }
}

interface Part {
  readonly rows: Report['rows']
  readonly budgets: readonly Budget[]
}

/** Returns a row with all columns. */
function row(cells: { readonly what: string } & Readonly<Record<string, string>>): Report['rows'][number] {
  const columns = ['CPU µs', '÷ http-proxy', '÷ nginx', 'a second', 'p50 ms', 'p99 ms', 'MB/s', 'peak MB']
  return { ...Object.fromEntries(['what', ...columns].map((name) => [name, ''])), ...cells }
}

/** Returns different university ids, because the proxy limits concurrent requests and streams per person. */
function person(index: number): string {
  return String(20_000_000 + index)
}

const callHeaders = { 'x-routeslip': '1', 'sec-fetch-site': 'same-origin' }

function signedIn(index: number): Readonly<Record<string, string>> {
  return { ...callHeaders, 'x-remote-user': person(index), 'x-routeslip-front': secret }
}

async function signedTokens(): Promise<{ readonly tokens: readonly string[]; readonly jwks: string }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const sign = (_: unknown, index: number) =>
    new SignJWT({ univid: person(index) })
      .setProtectedHeader({ alg: 'RS256', kid: 'bench' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime('1h')
      .sign(privateKey)
  return {
    tokens: await Promise.all(Array.from({ length: connections }, sign)),
    jwks: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256' }] }),
  }
}

function urlOf({ port }: Started): string {
  return `http://127.0.0.1:${port}`
}

function startProxy(
  script: string,
  serviceUrl: string,
  sinkUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<Started> {
  return start([...nodeOptions, script, 'proxy'], {
    ...proxySettings(serviceUrl, sinkUrl),
    ROUTESLIP_MAX_FILE_SIZE: String(2 * fileSize),
    ROUTESLIP_STREAMS: String(streams + 10),
    ...env,
  })
}

/** Node options for the proxy, such as `--cpu-prof`, to profile it. */
const nodeOptions = (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter(Boolean)

/** The services for reads and downloads: nginx with constant responses. */
async function startService(jwks: string): Promise<Started> {
  const big = join(folder, 'big.bin')
  const file = await open(big, 'w')
  await file.truncate(fileSize)
  await file.close()
  const bodies = {
    [packagePath]: package42,
    [`${formPath}/actions`]: [package42.actions],
    [`${formPath}/status`]: [{ id: 42, state: 'ROUTING' }],
    [`${packagePath}/attachments`]: [{ id: 7, fileName: 'big.bin', fileSize }],
  }
  const locations = Object.entries(bodies).map(
    ([path, body]) => `location = ${path} { return 200 '${JSON.stringify(body)}'; }`,
  )
  return await startNginx(
    'service',
    (port) => `server {
  listen 127.0.0.1:${port};
  default_type application/json;
  ${locations.join('\n  ')}
  location = /jwks { return 200 '${jwks}'; }
  location = ${packagePath}/attachments/7 { alias ${big}; }
}`,
  )
}

/** nginx as a proxy: it keeps connections open and writes nothing to disk. */
async function startNginxProxy(serviceUrl: string, sinkUrl: string): Promise<Started> {
  const upstream = (name: string, url: string) =>
    `upstream ${name} { server ${url.slice('http://'.length)}; keepalive 64; keepalive_requests 1000000000; }`
  return await startNginx(
    'nginx',
    (port) => `${upstream('service', serviceUrl)}
${upstream('sink', sinkUrl)}
server {
  listen 127.0.0.1:${port};
  client_max_body_size 0;
  proxy_http_version 1.1;
  proxy_set_header Connection '';
  proxy_set_header Authorization 'Basic ${btoa('demo-app:demo-secret')}';
  proxy_set_header x-workflow-request-user 10000001;
  proxy_request_buffering off;
  proxy_max_temp_file_size 0;
  location / { proxy_pass http://service; }
  location ${filesPath} { proxy_pass http://sink; }
}`,
  )
}

async function startNginx(name: string, serverOf: (port: number) => string): Promise<Started> {
  const port = await freePort()
  const prefix = join(folder, name)
  await mkdir(prefix)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(prefix, 'nginx.conf'),
    `daemon off;
master_process off;
pid ${prefix}/pid;
error_log stderr crit;
events { worker_connections 4096; }
http {
access_log off;
sendfile on;
tcp_nodelay on;
keepalive_requests 1000000000;
${temporary.map((kind) => `${kind}_temp_path ${prefix}/${kind};`).join('\n')}
${serverOf(port)}
}
`,
  )
  // nginx would interpret this variable as sockets to inherit.
  const { NGINX: program = 'nginx', ...env } = process.env
  const child = endLater(
    spawn(program, ['-p', prefix, '-c', `${prefix}/nginx.conf`, '-e', 'stderr'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx has ended: ${child.exitCode}`)
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    await response?.body?.cancel()
    if (response) return { pid: child.pid ?? 0, port }
    await setTimeout(50)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const formPath = '/workflow/test/api/developer/forms/6025/packages'
const packagePath = `${formPath}/42`
const filesPath = '/api/v1/files/upload'

/** The response of the services: a package of 1 KB. */
const package42 = {
  id: 42,
  state: 'ROUTING',
  subType: null,
  emailContent: { packageDetails: `<p>${'Please look at the dates and the budget. '.repeat(6)}</p>` },
  actions: {
    canView: true,
    canEdit: false,
    canSign: true,
    canVoid: false,
    canInitiatorVoid: false,
    canAddApprover: true,
    canVoidAfter: false,
    packageId: 42,
    signatureId: 7,
  },
  routingDate: '2026-01-12T09:30:00',
  actionDate: '2026-01-14T16:05:00',
  initiator: {
    id: 1,
    displayName: 'Ana Lucia Ferreira',
    hrdeptdesc: 'Biology',
    collegeName: 'College of Sciences',
    personType: 'EMPLOYEE',
    title: 'Professor',
    univid: '10000001',
    email: 'ana.ferreira@example.edu',
    campusPostalAddress: 'Building 12, Room 340',
    officePhone: '555-0100',
    naturalKey: '10000001',
    type: 'PERSON',
    loginid: 'aferreira',
    jobCode: 'P1',
    directoryRestricted: false,
    activeUser: true,
  },
  voidReason: null,
  commentCount: 3,
  attachmentCount: 2,
}

/** The response to an upload. */
const asset = {
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  filename: 'big.bin',
  fileSize,
  contentType: 'application/octet-stream',
  uploadDate: '2026-01-14T16:05:00.000',
  expirationDate: '2027-01-14T16:05:00',
  metadata: null,
}
