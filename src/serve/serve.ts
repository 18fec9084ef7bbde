import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { isatty } from 'node:tty'
import { readBuildCommit } from '../build-commit.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
import { toErrorCode } from '../error-code.ts'
import { isLoopback, toHttpUrl, toReachableHost } from '../http/host.ts'
import { createLogger, type Logger } from '../http/logger.ts'
import { createMetrics } from '../http/metrics.ts'
import { toAccessTokenHash } from '../record/credentials.ts'
import { toPrintableLines } from '../record/text/printable.ts'
import { type Config, createConfigFailure, readConfig, readEnvironment } from '../settings/config.ts'
import type { SiteSettings } from '../site/site-settings.ts'
import { createCounters } from '../store/counters.ts'
import type { Engine } from '../store/engine.ts'
import { openEngine, withDatabase } from '../store/open.ts'
import { withoutPassword } from '../store/postgres/address.ts'
import { toSnapshotPlace } from '../store/search/snapshot-file.ts'
import { createAccessTokenRows } from '../store/write/access-token-rows.ts'
import { type BackupPlan, startBackups } from './backups.ts'
import { isServiceAddress, type MetricsAddress, reservePort, startMetricsServer } from './listen.ts'
import type { HttpPlan, SharedBuffers } from './port/messages.ts'
import { createSystemd, type Systemd } from './systemd.ts'
import { createSharedBuffers, startThreads, type Threads } from './threads.ts'
import { anyHostWarning, toWelcome, type Welcome } from './welcome.ts'

interface ProcessFacts {
  readonly unknownVariables: readonly string[]
  /** The command that starts this program. */
  readonly ownCommand: readonly string[]
}

/** Starts serving; the process then runs until it gets a signal. */
export async function serve(
  flags: ReadonlyMap<string, string>,
  version: string,
  { unknownVariables, ownCommand }: ProcessFacts,
): Promise<void> {
  const log = createLogger(Date.now)
  for (const why of unknownVariables) log.warn('unknown variable', { why })
  // A misspelled variable may be why the start fails.
  await log.flush()
  const given = readServeConfig(flags)
  // These may fail, so they run before anything is changed.
  const site = await readSiteSettings(given)
  const shared = createSharedBuffers(given.threads)
  const engine = await openEngine(given.db, shared.primary)
  await awaitStore(engine, given.dbWaitSeconds, log)
  const plan = toBackupPlan(given, engine)
  const { port, release } = await reservePort(given.host, given.port)
  const { adminToken, ...config } = { ...given, db: engine.path }
  const url = toHttpUrl(config.host, port)
  const metricsUrl = config.metricsAddress && startMetrics(config.metricsAddress, shared, version)
  const { lock, upgraded } = await engine.prepare(config.upgradeCopy)
  if (upgraded !== null) log.info('upgraded', { db: withoutPassword(config.db), ...upgraded })
  const sampleUrl = config.baseUrl ?? toHttpUrl(toReachableHost(config.host), port)
  const hasRecords = await fillStore(engine, config.sample ? sampleUrl : null)
  if (await engine.noticeRestore()) log.warn('store restored', { advice: restoredAdvice })
  for (const { event, why } of await engine.findRisks()) log.warn(event, { why })
  // Nothing is cached until notifications of other nodes arrive.
  if (engine.kind === 'postgres') createCounters(shared.counters).setBehind(true)
  const adminKeyHash = adminToken === null ? null : toAccessTokenHash(adminToken)
  const reusePort = config.threads > 1
  const toPlan = (thread: number): HttpPlan =>
    ({
      thread,
      config,
      site,
      engine: engine.kind,
      adminKeyHash,
      port,
      reusePort,
      version,
      uptimeMs: performance.now(),
      shared,
    }) as const
  const { listMs, maxPageBytes, baseUrl } = config
  const threads = startThreads({
    httpThreads: config.threads,
    queryThreads: config.queryThreads,
    checksLinks: config.checkLinksMs !== null,
    store: {
      engine: engine.kind,
      address: config.db,
      snapshot: toSnapshotPlace(config.indexSnapshot, engine.kind, config.db),
      query: { listMs, maxPageBytes, baseUrl, listeningUrl: url, site },
      // Those of PostgreSQL wait for the network, not for a core.
      hasLowPriority: engine.kind === 'sqlite',
    },
    shared,
    toPlan,
    log,
    onRestartLimit() {
      log.error('restart limit reached')
      void log.flush().then(() => process.exit(1))
    },
  })
  const backups =
    plan === null
      ? null
      : startBackups({
          ...{ plan, db: config.db, ownCommand, log },
          environment: readEnvironment(),
          metrics: createMetrics(shared.metrics, 0),
        })
  const systemd = createSystemd(readEnvironment())
  const stopping = stopOnSignals(threads, { lock, backups, systemd, log })
  // The parent process may have closed our standard output.
  process.stdout.on('error', () => undefined)
  await threads.listening
  release()
  if (stopping.isUnderWay) return
  const shownDb = withoutPassword(config.db)
  // Last, so that a failed start creates no key that was never shown.
  const firstKey = adminToken === null ? await createFirstKey(engine) : null
  announce({ version, url, dbPath: shownDb, firstKey, hasRecords }, config, log)
  await threads.ready
  const startMs = Math.round(performance.now())
  const commit = readBuildCommit() ?? undefined
  const build = { version, commit, schema: engine.schema }
  log.info('serving', {
    url,
    db: shownDb,
    ...build,
    threads: config.threads,
    startMs,
    metrics: metricsUrl ?? undefined,
  })
  systemd.ready()
}

