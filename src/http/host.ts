import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Call } from './route.ts'

const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?'
const namePattern = new RegExp(`^(${label}(?:\\.${label})*\\.?)(?::(\\d{1,5}))?$`)
const ipv6Pattern = /^(\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/

/** The name in a Host header, without its port; null if it is malformed. Bun joins two Host headers by a comma. */
export function parseHostHeader(host: string): string | null {
  const [, name, port = '0'] = namePattern.exec(host) ?? ipv6Pattern.exec(host) ?? []
  if (name === undefined || name.length > 255 || Number(port) > 65_535) return null
  // Malformed IPv6, IPv4-like names such as `1.2.3.4.5`, and malformed Punycode such as `xn--a`.
  if (!URL.canParse(`http://${name}/`)) return null
  return name.toLowerCase()
}

/** Whether a name or address is that of the loopback interface. */
export function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === 'localhost.' || name === '::1' || name === '[::1]') return true
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/** `http://host:port`, with brackets around an IPv6 address. */
export function toHttpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** A host that a browser on this machine can connect to; for an unspecified address, the loopback address. */
export function toReachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** The path of a base URL, without a trailing slash. */
export function toPrefix(base: string): string {
  return new URL(base).pathname.replace(/\/$/, '')
}

/** A range of addresses, such as `10.0.0.0/8`. */
export interface AddressRange {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  readonly bits: number
}

/**
 * The canonical form of an address, for comparisons and limits; null if the text is no address. IPv4 in IPv6 becomes
 * IPv4.
 */
export function parseIpAddress(text: string): string | null {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return null
  // Null for an address with a zone, which is valid on one machine only.
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
 * The network by which limits count an address: an IPv6 client usually has all 2^64 addresses with the same first 64
 * bits, so they count as one. Takes the form of `parseIpAddress`; any other text is its own network.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((word) => word !== ''))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** An address or a CIDR range; null if the text is neither. */
export function parseAddressRange(text: string): AddressRange | null {
  const [, prefix = '', length] = /^([0-9A-Fa-f:.]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseIpAddress(prefix)
  if (address === null) return null
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const max = family === 'ipv4' ? 32 : 128
  // The prefix of an IPv4 address that is written as IPv6 counts 96 bits more.
  const bits = length === undefined ? max : Number(length) - (family === 'ipv4' && isIPv6(prefix) ? 96 : 0)
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

/** Returns the start of absolute URLs, without a trailing slash. */
export type BaseUrl = (call: Call) => string

/**
 * The configured URL, else scheme and Host of the request in canonical form: lower case, without the default port.
 * HTTP/1.0 clients send no Host, so they get the listening address.
 */
export function createBaseUrl(configured: string | null, listening: string): BaseUrl {
  if (configured !== null) return () => configured
  /** The last one is remembered: nearly all requests have the same. */
  let [lastText, origin] = ['', '']
  return ({ head }) => {
    if (head.host === undefined) return listening
    const text = `${head.isHttps ? 'https' : 'http'}://${head.host}`
    if (text !== lastText) [lastText, origin] = [text, new URL(text).origin]
    return origin
  }
}
