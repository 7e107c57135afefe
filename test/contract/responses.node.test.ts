import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import type { Operation } from '../../src/contract/services/operation.ts'
import { type OperationName, operations } from '../../src/contract/services/operations.ts'
import { readers } from '../../src/contract/readers/readers.ts'
import { overrideTypes, packageStates } from '../../src/contract/values/values.ts'
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts'
import { quirkNames } from '../../src/emulator/control/quirks.ts'
import { specOptionValues } from '../../src/emulator/control/spec-options.ts'
import { type SystemResponse, type Call, systemOver, textFile, travelEntry } from '../spec/system.ts'
import { resultKinds, type Kind, type List, type Written, written, writtenName } from './samples.ts'

const names = Object.keys(operations) as OperationName[]
const users = ['10000001', '10000002', '10000003', '10000004', '10000009', 'demo-app']

/** A fixed clock, so that failures are reproducible. */
const now = () => Date.UTC(2026, 10, 20, 12)

/** A call whose arguments are picked by number from the values that exist at that moment. */
interface Choice {
  readonly name: OperationName | 'sign' | 'submit' | 'comment' | 'freeze'
  readonly picks: readonly number[]
  readonly isNewer: boolean
}

const choice: fc.Arbitrary<Choice> = fc.record({
  name: fc.constantFrom(
    ...names,
    ...(['sign', 'sign', 'sign', 'submit', 'comment', 'freeze'] as const),
    ...(['createPackage', 'uploadFile', 'uploadAttachment', 'createOverride', 'deleteLock'] as const),
  ),
  picks: fc.array(fc.nat({ max: 999 }), { minLength: 8, maxLength: 8 }),
  isNewer: fc.boolean(),
})

