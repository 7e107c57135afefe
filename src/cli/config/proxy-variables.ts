import { z } from 'zod'
import { unividPattern, wholeText } from '../../contract/values/patterns.ts'
import { maxFileSize } from '../../contract/values/values.ts'
import { reminderLanguages } from '../../proxy/desk/reminder-text.ts'
import {
  choice,
  clientIdVariable,
  clientSecret,
  integer,
  listOf,
  matching,
  parseExtension,
  parseFormIds,
  parseForwardSecrets,
  parseFrontSecret,
  parseHostAndPort,
  parseLine,
  parseOrigin,
  parseRedisUrl,
  parseSecureUrl,
  parseSize,
  parseUrl,
  pathOfFile,
  serviceUrl,
  variable,
} from './variable-types.ts'

const logLevels = ['info', 'warn', 'error'] as const

/** Variables of the process. */
export const ProcessVariables = z.object({
  ROUTESLIP_CONFIG: variable('the path of a JSON file', parseLine)
    .optional()
    .describe('JSON file with the same names, like `--config FILE`. The environment overrides it'),
  ROUTESLIP_HOST: variable('an address of this machine, such as 127.0.0.1', matching(/^[\w.:-]+$/))
    .default('127.0.0.1')
    .describe('Address to listen on'),
  ROUTESLIP_PORT: integer(0, 65_535)
    .default(8090)
    .describe('Port to listen on; 0 uses any free port. The emulator uses 8081 by default'),
  ROUTESLIP_METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('Another port for /metrics, /readyz and /healthz, which alone serves the first two'),
  ROUTESLIP_SHUTDOWN_SECONDS: integer(0, 3600)
    .default(60)
    .describe('Seconds that open requests have to finish after a signal to stop'),
  ROUTESLIP_LOG_LEVEL: choice(logLevels).default('info').describe('Lowest level that is logged'),
  ROUTESLIP_REQUEST_ID_HEADER: variable('the name of a header', matching(/^[a-zA-Z][\w-]*$/))
    .optional()
    .describe('Header with the id of a request, such as X-Request-ID, which the front server overwrites'),
  ROUTESLIP_MAX_CONNECTIONS: integer(1, 1_000_000)
    .optional()
    .describe('Maximum number of open connections of browsers'),
  ROUTESLIP_IDLE_SECONDS: integer(1, 3600)
    .default(120)
    .describe('Seconds after which a connection on which nothing moves is closed'),
  ROUTESLIP_MIN_RATE: integer(1, 1_000_000)
    .default(1000)
    .describe('Minimum rate of uploads, downloads and other large responses in bytes per second'),
  ROUTESLIP_STALL_SECONDS: integer(1, 3600)
    .default(30)
    .describe('Seconds over which the rate is measured. A slower transfer is ended'),
  ROUTESLIP_CONNECT_TIMEOUT_SECONDS: integer(1, 600)
    .default(3)
    .describe('Timeout for a connection to a service'),
  ROUTESLIP_CHUNK_TIMEOUT_SECONDS: integer(1, 3600)
    .default(30)
    .describe('Timeout in seconds between two parts of a response of a service'),
  ROUTESLIP_BREAKER_CALLS: integer(1, 10_000)
    .default(10)
    .describe('Minimum number of calls of a service before requests to it can be paused'),
  ROUTESLIP_BREAKER_PERCENT: integer(1, 100)
    .default(50)
    .describe('Percentage of failed calls of a service at which requests to it are paused'),
  ROUTESLIP_BREAKER_WINDOW_SECONDS: integer(1, 3600)
    .default(10)
    .describe('Seconds over which calls and failures are counted'),
  ROUTESLIP_BREAKER_PAUSE_SECONDS: integer(1, 3600)
    .default(5)
    .describe('Seconds after which one call probes whether the service works again'),
  ROUTESLIP_DATA: variable('the path of a directory', parseLine)
    .optional()
    .describe(
      'Directory for callbacks, open locks and outcomes. Each process needs its own. Not used with `REDIS_URL`. Default: in memory, until the process ends',
    ),
  ROUTESLIP_LOCK_ALARM_HOURS: integer(1, 8760)
    .default(24)
    .describe('Age in hours at which the lock of a frozen route raises an alarm in the log and the metrics'),
  REDIS_URL: variable(
    'the address of one server that begins with redis:// or rediss://; Redis Cluster and Sentinel are not supported',
    parseRedisUrl,
  )
    .optional()
    .describe('Redis 6.2 or later, for several processes'),
  ROUTESLIP_REDIS_PREFIX: variable('1 to 64 letters, digits, or . _ : -', matching(/^[\w.:-]{1,64}$/))
    .default('routeslip:')
    .describe('Prefix of all keys in Redis. Proxies with different prefixes share nothing'),
  REDIS_URL_FILE: pathOfFile()
    .optional()
    .describe('File that contains `REDIS_URL`. The proxy follows its changes'),
})

