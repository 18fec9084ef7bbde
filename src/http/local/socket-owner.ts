import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** Both ends of a connection, as we see them: the caller's address and port, and our own. */
export interface SocketPair {
  readonly caller: SocketAddress
  readonly own: SocketAddress
}

export interface SocketAddress {
  readonly address: string
  readonly port: number
}

/** Whose the caller's end of a connection is; `unknown` where the kernel lists no open socket for it. */
export type SocketOwner = 'own' | 'root' | 'other' | 'unknown' | 'unreadable'

const established = '01'
const chunkBytes = 1 << 16

/**
 * The user of the caller's socket, which only a connection within this machine has (Linux). The kernel's table is read
 * anew for every question: a port may belong to somebody else a moment later (ADR 34).
 */
export function findSocketOwner(ends: SocketPair, ownUid: number): SocketOwner {
  try {
    return findOwner(ends, ownUid)
  } catch (error) {
    // No /proc, or no file descriptor left to read it with: then nobody can be told from anybody.
    if (error instanceof Error && 'code' in error) return 'unreadable'
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

/** A socket of the IPv6 family may speak to an IPv4 address, and is then listed with the addresses mapped. */
const tables: readonly (readonly [string, (address: string) => string | null])[] = [
  ['/proc/net/tcp', toIpv4],
  ['/proc/net/tcp6', toIpv6],
]

/** Bytes in the order of the machine, of which every one that Bun runs on has the lowest first. */
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

/** The line with this pair of addresses. Read piece by piece: with thousands of connections half of it is enough. */
function findLine(file: string, pair: string): string | null {
  const table = openSync(file, 'r')
  try {
    const bytes = Buffer.allocUnsafe(chunkBytes)
    let text = ''
    for (let read = 1; read > 0; ) {
      read = readSync(table, bytes, 0, chunkBytes, null)
      text = text.slice(text.lastIndexOf('\n') + 1) + bytes.toString('latin1', 0, read)
      const at = text.indexOf(pair)
      const end = at < 0 ? -1 : text.indexOf('\n', at)
      if (end >= 0) return text.slice(at, end)
    }
    return null
  } finally {
    closeSync(table)
  }
}

/** Local and remote address, state, queues, timer, retransmits, uid, timeout, inode. */
function judgeLine(line: string, ownUid: number): SocketOwner {
  const [, , state, , , , uid, , inode] = line.trim().split(/\s+/)
  // A closed socket is listed as root's, without an inode.
  if (state !== established || inode === undefined || inode === '0') return 'unknown'
  if (uid === '0') return 'root'
  return uid === String(ownUid) && !isShared(ownUid) ? 'own' : 'other'
}

/** In a user namespace the kernel shows everybody who has no number there as this one. */
function isShared(uid: number): boolean {
  if (readFileSync('/proc/sys/kernel/overflowuid', 'latin1').trim() !== String(uid)) return false
  return !/^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'latin1'))
}
