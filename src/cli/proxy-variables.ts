import { z } from 'zod'
import { clientIdPattern, unividPattern, wholeText } from '../contract/patterns.ts'
import { maxFileSize } from '../contract/values.ts'

const logLevels = ['info', 'warn', 'error'] as const

/** Variables that hold for the whole process. */
export const ProcessVariables = z.object({
  ROUTESLIP_CONFIG: variable('Name a JSON file.', line)
    .optional()
    .describe('JSON file with the same names, as `--config FILE`. What the environment says wins over it'),
  ROUTESLIP_HOST: variable('Give an address of this machine, such as 127.0.0.1.', matching(/^[\w.:-]+$/))
    .default('127.0.0.1')
    .describe('Address to listen on'),
  ROUTESLIP_PORT: integer(0, 65_535)
    .default(8090)
    .describe('Port to listen on; 0: any free one. Not 8081, which is the default of the emulator'),
  ROUTESLIP_SHUTDOWN_SECONDS: integer(0, 3600)
    .default(60)
    .describe('How long requests under way may take to finish after the signal to end'),
  ROUTESLIP_LOG_LEVEL: choice(logLevels).default('info').describe('Least level that is logged'),
  REDIS_URL: variable('Give an address that begins with redis:// or rediss://.', redisUrl)
    .optional()
    .describe(
      'Redis, 6 or later, through which several processes share events. Default: this process is the only one',
    ),
  REDIS_URL_FILE: secretFile().optional().describe('File that holds `REDIS_URL`'),
})