/** Makes the calls one after the other and passes each response to the callback. */
async function drive(
  emulator: Emulator,
  choices: readonly Choice[],
  onResponse: (name: OperationName, version: string | undefined, response: SystemResponse) => void,
): Promise<void> {
  const system = systemOver((path, init) => emulator.fetch(new URL(path, 'http://emulator.test'), init))
  for (const { name, picks, isNewer } of choices) {
    const of = <T>(values: readonly T[], at: number): T => {
      const found = values[(picks[at] ?? 0) % values.length]
      if (found === undefined) throw new TypeError('There must be values to pick from')
      return found
    }
    const packages = [...emulator.packages.test.values()]
    const found = of(packages, 0)
    const { id: packageId, formId, inbox, history, initiator } = found
    const user = of(users, 1)
    if (name === 'sign' || name === 'submit' || name === 'comment' || name === 'freeze') {
      const signer =
        history.find(({ signature }) => signature && inbox.includes(signature.id))?.person ?? user
      const [method, path, body] = {
        sign: ['POST', `packages/${packageId}/sign`, { univid: signer }],
        submit: ['POST', `packages/${packageId}/submit`, { univid: initiator }],
        comment: ['POST', `packages/${packageId}/comments`, { univid: '10000002', comment: 'Looks good' }],
        freeze: ['PUT', `stops/${found.stopNumber + 1}/callback`, { url: 'https://app.test/', freeze: true }],
      }[name] as [string, string, object]
      await system.fetch(`/_emulator/test/forms/${formId}/${path}`, { method, body: JSON.stringify(body) })
      continue
    }

    const operation: Operation = operations[name]
    const version = isNewer ? operation.versions?.[0] : undefined
    const entry =
      formId === 6025 ? travelEntry({ nights: 2 }) : { item: 'Nets', price: 12.5, needed_by: null }
    const files = [...emulator.files.test.keys(), '00000000-0000-4000-8000-000000000000']
    const types = formId === 6025 ? [1, 2, 2, 3] : [11, 11, 12]
    const univid = of(found.overrides.map(({ subjectUnivid }) => subjectUnivid).concat(users[1] ?? ''), 2)
    const bodies: Partial<Record<OperationName, unknown>> = {
      createPackage: {
        state: of(packageStates.slice(0, 3), 3),
        entry: travelEntry(),
        emailContent: { packageDetails: '<p>Hello</p>' },
      },
      routePackage: { state: 'ROUTING', subType: formId === 6026 ? 'FOREIGN' : null },
      updateEntry: version ? { entry } : entry,
      uploadAttachment: 'For the record',
      voidPackage: { id: packageId, state: 'VOID', voidReason: 'INCORRECT_FORM' },
      returnPackage: { univid: of(users.slice(0, 4), 3) },
      returnToInitiator: { comment: 'Add the receipt' },
      createOverride: {
        subjectUnivid: of(users.slice(0, 4), 3),
        type: of(overrideTypes, 4),
        reason: 'CONFLICT_OF_INTEREST',
        replacementUnivid: of(users.slice(1, 5), 5),
      },
      uploadFile: { metadata: { purpose: 'travel' }, expiresIn: '2h' },
      updateFileMeta: { metadata: { owner: '10000001' } },
      createShare: { granteeClientId: 'partner-app', fileAssetUuid: of(files, 2) },
    }
    const queries: Partial<Record<OperationName, NonNullable<Call['query']>>> = {
      getActions: { id: packages.filter((each) => each.formId === formId).map(({ id }) => id) },
      getStatus: { id: packages.filter((each) => each.formId === formId).map(({ id }) => id) },
      getPdf: { includeRouting: 'true', mergeAttachments: 'true' },
      searchOffices: { searchTerm: '05' },
      findOffices: { key: '05-0333' },
      ...(formId === 6026 && { getOfficeRoute: { subType: 'FOREIGN' } }),
      revokeShare: { fileAssetUuid: of(files, 2) },
    }
    const form =
      name === 'createPackage' && of([0, 1], 6)
        ? {
            params: { formId: 6026 },
            body: {
              state: 'PRE_ROUTING',
              subType: 'DOMESTIC',
              entry: { item: 'Net', price: 1, needed_by: null },
            },
          }
        : {}
    const call: Call = {
      user: of([0, 1, 2], 6) ? 'demo-app' : user,
      ...(queries[name] && { query: queries[name] }),
      ...(bodies[name] !== undefined && { body: bodies[name] }),
      ...(version !== undefined && { version }),
      file: textFile('a.pdf', 'application/pdf', '%PDF-1.7'),
      ...form,
    }
    const response = await system.call(name, {
      ...call,
      params: {
        packageId,
        formId,
        attachmentTypeId: of(types, 2),
        attachmentId: found.attachments[0]?.id ?? 1,
        lockId: found.lock ?? 1,
        univid,
        officeKey: '05-0333',
        routeId: of([701, 702, 703], 2),
        uuid: of(files, 2),
        granteeClientId: 'partner-app',
        ...call.params,
      },
    })
    assert.ok(response.status < 500, `${name}: ${response.text}`)
    if (response.status < 300) onResponse(name, version, response)
  }
}

/** Returns the schema of a response in a version. */
function schemaOf(name: OperationName, version?: string): z.ZodType {
  const operation: Operation = operations[name]
  const schema = version ? operation.results?.[version] : operation.result
  assert.ok(schema, `${name} ${version}`)
  return schema
}

function keyOf(name: OperationName, version?: string): string {
  return version ? `${name};version=${version}` : name
}

function schemaAt(key: string): z.ZodType {
  const [name, version] = key.split(';version=')
  return schemaOf(name as OperationName, version)
}

/** Returns the reader of a response, if pages read it and the proxy changes nothing in it. */
function readerOf(key: string): ((value: unknown) => unknown) | undefined {
  if (key === 'getActions' || key === 'getRouteSummary') return undefined
  return (readers as Readonly<Record<string, (value: unknown) => unknown>>)[key]
}

function isHuge(value: unknown): boolean {
  return typeof value === 'number' && value > Number.MAX_SAFE_INTEGER
}

