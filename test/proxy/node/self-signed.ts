import { generateKeyPairSync, sign } from 'node:crypto'

// The encoding of a certificate (RFC 5280), so that no test needs a key in the repository or another program.

/** Creates a key and a certificate for 127.0.0.1 that nobody but itself has signed, both as PEM. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(objectId('2a8648ce3d040302'))
  const name = sequence(encode(0x31, sequence(objectId('550403'), encode(0x0c, Buffer.from('localhost')))))
  const days = [-1, 2].map((day) => {
    const time = new Date(Date.now() + day * 86_400_000).toISOString()
    return encode(0x18, Buffer.from(`${time.slice(0, 19).replace(/\D/g, '')}Z`))
  })
  // subjectAltName with the address 127.0.0.1.
  const names = encode(0x04, sequence(encode(0x87, Buffer.from([127, 0, 0, 1]))))
  const content = sequence(
    encode(0xa0, encode(0x02, Buffer.from([2]))),
    encode(0x02, Buffer.from([1])),
    ...[algorithm, name, sequence(...days), name],
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, sequence(sequence(objectId('551d11'), names))),
  )
  const signature = encode(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]))
  const text = sequence(content, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}

/** Encodes a value with its tag and its length (DER). */
function encode(tag: number, value: Buffer): Buffer {
  const { length } = value
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

function sequence(...values: readonly Buffer[]): Buffer {
  return encode(0x30, Buffer.concat(values))
}

function objectId(hex: string): Buffer {
  return encode(0x06, Buffer.from(hex, 'hex'))
}
