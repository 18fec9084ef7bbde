import { resolve } from 'node:path'
import { type AddressRange, parseAddressRange } from '../http/host.ts'

/** One setting: its flag on the command line, its variables in the environment, its default and its help. */
export interface Setting<T> {
  readonly flag: string | null
  /** The first one that is set is used. A flag takes precedence over them. */
  readonly variables: readonly string[]
  /** The name of the value in help; null for a switch, which takes none. */
  readonly value: string | null
  readonly default: T
  /** How help shows the default, if not as the value itself. */
  readonly defaultText?: string
  readonly help: string
  parse(text: string): T | Wrong
}

/** What a value should have been. */
export interface Wrong {
  readonly expected: string
}

export function isWrong(value: unknown): value is Wrong {
  return typeof value === 'object' && value !== null && 'expected' in value
}

/** Infers the type of the value from its default and its parser. */
export const setting = <T>(each: Setting<T>): Setting<T> => each

export function offByDefault(flag: string, variable: string, help: string): Setting<boolean> {
  const parse = (text: string) => {
    if (/^(1|true|yes|on)$/i.test(text)) return true
    return /^(0|false|no|off)$/i.test(text) ? false : { expected: 'true or false' }
  }
  return { flag, variables: [variable], value: null, default: false, help, parse }
}

/** A setting that is on by default, so its flag needs a value to turn it off. */
export function onByDefault(flag: string, variable: string, help: string): Setting<boolean> {
  const { parse, ...rest } = offByDefault(flag, variable, help)
  const parseWord = (text: string) => {
    const value = parse(text)
    return isWrong(value) ? { expected: 'on or off' } : value
  }
  return { ...rest, value: 'on|off', default: true, defaultText: 'on', parse: parseWord }
}

export function whole(min: number, max: number) {
  return (text: string): number | Wrong => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : { expected: `a whole number from ${min} to ${max}` }
  }
}

export function parseListenHost(text: string): string | Wrong {
  return /^[^\s/]+$/.test(text) ? text.replace(/^\[(.*)\]$/, '$1') : { expected: 'an address or host name' }
}

/** An address of this machine and a port. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

export function parseListenAddress(text: string): ListenAddress | Wrong {
  const end = text.lastIndexOf(':')
  const host = parseListenHost(text.slice(0, Math.max(end, 0)))
  const port = whole(0, 65_535)(text.slice(end + 1))
  return isWrong(host) || isWrong(port) ? { expected: 'HOST:PORT, such as 127.0.0.1:9100' } : { host, port }
}

export function parseDb(text: string): string | Wrong {
  if (/^postgres(?:ql)?:\/\//i.test(text)) return text
  if (/^[a-z]{2,}:\/\//i.test(text)) return { expected: 'the path of a file, as PATH or sqlite:PATH, or postgres://…' }
  const path = text.replace(/^sqlite:/, '')
  return path === '' ? { expected: 'the path of a file, as PATH or sqlite:PATH' } : resolve(path)
}

export function parseSnapshot(text: string): string | Wrong {
  return text === 'off' ? text : resolve(text)
}

export function parseBaseUrl(text: string): string | Wrong {
  const url = /^https?:\/\/[^\s?#]+$/i.test(text) ? URL.parse(text) : null
  const isPublic = url !== null && url.username === '' && url.password === ''
  return isPublic ? text.replace(/\/+$/, '') : { expected: 'an absolute http(s) URL without query, user and password' }
}

export function parseAuth(text: string): 'token' | 'local' | Wrong {
  return text === 'token' || text === 'local' ? text : { expected: 'token or local' }
}

export function parseAdminToken(text: string): string | Wrong {
  return /^[A-Za-z0-9_-]{20,}$/.test(text) ? text : { expected: 'at least 20 characters of A-Z a-z 0-9 _ -' }
}

export function parseTrustedProxies(text: string): readonly AddressRange[] | Wrong {
  const ranges = text.split(',').map((entry) => parseAddressRange(entry.trim()))
  const known = ranges.filter((range) => range !== null)
  const expected = 'IP addresses or ranges such as 127.0.0.1 or 10.0.0.0/8, separated by commas'
  return known.length === ranges.length ? known : { expected }
}

const unitMs: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `15m`, `24h` or `7d`, in milliseconds. */
export function parseDuration(text: string): number | Wrong {
  const [, number = '', unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? []
  const ms = Number(number) * (unitMs[unit] ?? 0)
  return ms > 0 ? ms : { expected: 'a duration such as 15m, 24h or 7d' }
}