/** Refuses a plan that could only fail at night. */
function toBackupPlan(config: Config, engine: Engine): BackupPlan | null {
  const { backupFolder: folder, backupEveryMs: everyMs, backupKeep: keep, backupCommand: command } = config
  if (folder === null) return null
  if (engine.backupTools !== null) {
    const problem = `--backup-dir works for files only, and ${engine.shown} is a PostgreSQL database. Use ${engine.backupTools.backup}.`
    throw new CommandFailure(exitCodes.config, problem)
  }
  try {
    accessSync(folder, constants.W_OK)
    if (statSync(folder).isDirectory()) return { folder, everyMs, keep, command }
  } catch {
    // The sentence below says it.
  }
  throw new CommandFailure(exitCodes.config, `--backup-dir ${folder} is not a folder in which this user can write.`)
}

const retryMs = 1_000

/** Inspects the store. After a power cut, PostgreSQL may start later than its nodes. */
async function awaitStore(engine: Engine, waitSeconds: number, log: Logger): Promise<void> {
  const untilMs = performance.now() + (engine.kind === 'postgres' ? waitSeconds * 1_000 : 0)
  for (let isFirst = true; ; isFirst = false) {
    try {
      await engine.inspect()
      if (!isFirst) log.info('store found', { db: engine.shown })
      return
    } catch (error) {
      const isUnavailable = error instanceof CommandFailure && error.exitCode === exitCodes.unavailable
      if (!isUnavailable || performance.now() >= untilMs) throw error
      if (isFirst) log.warn('waiting for the store', { db: engine.shown, why: error.message, seconds: waitSeconds })
    }
    // The operator sees the line while the start waits.
    await log.flush()
    await Bun.sleep(retryMs)
  }
}

/** For a database that another tool has restored (decision 68). */
const restoredAdvice =
  'All sessions were ended. Keys that were revoked since the backup may be valid again: see rostrum token list.'

/** Only Linux balances connections among threads that share a port. */
export function readServeConfig(flags: ReadonlyMap<string, string>): Config {
  const read = readConfig(flags, readEnvironment())
  if (!read.ok) throw createConfigFailure([...read.problems, 'See: rostrum serve --help'])
  const { config } = read
  if (config.metricsAddress !== null && isServiceAddress(config.metricsAddress, config)) {
    const problem = `--metrics-address has the port of the service, ${config.port}, on the same interface. Choose another port.`
    throw new CommandFailure(exitCodes.config, problem)
  }
  return process.platform === 'linux' ? config : { ...config, threads: 1 }
}

type StartFacts = Pick<Welcome, 'version' | 'url' | 'dbPath' | 'firstKey' | 'hasRecords'>
type ShownConfig = Pick<Config, 'host' | 'auth' | 'baseUrl' | 'site' | 'trustedProxies'>

const maxAboutBytes = 100 * 1024

type SiteConfig = Pick<
  Config,
  'site' | 'siteName' | 'accent' | 'about' | 'contact' | 'imprintUrl' | 'privacyUrl' | 'playerHosts' | 'hasThumbnails'
>

/** The settings of the site, with the text of `--about`; null with `--site off`. */
export async function readSiteSettings(config: SiteConfig): Promise<SiteSettings | null> {
  if (!config.site) return null
  const { siteName: name, accent, contact, imprintUrl, privacyUrl, playerHosts, hasThumbnails } = config
  const about = config.about === null ? null : await readAbout(config.about)
  return { name, accent, about, contact, imprintUrl, privacyUrl, playerHosts, hasThumbnails }
}

