import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ByteText, decodeBytes, encodeBytes } from '../../../src/contract/values/byte-text.ts'
import { specOptionValues } from '../../../src/emulator/control/spec-options.ts'
import { until } from '../until.ts'
import { type Bytes, createApp, createKey, type Key, minute } from './callback-app.ts'

describe('the signatures of createCallbackReceiver()', () => {
  for (const encoding of specOptionValues.signature) {
    it(`are accepted in ${encoding} only if they are exact (T27)`, async () => {
      const key = await createKey(knownKey)
      const { app, sent } = await strictApp({ key, encoding })
      const good = decodeBytes(await key.sign(sent.body, encoding), encoding)
      assert.ok(good)
      const other = await createKey()
      const bad = [
        ...bentBytes(good).map((bytes) => encodeBytes(bytes, encoding)),
        ...bentText(good, encoding),
        await other.sign(sent.body, encoding),
        await key.sign(new TextEncoder().encode('{}'), encoding),
        await key.sign(new Uint8Array(createHash('sha512').update(sent.body).digest()), encoding),
        await key.sign(new Uint8Array(createHash('sha256').update(sent.body).digest()), encoding),
      ]
      const different = [...new Set(bad)].filter((text) => text !== encodeBytes(good, encoding))
      assert.ok(different.length >= 400, `${different.length} vectors`)
      for (const signature of different) {
        assert.equal((await app.send({ ...sent, signature })).status, 401, signature)
      }
      await app.quiet()
      assert.deepEqual(app.taken, [])
      assert.equal((await app.send({ ...sent, signature: encodeBytes(good, encoding) })).status, 200)
      await until(() => app.taken.length >= 1)
    })
  }

  it('are refused if the header is repeated or missing (T27)', async () => {
    const { app, sent } = await strictApp()
    const { signature } = sent
    const post = (headers: [string, string][]) =>
      app.receiver.receive(new Request('http://proxy.test/', { method: 'POST', body: sent.body, headers }))
    const name = 'x-workflow-verification'
    assert.equal((await post([])).status, 401)
    assert.equal(
      (
        await post([
          [name, signature],
          [name, signature],
        ])
      ).status,
      401,
    )
    assert.equal(
      (
        await post([
          [name, signature],
          [name, ''],
        ])
      ).status,
      401,
    )
    assert.equal(
      (
        await post([
          [name, signature],
          ['X-Workflow-Verification', 'x'],
        ])
      ).status,
      401,
    )
    assert.equal((await post([['x_workflow_verification', signature]])).status, 401)
    await app.quiet()
    assert.deepEqual(app.taken, [])
    assert.equal((await post([[name, signature]])).status, 200)
    await until(() => app.taken.length >= 1)
  })

  it('are valid for the signed body and for no altered one (T27)', async () => {
    const { app, sent } = await strictApp()
    const mutations = alteredBodies(sent.body)
    assert.ok(mutations.length >= 300, `${mutations.length} mutations`)
    for (const body of mutations) {
      const { status } = await app.send({ ...sent, body })
      assert.equal(status, 401, new TextDecoder().decode(body))
    }
    await app.quiet()
    assert.deepEqual(app.taken, [])
    assert.equal((await app.send(sent)).status, 200)
    await until(() => app.taken.length >= 1)
  })

  it('are not verified with a weak key (T27)', async () => {
    const anyone = new Uint8Array(64)
    anyone[0] = 1
    let forged = 0
    for (const y of smallOrder) {
      for (const sign of [0, 0x80]) {
        const weak = Uint8Array.from(Buffer.from(y, 'hex'))
        weak[31] = (weak[31] ?? 0) | sign
        const app = await createApp({ fetchKey: () => Promise.resolve(weak) })
        for (let packageId = 1; packageId <= 20; packageId++) {
          const { body } = await app.key.callback({ packageId })
          if (wouldHold(weak, anyone, body)) forged++
          assert.equal((await app.send({ body, signature: encodeBytes(anyone, 'base64') })).status, 202)
        }
        await app.quiet()
        assert.deepEqual(app.taken, [])
      }
    }
    assert.ok(forged > 10, `${forged} would have been forged`)
  })
})

