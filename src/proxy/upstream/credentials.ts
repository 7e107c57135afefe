/** One of the two services, and the credentials of this application for it. */
export interface Service {
  /** Base URL, without the path that the contract names. */
  readonly baseUrl: string
  /** Client id of this application. */
  readonly clientId: string
  /** A function is called again after a second, and after the service has refused the secret. */
  readonly clientSecret: string | (() => string)
}

/** Returns what a response must not repeat of the value of an `Authorization` header: the credentials and the secret. */
export function secretsIn(authorization: string): readonly string[] {
  const encoded = authorization.slice('Basic '.length)
  const secret = atob(encoded).replace(/^[^:]*:/, '')
  return [encoded, secret].filter((text) => text !== '')
}

/** The value of the `Authorization` header for a service. */
interface Credentials {
  readonly current: () => string
  /** Returns the last two values: a request that is running may have been sent with the previous one. */
  readonly known: () => readonly string[]
  /** Asks for the secret again now. */
  readonly renew: () => void
}

/** Follows changes of the secret of a service. */
export function createCredentials(service: Service, now = () => performance.now()): Credentials {
  let value = basicCredentials(service)
  let previous = value
  let readAt = now()
  const renew = () => {
    const next = basicCredentials(service)
    if (next !== value) [previous, value] = [value, next]
    readAt = now()
  }
  return {
    current() {
      if (now() - readAt >= maxAge) renew()
      return value
    },
    known: () => [value, previous],
    renew,
  }
}

/** Time in ms after which the secret is read again. */
const maxAge = 1000

/** Returns the value of the `Authorization` header: HTTP Basic with UTF-8 (RFC 7617). */
function basicCredentials({ clientId, clientSecret }: Service): string {
  const secret = typeof clientSecret === 'string' ? clientSecret : clientSecret()
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${clientId}:${secret}`)))}`
}
