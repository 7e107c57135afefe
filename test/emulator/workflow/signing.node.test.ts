import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { readPublicKey, readSignature } from '../../../src/contract/values/public-key.ts'
import { createSigning } from '../../../src/emulator/workflow/signing.ts'
import type { SigningKey } from '../../../src/emulator/state/state.ts'
import { defaultSpecOptions, specOptionValues } from '../../../src/emulator/control/spec-options.ts'

const body = '{"@class":"developer","entry":{"name":"Zoë 王 🎓"}}'

function fixture() {
  const keys = new Map<'current', SigningKey>()
  const choice = defaultSpecOptions()
  return { keys, choice, signing: createSigning(keys, choice) }
}

async function readKey(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const key = readPublicKey(new Uint8Array(await response.arrayBuffer()))
  assert.ok(key, 'no key')
  return key
}

function isSigned(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(key).toString('base64url')
  return verify(
    null,
    bytes,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    signature,
  )
}

describe('createSigning()', () => {
  it('tries again if the browser fails to generate a key, but not for ever', async (t) => {
    const { signing } = fixture()
    const generate = t.mock.method(crypto.subtle, 'generateKey')
    const failure = new DOMException('The operation failed', 'OperationError')
    const fail = () => Promise.reject<never>(failure)
    generate.mock.mockImplementationOnce(fail)
    const key = await readKey(await signing.publicKey())
    const text = readSignature(await signing.sign(body), 'base64')
    assert.ok(text && isSigned(key, Buffer.from(body), text))

    generate.mock.mockImplementation(fail)
    await assert.rejects(signing.rotate(), failure)
  })

  it('returns PEM that Node reads, and nothing private in any format', async () => {
    const { keys, choice, signing } = fixture()
    const pem = await (await signing.publicKey()).text()
    assert.equal(createPublicKey(pem).asymmetricKeyType, 'ed25519')
    for (const shape of specOptionValues.publicKey) {
      choice.publicKey = shape
      const text = await (await signing.publicKey()).text()
      assert.ok(!text.includes(keys.get('current')?.privateKey.d ?? ''), shape)
    }
    choice.publicKey = 'jwk'
    assert.deepEqual(Object.keys((await (await signing.publicKey()).json()) as object), ['kty', 'crv', 'x'])
  })

  it('generates one key for concurrent first uses', async () => {
    const { signing } = fixture()
    const [one, two, signature] = await Promise.all([
      signing.publicKey(),
      signing.publicKey(),
      signing.sign(body),
    ])
    const key = await readKey(one)
    assert.deepEqual(await readKey(two), key)
    assert.equal(isSigned(key, Buffer.from(body), Buffer.from(signature, 'base64')), true)
  })

  it('keeps a key that is set while the first is being generated', async () => {
    const other = fixture()
    const key = await readKey(await other.signing.publicKey())
    const { keys, signing } = fixture()
    const response = signing.publicKey()
    keys.set('current', other.keys.get('current')!)
    assert.deepEqual(await readKey(await response), key)
    assert.deepEqual(await readKey(await signing.publicKey()), key)
  })

  it('uses the keys in its state, also after JSON', async () => {
    const first = fixture()
    const key = await readKey(await first.signing.publicKey())
    const second = fixture()
    second.keys.set('current', JSON.parse(JSON.stringify(first.keys.get('current'))) as SigningKey)
    assert.deepEqual(await readKey(await second.signing.publicKey()), key)
    assert.equal(await second.signing.sign(body), await first.signing.sign(body))
  })

  it('generates a new key after its state was cleared', async () => {
    const { keys, signing } = fixture()
    const key = await readKey(await signing.publicKey())
    keys.clear()
    assert.notDeepEqual(await readKey(await signing.publicKey()), key)
  })
})
