// Measures the processor time that the proxy takes for a signed callback, from its arrival until it is stored in memory and
// announced. The service responds from memory, in a process of its own. Linux only.
import { generateKeyPairSync, sign } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { seed } from './builds.ts'
import { cpuSeconds } from './load.ts'
import { bundleCommands, endAll, proxySettings, start } from './processes.ts'
import { median, type Options, type Report, spread } from './report.ts'

const secret = 'a secret of the bench, 32 characters at least'
const inMemory = fileURLToPath(new URL('../lab/echo-service.mjs', import.meta.url))
/** Requests of one sample, and as many before the first. */
const sample = 300
/** Requests at a time. */
const lanes = 10

/** Verifies each signature 50 times. The budget must detect it. */
const slowDown = seed(
  'proxy/callbacks/callback-receiver.ts',
  'let verification = await key.verify(signed)',
  'for (let time = 1; time < 50; time++) await key.verify(signed)\n    let verification = await key.verify(signed)',
)

export async function measure({ rounds, isSlowed = false }: Options): Promise<Report> {
  try {
    const main = await bundleCommands(isSlowed ? [slowDown] : [])
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const { x: PUBLIC_KEY = '' } = publicKey.export({ format: 'jwk' })
    const service = await start([inMemory], { PUBLIC_KEY })
    const serviceUrl = `http://127.0.0.1:${service.port}`
    const forCallbacks = await start([main, 'proxy'], {
      ...proxySettings(serviceUrl, serviceUrl),
      ROUTESLIP_IDENTITY: 'header',
      ROUTESLIP_IDENTITY_SECRET: secret,
    })

    let packageId = 0
    const callBack = async () => {
      packageId += 1
      const body = JSON.stringify({
        '@class': 'developer',
        formId: 6025,
        packageId,
        state: 'ROUTING',
        createdAt: '2026-01-12T09:30:00',
        stop: null,
        lockId: null,
        entry: { purpose: 'Field work', amount: 1250.5 },
      })
      const response = await fetch(`http://127.0.0.1:${forCallbacks.port}/api/wf/callbacks`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-workflow-verification': sign(null, Buffer.from(body), privateKey).toString('base64'),
        },
        body,
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`A callback was refused: ${response.status}`)
    }

    const callbacks = await samples(forCallbacks.pid, callBack, rounds)
    return {
      title: `Processor time of the proxy, samples of ${sample} requests, ${lanes} at a time`,
      rows: [{ what: 'a signed callback, stored in memory', 'CPU ms': spread(callbacks, 2) }],
      budgets: [{ what: 'processor time of a callback', found: median(callbacks), wanted: 5, unit: 'ms' }],
    }
  } finally {
    await endAll()
  }
}

/** Returns the milliseconds of processor time that a process takes for one call, in each round. */
async function samples(pid: number, call: () => Promise<void>, rounds: number): Promise<readonly number[]> {
  const found: number[] = []
  for (let round = -1; round < rounds; round++) {
    const before = await cpuSeconds(pid)
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let index = 0; index < sample / lanes; index++) await call()
      }),
    )
    // The first compiles the code.
    if (round >= 0) found.push((((await cpuSeconds(pid)) - before) * 1000) / sample)
  }
  return found
}
