import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Children, end } from './children.ts'

/** A server that we started. */
export interface ServerProcess {
  readonly port: number
  /** All of its threads, in user and kernel mode; null where the system does not tell. */
  readCpuSeconds(): number | null
  /** Memory of its own, without what it maps of files; null where the system does not tell. */
  readOwnBytes(): number | null
  /** Throws when it is not alive any more and nobody stopped it. */
  check(): void
  /** Throws when it did not end well or had complained. */
  stop(): Promise<void>
}

export interface RostrumOptions {
  /** Null: as many as it takes by itself. */
  readonly threads: number | null
  /** The name of its store within the scratch folder; a new one is filled with the sample. */
  readonly store: string
  readonly hasSample?: boolean
}

export interface Servers {
  startRostrum(options: RostrumOptions): Promise<ServerProcess>
  startBare(program: string, args: readonly string[]): Promise<ServerProcess>
  /** Throws when one is not alive any more that should be. */
  checkAll(): void
  stopAll(): Promise<void>
}

interface ServersNeeds {
  readonly folder: string
  readonly adminToken: string
  /** Stands in front of every server's command. */
  readonly pin: readonly string[]
  readonly children: Children
}

const root = resolve(import.meta.dir, '../..')
const startTimeoutMs = 20_000
/** Linux counts processor time in hundredths of a second, whatever its own clock. */
const ticksPerSecond = 100

export function createServers({ folder, adminToken, pin, children }: ServersNeeds): Servers {
  const started: ServerProcess[] = []
  const env = { ...toCleanEnvironment(), ROSTRUM_ADMIN_TOKEN: adminToken }

  async function start(command: readonly string[], isRostrum: boolean): Promise<ServerProcess> {
    const log = join(folder, `server-${started.length + 1}.txt`)
    const spawn = () => {
      const stdio = { stdin: 'ignore', stdout: 'pipe', stderr: Bun.file(log) } as const
      return children.keep(Bun.spawn([...pin, 'sh', ...command], { env, ...stdio }))
    }
    const server = await startProcess(spawn, log, isRostrum)
    started.push(server)
    return server
  }

  return {
    startRostrum({ threads, store, hasSample = false }) {
      const options = ['--host', '127.0.0.1', '--port', '0', '--db', join(folder, `${store}.db`)]
      if (threads !== null) options.push('--threads', String(threads))
      if (!hasSample) options.push('--sample')
      return start([join(root, 'bin/rostrum'), 'serve', ...options], true)
    },
    startBare: (program, args) => start([join(root, 'bin/bun'), join(root, 'bench', program), ...args], false),
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

async function startProcess(spawn: () => Child, log: string, isRostrum: boolean): Promise<ServerProcess> {
  const name = isRostrum ? 'Rostrum' : 'the bare server'
  const child = spawn()
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
  const port = await readPort(child.stdout)
  clearTimeout(timer)
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

/** The port of the first address that the server prints; null when it ended without. */
async function readPort(stdout: ReadableStream<Uint8Array>): Promise<number | null> {
  const decoder = new TextDecoder()
  const reader = stdout.getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    const port = /http:\/\/127\.0\.0\.1:(\d+)\s/.exec(text)?.[1]
    if (port !== undefined) return Number(port)
  }
  return null
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

function readCpuSeconds(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Behind the name, which may hold anything, come the third field and the rest; the times are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

function readOwnBytes(pid: number): number | null {
  if (process.platform !== 'linux') return null
  const kilobytes = /^RssAnon:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** Ours without the settings of a Rostrum that the caller may run. */
function toCleanEnvironment(): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(?:ROSTRUM_.*|HOST|PORT|NODE_ENV)$/.test(name)) env[name] = value
  }
  return env
}
