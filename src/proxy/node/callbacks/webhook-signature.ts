import { createHmac } from 'node:crypto'

/**
 * Returns the keys in one or two secrets of Standard Webhooks, `whsec_` and Base64 of 24 to 64 bytes, separated by a comma.
 * Returns undefined if they are not valid.
 */
export function parseWebhookSecrets(text: string): readonly Buffer[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const keys = parts.flatMap((part) => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(part) ?? []
    const key = Buffer.from(base64, 'base64')
    const isCanonical = key.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '')
    return isCanonical && key.length >= 24 && key.length <= 64 ? [key] : []
  })
  return parts.length <= 2 && keys.length === parts.length ? keys : undefined
}

interface Webhook {
  /** Stays the same for each attempt. */
  readonly id: string
  /** Time of the attempt, in seconds since 1970. */
  readonly timestamp: number
  readonly payload: string
}

/** Returns the headers of Standard Webhooks. They contain one signature for each key. */
export function webhookHeaders({ id, timestamp, payload }: Webhook, keys: readonly Buffer[]) {
  const signatures = keys.map((key) => {
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')
    return `v1,${digest}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
