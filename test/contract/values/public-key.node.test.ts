import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { readPublicKey, readSignature } from '../../../src/contract/values/public-key.ts'

// From RFC 8410, 10.1 and 10.3.
const pem =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n'
const privatePem =
  '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n'
const spki = Buffer.from('MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=', 'base64')
const raw = spki.subarray(12)
const expected = new Uint8Array(raw)
const base64 = raw.toString('base64')
const x = raw.toString('base64url')
const jwk = { kty: 'OKP', crv: 'Ed25519', x }

const bytes = (text: string) => new TextEncoder().encode(text)

describe('readPublicKey()', () => {
  for (const [name, body] of Object.entries<string>({
    PEM: pem,
    'PEM with CRLF': pem.replaceAll('\n', '\r\n'),
    'PEM without a last line feed': pem.trim(),
    'PEM after a byte order mark': `\uFEFF${pem}`,
    'PEM on one line': pem.replaceAll('\n', ''),
    base64,
    'base64 with a line feed': `${base64}\n`,
    'base64 without padding': base64.replace('=', ''),
    base64url: x,
    'base64url with padding': `${x}=`,
    hex: raw.toString('hex'),
    'hex in upper case': raw.toString('hex').toUpperCase(),
    'SPKI in base64': spki.toString('base64'),
    'SPKI in base64url': spki.toString('base64url'),
    'SPKI in hex': spki.toString('hex'),
    JWK: JSON.stringify(jwk),
    'JWK with more members': JSON.stringify({ ...jwk, alg: 'EdDSA', use: 'sig', kid: 'a' }, null, 2),
    'JWK set': JSON.stringify({ keys: [jwk] }),
    'JSON string': JSON.stringify(base64),
    'JSON string of PEM': JSON.stringify(pem),
    'JSON object with PEM': JSON.stringify({ publicKey: pem }),
    'JSON object with base64': JSON.stringify({ public_key: base64, algorithm: 'Ed25519' }),
    'JSON object with hex': JSON.stringify({ 'Public-Key': raw.toString('hex') }),
    'JSON object with a JWK': JSON.stringify({ anything: jwk }),
    'JSON object in JSON object': JSON.stringify({ data: { key: { base64 } } }),
    'JSON with the same key twice': JSON.stringify({ pem, jwk, hex: raw.toString('hex') }),
    'JSON with a digest beside the key': JSON.stringify({ fingerprint: 'ab'.repeat(32), key: base64 }),
  })) {
    it(`reads ${name} as text and as bytes`, () => {
      assert.deepEqual(readPublicKey(body), expected)
      assert.deepEqual(readPublicKey(bytes(body)), expected)
    })
  }

  for (const name of [
    ...['publicKey', 'public_key', 'ed25519-public-key', 'verificationKey', 'VERIFY_KEY'],
    ...['key', 'keys', 'ed25519', 'value', 'data', 'result'],
    ...['base64', 'base64url', 'hex', 'raw', 'spki', 'der', 'pem', 'jwk'],
  ]) {
    it(`reads base64 under the name ${name}`, () => {
      assert.deepEqual(readPublicKey(JSON.stringify({ [name]: base64 })), expected)
      assert.equal(readPublicKey(JSON.stringify({ [`${name}Id`]: base64 })), undefined)
    })
  }

  it('reads base64 with every character of its alphabet', () => {
    const key = Buffer.from('fbefbeffff'.repeat(7).slice(0, 64), 'hex')
    assert.match(key.toString('base64'), /[+].*[/]/)
    assert.deepEqual(readPublicKey(key.toString('base64')), new Uint8Array(key))
    assert.deepEqual(readPublicKey(key.toString('base64url')), new Uint8Array(key))
  })

  it('reads 32 raw bytes if at least one of them is not text', () => {
    const withByte = (byte: number) => bytes(`internal error, please${String.fromCharCode(byte)}try again`)
    for (const byte of [0x00, 0x08, 0x0e, 0x1f, 0x7f]) {
      assert.deepEqual(readPublicKey(withByte(byte)), withByte(byte), `${byte}`)
    }
    for (const byte of [0x09, 0x0a, 0x0d, 0x20, 0x7e]) {
      assert.equal(readPublicKey(withByte(byte)), undefined, `${byte}`)
    }
    assert.equal(readPublicKey(new Uint8Array(raw).with(0, 0x80))?.length, 32)
  })

  it('reads raw bytes and SPKI', () => {
    assert.deepEqual(readPublicKey(new Uint8Array(raw)), expected)
    assert.deepEqual(readPublicKey(new Uint8Array(spki)), expected)
  })

  it('returns a copy of the bytes', () => {
    const body = new Uint8Array(raw)
    const key = readPublicKey(body)
    body.fill(0)
    assert.deepEqual(key, expected)
    assert.equal(readPublicKey(raw)?.constructor, Uint8Array)
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const x25519 = generateKeyPairSync('x25519').publicKey
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey

  for (const [name, body] of Object.entries<string>({
    'an empty text': '',
    'white space': ' \n',
    'a private key': privatePem,
    'a private key in JSON': JSON.stringify({ publicKey: privatePem }),
    'an RSA key': rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'an RSA key of PKCS#1': rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    'an RSA JWK': JSON.stringify(rsa.publicKey.export({ format: 'jwk' })),
    'an X25519 key': x25519.export({ type: 'spki', format: 'pem' }).toString(),
    'an X25519 JWK': JSON.stringify(x25519.export({ format: 'jwk' })),
    'a P-256 JWK': JSON.stringify(ec.export({ format: 'jwk' })),
    'a private JWK': JSON.stringify({ ...jwk, d: x }),
    'a private JWK under a good name': JSON.stringify({ publicKey: { ...jwk, d: x } }),
    'a JWK of another type': JSON.stringify({ ...jwk, kty: 'EC' }),
    'a JWK of another curve': JSON.stringify({ ...jwk, crv: 'X25519' }),
    'a JWK with 31 bytes': JSON.stringify({ ...jwk, x: raw.subarray(1).toString('base64url') }),
    'a JWK with 33 bytes': JSON.stringify({
      ...jwk,
      x: Buffer.concat([raw, Buffer.of(1)]).toString('base64url'),
    }),
    'a JWK without x': JSON.stringify({ kty: 'OKP', crv: 'Ed25519' }),
    'a JWK whose x is short': JSON.stringify({ ...jwk, x: x.slice(0, 42) }),
    'a JWK whose x is no text': JSON.stringify({ ...jwk, x: [x] }),
    'a JWK with x in base64': JSON.stringify({ ...jwk, x: base64 }),
    'a JWK that inherits its members': `{"kty":"OKP","__proto__":{"crv":"Ed25519","x":"${x}"}}`,
    'names that every object inherits': '{"constructor":{"prototype":{}},"toString":1,"__proto__":null}',
    'two keys that differ in one byte': JSON.stringify({
      publicKey: base64,
      key: Buffer.from(raw.with(31, 0)).toString('base64'),
    }),
    'two keys': JSON.stringify({ publicKey: base64, key: 'ab'.repeat(32) }),
    'a secret': JSON.stringify({ privateKey: base64 }),
    'a secret inside': JSON.stringify({ privateKey: { value: base64 } }),
    'a digest': JSON.stringify({ sha256: raw.toString('hex') }),
    'JSON in JSON strings': JSON.stringify(JSON.stringify({ publicKey: base64 })),
    'JSON in a JSON string under a good name': JSON.stringify({ publicKey: JSON.stringify({ key: base64 }) }),
    'JSON too deep': JSON.stringify({ data: { data: { data: { data: { data: { key: base64 } } } } } }),
    'JSON of other kinds': '[null, 1, true, {}]',
    null: 'null',
    'a number': '12',
    '31 bytes in base64': raw.subarray(1).toString('base64'),
    '33 bytes in base64': Buffer.concat([raw, raw]).subarray(0, 33).toString('base64'),
    '31 bytes in hex': raw.subarray(1).toString('hex'),
    'base64 with stray bits': `${base64.slice(0, -2)}F=`,
    'base64 with too much padding': `${base64}=`,
    'both alphabets of base64': `+_${base64.slice(2)}`,
    'white space within base64': `${base64.slice(0, 20)} ${base64.slice(20)}`,
    'hex with a prefix': `0x${raw.toString('hex')}`,
    'SPKI with another algorithm': spki.toString('hex').replace('2b6570', '2b656e'),
    'SPKI and more': Buffer.concat([spki, Buffer.of(0)]).toString('base64'),
    'PEM without an end': pem.replace('-----END PUBLIC KEY-----\n', ''),
    'PEM with stray bits': pem.replace('ZuE=', 'ZuF='),
    'PEM with a byte too many': pem.replace(
      /MCow.*=/,
      Buffer.concat([spki, Buffer.of(0)]).toString('base64'),
    ),
    'PEM without a body': '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----',
    'two PEM blocks': pem + pem,
    'text around PEM': `Key: ${pem}`,
    'an error page': '<!doctype html><title>502 Bad Gateway</title>',
    '32 characters': 'internal error, please try again',
    'something huge': base64.padStart(20_000),
    'huge JSON': JSON.stringify({ pad: 'x'.repeat(20_000), publicKey: base64 }),
  })) {
    it(`rejects ${name}`, () => {
      assert.equal(readPublicKey(body), undefined)
      assert.equal(readPublicKey(bytes(body)), undefined)
    })
  }

  it('rejects bytes of another length', () => {
    for (const length of [0, 31, 33, 43, 44, 45, 64, 20_000]) {
      assert.equal(readPublicKey(new Uint8Array(length).fill(0xc3)), undefined)
    }
  })

  it('rejects SPKI with a changed bit in the prefix', () => {
    for (let index = 0; index < 12; index++) {
      const changed = new Uint8Array(spki)
      changed[index]! ^= 1
      assert.equal(readPublicKey(changed), undefined)
    }
  })

  it('rejects other types than text and bytes', () => {
    for (const body of [undefined, null, 32, {}, { length: 32 }, Array.from(raw), raw.buffer]) {
      assert.equal(readPublicKey(body as unknown as string), undefined)
    }
  })

  it('reads up to 16,384 characters or bytes, and JSON four levels deep', () => {
    const padded = (length: number) => base64.padStart(length)
    const nested = (levels: number): unknown =>
      levels === 1 ? { key: base64 } : { data: nested(levels - 1) }
    for (const read of [readPublicKey, (text: string) => readPublicKey(bytes(text))]) {
      assert.deepEqual(read(padded(16_384)), expected)
      assert.equal(read(padded(16_385)), undefined)
      assert.deepEqual(read(JSON.stringify(nested(4))), expected)
      assert.equal(read(JSON.stringify(nested(5))), undefined)
    }
  })

  it('takes little CPU time for long and odd input', () => {
    const start = process.cpuUsage()
    for (const body of [
      `-----BEGIN PUBLIC KEY-----${' '.repeat(16_000)}`,
      `${'='.repeat(16_000)}x`,
      '['.repeat(16_000),
      `${'[{"key":'.repeat(2000)}`,
      `${'['.repeat(8000)}${']'.repeat(8000)}`,
      `[${'"QQ",'.repeat(3000)}"QQ"]`,
    ]) {
      assert.equal(readPublicKey(body), undefined)
    }
    // The time is the subject: an expression that tries the same text again and again needs minutes. All this takes milliseconds, and
    // CPU time, unlike wall-clock time, does not grow if the machine is busy.
    assert.ok(process.cpuUsage(start).user < 1_000_000, 'more than a second of CPU time')
  })
})

describe('readSignature()', () => {
  const signature = Buffer.from(Array.from({ length: 64 }, (_, index) => 255 - index))
  const encodings = ['base64', 'base64url', 'hex'] as const

  for (const encoding of encodings) {
    it(`reads ${encoding} and no other encoding`, () => {
      const text = signature.toString(encoding)
      assert.deepEqual(readSignature(text, encoding), new Uint8Array(signature))
      for (const other of encodings.filter((name) => name !== encoding)) {
        assert.equal(readSignature(text, other), undefined)
      }
    })

    it(`rejects 63 and 65 bytes in ${encoding}`, () => {
      assert.equal(readSignature(signature.subarray(1).toString(encoding), encoding), undefined)
      assert.equal(
        readSignature(Buffer.concat([signature, Buffer.of(1)]).toString(encoding), encoding),
        undefined,
      )
    })

    it(`rejects white space in ${encoding}`, () => {
      const text = signature.toString(encoding)
      for (const spaced of [` ${text}`, `${text} `, `${text}\n`, `${text.slice(0, 8)} ${text.slice(8)}`]) {
        assert.equal(readSignature(spaced, encoding), undefined)
      }
    })
  }

  it('accepts only one form of the last bits and of the padding', () => {
    const text = signature.toString('base64')
    assert.equal(readSignature(text.replace(/.==$/, 'B=='), 'base64'), undefined)
    assert.equal(readSignature(text.slice(0, -1), 'base64'), undefined)
    assert.equal(readSignature(text.slice(0, -2), 'base64'), undefined)
    assert.equal(readSignature(`${signature.toString('base64url')}==`, 'base64url'), undefined)
    assert.equal(readSignature(signature.toString('hex').toUpperCase(), 'hex'), undefined)
  })

  it('rejects other types than text and huge texts', () => {
    assert.equal(readSignature('', 'base64'), undefined)
    assert.equal(readSignature('0'.repeat(10_000_000), 'hex'), undefined)
    assert.equal(readSignature(null as unknown as string, 'hex'), undefined)
  })
})
