import { afterAll, beforeAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '../..')

/** What `npm start` runs, on its own port and store. */
interface Sample {
  readonly folder: string
  readonly port: number
  readonly environment: Record<string, string | undefined>
}

/** Starts it for the tests of a file, and ends it after them. */
export function useSample(prefix: string): Sample {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const port = findFreePort()
  const environment = { ...process.env, ROSTRUM_DB: `sqlite:${join(folder, 'sample.db')}`, PORT: String(port) }
  let server: ReturnType<typeof Bun.spawn>

  beforeAll(async () => {
    server = Bun.spawn(['npm', 'start'], { cwd: root, env: environment, stdout: 'ignore', stderr: 'ignore' })
    for (let attempt = 0; attempt < 300 && !(await isReady(port)); attempt++) await Bun.sleep(100)
  }, 180_000)

  afterAll(async () => {
    // npm and its shell do not always pass a signal on.
    for (const pid of toDescendants(server.pid)) Bun.spawnSync(['kill', String(pid)])
    await server.exited
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, port, environment }
}

function toDescendants(pid: number): number[] {
  const children = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)])
    .stdout.toString()
    .trim()
    .split(/\s+/)
  const pids = children.filter((each) => each !== '').map(Number)
  return [...pids.flatMap(toDescendants), pid]
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
}

function findFreePort(): number {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const found = probe.port ?? 0
  void probe.stop(true)
  return found
}
