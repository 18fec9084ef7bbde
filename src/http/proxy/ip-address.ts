import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** A range of addresses, such as `10.0.0.0/8`. */
export interface AddressRange {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  readonly bits: number
}

/** The one form of an address that we compare and count by; null if it is none. IPv4 in IPv6 counts as IPv4. */
export function parseIpAddress(text: string): string | null {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return null
  // Null for an address with a zone, which has a meaning on one machine only.
  const canonical = URL.parse(`http://[${toHexTail(text)}]/`)?.hostname.slice(1, -1) ?? null
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical ?? '') ?? []
  return high === undefined || low === undefined ? canonical : toIpv4(Number(`0x${high}`), Number(`0x${low}`))
}

/** `::1.2.3.4` as `::102:304`: Bun's URL refuses some valid addresses that end with the dotted form. */
function toHexTail(text: string): string {
  return text.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
}

function toIpv4(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/**
 * What limits count an address by: a client of IPv6 usually has the 2^64 addresses that begin with the same 64 bits, so
 * all of them count as one. Takes the form of `parseIpAddress`; any other text is its own network.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((word) => word !== ''))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** An address, or one with the length of a prefix; null if it is neither. */
export function parseAddressRange(text: string): AddressRange | null {
  const [, given = '', length] = /^([0-9A-Fa-f:.]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseIpAddress(given)
  if (address === null) return null
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const max = family === 'ipv4' ? 32 : 128
  // The prefix of an IPv4 address that is written as IPv6 counts 96 bits more.
  const bits = length === undefined ? max : Number(length) - (family === 'ipv4' && isIPv6(given) ? 96 : 0)
  return bits >= 0 && bits <= max ? { address, family, bits } : null
}

/** Whether an address, in the form of `parseIpAddress`, is in one of the ranges. */
export function createRangeCheck(ranges: readonly AddressRange[]): (address: string) => boolean {
  // One list for each family: `::/0` does not hold IPv4 addresses.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { address, family, bits } of ranges) lists[family].addSubnet(address, bits, family)
  return (address) => {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    return lists[family].check(address, family)
  }
}
