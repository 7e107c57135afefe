/** One of the two services, and the credentials of this application for it. */
export interface Service {
  /** Base URL, without the path that the contract names. */
  readonly baseUrl: string
  readonly clientId: string
  /** A function is called again after the service has refused the secret, so that a changed secret takes effect. */
  readonly clientSecret: string | (() => string)
}

/** Returns what a response must not repeat of the value of an `Authorization` header: the credentials and the secret. */
export function secretsIn(authorization: string): readonly string[] {
  const encoded = authorization.slice('Basic '.length)
  const secret = atob(encoded).replace(/^[^:]*:/, '')
  return [encoded, secret].filter((text) => text !== '')
}

/** Returns the value of the `Authorization` header: HTTP Basic with UTF-8 (RFC 7617). */
export function basicCredentials({ clientId, clientSecret }: Service): string {
  const secret = typeof clientSecret === 'string' ? clientSecret : clientSecret()
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${clientId}:${secret}`)))}`
}