function own(value: unknown, key: string): unknown {
  assert.ok(typeof value === 'object' && value !== null)
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

/** Checks that the parsed value has exactly the fields of its kind, with the values of the response. */
function assertKept(kind: Kind | List | undefined, body: unknown, read: unknown, path: string): void {
  if (body === null || kind === undefined) {
    assert.deepEqual(read, isHuge(body) ? null : body, path)
  } else if ('row' in kind) {
    assert.ok(Array.isArray(body) && Array.isArray(read), path)
    assert.equal(read.length, body.length, path)
    for (const [index, row] of body.entries()) assertKept(kind.row, row, read[index], `${path}[${index}]`)
  } else if (kind.record) {
    assert.deepEqual(read, body, path)
  } else if (kind.identity.some((key) => isHuge(own(body, key)))) {
    assert.equal(read, null, path)
  } else {
    assert.ok(typeof read === 'object' && read !== null, path)
    const keys = [...kind.identity, ...kind.fields]
    assert.deepEqual(Object.keys(read).sort(), keys.sort(), path)
    for (const key of keys) {
      assertKept(kind.parts?.[key], own(body, key) ?? null, own(read, key), `${path}.${key}`)
    }
  }
}

/** All responses: each operation, and each of its versions. */
const responseKeys = names.flatMap((name) => {
  const operation: Operation = operations[name]
  return [keyOf(name), ...(operation.versions ?? []).map((version) => keyOf(name, version))]
})

const isJson = (key: string) => operations[key.split(';')[0] as OperationName].response === 'json'

describe('samples.ts', () => {
  it('has the kind of each JSON response', () => {
    assertSame(Object.keys(resultKinds), responseKeys.filter(isJson), 'resultKinds of samples.ts')
  })
})

/** Names what is missing, and what is there although nothing needs it. */
function assertSame(found: readonly string[], needed: readonly string[], of: string): void {
  const missing = needed.filter((name) => !found.includes(name))
  const needless = found.filter((name) => !needed.includes(name))
  assert.ok(missing.length === 0, `Add to ${of}: ${missing.join(', ')}`)
  assert.ok(needless.length === 0, `Remove from ${of}: ${needless.join(', ')}`)
}

describe('responses of the emulator', () => {
  it('parse with the schema of their operation and version without losing data, after any calls', async () => {
    const reached = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          choices: fc.array(choice, { minLength: 60, maxLength: 60 }),
          specOptions: fc.record({
            personFields: fc.constantFrom(...specOptionValues.personFields),
            presign: fc.constantFrom(...specOptionValues.presign),
            deleteStatus: fc.constantFrom(...specOptionValues.deleteStatus),
            publicKey: fc.constantFrom(...specOptionValues.publicKey),
          }),
          quirks: fc.subarray(quirkNames.filter((name) => name === 'unknown_values' || name === 'huge_ids')),
        }),
        async ({ choices, specOptions, quirks }) => {
          const emulator = createEmulator({
            control: true,
            now,
            specOptions,
            fetch: () => Promise.resolve(new Response()),
          })
          for (const quirk of quirks) emulator.quirks.active.add(quirk)
          await drive(emulator, choices, (name, version, { json, text }) => {
            reached.add(keyOf(name, version))
            const operation: Operation = operations[name]
            if (operation.response === 'file' || operation.response === 'nothing') return
            const schema = schemaOf(name, version)
            if (operation.response !== 'json') {
              assert.ok(schema.safeParse(typeof json === 'string' ? json : text).success, name)
              return
            }
            const parsed = schema.safeParse(json)
            assert.ok(parsed.success, `${name}: ${text} ${parsed.error?.message}`)
            const kind = resultKinds[keyOf(name, version)]
            // The test of samples.ts names it.
            if (!kind) return
            assertKept(kind, json, parsed.data, name)
            // Without quirks, the emulator sends only fields of the contract.
            if (quirks.length === 0) assertNamed(kind, json, name)
          })
        },
      ),
      { numRuns: 60, seed: 20_261_120, includeErrorInReport: true },
    )

    const missed = responseKeys.filter((key) => !reached.has(key))
    assert.ok(missed.length === 0, `Give drive() what the service needs to accept: ${missed.join(', ')}`)
  })
})

