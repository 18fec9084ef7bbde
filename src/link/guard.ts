import { createRangeCheck, parseAddressRange, parseIpAddress } from '../http/host.ts'

/**
 * The special ranges of the IANA registries: this host, private, shared, loopback, link-local, protocol assignments,
 * documentation, relays, benchmarks, multicast, reserved. Only global unicast is left of IPv6, and of that neither
 * tunnels nor translations, which lead to IPv4 addresses of anybody's choice.
 */
const refusedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Everything below 2000::/3, with ::1, mapped and compatible IPv4, and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
  '::/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  // Everything above it: unassigned, unique local (fc00::/7), link-local (fe80::/10), site-local, multicast (ff00::/8).
  '4000::/2',
  '8000::/1',
].map(parseRange)

const isInRange = createRangeCheck(refusedRanges)

function parseRange(text: string) {
  const range = parseAddressRange(text)
  if (range === null) throw new Error(`${text} is no range of addresses`)
  return range
}

/** Whether this is a public address. Mapped IPv4 addresses are never used publicly. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  return address !== null && !(text.includes(':') && address.includes('.')) && !isInRange(address)
}

const publicPorts = ['', '80', '443']

/** Null if no request may be made for this URL, whatever its name resolves to. */
export function parseAskedUrl(text: string, allowsPrivate: boolean): URL | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null
  return allowsPrivate || publicPorts.includes(url.port) ? url : null
}
