import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.mjs'
import { until } from '../cli/proxy-command.ts'

/** A callback as it arrives at a receiver of docs/stacks, and whether the receiver has to accept it. */
interface ReceiverCase {
  readonly name: string
  /** The value of ROUTESLIP_FORWARD_SECRET. */
  readonly secrets: string
  readonly headers: Readonly<Record<string, string>>
  readonly accepted: boolean
}

const receiverBody = '{"type":"package.callback","data":{"callback":{"packageId":42,"entry":"Größe"}}}'

/** The table that each receiver is held to, whatever its language. */
function receiverCases(): readonly ReceiverCase[] {
  const [current, old, foreign] = [createSecret(32), createSecret(24), createSecret(32)]
  const both = `${current},${old}`
  const empty = Buffer.alloc(0)
  /** Headers with signatures of these keys, `seconds` from now. */
  const signed = (keys: readonly Buffer[], seconds = 0) => headersOf(keys, seconds)
  const accepted = (name: string, secrets: string, headers: ReceiverCase['headers']) =>
    ({ name, secrets, headers, accepted: true }) as const
  const refused = (name: string, secrets: string, headers: ReceiverCase['headers']) =>
    ({ name, secrets, headers, accepted: false }) as const
  return [
    accepted('the current secret', both, signed([keyOf(current)])),
    accepted('the old secret', both, signed([keyOf(old)])),
    accepted('one of two signatures', current, signed([keyOf(foreign), keyOf(current)])),
    accepted('secrets with blanks and a trailing comma', ` ${current} , ${old} ,`, signed([keyOf(old)])),
    accepted('a secret after one that is not valid', `whsec_!,${current}`, signed([keyOf(current)])),
    accepted('a clock that differs by four minutes', current, signed([keyOf(current)], -240)),
    refused('another secret', both, signed([keyOf(foreign)])),
    refused('a signature of six minutes ago', current, signed([keyOf(current)], -360)),
    refused('a signature of the future', current, signed([keyOf(current)], 360)),
    ...['', ' ', ',', 'whsec_', 'whsec_,', `${current},`, `,${current}`, `${current},whsec_`, 'whsec_!'].map(
      (secrets) => refused(`an empty key, with the secrets ${shape(secrets)}`, secrets, signed([empty])),
    ),
    refused('a short key', 'whsec_AAAA', signed([Buffer.alloc(3)])),
    refused('a secret without its prefix', current.slice(6), signed([keyOf(current)])),
    refused('no signature', current, { ...signed([]), 'webhook-signature': '' }),
  ]

  function shape(secrets: string): string {
    return JSON.stringify(secrets.replace(current, 'whsec_…'))
  }
}

function headersOf(keys: readonly Buffer[], seconds: number): Record<string, string> {
  const id = createHash('sha256').update(randomBytes(16)).digest('hex')
  const timestamp = String(Math.floor(Date.now() / 1000) + seconds)
  const sign = (key: Buffer) =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${receiverBody}`).digest('base64')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(sign).join(' '),
  }
}

function createSecret(bytes: number): string {
  return `whsec_${randomBytes(bytes).toString('base64')}`
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64')
}

/** Servers of receivers, which end together. A header of each request sets their secrets. */
export function createReceiverServers() {
  const folder = mkdtempSync(join(tmpdir(), 'routeslip-receivers-'))
  const children: ChildProcess[] = []

  return {
    /** For the files of the servers. */
    folder,

    /** Starts a program with its port among the arguments, waits for its first response, and returns its address. */
    async serve(command: string, argsAt: (port: number) => readonly string[]): Promise<string> {
      const port = await freePort()
      const env = { ...process.env, ROUTESLIP_CALLBACKS: folder }
      const child = spawn(command, argsAt(port), { stdio: ['ignore', 'ignore', 'pipe'], env })
      children.push(child)
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      child.on('error', (error) => (errors += String(error)))
      const url = `http://127.0.0.1:${port}/`
      await until(async () => {
        if (child.pid === undefined || child.exitCode !== null) {
          throw new Error(`${command} does not run. ${errors}`)
        }
        return await fetch(url, { method: 'POST', body: '{}' }).then(
          () => true,
          () => false,
        )
      })
      return url
    },

    end(): void {
      for (const child of children) child.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Sends each row of the table to a receiver, and returns the rows that get a wrong status. */
export async function mistakesOf(url: string): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const { name, secrets, headers, accepted } of receiverCases()) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'x-test-secrets': secrets },
      body: receiverBody,
    })
    await response.body?.cancel()
    if (response.status !== (accepted ? 204 : 401)) wrong.push(`${name}: ${response.status}`)
  }
  return wrong
}
