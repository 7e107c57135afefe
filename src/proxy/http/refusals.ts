import type { Finding } from './finding.ts'
import { ProxyError, type ProxyErrorOptions } from './problem.ts'

/**
 * The reasons for which the proxy refuses a request, with the status and the text that people see. A text states what
 * happened and the next step. It contains no secret and no address. Files, callbacks and event streams have tables of their
 * own: `fileRefusals`, `callbackRefusals` and `streamRefusals`.
 */
export const refusals = {
  // The request itself.
  brokenRequest: () => new ProxyError(400, 'The request is not valid HTTP. Reload the page and try again.'),
  interrupted: (options?: ProxyErrorOptions) =>
    new ProxyError(400, 'The request was interrupted. Try again.', options),
  invalidAddress: () =>
    new ProxyError(400, 'The address contains characters that are not allowed. Check the address.'),
  ambiguousHeaders: () =>
    new ProxyError(400, 'A header is missing or repeated. Send each header of this API once.'),
  parametersNotAllowed: () =>
    new ProxyError(400, 'This address takes no parameters. Remove everything after the question mark.'),
  unknownOperation: () => new ProxyError(404, 'This operation does not exist. Check the address.'),
  unknownForm: () => new ProxyError(404, 'This site does not serve this form. Check the form number.'),
  listsUnavailable: (cause: unknown) =>
    new ProxyError(503, 'The lists are not available at the moment. Try again in a moment.', {
      cause,
      retryAfter: 5,
    }),
  staleList: () => new ProxyError(400, 'This part of the list is no longer available. Reload the list.'),
  methodNotAllowed: () =>
    new ProxyError(405, 'No operation uses this method. Use GET, HEAD, POST, PUT, DELETE or OPTIONS.'),
  tooSlow: () => new ProxyError(408, 'The request took too long to arrive. Send it again.'),
  uploadStalled: () => new ProxyError(408, 'The upload stopped arriving. Send it again.'),

  // Its key.
  invalidKey: () =>
    new ProxyError(400, 'The Idempotency-Key is not valid. Send a quoted string of 16 to 128 characters.'),
  keyReused: () =>
    new ProxyError(422, 'The Idempotency-Key belongs to another request. Send a new key with each request.'),
  stillRunning: () =>
    new ProxyError(503, 'The same request is still in progress. Check its result before you try again.', {
      retryAfter: 5,
    }),
  outcomeUnknown: () =>
    new ProxyError(502, 'It is not known whether this was done. Check before you try again.', {
      outcome: 'unknown',
    }),
  cannotRunOnce: (cause: unknown) =>
    new ProxyError(
      503,
      'Changes are not possible at the moment. Nothing was changed. Try again in a moment.',
      {
        cause,
        retryAfter: 5,
      },
    ),

  // Its JSON body.
  bodyConsumed: () =>
    new ProxyError(
      500,
      'Another part of this server has already read the body. Its operator has to mount the proxy before it.',
    ),
  notJson: () => new ProxyError(415, 'The body must be JSON. Send it with Content-Type: application/json.'),
  encodedBody: () =>
    new ProxyError(415, 'The body must not be compressed. Send it without Content-Encoding.'),
  bodyTooLarge: (limit: number) =>
    new ProxyError(413, `The body is larger than ${limit} bytes. Send a smaller one.`),
  bodyTooDeep: (limit: number) =>
    new ProxyError(400, `The body is nested deeper than ${limit} levels. Send a flatter one.`),
  tooManyValues: (limit: number) =>
    new ProxyError(400, `The body has more than ${limit} values. Send fewer.`),
  invalidJson: (cause: unknown) =>
    new ProxyError(400, 'The body is not valid JSON. Check its syntax.', { cause }),
  prototypeField: () => new ProxyError(400, 'The body contains the field "__proto__". Remove it.'),
  invalidValue: (problems: string) => new ProxyError(400, problems),
  otherPackage: () =>
    new ProxyError(400, 'The body names a different package than the address. Use the same id in both.'),
  htmlTooLong: (field: string, limit: number) =>
    new ProxyError(422, `${field} is longer than ${limit} characters of clean HTML. Shorten it.`),
  htmlEmpty: (field: string) =>
    new ProxyError(422, `${field} contains nothing that an e-mail may contain. Write it as text.`),

  // The person and the site that make it.
  signInRequired: (finding?: Finding) => new ProxyError(401, 'Sign in to continue.', { finding }),
  identityUnavailable: (cause: unknown, finding?: Finding) =>
    new ProxyError(503, 'Your sign-in cannot be verified at the moment. Try again in a moment.', {
      cause,
      finding,
    }),
  otherSite: (finding?: Finding) =>
    new ProxyError(403, 'Only pages of this site may send this request. Open the page on this site.', {
      finding,
    }),
  tooManyRequests: () =>
    new ProxyError(429, 'Too many requests at once. Try again in a moment.', { retryAfter: 1 }),
  tooManyRequestsInMinute: (retryAfter: number) =>
    new ProxyError(
      429,
      'You have sent as many requests as this site allows in a minute. Try again in a moment.',
      { retryAfter },
    ),
  tooManyPackages: (retryAfter: number) =>
    new ProxyError(
      429,
      'You have started as many requests as this site allows in an hour. Try again later.',
      {
        retryAfter,
      },
    ),

  tooBusy: () =>
    new ProxyError(503, 'Too many people are using this at the moment. Try again in a moment.', {
      retryAfter: 5,
    }),

  // The rights of the person.
  notAllowed: () =>
    new ProxyError(403, 'You do not have permission to do this with this package. Ask its initiator.'),
  /** Also for packages that do not exist, so that nobody learns which do. */
  notAllowedHere: () =>
    new ProxyError(
      403,
      'This package does not exist, or this site does not let you do this with it. Ask the site owner.',
    ),
  listNotAllowed: () =>
    new ProxyError(403, 'This site does not let you list the requests of this form. Ask the site owner.'),
  ownOverride: () =>
    new ProxyError(
      403,
      'This replacement concerns you, so you cannot make or end it. Ask somebody else who may.',
    ),
  overrideExists: () =>
    new ProxyError(409, 'This person is already replaced on this package. End that replacement first.'),
  editNotAllowed: () => new ProxyError(403, 'You may not edit this package. Ask its initiator.'),
  voidNotAllowed: () =>
    new ProxyError(403, 'You may not void this package in its current state. Reload and check it.'),
  packageDetailsNotAllowed: () =>
    new ProxyError(403, 'You may not add a text to the e-mails about this request. Send it without one.'),
  noteNotAllowed: () => new ProxyError(403, 'You may not add a note to this reminder. Send it without one.'),
  sharingNotAllowed: () => new ProxyError(403, 'You may not manage shares on this site. Ask the site owner.'),
  /** For packages and files that do not exist, and for those whose existence the person must not learn. */
  notFound: () => new ProxyError(404, 'This package or file does not exist.'),
  wrongState: () =>
    new ProxyError(409, 'The current state of the package does not allow this. Reload and check it.'),

  notRemindable: () => new ProxyError(409, 'Nobody can be reminded of this package now. Reload to see why.'),
  dataNotAccepted: () =>
    new ProxyError(
      422,
      'The service did not accept the stored data, so nobody was emailed. Ask the owner of the form.',
    ),

  lockUnknown: () =>
    new ProxyError(409, 'The service knows no such pause of this package. Reload and check it.'),

  // Refusals of the service. `reason` is in its own words.
  wrongStateAtService: (reason: string | undefined) =>
    new ProxyError(409, 'The current state of the package does not allow this. Reload and check it.', {
      refusedBy: 'service',
      reason,
    }),
  invalidEntry: (errors: ProxyErrorOptions['errors'], reason: string | undefined) =>
    new ProxyError(422, 'The service refused this request. Check what you entered.', {
      refusedBy: 'service',
      reason,
      ...(errors && { errors }),
    }),

  // Failures of the service or the proxy.
  serviceBusy: (retryAfter: number) =>
    new ProxyError(503, 'The service is busy. Try again in a moment.', { retryAfter }),
  servicePaused: (options: ProxyErrorOptions) =>
    new ProxyError(503, 'The service is not available at the moment. Try again in a moment.', options),
  credentialsRefused: () =>
    new ProxyError(502, 'The service did not accept this site. Its operator has been notified.'),
  serviceFailed: () => new ProxyError(502, 'The service failed. Try again in a moment.'),
  noResponse: (cause: unknown) =>
    new ProxyError(502, 'The service did not respond. Try again in a moment.', { cause }),
  unexpectedResponse: () =>
    new ProxyError(502, 'The service sent an unexpected response. Try again in a moment.'),
  proxyFailed: () =>
    new ProxyError(500, 'The proxy failed. Try again, or contact the operator of this site.'),
} as const satisfies Readonly<Record<string, (...facts: never[]) => ProxyError>>