/**
 * Whether the equation of RFC 8032, 5.1.7, certainly holds for a key of small order and a signature of zeros: its factor is a
 * multiple of 8, and that of such a key is the neutral element. Node 24 refuses these keys, so it can't be the control.
 */
function wouldHold(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  const hash = createHash('sha512').update(signature.subarray(0, 32)).update(key).update(message).digest()
  const factor =
    BigInt(`0x${hash.reverse().toString('hex')}`) % (2n ** 252n + 27742317777372353535851937790883648493n)
  return factor % 8n === 0n
}

/** Key of RFC 8032, 7.1, test 1, so that the signatures are always the same. */
const knownKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex').toString(
    'base64url',
  ),
  x: Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString(
    'base64url',
  ),
}

/** Points of small order by their y coordinate, including values that are not reduced. */
const smallOrder = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]

/** Order of the group (RFC 8032, 5.1). */
const order = 2n ** 252n + 27742317777372353535851937790883648493n

/** Creates a receiver without a cooldown, so that it decides on each callback immediately. */
async function strictApp({ key, encoding = 'base64' }: { key?: Key; encoding?: ByteText } = {}) {
  let now = 0
  const app = await createApp({ encoding, now: () => (now += 2 * minute), cooldown: 1 }, key)
  const sent = await app.key.callback()
  return { app, sent }
}

