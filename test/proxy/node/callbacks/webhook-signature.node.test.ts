import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  parseWebhookSecrets,
  webhookHeaders,
} from '../../../../src/proxy/node/callbacks/webhook-signature.ts'

const secretOf = (size: number) => `whsec_${Buffer.alloc(size, 7).toString('base64')}`

describe('parseWebhookSecrets()', () => {
  it('reads one or two secrets of 24 to 64 bytes, with and without padding', () => {
    for (const size of [24, 25, 26, 64]) {
      assert.deepEqual(parseWebhookSecrets(secretOf(size)), [Buffer.alloc(size, 7)], `${size}`)
      assert.deepEqual(parseWebhookSecrets(secretOf(size).replace(/=+$/, '')), [Buffer.alloc(size, 7)])
    }
    assert.deepEqual(parseWebhookSecrets(` ${secretOf(24)} , ${secretOf(32)}`), [
      Buffer.alloc(24, 7),
      Buffer.alloc(32, 7),
    ])
  })

  it('rejects everything else', () => {
    for (const text of [
      ...['', 'whsec_', secretOf(23), secretOf(65), secretOf(24).slice(6), `x${secretOf(24)}`],
      ...[`${secretOf(24)}x=`, `${secretOf(24)},`, `${secretOf(24)},${secretOf(23)}`, `${secretOf(24)}!`],
      [secretOf(24), secretOf(24), secretOf(24)].join(),
      // The last character has bits that no byte has.
      `${secretOf(25).slice(0, -3)}x==`,
    ])
      assert.equal(parseWebhookSecrets(text), undefined, text)
  })
})

describe('webhookHeaders()', () => {
  it('signs id, time and content with each key', () => {
    const keys = [Buffer.alloc(24, 1), Buffer.alloc(24, 2)]
    const signature = (key: Buffer) =>
      `v1,${createHmac('sha256', key).update('msg_1.1700000000.{"a":1}').digest('base64')}`
    assert.deepEqual(webhookHeaders({ id: 'msg_1', timestamp: 1_700_000_000, payload: '{"a":1}' }, keys), {
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': keys.map(signature).join(' '),
    })
  })
})
