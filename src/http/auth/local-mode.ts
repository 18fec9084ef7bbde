import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { toErrorCode } from '../../error-code.ts'
import { isLoopback, parseHostHeader } from '../host.ts'
import type { Head } from '../route.ts'

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
  unreadable: 'the owner of the connection cannot be determined at the moment',
  unknown: 'the caller has closed its end of the connection, or part of it',
}

function judgeHead({ host, origin, proxyHeader }: Head): string | null {
  if (proxyHeader !== undefined) return `the request came through a proxy (it has ${proxyHeader})`
  const name = host === undefined ? null : parseHostHeader(host)
  if (host === undefined || name === null || !isLoopback(name)) return 'the Host header is not a loopback name'
  const isOwnPage = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`
  return isOwnPage ? null : "the Origin header is another site's"
}

/** Both ends of a connection as the server sees them. */
export interface SocketPair {
  readonly caller: SocketAddress
  readonly own: SocketAddress
}

export interface SocketAddress {
  readonly address: string
  readonly port: number
}

/** Which user owns the client's socket; `unknown` if the kernel lists no open socket for it. */
export type SocketOwner = 'own' | 'root' | 'other' | 'unknown' | 'unreadable'

const established = '01'
const chunkBytes = 1 << 16

/**
 * Finds the user of the client's socket in the kernel's table (Linux); only connections within this machine are listed
 * with both ends. The table is read for every request, since a port may belong to another user a moment later (decision 34).
 */
export function findSocketOwner(ends: SocketPair, ownUid: number): SocketOwner {
  try {
    return findOwner(ends, ownUid)
  } catch (error) {
    // No /proc, or no file descriptor left to read it with.
    if (toErrorCode(error) !== '') return 'unreadable'
    throw error
  }
}

function findOwner(ends: SocketPair, ownUid: number): SocketOwner {
  for (const [file, toText] of tables) {
    const [caller, own] = [toText(ends.caller.address), toText(ends.own.address)]
    if (caller === null || own === null) continue
    const pair = ` ${caller}:${toPort(ends.caller)} ${own}:${toPort(ends.own)} `
    const line = findLine(file, pair)
    if (line !== null) return judgeLine(line, ownUid)
  }
  return 'unknown'
}

/** An IPv6 socket that is connected to an IPv4 address is listed in tcp6 with mapped addresses. */
const tables: readonly (readonly [string, (address: string) => string | null])[] = [
  ['/proc/net/tcp', toIpv4],
  ['/proc/net/tcp6', toIpv6],
]

/** In host byte order: every machine that Bun runs on is little-endian. */
function toIpv4(address: string): string | null {
  const bytes = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/i.exec(address)?.slice(1)
  return (
    bytes
      ?.reverse()
      .map((byte) => toHex(Number(byte), 2))
      .join('') ?? null
  )
}

function toIpv6(address: string): string | null {
  if (address === '::1') return '00000000000000000000000001000000'
  const ipv4 = toIpv4(address)
  return ipv4 === null ? null : `0000000000000000FFFF0000${ipv4}`
}

const toPort = ({ port }: SocketAddress) => toHex(port, 4)
const toHex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0')

/**
 * Finds the line with this pair of addresses. Reads in chunks, since the table is long with thousands of connections.
 */
function findLine(file: string, pair: string): string | null {
  const table = openSync(file, 'r')
  try {
    const bytes = Buffer.allocUnsafe(chunkBytes)
    let text = ''
    for (let read = 1; read > 0; ) {
      read = readSync(table, bytes, 0, chunkBytes, null)
      text = text.slice(text.lastIndexOf('\n') + 1) + bytes.toString('latin1', 0, read)
      const offset = text.indexOf(pair)
      const end = offset < 0 ? -1 : text.indexOf('\n', offset)
      if (end >= 0) return text.slice(offset, end)
    }
    return null
  } finally {
    closeSync(table)
  }
}

/** Columns: local and remote address, state, queues, timer, retransmits, uid, timeout, inode. */
function judgeLine(line: string, ownUid: number): SocketOwner {
  const [, , state, , , , uid, , inode] = line.trim().split(/\s+/)
  // The kernel lists a closed socket with uid 0 and without an inode.
  if (state !== established || inode === undefined || inode === '0') return 'unknown'
  if (uid === '0') return 'root'
  return uid === String(ownUid) && !isShared(ownUid) ? 'own' : 'other'
}

/** In a user namespace the kernel shows all users that are not mapped there as the overflow uid. */
function isShared(uid: number): boolean {
  if (readFileSync('/proc/sys/kernel/overflowuid', 'latin1').trim() !== String(uid)) return false
  return !/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'))
}
