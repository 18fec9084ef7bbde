import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { CommandFailure, exitCodes } from './command-failure.ts'
import {
  isWrong,
  parseAdminToken,
  parseAuth,
  parseBaseUrl,
  parseDb,
  parseName,
  type Setting,
  setting,
  toggle,
  whole,
} from './setting.ts'

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
    'The database: a file, as PATH or sqlite:PATH, or postgres://USER@HOST:PORT/NAME.',
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
    'Who may write: token holders; with local also programs of our own user on this machine.',
    parseAuth,
  ),
  sample: toggle('sample', 'ROSTRUM_SAMPLE', 'Fill an empty store with sample records.'),
  pool: setting(
    'pool',
    ['ROSTRUM_POOL'],
    'NUMBER',
    8,
    'Connections to PostgreSQL for reading records, over all threads; three more write, list and listen.',
    whole(1, 1000),
  ),
  cacheMegabytes: setting(
    'cache-mb',
    ['ROSTRUM_CACHE_MB'],
    'NUMBER',
    128,
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
  listMs: setting(
    'list-ms',
    ['ROSTRUM_LIST_MS'],
    'NUMBER',
    2000,
    'How long a list or a search may take, in milliseconds; what takes longer is answered with 503.',
    // Main takes a thread that is silent for ten seconds for one that hangs.
    whole(10, 8_000),
  ),
  maxPageBytes: setting(
    'max-page',
    ['ROSTRUM_MAX_PAGE'],
    'BYTES',
    8_388_608,
    'Largest page of more than 20 records; one of up to 20 is always answered.',
    whole(65_536, 1 << 29),
  ),
  maxWaitingBytes: setting(
    'max-waiting',
    ['ROSTRUM_MAX_WAITING'],
    'BYTES',
    268_435_456,
    'Large answers that wait for slow readers, over all threads; large lists are answered with 503 beyond.',
    whole(1_048_576, 2 ** 40),
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
  maxStreams: setting(
    'streams',
    ['ROSTRUM_STREAMS'],
    'NUMBER',
    1000,
    'Readers of the live change feed at the same time.',
    whole(0, 1_000_000),
  ),
  heartbeatSeconds: setting(
    'heartbeat',
    ['ROSTRUM_HEARTBEAT'],
    'SECONDS',
    15,
    'How long a stream may be silent before it gets a sign of life.',
    whole(1, 3600),
  ),
  stallSeconds: setting(
    'stall',
    ['ROSTRUM_STALL'],
    'SECONDS',
    30,
    'How long a reader of a stream may take nothing of what waits for it before it is dropped.',
    whole(1, 3600),
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

/** What the launcher was called as. */
export function readCommandName(): string {
  return readEnvironment().ROSTRUM_COMMAND || 'rostrum'
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

/** The store a command works on. Commands ignore all other settings. */
export function readDb(flags: ReadonlyMap<string, string>, environment = readEnvironment()): string {
  const given = findGiven(settings.db, flags, environment)
  const value = given === null ? settings.db.fallback : settings.db.parse(given.text)
  if (!isWrong(value)) return value
  throw new CommandFailure(exitCodes.config, `${given?.from} must be ${value.expected}.`)
}

function findGiven(each: Setting<unknown>, flags: ReadonlyMap<string, string>, environment: Environment) {
  const flag = each.flag === null ? undefined : flags.get(each.flag)
  if (flag !== undefined) return { from: `--${each.flag}`, text: flag }
  const variable = each.variables.find((name) => (environment[name] ?? '') !== '')
  return variable === undefined ? null : { from: variable, text: environment[variable] ?? '' }
}
