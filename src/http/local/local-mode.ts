import type { Head } from '../head.ts'
import { isLoopback, parseHost } from '../host.ts'
import { findSocketOwner, type SocketAddress, type SocketOwner } from './socket-owner.ts'

/** Returns why local mode does not apply to a request without a token; null if it applies. */
export type LocalMode = (head: Head, findEnd: () => SocketAddress | null) => string | null

/**
 * `--auth local`: trusts programs of the same user on this machine; not proxies, pages of other sites or DNS rebinding.
 */
export function createLocalMode(host: string, port: number): LocalMode {
  if (!isLoopback(host)) return () => 'the service does not listen on a loopback address only'
  const uid = process.getuid?.() ?? null
  // Without the kernel's table of sockets, only the headers are checked.
  const canTell = process.platform === 'linux' && uid !== null
  return (head, findEnd) => {
    const reason = judgeHead(head)
    if (reason !== null || !canTell) return reason
    const caller = findEnd()
    if (caller === null) return reasons.unknown
    return reasons[findSocketOwner({ caller, own: { address: toOwnAddress(host, caller), port } }, uid)]
  }
}

/** `localhost` is the loopback address of the client's address family. */
function toOwnAddress(host: string, { address }: SocketAddress): string {
  if (!host.startsWith('localhost')) return host.replace(/^\[(.*)\]$/, '$1')
  return address.includes('.') ? '127.0.0.1' : '::1'
}

const reasons: { readonly [owner in SocketOwner]: string | null } = {
  own: null,
  root: null,
  other: "the connection is another user's",
  unreadable: 'whose connection it is cannot be told at the moment',
  unknown: 'the caller has closed its end of the connection, or part of it',
}

function judgeHead({ host, origin, proxyHeader }: Head): string | null {
  if (proxyHeader !== undefined) return `the request came through a proxy (it has ${proxyHeader})`
  const name = host === undefined ? null : parseHost(host)
  if (host === undefined || name === null || !isLoopback(name)) return 'the Host header is not a loopback name'
  const isOwnPage = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`
  return isOwnPage ? null : "the Origin header is another site's"
}