/** Variables of a mount. */
export const MountVariables = z.object({
  ROUTESLIP_BASE_PATH: variable('Give a path such as /api/wf.', matching(/^(?:\/[A-Za-z0-9_-]+)+$/))
    .default('/api/wf')
    .describe('Path below which the proxy answers'),
  ROUTESLIP_ENV: choice(['test', 'prod']).describe('Deployment of the forms that is served'),
  ROUTESLIP_FORMS: variable('Give the ids of forms, each once, such as 6025,6026.', formIds).describe(
    'Ids of the forms that are served. Packages of others do not exist here',
  ),
  ROUTESLIP_WORKFLOW_URL: serviceUrl().describe(
    'Address of the workflow routing service. It is the same for test and prod',
  ),
  ROUTESLIP_WORKFLOW_CLIENT_ID: clientId().describe('Client id for the workflow routing service'),
  ROUTESLIP_WORKFLOW_CLIENT_SECRET: secret()
    .optional()
    .describe('Client secret for it. Required, unless a file holds it'),
  ROUTESLIP_WORKFLOW_CLIENT_SECRET_FILE: secretFile()
    .optional()
    .describe('File that holds it; read again when the service refuses it'),
  ROUTESLIP_STORAGE_URL: serviceUrl().describe(
    'Address of the file storage service. Test and prod have different ones',
  ),
  ROUTESLIP_STORAGE_CLIENT_ID: clientId().describe('Client id for the file storage service'),
  ROUTESLIP_STORAGE_CLIENT_SECRET: secret()
    .optional()
    .describe('Client secret for it. Required, unless a file holds it'),
  ROUTESLIP_STORAGE_CLIENT_SECRET_FILE: secretFile()
    .optional()
    .describe('File that holds it; read again when the service refuses it'),
  ROUTESLIP_STORAGE_OBJECT_ORIGINS: variable(
    'Give origins such as https://objects.example.edu; http only on this machine.',
    list(origin, 1),
  ).describe('Origins to which download links may lead. Others are refused'),
  ROUTESLIP_ALLOW_HTTP: choice(['true', 'false'])
    .default('false')
    .describe('Whether the services may be reached over plain http on other machines'),
  ROUTESLIP_IDENTITY: choice(['header', 'jwt'])
    .default('header')
    .describe('Who says who is signed in: a front server in a header, or a signed token'),
  ROUTESLIP_IDENTITY_HEADER: variable(
    'Give the name of a header, other than x-routeslip-front.',
    matching(/^(?!x-routeslip-front$)[a-z][a-z0-9-]*$/i),
  )
    .default('x-remote-user')
    .describe('For header: the header that holds the university id'),
  ROUTESLIP_IDENTITY_SECRET: variable(
    'Give 32 characters or more, the same that the front server sends as x-routeslip-front.',
    frontSecret,
  )
    .optional()
    .describe(
      'For header: what the front server sends as `x-routeslip-front`, 32 characters or more. Required, unless a file holds it',
    ),
  ROUTESLIP_IDENTITY_SECRET_FILE: secretFile().optional().describe('File that holds it'),
  ROUTESLIP_IDENTITY_JWKS_URL: variable(
    "Give the https address of the issuer's JSON Web Key Set; http only on this machine.",
    secureUrl,
  )
    .optional()
    .describe("For jwt, required: address of the issuer's keys"),
  ROUTESLIP_IDENTITY_ISSUER: variable('Give what tokens hold as iss.', line)
    .optional()
    .describe('For jwt, required: who issues tokens (`iss`)'),
  ROUTESLIP_IDENTITY_AUDIENCE: variable('Give what tokens for this site hold as aud.', line)
    .optional()
    .describe('For jwt, required: whom tokens are meant for (`aud`)'),
  ROUTESLIP_IDENTITY_CLAIM: variable('Give the name of a claim.', line)
    .default('univid')
    .describe('For jwt: the claim that holds the university id'),
  ROUTESLIP_IDENTITY_COOKIE: variable('Give the name of a cookie.', matching(/^[\w.-]+$/))
    .optional()
    .describe('For jwt: the cookie that holds the token. Default: it comes as `Authorization: Bearer`'),
  ROUTESLIP_ADMINS: variable(
    'Give university ids, such as 10000009,10000010.',
    list(matching(wholeText(unividPattern))),
  )
    .default([])
    .describe('University ids of those who may run the routing tools for which the service has no flag'),
  ROUTESLIP_ORIGINS: variable(
    'Give origins such as https://forms.example.edu; http only on this machine.',
    list(origin),
  )
    .default([])
    .describe('Other origins whose pages may call. Default: only pages of the same origin'),
  ROUTESLIP_CALLBACK_ENCODING: choice(['base64', 'base64url', 'hex'])
    .default('base64')
    .describe('How the signatures of callbacks are written'),
  ROUTESLIP_MAX_FILE_SIZE: variable('Give a size such as 50MB, or a number of bytes.', size)
    .default(maxFileSize)
    .describe('Largest file that may be uploaded, in bytes, or as 50MB'),
  ROUTESLIP_EXTENSIONS: variable('Give extensions such as pdf,docx.', list(extension, 1))
    .optional()
    .describe('Extensions that files may have. Default: any'),
  ROUTESLIP_FILE_DAYS: integer(1, 3650)
    .optional()
    .describe('Days that a stored file may be kept. Default: as long as the service keeps it'),
  ROUTESLIP_LINK_SECONDS: integer(1, 60).default(60).describe('How long a download link lives'),
  ROUTESLIP_TIMEOUT_SECONDS: integer(1, 600)
    .default(8)
    .describe('How long to wait for a service, uploads and downloads apart'),
  ROUTESLIP_REQUESTS_PER_PERSON: integer(1, 1000)
    .default(50)
    .describe('Most requests of one person at a time, uploads too'),
  ROUTESLIP_STREAMS_PER_PERSON: integer(1, 1000)
    .default(6)
    .describe('Most streams of live events that one person may have open'),
  ROUTESLIP_STREAMS: integer(1, 100_000)
    .default(5000)
    .describe('Most streams of live events that may be open, of all people'),
  ROUTESLIP_CLAMD: variable('Give host:port, such as 127.0.0.1:3310.', hostAndPort)
    .optional()
    .describe(
      'Virus scanner (clamd) that looks at uploads, with a `StreamMaxLength` no smaller than the largest file. While it does not answer, no upload is taken',
    ),
})

