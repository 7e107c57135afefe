import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Which addresses the proxy may connect to. */
export interface AddressGuardOptions {
  /**
   * Whether addresses of this machine and of private networks are allowed. Other special ranges never are, such as link-local
   * addresses, where clouds serve secrets.
   */
  readonly allowPrivate: boolean
  /** Resolves names. Default `lookup` of `node:dns`. */
  readonly lookup?: (
    hostname: string,
    options: { readonly all: true },
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void
}

/** Keeps requests away from addresses that only machines inside the network can reach. */
interface AddressGuard {
  /** Whether a host of a URL may be used. False for an address that is not allowed; names are checked by `lookup`. */
  readonly isAllowedHost: (hostname: string) => boolean
  /** Resolves a name for a connection. Fails if any of its addresses is not allowed, so that no other lookup can differ. */
  readonly lookup: LookupFunction
}

export function createAddressGuard({
  allowPrivate,
  lookup: resolve = dnsLookup,
}: AddressGuardOptions): AddressGuard {
  function isAllowed(text: string): boolean {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    if (address instanceof ipaddr.IPv6) {
      // A network that has only IPv6 reaches IPv4 addresses by these (RFC 6052).
      if (address.match(...translated))
        return isAllowed(ipaddr.fromByteArray(address.toByteArray().slice(12)).toString())
      if (address.match(...cloudSecrets)) return false
      // What is special in no way, but outside of this range, is assigned to nobody (RFC 4291, 2.4).
      if (address.range() === 'unicast') return address.match(...globalUnicast)
    }
    const range = address.range()
    return range === 'unicast' || (allowPrivate && privateRanges.has(range))
  }

  function refusal(hostname: string): Error {
    const hint = allowPrivate ? '' : ' Set ROUTESLIP_FORWARD_PRIVATE=true if it may.'
    return new Error(`${hostname} leads to an address that is not public.${hint}`)
  }

  return {
    isAllowedHost(hostname) {
      const address = hostname.replace(/^\[|\]$/g, '')
      return isIP(address) === 0 || isAllowed(address)
    },
    lookup(hostname, { all }, callback) {
      resolve(hostname, { all: true }, (error, addresses) => {
        const [first] = addresses ?? []
        if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '')
        if (!addresses.every(({ address }) => isAllowed(address))) return callback(refusal(hostname), '')
        if (all) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
    },
  }
}

/** The ranges of private networks, as ipaddr.js names them. It knows the registries of special addresses of the IANA. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'carrierGradeNat', 'uniqueLocal'])
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** The metadata of a cloud, among private addresses. */
const cloudSecrets = ipaddr.IPv6.parseCIDR('fd00:ec2::254/128')