function assertNamed(kind: Kind | List | undefined, body: unknown, path: string): void {
  if (body === null || kind === undefined) return
  if ('row' in kind) for (const row of body as unknown[]) assertNamed(kind.row, row, path)
  else if (!kind.record) {
    for (const [key, value] of Object.entries(body as Record<string, unknown>)) {
      assert.ok(kind.identity.includes(key) || kind.fields.includes(key), `${path} has ${key}`)
      assertNamed(kind.parts?.[key], value, `${path}.${key}`)
    }
  }
}

type Path = readonly (string | number)[]

/** Returns the path of every place in a value, including the root. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((row, index): [number, unknown] => [index, row])
    : Object.entries(value)
  return [path, ...entries.flatMap(([key, part]) => placesOf(part, [...path, key]))]
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], value)
}

/** Returns a copy with another value in one place. `undefined` removes a property and replaces a list item with null. */
function changed(value: unknown, path: Path, other: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return other
  if (Array.isArray(value)) {
    return value.map((row: unknown, index) =>
      index === key ? (changed(row, rest, other) ?? null) : structuredClone(row),
    )
  }
  const entries = Object.entries(value as object).map(([name, part]): [string, unknown] => [
    name,
    name === key ? changed(part, rest, other) : structuredClone(part),
  ])
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined))
}

/**
 * Returns the path of the value that reads as null if the value at this place is invalid. `[]` means that the whole value
 * is invalid. Returns `undefined` if every value is valid there.
 */
function costOf(root: Kind | List, path: Path): Path | 'passes' {
  let kind: Kind | List | undefined = root
  let holder: Path = []
  for (const [index, key] of path.entries()) {
    const here = path.slice(0, index + 1)
    const isLast = index === path.length - 1
    if (!kind) throw new TypeError(`There is nothing at ${path.join('.')}`)
    if ('row' in kind) {
      holder = here
      kind = kind.row
    } else if (kind.record) {
      return kind.record === 'any' ? 'passes' : path.slice(0, index)
    } else {
      const isIdentity: boolean = kind.identity.includes(String(key))
      if (isLast) return isIdentity ? holder : here
      if (!isIdentity) holder = here
      kind = kind.parts?.[key]
    }
  }
  return holder
}

/** Returns values that are invalid for a field with this valid value. */
function wrongFor(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return ['x', {}, 0, true]
  if (typeof value === 'number')
    return [String(value), 1.5, 2 ** 53, -1.5, Number.NaN, Infinity, [], {}, true]
  if (typeof value === 'boolean') return [String(value), 1, 0, [], {}]
  if (typeof value === 'string') return [1, true, [], {}, [value]]
  return value === null ? [[], [null]] : ['x', 1, [], [value], false]
}

function deep(open: string, close: string): unknown {
  return JSON.parse(`${open.repeat(10_000)}1${close.repeat(10_000)}`)
}

/** Values that often break parsers. They have names, because some are too large to print. */
const nasty: Readonly<Record<string, () => unknown>> = {
  'an own __proto__': (): unknown => JSON.parse('{"__proto__":{"polluted":true}}'),
  'an own __proto__ that is text': (): unknown =>
    JSON.parse('{"__proto__":"x","constructor":"y","toString":"z"}'),
  'a constructor with a prototype': (): unknown =>
    JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
  'methods that are none': (): unknown =>
    JSON.parse('{"toString":null,"valueOf":1,"hasOwnProperty":0,"length":3}'),
  '2^53': () => 2 ** 53,
  '2^53 + 2': () => 2 ** 53 + 2,
  '-2^53': () => -(2 ** 53),
  'minus zero': () => -0,
  'a fraction': () => 0.1,
  NaN: () => Number.NaN,
  Infinity: () => Infinity,
  'a lone surrogate': () => '\ud800',
  'a NUL': () => '\u0000',
  'a text of a million': () => 'x'.repeat(1_000_000),
  'ten thousand lists': () => deep('[', ']'),
  'ten thousand objects': () => deep('{"id":', '}'),
  'a thousand nulls': () => Array.from({ length: 1000 }, () => null),
  'an empty text': () => '',
  'an empty list': () => [],
  'an empty object': () => ({}),
  null: () => null,
  nothing: () => undefined,
  true: () => true,
  'a date': () => '2026-02-30T25:61:61',
}