/** A variable. `read` answers undefined for what is no value of it; `give` tells people what would be one. */
function variable<T>(give: string, read: (value: unknown) => T | undefined) {
  return z.unknown().transform((value, context): T => {
    const result = read(value)
    if (result !== undefined) return result
    context.issues.push({ code: 'custom', message: give, input: value })
    return z.NEVER
  })
}

function integer(least: number, most: number) {
  return variable(`Give a number from ${least} to ${most}.`, (value) => {
    const number = /^\d{1,9}$/.test(text(value)) ? Number(text(value)) : NaN
    return number >= least && number <= most ? number : undefined
  })
}

function choice<const T extends string>(values: readonly T[]) {
  const last = values.at(-1)
  return variable(`Give ${values.slice(0, -1).join(', ')} or ${last}.`, (value) =>
    values.find((one) => one === text(value)),
  )
}

function secret() {
  return variable('Give the secret, on one line.', line)
}

function secretFile() {
  return variable('Name the file that holds it.', line)
}

function serviceUrl() {
  return variable(
    'Give an address such as https://service.example.edu, without user, query and fragment.',
    (value) => urlOf(value)?.href.replace(/\/+$/, ''),
  )
}

function clientId() {
  return variable('Give the id: letters, digits, _ and -, 64 at most.', matching(wholeText(clientIdPattern)))
}

/** What stands in an environment variable, or as a string, a number or a boolean in the file. */
function text(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : ''
}

/** One line that is not empty. */
function line(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\p{Cc}]+$/u.test(value) && value.trim() !== '' ? value : undefined
}

function matching(pattern: RegExp) {
  return (value: unknown) => (pattern.test(text(value)) ? text(value) : undefined)
}

/** Parts between commas, or the members of a list in the file. */
function list<T>(read: (value: unknown) => T | undefined, least = 0) {
  return (value: unknown): readonly T[] | undefined => {
    const parts: readonly unknown[] | undefined = Array.isArray(value)
      ? value
      : typeof value === 'string' || typeof value === 'number'
        ? text(value)
            .split(',')
            .filter((part) => part.trim() !== '')
        : undefined
    const items = parts?.map(read)
    const good = items?.filter((item) => item !== undefined)
    return good && good.length === items?.length && good.length >= least ? good : undefined
  }
}

function formIds(value: unknown): readonly number[] | undefined {
  const ids = list((id) => {
    const number = /^[1-9]\d{0,15}$/.test(text(id)) ? Number(text(id)) : NaN
    return Number.isSafeInteger(number) ? number : undefined
  }, 1)(value)
  return ids && new Set(ids).size === ids.length ? ids : undefined
}

function urlOf(value: unknown): URL | undefined {
  if (!URL.canParse(text(value)) || /[?#]/.test(text(value))) return undefined
  const url = new URL(text(value))
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}

/** Whether nobody between could read or change what is sent there. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

function secureUrl(value: unknown): string | undefined {
  const url = urlOf(value)
  return url && isSecure(url) ? url.href : undefined
}

function origin(value: unknown): string | undefined {
  const url = urlOf(value)
  return url && isSecure(url) && url.pathname === '/' ? url.origin : undefined
}

function redisUrl(value: unknown): string | undefined {
  return URL.canParse(text(value)) && /^rediss?:\/\/./.test(text(value)) ? text(value) : undefined
}

function frontSecret(value: unknown): string | undefined {
  const found = line(value)
  return found !== undefined && found.length >= 32 ? found : undefined
}

const units: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

function size(value: unknown): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,12}) ?([KMG]?B|)$/.exec(text(value).toUpperCase()) ?? []
  const bytes = Number(number) * (units[unit] ?? NaN)
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}

/** In lower case, without a dot. */
function extension(value: unknown): string | undefined {
  return /^\.?([a-z0-9]{1,16})$/.exec(text(value).toLowerCase())?.[1]
}

function hostAndPort(value: unknown): { readonly host: string; readonly port: number } | undefined {
  const [, host = '', port = ''] = /^([\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text(value)) ?? []
  const isPort = Number(port) >= 1 && Number(port) <= 65_535
  return isPort ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) } : undefined
}
