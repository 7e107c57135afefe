import type { z } from 'zod'
import type { MountVariables } from './proxy-variables.ts'
import { createAddressGuard } from '../../proxy/node/address-guard.ts'
import { formatValue, type Reading, secretReader } from './variable-reader.ts'

/** Where the callbacks of a mount are sent. */
export interface ForwardConfig {
  readonly url: string
  /** One or two, separated by a comma. A function if a file contains them: it reads the file again. */
  readonly secrets: string | (() => string)
  readonly allowPrivate: boolean
}

/** Returns where callbacks are sent; undefined if they are not sent. Adds problems. */
export function readForward(
  read: z.output<typeof MountVariables>,
  { readText, place, problems }: Reading,
): ForwardConfig | undefined {
  const {
    ROUTESLIP_FORWARD_URL: url,
    ROUTESLIP_FORWARD_SECRET: secrets,
    ROUTESLIP_FORWARD_SECRET_FILE: path,
  } = read
  const allowPrivate = read.ROUTESLIP_FORWARD_PRIVATE === 'true'
  if (url === undefined) {
    const others = ['ROUTESLIP_FORWARD_SECRET', 'ROUTESLIP_FORWARD_SECRET_FILE'] as const
    const [name] = others.filter((other) => read[other] !== undefined)
    if (name) problems.push(`${name}${place} has no use without ROUTESLIP_FORWARD_URL. Set both, or none.`)
    return undefined
  }
  if (secrets === undefined) {
    problems.push(
      `ROUTESLIP_FORWARD_SECRET${place} is missing. Set it to whsec_ and the output of "openssl rand -base64 32", or set ROUTESLIP_FORWARD_SECRET_FILE to a file that contains that.`,
    )
    return undefined
  }
  const { protocol, hostname } = new URL(url)
  const isAllowed = createAddressGuard({ allowPrivate }).isAllowedHost(hostname)
  if (!isAllowed || (!allowPrivate && protocol !== 'https:')) {
    const hint = allowPrivate ? '' : ', or set ROUTESLIP_FORWARD_PRIVATE=true if it is in your own network'
    problems.push(
      `ROUTESLIP_FORWARD_URL${place} is ${formatValue('ROUTESLIP_FORWARD_URL', url)}. Use a public https address${hint}.`,
    )
  }
  return {
    url,
    secrets: path === undefined ? secrets : secretReader(path, secrets, readText),
    allowPrivate,
  }
}
