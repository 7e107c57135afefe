import { setTimeout as pause } from 'node:timers/promises'
import { checkConformance } from '../../conformance/conformance.ts'
import {
  client,
  formId,
  otherFormId,
  people,
  type Target,
  type TargetCall,
} from '../../conformance/target.ts'
import { createReporter, type ReporterName } from './conformance-report.ts'
import { serveEmulator } from '../emulator/emulator.ts'
import { ListenError } from '../listen.ts'

interface ConformanceOptions {
  /** Root of the proxy under test, such as `http://127.0.0.1:8080/api/wf`. */
  readonly url: string
  /** Port of the emulator to which the proxy forwards requests. */
  readonly port: number
  /** Headers that sign a user in, as `name: value`. `{univid}` is replaced by the university id. */
  readonly headers: readonly string[]
  /** Prefixes of the names of checks to run, such as `rights: voidPackage`. Default: all. */
  readonly only?: readonly string[]
  /** Default `text`, which groups failures by cause. */
  readonly reporter?: ReporterName
  /** Prints a line of the results. Default: to standard output. */
  readonly print?: (line: string) => void
  /** Prints instructions and progress. Default: as `print` with `text`, otherwise to standard error. */
  readonly note?: (line: string) => void
}

/** Headers by name and value. `{univid}` is replaced by the id of the signed-in user. */
type Templates = readonly (readonly [name: string, value: string])[]

/** Time in seconds that the proxy has to start. */
const startTimeout = 60

/** Timeout of a response, in milliseconds. */
const responseTimeout = 60_000

/**
 * Serves an emulator, prints how to configure the proxy under test, and checks the proxy. Prints the
 * results. Returns whether all checks pass.
 */
export async function runConformance({
  url,
  port,
  headers,
  only,
  reporter = 'text',
  print = console.log,
  note = reporter === 'text' ? print : console.error,
}: ConformanceOptions): Promise<boolean> {
  const root = parseRoot(url)
  const templates = headers.map(parseHeader)
  const { services, close } = await serveEmulator({ port })
  try {
    const target = targetAt(root, services.url, templates)
    for (const line of instructions(services.url, templates)) note(line)
    if (!(await waitForProxy(target, () => note(`Waiting for the proxy at ${root} ...`)))) {
      note(
        `No proxy responded at ${root} within ${startTimeout} seconds. Start it and run this command again.`,
      )
      return false
    }

    const { add, end } = createReporter(reporter)
    const progress = createProgress(note)
    let failed = 0
    for await (const result of checkConformance({ ...target, ...(only && { only }) })) {
      if (!result.ok) failed += 1
      for (const line of add(result)) print(line)
      progress(failed)
    }
    for (const line of end()) print(line)
    return failed === 0
  } finally {
    await close()
  }
}

/** Time between two lines of progress, in milliseconds. */
const progressInterval = 10_000

/** Returns a function that counts a check and, from time to time, prints how many have run. */
function createProgress(note: (line: string) => void): (failed: number) => void {
  let count = 0
  let lastLine = performance.now()
  return (failed) => {
    count += 1
    if (performance.now() - lastLine < progressInterval) return
    lastLine = performance.now()
    note(`${count} checks so far, ${failed} failed`)
  }
}

function targetAt(root: string, services: string, templates: Templates): Target {
  return {
    request: ({ method, path, as, headers, body }: TargetCall) =>
      fetch(root + path, {
        method,
        headers: { ...Object.fromEntries(identityHeaders(templates, as)), ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(responseTimeout),
        ...(body !== undefined && { body }),
      }),
    emulator: (path, init) => fetch(services.slice(0, -1) + path, init),
  }
}

/** Returns the headers that sign a person in. Without a person, omits the headers that contain a university id. */
function identityHeaders(templates: Templates, as: string | null) {
  return templates
    .filter(([, value]) => as !== null || !value.includes(unividPlaceholder))
    .map(([name, value]) => [name, value.replaceAll(unividPlaceholder, as ?? '')] as const)
}

const unividPlaceholder = '{univid}'

async function waitForProxy(target: Target, onWait: () => void): Promise<boolean> {
  for (let second = 0; second < startTimeout; second++) {
    const response = await target
      .request({ method: 'GET', path: '/session', as: null, headers: {} })
      .catch(() => undefined)
    await response?.body?.cancel()
    if (response) return true
    if (second === 0) onWait()
    await pause(1000)
  }
  return false
}

function instructions(services: string, templates: Templates): string[] {
  // A header that is the same for all users may be a secret.
  const names = templates
    .filter(([, value]) => value.includes(unividPlaceholder))
    .map((each) => each.join(': '))
  return [
    `Both services are emulated on ${services} while this command runs. Configure the proxy under test with:`,
    `  workflow routing  ${services}wf`,
    `  file storage      ${services}fs/test, with download links to ${services}objects`,
    `  credentials       client id ${client.id} and secret ${client.secret}, for both services`,
    `  environment       test, with form ${formId} but without form ${otherFormId}`,
    `  policy            only ${people.administrator} may run the routing tools, and the policy allows nothing else`,
    `  signed-in user    ${names.join('; ') || 'none: use --header to sign users in'}`,
  ]
}

function parseRoot(text: string): string {
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text)
  if (isUrl) return text.replace(/\/+$/, '')
  throw new ListenError(
    `"${text}" is not the address of a proxy. Use an address such as http://127.0.0.1:8080/api/wf.`,
  )
}

function parseHeader(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([A-Za-z0-9-]+):\s*(\S.*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name.toLowerCase(), value]
  throw new ListenError(
    `--header is "${text}". Use a name and a value, such as "x-remote-user: ${unividPlaceholder}".`,
  )
}
