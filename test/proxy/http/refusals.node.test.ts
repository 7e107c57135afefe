import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callbackRefusals } from '../../../src/proxy/callbacks/callback-refusals.ts'
import { fileRefusals } from '../../../src/proxy/files/file-refusals.ts'
import { streamRefusals } from '../../../src/proxy/live/stream-refusals.ts'
import { ProxyError } from '../../../src/proxy/http/problem.ts'
import { refusals } from '../../../src/proxy/http/refusals.ts'

type Create = (...facts: unknown[]) => ProxyError
const tables = {
  '': refusals,
  'file ': fileRefusals,
  'callback ': callbackRefusals,
  'stream ': streamRefusals,
}

/** Called with facts that stand out in a text. */
const made = Object.entries(tables).flatMap(([prefix, table]) =>
  Object.entries(table as unknown as Readonly<Record<string, Create>>)
    // Its text is the first fact.
    .filter(([name]) => name !== 'invalidValue')
    .map(([name, create]) => [`${prefix}${name}`, create(factOf(name), 7)] as const),
)

function factOf(name: string): unknown {
  if (name === 'extensionNotAllowed') return ['pdf', 'png']
  return name.endsWith('Paused') || name === 'interrupted' ? {} : 4321
}

describe('the reasons for which the proxy refuses a request', () => {
  it('have a text of at least two sentences, the last of which is the next step', () => {
    const single = made.filter(([, { message }]) => !/\. [A-Z].*\.$/s.test(message)).map(([name]) => name)
    // The first and the last are the next step; what does not exist has none.
    assert.deepEqual(single, ['signInRequired', 'notFound', 'callback invalidSignature'])
    for (const [name, { message }] of made) assert.match(message, /^[A-Z4][^]{15,}\.$/, name)
  })

  it('are all different, and name no address and no internal error', () => {
    const texts = made.map(([, { status, message }]) => `${status} ${message}`)
    // The service gives the same reason with a text of its own.
    assert.equal(new Set(texts).size, texts.length - 1)
    for (const [name, { message }] of made)
      assert.doesNotMatch(message, /https?:|undefined|null|NaN|\[object|Error/, name)
  })

  it('name the facts that they are called with', () => {
    const named = made.filter(([, { message }]) => /4321|pdf, png/.test(message)).map(([name]) => name)
    assert.deepEqual(named.sort(), [
      'bodyTooDeep',
      'bodyTooLarge',
      'callback bodyTooLarge',
      'callback invalidSignature',
      'file extensionChanged',
      'file extensionNotAllowed',
      'file fileTooLarge',
      'file invalidExpiration',
      'file reservedKey',
      'htmlEmpty',
      'htmlTooLong',
      'stream tooManyPackages',
      'tooManyValues',
    ])
    assert.match(refusals.htmlTooLong('Reason', 99).message, /^Reason is longer than 99 characters/)
    assert.equal(refusals.invalidValue('id must be a number.').message, 'id must be a number.')
  })

  it('write the limit of a file in bytes below 1 MB, and in whole MB from there', () => {
    const limit = (bytes: number) => /than (.*)\. Choose/.exec(fileRefusals.fileTooLarge(bytes).message)?.[1]
    assert.equal(limit(1_048_575), '1048575 bytes')
    assert.equal(limit(1_048_576), '1 MB')
    assert.equal(limit(2_097_151), '1 MB')
    assert.equal(limit(104_857_600), '100 MB')
  })

  it('have a status that fits', () => {
    const namesOf = (wanted: number) => made.flatMap(([name, { status }]) => (status === wanted ? name : []))
    const statuses = new Set(made.map(([, { status }]) => status))
    const byStatus = Object.fromEntries(
      Array.from(statuses, (status) => [status, namesOf(status).sort().join(', ')]),
    )
    assert.deepEqual(byStatus, {
      400:
        'ambiguousHeaders, bodyTooDeep, brokenRequest, callback interrupted, callback notCallback, ' +
        'file malformedUpload, interrupted, invalidAddress, invalidJson, invalidKey, otherPackage, ' +
        'parametersNotAllowed, prototypeField, staleList, stream invalidQuery, stream noPackages, ' +
        'stream tooManyPackages, tooManyValues',
      401: 'callback invalidSignature, callback signatureMismatch, signInRequired',
      403:
        'editNotAllowed, listNotAllowed, notAllowed, notAllowedHere, noteNotAllowed, otherSite, ownOverride, ' +
        'packageDetailsNotAllowed, sharingNotAllowed, voidNotAllowed',
      404: 'notFound, unknownForm, unknownOperation',
      405: 'methodNotAllowed',
      408: 'tooSlow, uploadStalled',
      409: 'lockUnknown, notRemindable, overrideExists, wrongState, wrongStateAtService',
      413: 'bodyTooLarge, callback bodyTooLarge, file fileTooLarge',
      415:
        'callback encodedBody, encodedBody, file contentMismatch, file extensionNotAllowed, ' +
        'file hiddenProgram, file passwordProtected, file pdfRequired, notJson',
      422:
        'dataNotAccepted, file emptyFile, file extensionChanged, file harmfulContent, ' +
        'file invalidExpiration, file reservedKey, htmlEmpty, htmlTooLong, invalidEntry, keyReused',
      429: 'stream tooManyStreamsOfPerson, tooManyPackages, tooManyRequests, tooManyRequestsInMinute',
      500: 'bodyConsumed, proxyFailed',
      502: 'credentialsRefused, noResponse, outcomeUnknown, serviceFailed, unexpectedResponse',
      503:
        'callback notStored, callback tooManyBodies, callback tooManyPending, cannotRunOnce, ' +
        'file scanFailed, identityUnavailable, listsUnavailable, serviceBusy, servicePaused, stillRunning, ' +
        'stream tooManyStreams, tooBusy',
    })
  })

  it('say when to try again if there are too many requests, or the proxy is busy', () => {
    const withTime = made.filter(([, { retryAfter }]) => retryAfter !== undefined)
    assert.deepEqual(withTime.map(([name, { retryAfter }]) => `${name} ${retryAfter}`).sort(), [
      'cannotRunOnce 5',
      'listsUnavailable 5',
      'serviceBusy 4321',
      'stillRunning 5',
      'stream tooManyStreams 30',
      'stream tooManyStreamsOfPerson 30',
      'tooBusy 5',
      'tooManyPackages 4321',
      'tooManyRequests 1',
      'tooManyRequestsInMinute 4321',
    ])
  })
})