/** Returns the output of the schema, or `undefined` if it fails. */
function outcomeOf(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  assert.throws(() => schema.parse(value), z.ZodError)
  return undefined
}

describe('schemas and readers of responses', () => {
  /** Real responses by key. Lists have several rows. */
  const corpus = new Map<string, unknown[]>()

  before(async () => {
    for (const seed of [1, 2, 3]) {
      const emulator = createEmulator({
        control: true,
        now,
        specOptions: { personFields: seed === 2 ? 'extended' : 'common' },
        fetch: () => Promise.resolve(new Response()),
      })
      await drive(emulator, fc.sample(choice, { numRuns: 400, seed }), (name, version, { json }) => {
        const key = keyOf(name, version)
        if (isJson(key)) corpus.set(key, [...(corpus.get(key) ?? []), json])
      })
    }
    const size = (value: unknown) => JSON.stringify(value).length
    for (const [key, all] of corpus) corpus.set(key, all.sort((a, b) => size(b) - size(a)).slice(0, 6))
  })

  const place = fc.record({
    key: fc.constantFrom(...Object.keys(resultKinds)),
    at: fc.nat({ max: 5 }),
    where: fc.nat({ max: 9999 }),
    how: fc.nat({ max: 99 }),
  })

  /** A real response and a place in it. */
  function find({ key, at, where }: { readonly key: string; readonly at: number; readonly where: number }) {
    const bodies = corpus.get(key) ?? []
    // The test of the emulator names what has no response.
    fc.pre(bodies.length > 0)
    const body = bodies[at % bodies.length]
    const places = placesOf(body)
    const path = places[where % places.length] ?? []
    const kind = resultKinds[key]
    assert.ok(kind)
    return { schema: schemaAt(key), kind, body, path, value: valueAt(body, path) }
  }

  it('read an invalid field as null, and drop only the row of an invalid identifying field', () => {
    fc.assert(
      fc.property(place, (chosen) => {
        const { schema, kind, body, path, value } = find(chosen)
        const wrong = [undefined, null, ...wrongFor(value)]
        const other = wrong[chosen.how % wrong.length]
        const spoiled = changed(body, path, other)
        const cost = costOf(kind, path)
        const whole = outcomeOf(schema, body)

        // A missing signature and missing metadata are valid.
        const isFine =
          cost === 'passes' ||
          (other === null && path.at(-1) === 'signatureId') ||
          (other === undefined && isMetadata(path) && path.length > 1)
        const expected = isFine
          ? changed(whole, path, other)
          : cost.length === 0
            ? undefined
            : changed(whole, cost, null)
        const label = `${chosen.key} ${path.join('.')}: ${JSON.stringify(other)} in place of ${JSON.stringify(value)}`
        assert.deepEqual(outcomeOf(schema, spoiled), expected, label)
        const read = readerOf(chosen.key)
        if (read) assert.deepEqual(read(spoiled), expected, label)
      }),
      { numRuns: 6000, seed: 20_261_120, includeErrorInReport: true },
    )
  })

  it('keep every text unchanged, even if no list of the spec has it', () => {
    const texts = fc.constantFrom('SOMETHING_NEW', 'escalation', '', ' ', 'constructor', '\ud800', '<b>')
    fc.assert(
      fc.property(place, texts, (chosen, text) => {
        const { schema, body, path, value } = find(chosen)
        if (typeof value !== 'string' || path.at(-1) === 'uuid') return
        const given = changed(body, path, text)
        const expected = changed(outcomeOf(schema, body), path, text)
        assert.deepEqual(outcomeOf(schema, given), expected)
        const read = readerOf(chosen.key)
        if (read) assert.deepEqual(read(given), expected)
      }),
      { numRuns: 3000, seed: 20_261_120, includeErrorInReport: true },
    )
  })

  it('never throw and keep the other rows, whatever value is in one place', () => {
    fc.assert(
      fc.property(place, fc.constantFrom(...Object.keys(nasty)), (chosen, name) => {
        const { schema, kind, body, path } = find(chosen)
        const spoiled = changed(body, path, nasty[name]?.())
        const read = readerOf(chosen.key)
        const outcome = outcomeOf(schema, spoiled)
        if (read) assert.deepEqual(read(spoiled), outcome, `${chosen.key} ${path.join('.')}: ${name}`)
        const [index] = path
        if ('row' in kind && index !== undefined) {
          const whole = outcomeOf(schema, body) as unknown[]
          const rows = outcome as unknown[]
          assert.equal(rows.length, whole.length)
          for (const [other, row] of whole.entries()) if (other !== index) assert.deepEqual(rows[other], row)
        }
        assert.equal(({} as { polluted?: unknown }).polluted, undefined)
      }),
      { numRuns: 3000, seed: 20_261_120, includeErrorInReport: true },
    )
  })

  it('drop fields outside the contract, whatever their names are', () => {
    const strange = fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'callbackUrl',
      '',
      'polluted',
      '$ref',
    )
    fc.assert(
      fc.property(place, strange, fc.constantFrom(...Object.keys(nasty)), (chosen, name, what) => {
        const { schema, body, path, kind, value } = find(chosen)
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return
        if (isMetadata(path) || costOf(kind, [...path, name]) === 'passes') return
        const more = JSON.parse(JSON.stringify(value)) as object
        Object.defineProperty(more, name, { value: nasty[what]?.(), enumerable: true })
        const expected = outcomeOf(schema, body)
        const given = path.length === 0 ? more : replaced(body, path, more)
        assert.deepEqual(outcomeOf(schema, given), expected)
        const read = readerOf(chosen.key)
        if (read) assert.deepEqual(read(given), expected)
      }),
      { numRuns: 2000, seed: 20_261_120, includeErrorInReport: true },
    )
  })

  it('keep the order of rows and accept any order of fields', () => {
    for (const [key, bodies] of corpus) {
      for (const body of bodies) {
        const expected = outcomeOf(schemaAt(key), body)
        assert.deepEqual(outcomeOf(schemaAt(key), reversedFields(body)), expected)
        if (!Array.isArray(body) || !Array.isArray(expected)) continue
        assert.deepEqual(outcomeOf(schemaAt(key), body.toReversed()), expected.toReversed())
        assert.deepEqual(outcomeOf(schemaAt(key), [null, ...(body as unknown[]), null]), [
          null,
          ...(expected as unknown[]),
          null,
        ])
      }
    }
  })

  it('never throw for any JSON value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(resultKinds)),
        fc.jsonValue({ maxDepth: 4 }),
        (key, value) => {
          const outcome = outcomeOf(schemaAt(key), value)
          const read = readerOf(key)
          if (read) assert.deepEqual(read(value), outcome)
        },
      ),
      { numRuns: 3000, seed: 20_261_120 },
    )
    for (const key of Object.keys(resultKinds)) {
      for (const make of Object.values(nasty)) {
        const read = readerOf(key)
        // The same value for both: an entry keeps its values, which may be too deep to compare.
        const value = make()
        const outcome = outcomeOf(schemaAt(key), value)
        if (read) assert.deepEqual(read(value), outcome)
      }
    }
  })

  it('read metadata with awkward keys in the same way', () => {
    const file = (corpus.get('getFileMeta') ?? [])[0] as object
    for (const text of ['{"__proto__":"x","a":"b"}', '{"constructor":"x"}', '{"__proto__":1}', '{"":""}']) {
      const given = { ...file, metadata: JSON.parse(text) as unknown }
      const outcome = outcomeOf(schemaAt('getFileMeta'), given)
      assert.deepEqual(readers.getFileMeta(given), outcome, text)
      assert.equal(Object.getPrototypeOf((outcome as { metadata: object }).metadata), Object.prototype)
    }
  })
})

