import { type Config, readConfig, readEnvironment } from '../config.ts'
import { isLoopback } from '../http/host.ts'
import { createLog, type Log } from '../http/log.ts'
import { createMetricsBuffer } from '../http/metrics.ts'
import { createRateLimitBuffer } from '../http/rate-limit.ts'
import { toKeyHash } from '../record/token-key.ts'
import { isPostgresAddress, toShownAddress } from '../store/postgres/address.ts'
import { createTokens } from '../store/sql/tokens.ts'
import { closeAfter } from '../store/sqlite/connection.ts'
import { createVersions, createVersionsBuffer } from '../store/versions.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { toHttpUrl } from './http-url.ts'
import { reservePort } from './listen-check.ts'
import { checkStore, openDatabase, openStoreForServing } from './open-store.ts'
import type { HttpPlan } from './thread-messages.ts'
import { startThreads, type Threads } from './threads.ts'
import { toWelcome } from './welcome.ts'

/** Starts serving; the process then lives until it is told to stop. */
export async function serve(flags: ReadonlyMap<string, string>, version: string): Promise<void> {
  const startedMs = Date.now()
  const read = readConfig(flags, readEnvironment())
  if (!read.ok) throw new CommandFailure(exitCodes.config, `${read.problem} See: rostrum serve --help`)
  // Both refusals come before anything is touched.
  const store = checkStore(read.config.db)
  const { port, release } = await reservePort(read.config.host, read.config.port)
  const { adminToken, ...config } = { ...toPlatform(read.config), db: store.path }
  const lock = openStoreForServing(store)
  const hasRecords = await fillStore(config)
  const log = createLog(Date.now)
  const shared = {
    versions: createVersionsBuffer(),
    metrics: createMetricsBuffer(config.threads),
    wrongTokens: createRateLimitBuffer(),
    writes: createRateLimitBuffer(),
  }
  // Until it is heard what others write, nothing is kept.
  if (isPostgresAddress(config.db)) createVersions(shared.versions).setDeaf(true)
  const adminKeyHash = adminToken === null ? null : toKeyHash(adminToken)
  const reusePort = config.threads > 1
  const toPlan = (thread: number): HttpPlan =>
    ({ thread, config, adminKeyHash, port, reusePort, version, startedMs, shared }) as const
  const threads = startThreads({
    dbPath: config.db,
    httpThreads: config.threads,
    shared,
    toPlan,
    createWorker: (url) => new Worker(url),
    log,
    onHopeless() {
      log.error('threads die again and again, giving up')
      void log.flush().then(() => process.exit(1))
    },
  })
  const stopping = stopOnSignals(threads, lock, log)
  await threads.ready
  release()
  if (stopping.isUnderWay) return
  const url = toHttpUrl(config.host, port)
  const shownDb = toShownAddress(config.db)
  // Made last, so that a start that fails makes no key that nobody has seen.
  const newAdminKey = adminToken === null ? createFirstKey(config.db) : null
  // Whoever started us may not read what we say.
  process.stdout.on('error', () => undefined)
  process.stdout.write(toWelcome({ version, url, dbPath: shownDb, newAdminKey, hasRecords, auth: toAuthMode(config) }))
  log.info('serving', { url, db: shownDb, threads: config.threads, startMs: Date.now() - startedMs })
}

/** Only Linux shares one port among threads evenly. */
function toPlatform(config: Config): Config {
  return process.platform === 'linux' ? config : { ...config, threads: 1 }
}

/** The sample, if asked for. Whether there is a record 1 to show. */
async function fillStore(config: Pick<Config, 'db' | 'sample'>): Promise<boolean> {
  const db = openDatabase(config.db)
  try {
    if (config.sample) {
      const { addSample } = await import('./sample/sample.ts')
      addSample(db)
    }
    return db.query('SELECT 1 AS one FROM record WHERE id = 1').get() !== null
  } finally {
    db.close()
  }
}

/** An admin's key for a store that has never had a token. */
function createFirstKey(path: string): string | null {
  return closeAfter(openDatabase(path), (db) => {
    const tokens = createTokens(db, Date.now)
    return tokens.hasAny() ? null : tokens.create('admin', 'admin')
  })
}

function toAuthMode(config: Pick<Config, 'auth' | 'host'>) {
  if (config.auth === 'token') return 'token'
  return isLoopback(config.host) ? 'local' : 'local-but-public'
}

/** SIGHUP is left alone: it ends us unless `nohup` says otherwise, and no acknowledged write needs a farewell. */
function stopOnSignals(threads: Threads, lock: { release(): void }, log: Log): { readonly isUnderWay: boolean } {
  const state = { isUnderWay: false }
  async function stop(signal: string): Promise<void> {
    // A second signal means: now.
    if (state.isUnderWay) process.exit(1)
    state.isUnderWay = true
    log.info('stopping', { signal })
    const isClean = await threads.stop()
    lock.release()
    log.info('stopped')
    await log.flush()
    process.exit(isClean ? 0 : 1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  return state
}
