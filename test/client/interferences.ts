/** Headers of a page of such a server. */
export const page = { 'content-type': 'text/html' }

/** What servers between a page and its proxy send: status, headers and body. */
export const interferences: readonly (readonly [string, number, Record<string, string>, string])[] = [
  ['a sign-in page of a campus network', 401, page, '<html>Sign in'],
  ['the challenge of a gateway', 401, {}, ''],
  ['a firewall', 403, page, '<html>Blocked'],
  ['a firewall with JSON', 403, { 'content-type': 'application/json' }, '{"status":403}'],
  ['an unknown path', 404, page, '<html>Not found'],
  ['WebDAV', 405, { allow: 'GET, PROPFIND' }, ''],
  ['a proxy that wants a password', 407, {}, ''],
  ['a gateway that has moved', 410, page, '<html>Gone'],
  ['a limit of nginx', 413, page, '<html>413'],
  ['a filter of media types', 415, {}, ''],
  ['an old server', 501, page, '<html>Not implemented'],
  ['a page with status 200', 200, page, '<html>Welcome'],
]

/** Headers of the proxy itself. */
export const own = { 'x-routeslip': '1' }