/** Whether a place is in the metadata of a file, where keys can have any name. */
function isMetadata(path: Path): boolean {
  return path[0] === 'metadata'
}

/** Like `changed`, but does not copy the new value. */
function replaced(value: unknown, path: Path, other: unknown): unknown {
  const copy: unknown = structuredClone(value)
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>
  parent[path.at(-1) ?? ''] = other
  return copy
}

function reversedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversedFields(part)]),
  )
}

describe('schemas of requests', () => {
  const schemas = new Map<string, z.ZodType>()
  for (const name of names) {
    const { query, body, bodies = {} }: Operation = operations[name]
    if (query) schemas.set(writtenName(name, 'query'), query)
    if (body) schemas.set(writtenName(name, 'body'), body)
    for (const [version, each] of Object.entries(bodies))
      schemas.set(writtenName(name, 'body', version), each)
  }

  it('are all tested here', () => {
    assertSame(Object.keys(written), [...schemas.keys()], '`written` of samples.ts')
  })

  for (const [name, schema] of schemas) {
    // The test above names it.
    if (!written[name]) continue
    const { valid, required = [], invalid, isOpen = false }: Written = written[name]

    it(`accept a valid ${name} unchanged`, () => {
      fc.assert(
        fc.property(valid.map(asSent), (value) => {
          const parsed = schema.safeParse(value)
          assert.ok(parsed.success, `${JSON.stringify(value)} ${parsed.error?.message}`)
          // Ids in a query are text in the URL and numbers after parsing.
          const expected = schema instanceof z.ZodObject && 'id' in schema.shape ? numbered(value) : value
          assert.deepEqual(parsed.data, expected)
        }),
        { numRuns: 200, seed: 20_261_120 },
      )
    })

    it(`reject a ${name} with an unknown key, a missing key or a wrong type`, () => {
      fc.assert(
        fc.property(valid.map(asSent), fc.nat({ max: 99 }), (value, how) => {
          for (const other of [null, 'x'.repeat(3), 7, true, [], [value]]) {
            if (typeof value !== typeof other) assert.ok(!schema.safeParse(other).success)
          }
          if (isOpen) return
          const fields = value as Record<string, unknown>
          for (const extra of ['extra', '__proto__', 'constructor', 'Id', ' state']) {
            const more = Object.defineProperty({ ...fields }, extra, { value: 'x', enumerable: true })
            assert.ok(!schema.safeParse(more).success, extra)
          }
          for (const [key, field] of Object.entries(fields)) {
            const others = Object.fromEntries(Object.entries(fields).filter(([other]) => other !== key))
            assert.equal(schema.safeParse(others).success, !required.includes(key), key)
            if (field === null) continue
            const wrong = wrongFor(field).filter(
              (each) =>
                (typeof each !== typeof field || Array.isArray(each)) &&
                // A duration has two types in JSON.
                !(key === 'expiresIn' && typeof each === 'number'),
            )
            const other = wrong[how % wrong.length]
            const isId = Array.isArray(field) && Array.isArray(other)
            if (!isId) assert.ok(!schema.safeParse({ ...fields, [key]: other }).success, key)
          }
        }),
        { numRuns: 100, seed: 20_261_120, includeErrorInReport: true },
      )
    })

    it(`reject a ${name} that only looks valid`, () => {
      for (const value of invalid) assert.ok(!schema.safeParse(value).success, JSON.stringify(value))
    })
  }
})

/** Returns a value after serialization as JSON. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function numbered(value: unknown): unknown {
  const { id } = value as { id: unknown }
  return Array.isArray(id) ? { id: id.map(Number) } : value
}
