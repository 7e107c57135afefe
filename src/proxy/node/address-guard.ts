import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

export interface AddressGuardOptions {
  /**
   * Whether addresses of this machine and of private networks are allowed. Link-local addresses never are, because clouds
   * serve secrets there.
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
  function isAllowed(address: string): boolean {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    return !neverAllowed.check(address, family) && (allowPrivate || !privateNetworks.check(address, family))
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

/** Link-local, unspecified, multicast and reserved addresses, and the address of the metadata of a cloud. */
const neverAllowed = blockListOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
])

/** Ranges of the IANA registries of special addresses that are not public. IPv4 addresses inside IPv6 ones are checked too. */
const privateNetworks = blockListOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
])

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
