import { type AddressRange, createRangeCheck, parseIpAddress } from './host.ts'

/** Reads what the proxies in front of us report about a request. */
export type TrustedProxies = (peer: string, headers: Headers) => Hop

/** Nothing is known; the connection decides. */
const unknown: Hop = { address: null, isHttps: null, host: null }

/**
 * Reads `Forwarded` or `X-Forwarded-For`, `-Proto` and `-Host` if the peer of the connection is a trusted proxy; null
 * if there are no trusted proxies. In a chain, the report of the outermost trusted proxy counts (decision 46).
 */
export function createTrustedProxies(ranges: readonly AddressRange[]): TrustedProxies | null {
  if (ranges.length === 0) return null
  const isTrusted = createRangeCheck(ranges)

  /** The index of the hop that the outermost trusted proxy received. Each hop was written by the next one. */
  function findOutermost(length: number, addressAt: (index: number) => string | null): number {
    let index = length - 1
    while (index > 0) {
      const address = addressAt(index)
      if (address === null || !isTrusted(address)) return index
      index--
    }
    return index
  }

  function judgeForwarded(text: string): Hop {
    const hops = parseForwarded(text) ?? []
    return hops[findOutermost(hops.length, (index) => hops[index]?.address ?? null)] ?? unknown
  }

  function judgeLists(headers: Headers): Hop {
    const addresses = toList(headers.get('x-forwarded-for'))
    const addressAt = (index: number) => parseNode(addresses[index] ?? '')
    const index = findOutermost(addresses.length, addressAt)
    // Not every proxy adds to each list: a shorter list has no entries of the inner proxies.
    const fromEnd = Math.max(0, addresses.length - 1 - index)
    const scheme = pick(toList(headers.get('x-forwarded-proto')), fromEnd)
    return {
      address: addressAt(index),
      isHttps: scheme === null ? null : parseScheme(scheme),
      host: pick(toList(headers.get('x-forwarded-host')), fromEnd),
    }
  }

  return (peer, headers) => {
    const address = parseIpAddress(peer)
    if (address === null || !isTrusted(address)) return unknown
    const forwarded = headers.get('forwarded')
    if (forwarded === null) return judgeLists(headers)
    // A proxy that sets one kind may pass on what the client sent as the other kind, and we cannot tell which is which.
    return listNames.some((name) => headers.has(name)) ? unknown : judgeForwarded(forwarded)
  }
}

const listNames = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']

function toList(text: string | null): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function pick(list: readonly string[], fromEnd: number): string | null {
  return list.at(-1 - Math.min(fromEnd, list.length - 1)) ?? null
}

/** The request as one proxy received it; a member is null if the proxy does not report it. */
interface Hop {
  /** The sender's address; null also if the proxy hides or does not know it. */
  readonly address: string | null
  readonly isHttps: boolean | null
  /** As sent; may be invalid. */
  readonly host: string | null
}

/** `name=token` or `name="text"`, or nothing, up to the next separator. */
const pairPattern =
  /[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?([,;]|$)/y

/** The elements of a Forwarded header (RFC 7239), the first proxy's first; null if it is malformed. */
export function parseForwarded(text: string): readonly Hop[] | null {
  const hops: Hop[] = []
  let pairs = new Map<string, string>()
  for (let offset = 0; offset <= text.length; offset = pairPattern.lastIndex) {
    pairPattern.lastIndex = offset
    const [match, name, plain, quoted, end] = pairPattern.exec(text) ?? []
    if (match === undefined) return null
    if (name !== undefined) {
      const key = name.toLowerCase()
      if (pairs.has(key)) return null
      pairs.set(key, plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'))
    }
    if (end === ';') continue
    if (pairs.size > 0) hops.push(toHop(pairs))
    pairs = new Map()
    if (end === '') break
  }
  return hops
}

function toHop(pairs: ReadonlyMap<string, string>): Hop {
  const [address, proto, host] = [pairs.get('for'), pairs.get('proto'), pairs.get('host')]
  return {
    address: address === undefined ? null : parseNode(address),
    isHttps: proto === undefined ? null : parseScheme(proto),
    host: host ?? null,
  }
}

/** The address of a node, without its port; null for `unknown`, for a hidden one and for anything else. */
export function parseNode(text: string): string | null {
  const [, inBrackets, plain] =
    /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9.]{7,15}))(?::(?:\d{1,5}|_[0-9A-Za-z._-]{1,99}))?$/.exec(text) ?? []
  if (plain !== undefined) return parseIpAddress(plain)
  return parseIpAddress(inBrackets ?? text)
}

/** Whether a scheme is https; null for other schemes than http and https. */
function parseScheme(text: string): boolean | null {
  const scheme = text.toLowerCase()
  if (scheme === 'https') return true
  return scheme === 'http' ? false : null
}
