import { cpus } from 'node:os'
import { resolve } from 'node:path'

/** One setting: its flag on the command line, its variables in the environment, its default, its meaning. */
export interface Setting<T> {
  readonly flag: string | null
  /** First one that is set counts. A flag goes before them all. */
  readonly variables: readonly string[]
  /** What help calls the value; null for a switch that takes none. */
  readonly value: string | null
  readonly fallback: T
  /** How help shows the default, where it is not the value itself. */
  readonly fallbackText?: string
  readonly help: string
  parse(text: string): T | Wrong
}

/** What a value should have been. */
export interface Wrong {
  readonly expected: string
}

/** The table of settings: `--help` and docs/configuration.md come from it. */
export const settings = {
  host: setting('host', ['ROSTRUM_HOST', 'HOST'], 'ADDRESS', '127.0.0.1', 'Address to listen on.', parseName),
  port: setting(
    'port',
    ['ROSTRUM_PORT', 'PORT'],
    'NUMBER',
    8000,
    'Port to listen on; 0 picks a free one.',
    whole(0, 65_535),
  ),
  db: setting(
    'db',
    ['ROSTRUM_DB'],
    'PATH',
    resolve('data/rostrum.db'),
    'The database file, as PATH or sqlite:PATH.',
    parseDb,
    './data/rostrum.db',
  ),
  baseUrl: setting<string | null>(
    'base-url',
    ['ROSTRUM_BASE_URL'],
    'URL',
    null,
    'What absolute addresses in answers begin with.',
    parseBaseUrl,
    'the Host of each request',
  ),
  threads: setting(
    'threads',
    ['ROSTRUM_THREADS'],
    'NUMBER',
    cpus().length,
    'HTTP threads.',
    whole(1, 256),
    'one per core',
  ),
  auth: setting<'token' | 'local'>(
    'auth',
    ['ROSTRUM_AUTH'],
    'token|local',
    'token',
    'Who may write: token holders; with local also requests from this very machine.',
    parseAuth,
  ),
  sample: toggle('sample', 'ROSTRUM_SAMPLE', 'Fill an empty store with sample records.'),
  cacheMegabytes: setting(
    'cache-mb',
    ['ROSTRUM_CACHE_MB'],
    'NUMBER',
    64,
    'Memory for hot records, over all threads.',
    whole(0, 1_000_000),
  ),
  accessLog: toggle('access-log', 'ROSTRUM_ACCESS_LOG', 'Log every request.'),
  slowMs: setting(
    'slow-ms',
    ['ROSTRUM_SLOW_MS'],
    'NUMBER',
    1000,
    'Log requests that took longer, in milliseconds.',
    whole(1, 3_600_000),
  ),
  maxBodyBytes: setting(
    'max-body',
    ['ROSTRUM_MAX_BODY'],
    'BYTES',
    1_048_576,
    'Largest request body.',
    whole(1024, 1 << 29),
  ),
  maxTargetBytes: setting(
    'max-target',
    ['ROSTRUM_MAX_TARGET'],
    'BYTES',
    8192,
    'Longest path with query.',
    whole(256, 65_536),
  ),
  maxHeadBytes: setting(
    'max-headers',
    ['ROSTRUM_MAX_HEADERS'],
    'BYTES',
    16_384,
    'Largest request headers.',
    whole(1024, 65_536),
  ),
  wrongTokensPerMinute: setting(
    'wrong-tokens',
    ['ROSTRUM_WRONG_TOKENS'],
    'NUMBER',
    20,
    'Wrong tokens a minute from one address before it has to wait; 0: no limit.',
    whole(0, 1_000_000),
  ),
  writesPerMinute: setting(
    'writes',
    ['ROSTRUM_WRITES'],
    'NUMBER',
    0,
    'Writes a minute for each token; 0: no limit.',
    whole(0, 1_000_000),
  ),
  adminToken: setting<string | null>(
    null,
    ['ROSTRUM_ADMIN_TOKEN'],
    null,
    null,
    'An admin key of your own, 20 characters or more of A-Z a-z 0-9 _ -; valid while it is set.',
    parseAdminToken,
  ),
} as const

export type SettingName = keyof typeof settings
export type Config = { readonly [S in SettingName]: (typeof settings)[S] extends Setting<infer T> ? T : never }

export type Environment = { readonly [variable: string]: string | undefined }

/** The only reader of the environment. */
export function readEnvironment(): Environment {
  return process.env
}

export type ReadConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problem: string }

export function readConfig(flags: ReadonlyMap<string, string>, environment: Environment): ReadConfig {
  const values: Record<string, unknown> = {}
  for (const [name, each] of Object.entries<Setting<unknown>>(settings)) {
    const given = findGiven(each, flags, environment)
    const value = given === null ? each.fallback : each.parse(given.text)
    // No value is shown: a wrong key is still a key.
    if (isWrong(value)) return { ok: false, problem: `${given?.from} must be ${value.expected}.` }
    values[name] = value
  }
  // Each value came from its own setting's `parse` or `fallback`.
  return { ok: true, config: values as Config }
}

function findGiven(each: Setting<unknown>, flags: ReadonlyMap<string, string>, environment: Environment) {
  const flag = each.flag === null ? undefined : flags.get(each.flag)
  if (flag !== undefined) return { from: `--${each.flag}`, text: flag }
  const variable = each.variables.find((name) => (environment[name] ?? '') !== '')
  return variable === undefined ? null : { from: variable, text: environment[variable] ?? '' }
}

function isWrong(value: unknown): value is Wrong {
  return typeof value === 'object' && value !== null && 'expected' in value
}

function setting<T>(
  flag: string | null,
  variables: readonly string[],
  value: string | null,
  fallback: T,
  help: string,
  parse: (text: string) => T | Wrong,
  fallbackText?: string,
): Setting<T> {
  return { flag, variables, value, fallback, help, parse, ...(fallbackText === undefined ? {} : { fallbackText }) }
}

function toggle(flag: string, variable: string, help: string): Setting<boolean> {
  const parse = (text: string) => {
    if (/^(1|true|yes|on)$/i.test(text)) return true
    return /^(0|false|no|off)$/i.test(text) ? false : { expected: 'true or false' }
  }
  return { flag, variables: [variable], value: null, fallback: false, help, parse }
}

function whole(min: number, max: number) {
  return (text: string): number | Wrong => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return number >= min && number <= max ? number : { expected: `a whole number from ${min} to ${max}` }
  }
}

function parseName(text: string): string | Wrong {
  return /^[^\s/]+$/.test(text) ? text.replace(/^\[(.*)\]$/, '$1') : { expected: 'an address or host name' }
}

function parseDb(text: string): string | Wrong {
  if (/^[a-z]{2,}:\/\//i.test(text)) return { expected: 'the path of a file, as PATH or sqlite:PATH' }
  const path = text.replace(/^sqlite:/, '')
  return path === '' ? { expected: 'the path of a file, as PATH or sqlite:PATH' } : resolve(path)
}

function parseBaseUrl(text: string): string | Wrong {
  const isUrl = /^https?:\/\/[^\s?#]+$/i.test(text) && URL.canParse(text)
  return isUrl ? text.replace(/\/+$/, '') : { expected: 'an absolute http(s) URL without query' }
}

function parseAuth(text: string): 'token' | 'local' | Wrong {
  return text === 'token' || text === 'local' ? text : { expected: 'token or local' }
}

function parseAdminToken(text: string): string | Wrong {
  return /^[A-Za-z0-9_-]{20,}$/.test(text) ? text : { expected: '20 characters or more of A-Z a-z 0-9 _ -' }
}
