import { type ConformanceSuite, mutationsOf, summaryOf } from './suite.ts'
import { check, type Check, client, formId, otherFormId, people } from './target.ts'
import type { Fixture } from './fixture.ts'

const packages = `/forms/${formId}/packages`
const validUuid = '00000000-0000-4000-8000-000000000000'

/** The package in the names of the checks. The requests name one that no other page can have open. */
const namedPackage = 42

/** Returns invalid forms of an id. */
function invalidIds(id: number): string[] {
  const digits = [...`${id}`]
  return [
    ...['0', `-${id}`, `+${id}`, `0${id}`, `${id}.0`, `${id / 10}e1`, `0x${id.toString(16)}`, `${id}%20`],
    ...[
      digits.map((digit) => `%3${digit}`).join(''),
      digits.map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
    ],
    ...[`${id};a=b`, `${id}%00`, `${id}%0a`, '9007199254740993', '99999999999999999999', `..%2f${id}`],
    ...['%2e%2e', '%252e%252e', `${id}%2f..%2f${id + 1}`, `${id}%5c`, 'null'],
  ]
}

/** Returns methods and paths that do not match any operation. */
function unknownPaths(id: number): (readonly [method: string, path: string])[] {
  return [
    ...invalidIds(id).map((each) => ['GET', `${packages}/${each}`] as const),
    ...invalidIds(id).map((each) => ['PUT', `${packages}/${each}/restart`] as const),
    ...invalidIds(id).map((each) => ['GET', `/forms/${each}/packages/${id}`] as const),
    ['GET', `/forms/${otherFormId}/packages/${id}`],
    ['PUT', `/forms/${otherFormId}/packages/${id}/restart`],
    ['DELETE', `${packages}/${id}`],
    ['POST', `${packages}`],
    ['GET', `${packages}/${id}/`],
    ['GET', `/${packages}/${id}`],
    ['GET', `${packages}/${id}/unknown`],
    ['PUT', `/tools/forms/${formId}/packages/${id}/restart`],
    ['GET', `/workflow/test/api/developer/forms/${formId}/packages/${id}`],
    ['GET', `/test${packages}/${id}`],
    ['GET', `/prod${packages}/${id}`],
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
    ...['0', 'x', '1e3', '', `0${id}`, '9007199254740993', `${id},${id + 1}`].flatMap((each) => [
      ['GET', `${packages}/actions?id=${each}`] as const,
      ['GET', `${packages}/status?id=${each}`] as const,
    ]),
    ['GET', `${packages}/status?id=${id}&user=${people.administrator}`],
    ['GET', `${packages}/status?${Array.from({ length: 101 }, (_, index) => `id=${id + index}`).join('&')}`],
    ['GET', `${packages}/${id}/pdf?includeRouting=1`],
    ['GET', `/files/${validUuid}/download?expiresIn=7d`],
    ['GET', `/files/${validUuid}/download?inline=yes`],
  ]
}

/** Returns requests with an invalid body. */
function invalidBodies(id: number): (readonly [path: string, body: string, type?: string])[] {
  return [
    [`${packages}/${id}/void`, `{"id":${id}`],
    [`${packages}/${id}/void`, ''],
    [`${packages}/${id}/void`, `{"id":${id + 1},"state":"VOID","voidReason":"INCORRECT_FORM"}`],
    [`${packages}/${id}/void`, `{"id":"${id}","state":"VOID","voidReason":"INCORRECT_FORM"}`],
    [`${packages}/${id}/void`, `{"id":${id},"state":"VOID","voidReason":"BECAUSE"}`],
    [
      `${packages}/${id}/void`,
      `{"id":${id},"state":"VOID","voidReason":"INCORRECT_FORM","user":"${people.administrator}"}`,
    ],
    [`${packages}/${id}/void`, `{"id":${id},"state":"VOID","voidReason":"INCORRECT_FORM"}`, 'text/plain'],
    [`${packages}/${id}`, '{"state":"DRAFT"}'],
    [`${packages}/${id}`, `{"id":${id + 1},"state":"ROUTING"}`],
    [`${packages}/${id}/return`, `{"univid":"${client.id}"}`],
    [`${packages}/${id}/entry`, '[]'],
  ]
}

/** Checks that the proxy refuses everything outside the contract, and that nothing changes in a service. */
export async function* checkPaths(suite: ConformanceSuite, fixture: Fixture): AsyncGenerator<Check> {
  const { packageId } = await fixture.sample('getPackage', 'ROUTING')
  const paths = unknownPaths(packageId)
  for (const [index, named] of unknownPaths(namedPackage).entries()) {
    const [method, path] = paths[index] ?? named
    yield check(`paths: ${named.join(' ')} is refused by the proxy itself`, () =>
      refused(suite, { method, path }),
    )
  }
  const bodies = invalidBodies(packageId)
  for (const [index, named] of invalidBodies(namedPackage).entries()) {
    const [path, body, type = 'application/json'] = bodies[index] ?? named
    yield check(`paths: PUT ${named[0]} with ${named[1] || 'no body'} as ${type} is refused`, () =>
      unchanged(suite, { method: 'PUT', path, body, headers: { 'content-type': type } }),
    )
  }
  yield* checkOrigins(suite, packageId)
}

/** Checks that the proxy refuses pages of other sites, for reads as well. */
function* checkOrigins(suite: ConformanceSuite, packageId: number): Generator<Check> {
  const callsOf = (id: number) =>
    [
      ['GET', `${packages}/${id}`],
      ['PUT', `${packages}/${id}/restart`],
      ['GET', '/session'],
    ] as const
  const linksOf = (id: number) => [`/files/${validUuid}/download`, `${packages}/${id}/pdf`]
  const crossSiteHeaders: readonly Readonly<Record<string, string | null>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'x-routeslip': null },
    { 'x-routeslip': null, 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of crossSiteHeaders) {
    const calls = callsOf(packageId)
    for (const [index, named] of callsOf(namedPackage).entries()) {
      const [method, path] = calls[index] ?? named
      yield check(`origins: ${named.join(' ')} with ${JSON.stringify(headers)} is refused`, () =>
        refused(suite, { method, path, headers }, [403]),
      )
    }
  }
  const links = linksOf(packageId)
  for (const [index, named] of linksOf(namedPackage).entries()) {
    const path = links[index] ?? named
    yield check(`origins: a link to ${named} on another site is refused`, () =>
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
