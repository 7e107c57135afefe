import { ProxyError } from '../http/problem.ts'

/** Time after which browsers may open a stream again, in seconds. */
const retryAfter = 30

/** The reasons for which the proxy refuses an event stream. See `refusals`. */
export const streamRefusals = {
  invalidQuery: () =>
    new ProxyError(
      400,
      'The query may only contain packages and list=1. Write each package as package=FORM-PACKAGE.',
    ),
  noPackages: () =>
    new ProxyError(400, 'The query names nothing to follow. Write each package as package=FORM-PACKAGE.'),
  tooManyPackages: (max: number) =>
    new ProxyError(400, `A stream can follow up to ${max} packages. Name fewer packages.`),
  tooManyStreams: () => new ProxyError(503, 'Live updates are at capacity. Try again later.', { retryAfter }),
  tooManyStreamsOfPerson: () =>
    new ProxyError(429, 'Too many open pages receive live updates. Close one of them.', { retryAfter }),
} as const satisfies Readonly<Record<string, (...facts: never[]) => ProxyError>>