/** Reads the cells that the threads write. Returns the URL. */
function startMetrics(address: MetricsAddress, shared: SharedBuffers, version: string): string {
  const metrics = createMetrics(shared.metrics, 0)
  const { loadBatches } = createCounters(shared.counters)
  return startMetricsServer(address, () => metrics.toText(version, performance.now() / 1000, loadBatches()))
}

/** Adds the sample if a base URL for it is given. Returns whether record 1 exists, for the welcome. */
async function fillStore(engine: Engine, sampleUrl: string | null): Promise<boolean> {
  return await withDatabase(engine, 'write', async (db) => {
    if (sampleUrl !== null) {
      const { addSample } = await import('./sample/sample.ts')
      await addSample(db, sampleUrl)
    }
    return (await db.query('SELECT 1 AS one FROM record WHERE id = 1').get()) !== null
  })
}

/**
 * Creates an admin key for a store that has never had a token, if standard output is a terminal: a log must not contain
 * a key.
 */
async function createFirstKey(engine: Engine): Promise<Welcome['firstKey']> {
  return await withDatabase(engine, 'write', async (db) => {
    const tokens = createAccessTokenRows(db, Date.now)
    if (await tokens.hasAny()) return null
    return isatty(1) ? await tokens.create('admin', 'admin', null) : 'missing'
  })
}

function announce(facts: StartFacts, config: ShownConfig, log: Logger): void {
  const { host, baseUrl } = config
  const siteUrl = config.site ? `${baseUrl ?? facts.url}/` : null
  const trustsAnyHost = !isLoopback(host) && baseUrl === null && config.trustedProxies.length === 0
  const welcome = toWelcome({ ...facts, siteUrl, auth: toAuthMode(config), trustsAnyHost })
  process.stdout.write(toPrintableLines(welcome))
  if (trustsAnyHost) log.warn('no base URL', { why: anyHostWarning })
}

function toAuthMode(config: Pick<Config, 'auth' | 'host'>) {
  if (config.auth === 'token') return 'token'
  return isLoopback(config.host) ? 'local' : 'local-but-public'
}

interface StopDeps {
  readonly lock: { release(): void }
  readonly backups: { stop(): Promise<void> } | null
  readonly systemd: Systemd
  readonly log: Logger
}

function stopOnSignals(threads: Threads, deps: StopDeps): { readonly isUnderWay: boolean } {
  const { lock, backups, systemd, log } = deps
  const state = { isUnderWay: false }
  async function stop(signal: string): Promise<void> {
    // A second signal exits immediately.
    if (state.isUnderWay) process.exit(1)
    state.isUnderWay = true
    log.info('stopping', { signal })
    systemd.stopping()
    const [isClean] = await Promise.all([threads.stop(), backups?.stop()])
    lock.release()
    log.info('stopped')
    await log.flush()
    process.exit(isClean ? 0 : 1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  // A terminal that is closed sends it twice. Under a supervisor it means "reload", and there is nothing to reload.
  const hangUp = () => {
    if (!isatty(0)) log.info('hangup ignored')
    else if (!state.isUnderWay) void stop('SIGHUP')
  }
  if (!ignoresHangUp()) process.on('SIGHUP', hangUp)
  // Their default action would end the process.
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined)
  return state
}

/** Whether SIGHUP has no effect, as under `nohup`. Where the system does not say, it keeps its default. */
function ignoresHangUp(): boolean {
  try {
    const lines = readFileSync('/proc/self/status', 'utf8').split('\n')
    const mask = lines.find((line) => line.startsWith('SigIgn:')) ?? '1'
    return Number.parseInt(mask.slice(-1), 16) % 2 === 1
  } catch {
    return true
  }
}

/** Null for a blank file. */
async function readAbout(path: string): Promise<string | null> {
  const bytes = await readSmallFile(path)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? null : text
  } catch {
    throw toFailure(`${path} is not UTF-8`)
  }
}

async function readSmallFile(path: string): Promise<Uint8Array> {
  try {
    const info = await stat(path)
    if (!info.isFile()) throw toFailure(`${path} is not a file`)
    if (info.size > maxAboutBytes) throw toFailure(`${path} is larger than ${maxAboutBytes / 1024} KB`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const code = toErrorCode(error)
    throw toFailure(code === 'ENOENT' ? `${path} does not exist` : `${path}: ${code}`)
  }
}

function toFailure(why: string): CommandFailure {
  return new CommandFailure(exitCodes.config, `Cannot read the file of --about: ${why}.`)
}
