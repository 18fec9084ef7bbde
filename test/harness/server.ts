import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFreshStore, type Keys, type PreparedStore } from './fresh-store.ts'
import { program } from './program.ts'

export type ServerOptions = {
  /** The value of `--db`. By default a new store, removed when the server ends. */
  readonly db?: string
  /** Whether a new store should have tokens. */
  readonly hasTokens?: boolean
  readonly host?: string
  /** Another `rostrum` than the one under test. */
  readonly program?: string
  readonly args?: readonly string[]
  /** For a server that listens but cannot get ready. */
  readonly isUnready?: boolean
  /** `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export type Server = {
  readonly url: string
  readonly port: number
  readonly db: string
  readonly adminKey: string
  /** Of the tokens that the store had when the server started. */
  readonly keys: Keys
  readonly process: Bun.Subprocess
  stdout(): string
  stderr(): string
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number>
  kill9(): Promise<void>
}

export type TokenRole = 'reader' | 'editor' | 'publisher' | 'admin'

export const adminKey = 'contract-tests-admin-key_0123456789'

const startTimeoutMs = 60_000
const stopTimeoutMs = 60_000

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const fresh = options.db === undefined ? await createFreshStore(options.hasTokens) : null
  const folder = fresh?.folder ?? null
  const db = options.db ?? fresh?.db ?? ''
  const { host = '127.0.0.1', args = ['--threads', '2'] } = options
  // As long as a list may take: tests share the machine.
  const env = toEnvironment({ ROSTRUM_ADMIN_TOKEN: adminKey, ROSTRUM_LIST_MS: '8000', ...options.env })
  const command = [options.program ?? program, 'serve', '--host', host, '--port', '0', '--db', db, ...args]
  const child = Bun.spawn(command, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const unwatch = watchOver(child, folder)
  const running = { child, stdout: collectText(child.stdout), stderr: collectText(child.stderr) }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    unwatch()
    const code = await endProcess(child, signal)
    await fresh?.remove()
    return code
  }
  try {
    const port = await waitForPort(running)
    if (options.isUnready !== true) await waitForReady(running, port)
    const url = `http://127.0.0.1:${port}`
    const { stdout, stderr } = running
    const keys = { adminKey: env.ROSTRUM_ADMIN_TOKEN ?? '', keys: fresh?.keys ?? {} }
    const kill9 = async () => void (await end('SIGKILL'))
    return { url, port, db, ...keys, process: child, stdout, stderr, stop: () => end('SIGTERM'), kill9 }
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
}

/** Makes a store for `createFreshStore` to copy. */
export async function prepareStore(db: string): Promise<PreparedStore> {
  const keys: Record<string, string> = {}
  for (const role of ['reader', 'editor', 'publisher']) {
    const words = ['token', 'create', '--db', db, '--name', `the ${role}`, '--role', role, '--create-store']
    keys[role] = (await runCommand(words)).trimEnd()
  }
  return { db, keys }
}

/** Creates a token on the command line and waits until the running server accepts it. */
export async function createToken(
  server: Server,
  name: string,
  role: TokenRole,
  ...options: readonly string[]
): Promise<string> {
  const out = await runCommand(['token', 'create', '--db', server.db, '--name', name, '--role', role, ...options])
  const key = out.replace(/\r?\n$/, '')
  await waitForToken(server, key)
  return key
}

/** Replaces the key of a token and waits until the running server accepts the new one. */
export async function rotateToken(server: Server, name: string, ...options: readonly string[]): Promise<string> {
  const key = (await runCommand(['token', 'rotate', '--db', server.db, '--name', name, ...options])).trimEnd()
  await waitForToken(server, key)
  return key
}

export async function revokeToken(server: Server, name: string): Promise<void> {
  await runCommand(['token', 'revoke', '--db', server.db, '--name', name])
}

export function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'rostrum-contract-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

type Running = { readonly child: Bun.Subprocess; readonly stdout: () => string; readonly stderr: () => string }

/** The environment of the tests without settings of Rostrum. */
function toEnvironment(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ROSTRUM_') && name !== 'NODE_ENV')
  const all = [...inherited, ...Object.entries(changes)]
  const env: Record<string, string> = {}
  for (const [name, value] of all) if (value !== undefined) env[name] = value
  return env
}

async function runCommand(args: readonly string[]): Promise<string> {
  const options = { env: toEnvironment({}), stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' } as const
  const child = Bun.spawn([program, ...args], options)
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`${args.slice(0, 2).join(' ')} ended with ${code}: ${err}`)
  return out
}

export function collectText(stream: ReadableStream<Uint8Array>): () => string {
  const decoder = new TextDecoder()
  let text = ''
  const read = async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  }
  void read()
  return () => text
}

async function waitForPort(running: Running): Promise<number> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    const port = /http:\/\/[^\s/]+:(\d+)/.exec(running.stdout())?.[1]
    if (port !== undefined) return Number(port)
    if (running.child.exitCode !== null) throw toFailure(running, `The server ended with ${running.child.exitCode}`)
    await Bun.sleep(10)
  }
  throw toFailure(running, `The server named no address within ${startTimeoutMs} ms`)
}

async function waitForReady(running: Running, port: number): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer?.status === 200) return
    if (running.child.exitCode !== null) throw toFailure(running, `The server ended with ${running.child.exitCode}`)
    await Bun.sleep(20)
  }
  throw toFailure(running, `The server was not ready within ${startTimeoutMs} ms`)
}

function toFailure(running: Running, what: string): Error {
  return new Error(`${what}\nstdout: ${running.stdout()}\nstderr: ${running.stderr()}`)
}

/** Tries at once, then slowly: the server counts each wrong token, and refuses a client after 20 in a minute. */
async function waitForToken(server: Server, key: string): Promise<void> {
  for (let attempt = 0; attempt < 12; attempt += 1) {
    if (attempt > 0) await Bun.sleep(300)
    const headers = { Authorization: `Token ${key}` }
    const answer = await fetch(`${server.url}/api/v2/video?page_size=1`, { headers })
    await answer.arrayBuffer()
    if (answer.status !== 401) return
  }
  throw new Error('The server did not take the new token within 3.3 seconds')
}

/** Starts a process that ends a child and removes its folder if the tests die without running their hooks. */
export function watchOver(child: Bun.Subprocess, folder: string | null): () => void {
  const ids = [String(process.pid), String(child.pid)]
  const wait = 'while kill -0 "$1" && kill -0 "$2"; do sleep 1; done'
  const clean = 'kill -0 "$1" || { kill -9 "$2"; [ -z "$3" ] || rm -rf "$3"; }'
  const stdio = { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' } as const
  const watcher = Bun.spawn(['sh', '-c', `${wait}; ${clean}`, 'watch', ...ids, folder ?? ''], stdio)
  watcher.unref()
  return () => watcher.kill('SIGKILL')
}

async function endProcess(child: Bun.Subprocess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  const code = await child.exited
  clearTimeout(timer)
  return code
}
