import { parseIpAddress } from './ip-address.ts'

/** What one proxy says of the request that it received; null for what it does not say. */
export interface Hop {
  /** The sender's address; null also if the proxy hides or does not know it. */
  readonly address: string | null
  readonly isHttps: boolean | null
  /** As it was sent; may be no host at all. */
  readonly host: string | null
}

/** `name=token` or `name="text"`, or nothing, up to the next separator. */
const pairPattern =
  /[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?([,;]|$)/y

/** The elements of a Forwarded header (RFC 7239), the first proxy's first; null if it is malformed. */
export function parseForwarded(text: string): readonly Hop[] | null {
  const hops: Hop[] = []
  let pairs = new Map<string, string>()
  for (let at = 0; at <= text.length; at = pairPattern.lastIndex) {
    pairPattern.lastIndex = at
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
export function parseScheme(text: string): boolean | null {
  const scheme = text.toLowerCase()
  if (scheme === 'https') return true
  return scheme === 'http' ? false : null
}