/** Variables of a mount. */
export const MountVariables = z.object({
  ROUTESLIP_BASE_PATH: variable('a path such as /api/wf', matching(/^(?:\/[A-Za-z0-9_-]+)+$/))
    .default('/api/wf')
    .describe('Path of the proxy'),
  ROUTESLIP_ENV: choice(['test', 'prod']).describe('Environment of the forms'),
  ROUTESLIP_FORMS: variable('form ids without duplicates, such as 6025,6026', parseFormIds).describe(
    'Ids of the forms that the proxy serves. It returns 404 for packages of other forms',
  ),
  ROUTESLIP_WORKFLOW_URL: serviceUrl().describe(
    'Address of the workflow routing service, the same for test and prod',
  ),
  ROUTESLIP_WORKFLOW_CLIENT_ID: clientIdVariable().describe('Client id for the workflow routing service'),
  ROUTESLIP_WORKFLOW_CLIENT_SECRET: clientSecret()
    .optional()
    .describe('Client secret for the workflow routing service. Required unless a file contains it'),
  ROUTESLIP_WORKFLOW_CLIENT_SECRET_FILE: pathOfFile()
    .optional()
    .describe('File that contains the secret. The proxy follows its changes'),
  ROUTESLIP_STORAGE_URL: serviceUrl().describe(
    'Address of the file storage service, different for test and prod',
  ),
  ROUTESLIP_STORAGE_CLIENT_ID: clientIdVariable().describe('Client id for the file storage service'),
  ROUTESLIP_STORAGE_CLIENT_SECRET: clientSecret()
    .optional()
    .describe('Client secret for the file storage service. Required unless a file contains it'),
  ROUTESLIP_STORAGE_CLIENT_SECRET_FILE: pathOfFile()
    .optional()
    .describe('File that contains the secret. The proxy follows its changes'),
  ROUTESLIP_STORAGE_OBJECT_ORIGINS: variable(
    'origins such as https://objects.example.edu; http only on this machine',
    listOf(parseOrigin, 1),
  ).describe('Origins of download links. The proxy rejects links to other origins'),
  ROUTESLIP_ALLOW_HTTP: choice(['true', 'false'])
    .default('false')
    .describe('Whether the services may use plain http on other machines'),
  ROUTESLIP_IDENTITY: choice(['header', 'jwt'])
    .default('header')
    .describe('How the proxy identifies the signed-in user: by a header of the front server, or by a JWT'),
  ROUTESLIP_IDENTITY_HEADER: variable(
    'the name of a header other than x-routeslip-front',
    matching(/^(?!x-routeslip-front$)[a-z][a-z0-9-]*$/i),
  )
    .default('x-remote-user')
    .describe('For header: name of the header with the university id'),
  ROUTESLIP_IDENTITY_SECRET: variable(
    'at least 32 characters without blanks around them, the same as the front server sends in x-routeslip-front',
    parseFrontSecret,
  )
    .optional()
    .describe(
      'For header: secret that the front server sends in `x-routeslip-front`. Required unless a file contains it',
    ),
  ROUTESLIP_IDENTITY_SECRET_FILE: pathOfFile()
    .optional()
    .describe(
      'File that contains the secret. The proxy follows its changes; the previous secret stays valid for five minutes',
    ),
  ROUTESLIP_IDENTITY_JWKS_URL: variable(
    "the https address of the issuer's JSON Web Key Set; http only on this machine",
    parseSecureUrl,
  )
    .optional()
    .describe("For jwt, required: address of the issuer's JSON Web Key Set"),
  ROUTESLIP_IDENTITY_ISSUER: variable("the iss claim of the issuer's tokens", parseLine)
    .optional()
    .describe('For jwt, required: issuer of the tokens (`iss`)'),
  ROUTESLIP_IDENTITY_AUDIENCE: variable('the aud claim of tokens for this site', parseLine)
    .optional()
    .describe('For jwt, required: audience of the tokens (`aud`)'),
  ROUTESLIP_IDENTITY_CLAIM: variable('the name of a claim', parseLine)
    .default('univid')
    .describe('For jwt: claim with the university id'),
  ROUTESLIP_IDENTITY_COOKIE: variable('the name of a cookie', matching(/^[\w.-]+$/))
    .optional()
    .describe('For jwt: cookie with the token. Default: the token is in `Authorization: Bearer`'),
  ROUTESLIP_GROUPS_HEADER: variable(
    'the name of a header other than x-routeslip-front',
    matching(/^(?!x-routeslip-front$)[a-z][a-z0-9-]*$/i),
  )
    .optional()
    .describe("For header: name of the header with the user's groups. The front server must replace it too"),
  ROUTESLIP_GROUPS_CLAIM: variable('the name of a claim', parseLine)
    .optional()
    .describe("For jwt: claim with the user's groups, as a list or as text"),
  ROUTESLIP_GROUPS_SEPARATOR: choice(['comma', 'semicolon'])
    .default('comma')
    .describe('Separates the groups in a text'),
  ROUTESLIP_POLICY: pathOfFile()
    .optional()
    .describe('[Policy file](policy.md). With it, the proxy serves all operations'),
  ROUTESLIP_ADMINS: variable(
    'university ids such as 10000009,10000010',
    listOf(matching(wholeText(unividPattern))),
  )
    .default([])
    .describe('University ids of users who may run the routing tools without a flag'),
  ROUTESLIP_ORIGINS: variable(
    'origins such as https://forms.example.edu; http only on this machine',
    listOf(parseOrigin),
  )
    .default([])
    .describe('Other origins whose pages may use the proxy. Default: only pages of the same origin'),
  ROUTESLIP_CALLBACK_ENCODING: choice(['base64', 'base64url', 'hex'])
    .default('base64')
    .describe('Encoding of the signatures of callbacks'),
  ROUTESLIP_FORWARD_URL: variable(
    'an address such as https://app.example.edu/callbacks, without a user name, query or fragment',
    (value) => parseUrl(value)?.href,
  )
    .optional()
    .describe('Address of your application, which gets each callback'),
  ROUTESLIP_FORWARD_SECRET: variable(
    'one or two secrets, separated by a comma: whsec_ and Base64 of 24 to 64 bytes',
    parseForwardSecrets,
  )
    .optional()
    .describe(
      'Secret that signs forwarded callbacks; to change it, the new and the old one. Required with the address unless a file contains it',
    ),
  ROUTESLIP_FORWARD_SECRET_FILE: pathOfFile()
    .optional()
    .describe('File that contains the secret. The proxy reads it again for each callback'),
  ROUTESLIP_FORWARD_PRIVATE: choice(['true', 'false'])
    .default('false')
    .describe(
      'Whether your application may be on this machine or in a private network, also with plain http',
    ),
  ROUTESLIP_MAX_FILE_SIZE: variable('a size such as 50MB, or a number of bytes', parseSize)
    .default(maxFileSize)
    .describe('Maximum size of an uploaded file'),
  ROUTESLIP_EXTENSIONS: variable('extensions such as pdf,docx', listOf(parseExtension, 1))
    .optional()
    .describe('Extensions of files that users may upload. Default: all'),
  ROUTESLIP_FILE_DAYS: integer(1, 3650)
    .optional()
    .describe('Maximum number of days until a stored file expires. Default: the service decides'),
  ROUTESLIP_LINK_SECONDS: integer(1, 60)
    .default(60)
    .describe('Number of seconds until a download link expires'),
  ROUTESLIP_TIMEOUT_SECONDS: integer(1, 600)
    .default(8)
    .describe('Timeout for responses of the services, except for uploads and downloads'),
  ROUTESLIP_UPLOAD_TIMEOUT_SECONDS: integer(1, 3600)
    .default(60)
    .describe('Timeout for the service to store an upload after its last byte'),
  ROUTESLIP_DOWNLOAD_TIMEOUT_SECONDS: integer(1, 3600)
    .default(100)
    .describe('Timeout for a download to begin'),
  ROUTESLIP_BODY_TIMEOUT_SECONDS: integer(1, 3600)
    .default(15)
    .describe('Timeout for the JSON body of a request or a callback to arrive'),
  ROUTESLIP_SCAN_TIMEOUT_SECONDS: integer(1, 3600)
    .default(60)
    .describe('Timeout for the virus scanner after the last byte of a file'),
  ROUTESLIP_MAX_BODY_SIZE: variable('a size such as 50MB, or a number of bytes', parseSize)
    .default(256 * 1024)
    .describe('Maximum size of the JSON body of a request'),
  ROUTESLIP_MAX_RESPONSE_SIZE: variable('a size such as 50MB, or a number of bytes', parseSize)
    .default(16 * 1024 * 1024)
    .describe('Maximum size of a response of the services, except for files'),
  ROUTESLIP_BODIES_PER_PERSON: integer(1, 1000)
    .default(8)
    .describe('Maximum concurrent JSON bodies per person'),
  ROUTESLIP_BUFFER_SIZE: variable('a size such as 50MB, or a number of bytes', parseSize)
    .default(64 * 1024 * 1024)
    .describe(
      'Maximum size of JSON bodies and large responses (more than 64 kB) in memory. Further ones get 503. One user may take a quarter',
    ),
  ROUTESLIP_FILES: integer(1, 10_000)
    .default(100)
    .describe('Maximum concurrent uploads and downloads. If all are in use, people get equal shares'),
  ROUTESLIP_FILES_PER_PERSON: integer(1, 1000)
    .default(8)
    .describe('Maximum concurrent uploads and downloads per person'),
  ROUTESLIP_CALLS: integer(1, 10_000)
    .default(100)
    .describe('Maximum concurrent calls of each service, except for files. Further calls wait'),
  ROUTESLIP_CALLS_PER_PERSON: integer(1, 1000)
    .default(16)
    .describe('Maximum concurrent calls of each service for one person, except for files'),
  ROUTESLIP_LARGE_READS: integer(1, 1000)
    .default(8)
    .describe('Maximum number of large responses in memory. Further ones wait'),
  ROUTESLIP_LARGE_READS_PER_PERSON: integer(1, 1000)
    .default(2)
    .describe('Maximum number of large responses in memory per person'),
  ROUTESLIP_REQUESTS_PER_PERSON: integer(1, 1000)
    .default(50)
    .describe('Maximum concurrent requests per person in this process, except for uploads and downloads'),
  ROUTESLIP_REQUESTS_PER_MINUTE: integer(10, 1_000_000)
    .optional()
    .describe('Maximum number of requests per person and minute. Further ones get 429'),
  ROUTESLIP_PACKAGES_PER_HOUR: integer(1, 10_000)
    .default(60)
    .describe('Maximum number of new packages per person and hour'),
  ROUTESLIP_STREAMS_PER_PERSON: integer(1, 1000)
    .default(20)
    .describe('Maximum number of live streams per person. Each visible page has one'),
  ROUTESLIP_STREAMS: integer(1, 100_000).default(5000).describe('Maximum number of live streams in total'),
  ROUTESLIP_WATCH_SECONDS: integer(1, 3600)
    .default(15)
    .describe('Seconds between searches for changes that the service does not announce, such as comments'),
  ROUTESLIP_RESUBMIT: choice(['ask', 'link'])
    .default('ask')
    .describe(
      'What `<wf-form>` does with a draft that its initiator submits: `ask` sends it, `link` only links to the service',
    ),
  ROUTESLIP_LISTS: choice(['true', 'false'])
    .default('false')
    .describe(
      'Whether the proxy keeps an [index of requests](security.md#the-index-of-requests), for lists. Kept in `ROUTESLIP_DATA`, or in Redis',
    ),
  ROUTESLIP_LIST_CALLS: integer(1, 100)
    .default(2)
    .describe(
      'Maximum number of calls of the routing service per second that keep this index up to date, by all processes together',
    ),
  ROUTESLIP_LIST_DAYS: integer(1, 3650)
    .default(400)
    .describe(
      'Number of days after the last change for which requests stay in this index that are not routing',
    ),
  ROUTESLIP_REMIND_HOURS: integer(24, 8760)
    .default(72)
    .describe(
      'Minimum number of hours between two reminders of a request. Needs `ROUTESLIP_LISTS`, and the permission `remind` from your policy',
    ),
  ROUTESLIP_LANGUAGE: choice(reminderLanguages)
    .default('en')
    .describe('Language of the reminders that the service emails'),
  ROUTESLIP_CLAMD: variable('host:port, such as 127.0.0.1:3310', parseHostAndPort)
    .optional()
    .describe(
      'Virus scanner (clamd) for uploads. Its `StreamMaxLength` must be at least the maximum file size. Without its response, uploads are rejected',
    ),
})
