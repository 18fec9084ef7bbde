import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Whether a store's address names a PostgreSQL database rather than a file. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address)
}

/**
 * The address for messages: user, hosts and database. It must not show a password even if the address is malformed, so
 * everything before the last @ counts as user info, and only numbers count as ports.
 */
export function withoutPassword(address: string): string {
  const [, scheme, rest = ''] = /^([a-z]+:\/\/)([\s\S]*)$/i.exec(address) ?? []
  if (scheme === undefined) return address
  const offset = rest.lastIndexOf('@')
  const user = rest.slice(0, Math.max(0, offset)).split(':')[0] ?? ''
  const hostsAndDatabase = rest.slice(offset + 1).replace(/\?[\s\S]*$/, '')
  const shown = hostsAndDatabase.replace(/:(?!\d{1,5}(?:[,/]|$))[^,/\]]*(?=[,/]|$)/g, '')
  return `${scheme}${user === '' ? '' : `${user}@`}${shown}`
}

/** The TLS modes, under libpq's names. */
const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type TlsMode = (typeof tlsModes)[number]

export interface Host {
  readonly host: string
  readonly port: number
}

/** As an operator writes it; an IPv6 address is in brackets. */
export const toHostName = ({ host, port }: Host) => `${host.includes(':') ? `[${host}]` : host}:${port}`

export interface Address {
  /** At least one. Of several, the one that takes writes is used (decision 33). */
  readonly hosts: readonly [Host, ...Host[]]
  /** Null: PGUSER, or the name of the operating system user. */
  readonly user: string | null
  /** Null: PGPASSWORD, or no password. */
  readonly password: string | null
  readonly database: string
  readonly tlsMode: TlsMode
  /** The file of trusted certificates; null for the platform's own. */
  readonly tlsRoots: string | null
}

const shape = /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/i
const knownParameters = ['sslmode', 'sslrootcert', 'target_session_attrs']

/**
 * Parses an address. Returns a string that names the mistake without quoting the address, which may contain a password.
 */
export function parseAddress(address: string): Address | string {
  const parts = shape.exec(address)?.slice(1).map(decode)
  if (parts === undefined || parts.includes(null)) {
    return 'It must look like postgres://user@host:5432/database; several hosts are separated by commas, and characters such as @ : / ? in names and passwords are written as %40 %3A %2F %3F.'
  }
  const [user, password, hostList, database, query] = parts
  const hosts = (hostList ?? '').split(',').map(parseHost)
  const [first, ...others] = hosts.filter((host) => host !== null)
  if (first === undefined || hosts.includes(null))
    return 'Each host must be a name or address, optionally followed by :port.'
  const tls = parseTls(new URLSearchParams(query ?? ''))
  if (typeof tls === 'string') return tls
  const known = { hosts: [first, ...others] as const, password: password || null, database: database ?? '' }
  return { ...known, user: user || null, ...tls }
}

const defaultPort = 5432

/** Undefined if the part is missing, null if it is malformed. The query string is parsed by `parseTls`. */
function decode(text: string | undefined, index: number): string | undefined | null {
  if (text === undefined || index === 4) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function parseHost(text: string): Host | null {
  const [, address, name, port = String(defaultPort)] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = address ?? name
  return host === undefined || Number(port) < 1 || Number(port) > 65_535 ? null : { host, port: Number(port) }
}

function parseTls(parameters: URLSearchParams): Pick<Address, 'tlsMode' | 'tlsRoots'> | string {
  const isUnknown = [...parameters.keys()].some((name) => !knownParameters.includes(name))
  if (isUnknown) return `The only known parameters are ${knownParameters.join(', ')}.`
  const mode = parameters.get('sslmode') ?? 'prefer'
  if (!isTlsMode(mode)) return `sslmode must be one of ${tlsModes.join(', ')}.`
  const roots = parameters.get('sslrootcert')
  const isFile = roots !== null && roots !== 'system'
  if (isFile && !hasCertificate(roots)) return 'The file that sslrootcert names has no readable certificate.'
  return { tlsMode: mode, tlsRoots: isFile ? roots : null }
}

function hasCertificate(path: string): boolean {
  try {
    return new X509Certificate(readFileSync(path)).raw.length > 0
  } catch {
    return false
  }
}

function isTlsMode(mode: string): mode is TlsMode {
  return tlsModes.some((each) => each === mode)
}
