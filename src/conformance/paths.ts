import { type ConformanceSuite, mutationsOf, summaryOf } from './suite.ts'
import { check, type Check, formId, otherFormId, people } from './target.ts'

const packages = `/forms/${formId}/packages`
const validUuid = '00000000-0000-4000-8000-000000000000'

/** Invalid forms of an id. */
const ids = [
  ...[
    '0',
    '-1',
    '+42',
    '042',
    '42.0',
    '4.2e1',
    '0x2a',
    '42%20',
    '%34%32',
    '４２',
    '42;a=b',
    '42%00',
    '42%0a',
  ],
  ...[
    '9007199254740993',
    '99999999999999999999',
    '..%2f42',
    '%2e%2e',
    '%252e%252e',
    '42%2f..%2f43',
    '42%5c',
    'null',
  ],
]

/** Methods and paths that do not match any operation. */
const unknownPaths: readonly (readonly [method: string, path: string])[] = [
  ...ids.map((id) => ['GET', `${packages}/${id}`] as const),
  ...ids.map((id) => ['PUT', `${packages}/${id}/restart`] as const),
  ...ids.map((id) => ['GET', `/forms/${id}/packages/42`] as const),
  ['GET', `/forms/${otherFormId}/packages/42`],
  ['PUT', `/forms/${otherFormId}/packages/42/restart`],
  ['DELETE', `${packages}/42`],
  ['POST', `${packages}`],
  ['GET', `${packages}/42/`],
  ['GET', `/${packages}/42`],
  ['GET', `${packages}/42/unknown`],
  ['PUT', `/tools/forms/${formId}/packages/42/restart`],
  ['GET', `/workflow/test/api/developer/forms/${formId}/packages/42`],
  ['GET', `/test${packages}/42`],
  ['GET', `/prod${packages}/42`],
  ['GET', '/api/v2/public-key'],
  ['GET', '/files/x/meta'],
  ['GET', `/files/${validUuid.replaceAll('0', 'A')}/meta`],
  ['GET', `/files/${validUuid}%20/meta`],
  ['GET', `/files/..%2f${validUuid}/meta`],
  ['GET', `/files/${validUuid}/presign`],
  ['DELETE', `/shares/..%2ffiles%2f${validUuid}?fileAssetUuid=${validUuid}`],
  ['DELETE', `/shares/%2e%2e?fileAssetUuid=${validUuid}`],
  // Search parameters have one valid form too.
  ['GET', `${packages}/actions`],
  ['GET', `${packages}/status`],
  ...['0', 'x', '1e3', '', '042', '9007199254740993', '42,43'].flatMap((id) => [
    ['GET', `${packages}/actions?id=${id}`] as const,
    ['GET', `${packages}/status?id=${id}`] as const,
  ]),
  ['GET', `${packages}/status?id=42&user=${people.administrator}`],
  ['GET', `${packages}/status?${Array.from({ length: 101 }, (_, index) => `id=${index + 1}`).join('&')}`],
  ['GET', `${packages}/42/pdf?includeRouting=1`],
  ['GET', `/files/${validUuid}/download?expiresIn=7d`],
  ['GET', `/files/${validUuid}/download?inline=yes`],
]

/** Invalid bodies. */
const bodies: readonly (readonly [path: string, body: string, type?: string])[] = [
  [`${packages}/42/void`, '{"id":42'],
  [`${packages}/42/void`, ''],
  [`${packages}/42/void`, '{"id":43,"state":"VOID","voidReason":"INCORRECT_FORM"}'],
  [`${packages}/42/void`, '{"id":"42","state":"VOID","voidReason":"INCORRECT_FORM"}'],
  [`${packages}/42/void`, '{"id":42,"state":"VOID","voidReason":"BECAUSE"}'],
  [`${packages}/42/void`, '{"id":42,"state":"VOID","voidReason":"INCORRECT_FORM","user":"10000009"}'],
  [`${packages}/42/void`, '{"id":42,"state":"VOID","voidReason":"INCORRECT_FORM"}', 'text/plain'],
  [`${packages}/42`, '{"state":"DRAFT"}'],
  [`${packages}/42`, '{"id":43,"state":"ROUTING"}'],
  [`${packages}/42/return`, '{"univid":"demo-app"}'],
  [`${packages}/42/entry`, '[]'],
]

/** Checks that the proxy refuses everything outside the contract, and that nothing changes in a service. */
export function* checkPaths(suite: ConformanceSuite): Generator<Check> {
  for (const [method, path] of unknownPaths) {
    yield check(`paths: ${method} ${path} is refused by the proxy itself`, () =>
      refused(suite, { method, path }),
    )
  }
  for (const [path, body, type = 'application/json'] of bodies) {
    yield check(`paths: PUT ${path} with ${body || 'no body'} as ${type} is refused`, () =>
      unchanged(suite, { method: 'PUT', path, body, headers: { 'content-type': type } }),
    )
  }
  yield* checkOrigins(suite)
}

/** Checks that the proxy refuses pages of other sites, for reads as well. */
function* checkOrigins(suite: ConformanceSuite): Generator<Check> {
  const crossSiteHeaders: readonly Readonly<Record<string, string | null>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'x-routeslip': null },
    { 'x-routeslip': null, 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of crossSiteHeaders) {
    for (const [method, path] of [
      ['GET', `${packages}/42`],
      ['PUT', `${packages}/42/restart`],
      ['GET', '/session'],
    ] as const) {
      yield check(`origins: ${method} ${path} with ${JSON.stringify(headers)} is refused`, () =>
        refused(suite, { method, path, headers }, [403]),
      )
    }
  }
  for (const path of [`/files/${validUuid}/download`, `${packages}/42/pdf`]) {
    yield check(`origins: a link to ${path} on another site is refused`, () =>
      refused(
        suite,
        { method: 'GET', path, headers: { 'x-routeslip': null, 'sec-fetch-site': 'cross-site' } },
        [403],
      ),
    )
  }
}

type UnchangedCall = Pick<Parameters<ConformanceSuite['raw']>[0], 'method' | 'path' | 'headers' | 'body'>

/** Checks that a call is refused. The proxy may read from a service to decide about rights before it reads the body. */
async function unchanged(suite: ConformanceSuite, call: UnchangedCall): Promise<string> {
  const { status, received } = await suite.raw({ as: people.administrator, ...call })
  const isRefused = status >= 400 && status < 500 && status !== 401
  return isRefused && mutationsOf(received).length === 0
    ? ''
    : `expected a refusal and no change, got ${status}; sent: ${summaryOf(received)}`
}

/** Checks that a call is refused before any request to a service. */
async function refused(
  suite: ConformanceSuite,
  call: UnchangedCall,
  statuses?: readonly number[],
): Promise<string> {
  const { status, received } = await suite.raw({ as: people.administrator, ...call })
  const isRefused = statuses?.includes(status) ?? (status >= 400 && status < 500 && status !== 401)
  return isRefused && received.length === 0
    ? ''
    : `expected ${statuses?.join(' or ') ?? 'a refusal'} and no request to a service, got ${status}; sent: ${summaryOf(received)}`
}
