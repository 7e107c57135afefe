import { setTimeout as pause } from 'node:timers/promises'
import { checkConformance } from '../conformance/conformance.ts'
import { client, formId, otherFormId, people, type Target, type TargetCall } from '../conformance/target.ts'
import { serveEmulator } from './emulator.ts'
import { ListenError } from './listen.ts'

export interface ConformanceOptions {
  /** Root of the proxy under test, such as `http://127.0.0.1:8080/api/wf`. */
  readonly url: string
  /** Port of the emulator that it has to stand in front of. */
  readonly port: number
  /** Headers by which the proxy knows who is signed in, as `name: value`. `{univid}` stands for the university id. */
  readonly headers: readonly string[]
  /** Beginnings of the names of checks to make, such as `rights: voidPackage`. Default: all. */
  readonly only?: readonly string[]
  /** Says something to whoever has typed the command. Default: on standard output. */
  readonly print?: (line: string) => void
}

/** Headers by name and value, in which `{univid}` stands for who is signed in. */
type Templates = readonly (readonly [name: string, value: string])[]

/** Seconds that the proxy may take to be there. */
const startSeconds = 60

/** Milliseconds that any answer may take. */
const longest = 60_000

/**
 * Serves an emulator, tells how the proxy under test is to be set up in front of it, and checks it. Prints a line for
 * each check that fails. Answers whether all hold.
 */
export async function runConformance({
  url,
  port,
  headers,
  only,
  print = console.log,
}: ConformanceOptions): Promise<boolean> {
  const root = parseRoot(url)
  const templates = headers.map(parseHeader)
  const { services, close } = await serveEmulator({ port })
  try {
    const target = targetAt(root, services.url, templates)
    for (const line of instructions(services.url, templates)) print(line)
    if (!(await isThere(target, () => print(`Waiting for the proxy at ${root} ...`)))) {
      print(
        `No proxy responded at ${root} within ${startSeconds} seconds. Start it and run this command again.`,
      )
      return false
    }

    const count = { passed: 0, failed: 0 }
    for await (const { name, ok, detail } of checkConformance({ ...target, ...(only && { only }) })) {
      count[ok ? 'passed' : 'failed']++
      if (!ok) print(`FAIL ${name}: ${detail}`)
    }
    print(`${count.passed} passed, ${count.failed} failed`)
    return count.failed === 0
  } finally {
    await close()
  }
}

function targetAt(root: string, services: string, templates: Templates): Target {
  return {
    request: ({ method, path, as, headers, body }: TargetCall) =>
      fetch(root + path, {
        method,
        headers: { ...Object.fromEntries(identityOf(templates, as)), ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(longest),
        ...(body !== undefined && { body }),
      }),
    emulator: (path, init) => fetch(services.slice(0, -1) + path, init),
  }
}

/** Headers that sign a person in; for nobody, those that say nothing about who it is. */
function identityOf(templates: Templates, as: string | null) {
  return templates
    .filter(([, value]) => as !== null || !value.includes(placeholder))
    .map(([name, value]) => [name, value.replaceAll(placeholder, as ?? '')] as const)
}

const placeholder = '{univid}'

async function isThere(target: Target, onWait: () => void): Promise<boolean> {
  for (let second = 0; second < startSeconds; second++) {
    const answer = await target
      .request({ method: 'GET', path: '/session', as: null, headers: {} })
      .catch(() => undefined)
    await answer?.body?.cancel()
    if (answer) return true
    if (second === 0) onWait()
    await pause(1000)
  }
  return false
}

function instructions(services: string, templates: Templates): string[] {
  // A header that is the same for everyone may be a secret.
  const names = templates.filter(([, value]) => value.includes(placeholder)).map((each) => each.join(': '))
  return [
    `Both services are emulated on ${services} for as long as this runs. The proxy under test needs:`,
    `  workflow routing  ${services}wf`,
    `  file storage      ${services}fs/test, whose download links lead to ${services}objects`,
    `  credentials       ${client.id} with the secret ${client.secret}, for both`,
    `  environment       test, with form ${formId} and without form ${otherFormId}`,
    `  policy            ${people.administrator} may run the routing tools; nobody may do anything else by policy`,
    `  who is signed in  ${names.join('; ') || 'nobody ever: give a --header'}`,
  ]
}

function parseRoot(text: string): string {
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text)
  if (isUrl) return text.replace(/\/+$/, '')
  throw new ListenError(
    `"${text}" is not the address of a proxy. Use one such as http://127.0.0.1:8080/api/wf.`,
  )
}

function parseHeader(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([A-Za-z0-9-]+):\s*(\S.*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name.toLowerCase(), value]
  throw new ListenError(
    `--header is "${text}". Give a name and a value, such as "x-remote-user: ${placeholder}".`,
  )
}
