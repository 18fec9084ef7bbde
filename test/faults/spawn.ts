type SpawnOptions = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> }

export type Spawned = { readonly port: number; readonly pid: number; readonly stop: () => Promise<number> }

const startTimeoutMs = 20_000

/** Starts a server by any command, from any folder, and waits for the line that names its port. */
export async function spawnServer(command: readonly string[], options: SpawnOptions = {}): Promise<Spawned> {
  const child = Bun.spawn([...command], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const failure = new Response(child.stderr).text()
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
  const port = await readPort(child.stdout)
  clearTimeout(timer)
  const stop = async () => {
    child.kill('SIGTERM')
    return await child.exited
  }
  if (port === undefined) {
    throw new Error(`\`${command.join(' ')}\` did not start a server (exit code ${await stop()}): ${await failure}`)
  }
  return { port, pid: child.pid, stop }
}

/** Runs a command that should end by itself; one that does not within the time is killed, and has no exit code. */
export async function runToEnd(command: readonly string[], timeoutMs: number) {
  const started = performance.now()
  const child = Bun.spawn([...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  await child.exited
  clearTimeout(timer)
  return { exitCode: child.exitCode, stdout, stderr, tookMs: performance.now() - started }
}

async function readPort(stdout: ReadableStream<Uint8Array>): Promise<number | undefined> {
  let text = ''
  const reader = stdout.getReader()
  const decoder = new TextDecoder()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value, { stream: true })
    const port = /^.* serves http:\/\/127\.0\.0\.1:(\d+)$/m.exec(text)?.[1]
    if (port !== undefined) return Number(port)
  }
  return undefined
}