/** Bytes that resemble a signature but are not valid. */
function bentBytes(good: Bytes): Bytes[] {
  const [r, s] = [good.slice(0, 32), good.slice(32)]
  const join = (...parts: Iterable<number>[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
  const scalar = BigInt(`0x${Buffer.from(s).reverse().toString('hex')}`)
  const toBytes = (value: bigint) =>
    Uint8Array.from(Buffer.from((value % 2n ** 256n).toString(16).padStart(64, '0'), 'hex').reverse())
  const points = smallOrder.flatMap((hex) => {
    const point = Uint8Array.from(Buffer.from(hex, 'hex'))
    const negative = Uint8Array.from(point)
    negative[31] = (negative[31] ?? 0) | 0x80
    return [point, negative]
  })
  const scalars = [0n, 1n, order - 1n, order, order + 1n, 2n ** 252n, 2n ** 255n, 2n ** 256n - 1n]
  return [
    ...Array.from({ length: 64 }, (_, length) => good.slice(0, length)),
    ...Array.from({ length: 63 }, (_, start) => good.slice(start + 1)),
    ...Array.from({ length: 17 }, (_, length) => join(good, new Uint8Array(length + 1))),
    ...Array.from({ length: 64 }, (_, index) => good.map((byte, at) => (at === index ? byte ^ 1 : byte))),
    ...Array.from({ length: 64 }, (_, index) => good.map((byte, at) => (at === index ? byte ^ 0x80 : byte))),
    join(good, good),
    join(new Uint8Array(1), good),
    join(s, r),
    good.slice().reverse(),
    new Uint8Array(64),
    new Uint8Array(64).fill(0xff),
    // The same signature, unless the scalar must be reduced (RFC 8032, 5.1.7).
    ...Array.from({ length: 15 }, (_, times) => join(r, toBytes(scalar + BigInt(times + 1) * order))),
    join(r, toBytes(order - scalar)),
    ...scalars.map((each) => join(r, toBytes(each))),
    ...points.flatMap((point) => [join(point, s), join(point, new Uint8Array(32)), join(point, point)]),
    ...points.flatMap((point) => scalars.map((each) => join(point, toBytes(each)))),
  ]
}

/** Other notations of a signature, and additions to it. */
function bentText(good: Bytes, encoding: ByteText): string[] {
  const text = encodeBytes(good, encoding)
  const base64 = encodeBytes(good, 'base64')
  assert.match(base64, /[+/]/, 'otherwise base64url would differ only by its padding')
  const insert = (between: string, at: number) => text.slice(0, at) + between + text.slice(at)
  return [
    ...(['base64', 'base64url', 'hex'] as const).map((each) => encodeBytes(good, each)),
    base64.replace(/=+$/, ''),
    base64.replace(/==$/, '='),
    `${base64}=`,
    `${base64}====`,
    `${encodeBytes(good, 'base64url')}==`,
    // Bits after the last byte.
    ...['B', 'C', 'D', 'P', '/', '_'].map((last) => base64.replace(/.==$/, `${last}==`)),
    ...['B', 'C', 'D', 'P', '/', '_'].map((last) => encodeBytes(good, 'base64url').replace(/.$/, last)),
    base64.replaceAll('+', ' '),
    base64.replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D'),
    encodeURIComponent(text),
    text.toUpperCase(),
    text.toLowerCase(),
    text.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    text.replace(/[a-zA-Z](?=[^a-zA-Z]*$)/, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    ),
    `0x${text}`,
    text.replaceAll(/(..)(?=.)/g, '$1:'),
    ...[' ', '\t', '\u00a0', ',', '-', '.', '='].flatMap((each) => [insert(each, 1), insert(each, 44)]),
    `"${text}"`,
    `'${text}'`,
    `<${text}>`,
    `:${text}:`,
    `[${text}]`,
    `ed25519=${text}`,
    `ed25519 ${text}`,
    `sig1=:${text}:`,
    `v1,${text}`,
    `Bearer ${text}`,
    `${text};`,
    `${text}, ${text}`,
    `${text},${text}`,
    `${text} ${text}`,
    `${text},`,
    `,${text}`,
    `${text}\u00a0`,
    Buffer.from(text).toString('base64'),
    'undefined',
    'null',
    'A'.repeat(10_000),
  ].filter((each) => each !== text)
}

/** Variations of a body, most of which parse to the same value. */
function alteredBodies(body: Bytes): Bytes[] {
  const text = new TextDecoder().decode(body)
  const value = JSON.parse(text) as Record<string, unknown>
  const utf16 = new Uint8Array(Buffer.from(text, 'utf16le'))
  const texts = [
    '',
    ...[' ', '\n', '\r\n', '\t', '\0', '\uFEFF', '//', ',', '{}', 'null'].flatMap((each) => [
      `${each}${text}`,
      `${text}${each}`,
    ]),
    JSON.stringify(value, null, 1),
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, '\t'),
    text.replaceAll(':', ': '),
    text.replaceAll(',', ', '),
    JSON.stringify(Object.fromEntries(Object.entries(value).reverse())),
    JSON.stringify(Object.fromEntries(Object.entries(value).sort())),
    JSON.stringify([value]),
    JSON.stringify(text),
    // A repeated key: the last one counts, as in most parsers.
    ...Object.entries(value).flatMap(([name, member]) => [
      text.replace('{', `{${JSON.stringify(name)}:${JSON.stringify(member)},`),
      text.replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(member)}}`),
      text.replace(/\}$/, `,${JSON.stringify(name)}:43}`),
      JSON.stringify({ ...value, [name]: undefined }),
      JSON.stringify({ ...value, [name]: null }),
      JSON.stringify({ ...value, [name]: [member] }),
      text.replace(`"${name}"`, `"${name} "`),
      text.replace(`"${name}"`, `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"`),
    ]),
    text.replace('{', '{"__proto__":{"formId":1},'),
    text.replace(':42', ':42.0'),
    text.replace(':42', ':4.2e1'),
    text.replace(':42', ':"42"'),
    text.replace(':42', ':43'),
    text.replace('ö', '\\u00f6'),
    text.replace('ö', 'o\u0308'),
    text.replace('ö', '\uFFFD'),
    text.replace('-11-16T', '\\u002d11-16T'),
    text.replace('ROUTING', 'COMPLETE'),
    text.replace('ROUTING', 'routing'),
    ...Array.from({ length: 20 }, (_, index) => text.slice(0, -1 - index)),
    ...Array.from({ length: 20 }, (_, index) => text.slice(index + 1)),
  ]
  const all: Bytes[] = [
    ...texts.map((each) => new TextEncoder().encode(each)),
    ...Array.from(body, (_, index) =>
      body.map((byte, at) => (at === index ? byte ^ (1 << (index % 8)) : byte)),
    ),
    new Uint8Array(Buffer.from(text, 'latin1')),
    utf16,
    Uint8Array.from([0xff, 0xfe, ...utf16]),
    new Uint8Array(gzipSync(body)),
    new Uint8Array(createHash('sha512').update(body).digest()),
    new Uint8Array(body.length),
    Uint8Array.from([...body, ...body]),
  ]
  return all.filter((each) => Buffer.compare(each, body) !== 0)
}
