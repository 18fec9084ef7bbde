import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isPostgresAddress } from '../../src/store/postgres/address.ts'
import { type Children, end } from './children.ts'
import { findFreePort, readPort, waitForAnswer } from './ports.ts'
import { readCpuSeconds, readOwnBytes, readResidentBytes } from './processes.ts'

/** A server that we started. */
export interface ServerProcess {
  readonly port: number
  /** CPU time of all its threads and children, user and kernel; null if the system does not report it. */
  readCpuSeconds(): number | null
  /** Private memory, without mapped files; null if the system does not report it. */
  readOwnBytes(): number | null
  /** Including mapped files. */
  readResidentBytes(): number | null
  /** Throws if it has died. */
  check(): void
  /** Throws if it failed or logged an error. */
  stop(): Promise<void>
}

export interface RostrumOptions {
  /** Null: the default. */
  readonly threads: number | null
  /**
   * The name of its store in the scratch folder, or the address of a database; a new store is filled with the sample.
   */
  readonly store: string
  readonly hasSample?: boolean
  /** The executable to measure instead of the checkout. */
  readonly program?: string
  /** A different checkout. */
  readonly checkout?: string
  /** More options of `serve`. */
  readonly options?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  /** Resolves at the first response, not when all threads listen. */
  readonly isEager?: boolean
}

/** How to start a third-party server on a port. */
export type PeerCommand = (port: number) => {
  readonly words: readonly string[]
  readonly env?: { readonly [name: string]: string }
}

interface Servers {
  startRostrum(options: RostrumOptions): Promise<ServerProcess>
  startBare(program: string, args: readonly string[]): Promise<ServerProcess>
  /** Resolves once it responds. */
  startPeer(name: string, command: PeerCommand): Promise<ServerProcess>
  /** Throws if any of them has died. */
  checkAll(): void
  stopAll(): Promise<void>
}

interface ServersDeps {
  readonly folder: string
  readonly adminToken: string
  /** Prefix of every server's command. */
  readonly pin: readonly string[]
  readonly children: Children
}

const root = resolve(import.meta.dir, '../..')
const startTimeoutMs = 20_000
export function createServers({ folder, adminToken, pin, children }: ServersDeps): Servers {
  const started: ServerProcess[] = []
  const env = { ...toCleanEnvironment(), ROSTRUM_ADMIN_TOKEN: adminToken }

  async function start(given: Given): Promise<ServerProcess> {
    const log = join(folder, `server-${started.length + 1}.txt`)
    const stdio = { stdin: 'ignore', stdout: 'pipe', stderr: Bun.file(log) } as const
    const options = { env: { ...env, ...given.env }, ...stdio }
    const child = children.keep(Bun.spawn([...pin, ...given.words], options))
    const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
    const port = given.port === null ? await readPort(child.stdout) : await waitForAnswer(child, given.port)
    clearTimeout(timer)
    const server = await toServer(child, port, log, given.name)
    started.push(server)
    return server
  }

  return {
    async startRostrum(asked) {
      const { threads, store, hasSample = false, program, checkout = root, env, isEager = false } = asked
      const db = isPostgresAddress(store) ? store : join(folder, `${store}.db`)
      const port = isEager ? await findFreePort() : null
      const options = ['--host', '127.0.0.1', '--port', String(port ?? 0), '--db', db]
      if (threads !== null) options.push('--threads', String(threads))
      if (!hasSample) options.push('--sample')
      options.push(...(asked.options ?? []))
      const command = program === undefined ? ['sh', join(checkout, 'bin/rostrum')] : [program]
      return start({ name: ourName, words: [...command, 'serve', ...options], port, env })
    },
    startBare(program, args) {
      const words = ['sh', join(root, 'bin/bun'), join(root, 'bench', program), ...args]
      return start({ name: 'the bare server', words, port: null })
    },
    async startPeer(name, command) {
      const port = await findFreePort()
      return start({ name, port, ...command(port) })
    },
    checkAll() {
      for (const server of started) server.check()
    },
    async stopAll() {
      const stopped = await Promise.allSettled(started.map((server) => server.stop()))
      for (const each of stopped) if (each.status === 'rejected') throw each.reason
    },
  }
}

type Child = Bun.Subprocess<'ignore', 'pipe', Bun.BunFile>

interface Given {
  readonly name: string
  readonly words: readonly string[]
  /** Null: it prints its address. */
  readonly port: number | null
  readonly env?: { readonly [name: string]: string } | undefined
}

const ourName = 'Rostrum'

async function toServer(child: Child, port: number | null, log: string, name: string): Promise<ServerProcess> {
  const isRostrum = name === ourName
  const toFailure = (what: string) => new Error(`${name} ${what}: ${readEnd(log)}`)
  if (port === null) throw toFailure(`did not start (exit code ${await child.exited})`)
  let stopped: Promise<void> | null = null
  async function stop(): Promise<void> {
    const wasAlive = child.exitCode === null && child.signalCode === null
    const code = await end(child)
    if (!wasAlive || (isRostrum && code !== 0)) throw toFailure(`ended with ${code}`)
    if (isRostrum) checkLog(log)
  }
  return {
    port,
    readCpuSeconds: () => readCpuSeconds(child.pid),
    readOwnBytes: () => readOwnBytes(child.pid),
    readResidentBytes: () => readResidentBytes(child.pid),
    check() {
      const isAlive = child.exitCode === null && child.signalCode === null
      if (!isAlive && stopped === null) throw toFailure(`died (${child.signalCode ?? child.exitCode})`)
    },
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function checkLog(log: string): void {
  const complaints = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /"level":"(?:warn|error)"/.test(line))
  if (complaints.length > 0) throw new Error(`Rostrum complained ${complaints.length} times, first: ${complaints[0]}`)
}

function readEnd(log: string): string {
  return readFileSync(log, 'utf8').slice(-2_000)
}

/** Our environment without the settings of another Rostrum. */
function toCleanEnvironment(): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(?:ROSTRUM_.*|HOST|PORT|NODE_ENV)$/.test(name)) env[name] = value
  }
  return env
}
