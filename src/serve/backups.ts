import { statSync } from 'node:fs'
import type { Logger } from '../http/logger.ts'
import type { Metrics } from '../http/metrics.ts'
import { sleep } from '../promises.ts'
import { listBackups, thinOutBackups, toBackupPath } from '../store/sqlite/backup-files.ts'

export interface BackupPlan {
  readonly folder: string
  readonly everyMs: number
  /** How many to keep. */
  readonly keep: number
  /** A shell command to run after each; it finds the file in ROSTRUM_BACKUP. */
  readonly command: string | null
}

interface BackupDeps {
  readonly plan: BackupPlan
  readonly db: string
  /** The command that starts this program. */
  readonly ownCommand: readonly string[]
  /** For the command of the plan. */
  readonly environment: { readonly [name: string]: string | undefined }
  readonly metrics: Pick<Metrics, 'set'>
  readonly log: Logger
}

/** After a failure, the next try is made this soon. */
const maxRetryMs = 15 * 60_000
/** Longer timeouts than a timer can have are waited for in parts. */
const maxTimerMs = 2 ** 30

/**
 * Backs the store up again and again, in processes of their own, one at a time. The first run is due as long after the
 * newest backup in the folder as any other, so restarts neither add nor skip one.
 */
export function startBackups(deps: BackupDeps): { stop(): Promise<void> } {
  const { plan, metrics, log } = deps
  const stopping = new AbortController()
  let failures = 0

  function noteLast(): number {
    const last = findLast(plan.folder)
    if (last !== null) metrics.set('last_backup', last / 1_000)
    return last ?? 0
  }

  async function runAll(): Promise<void> {
    for (let dueAt = noteLast() + plan.everyMs; ; ) {
      await waitUntil(dueAt, stopping.signal)
      if (stopping.signal.aborted) return
      const beganAt = Date.now()
      const isDone = await backUpOnce(deps, beganAt, stopping.signal).catch((error) => {
        log.error('backup failed', { why: String(error) })
        return false
      })
      if (stopping.signal.aborted) return
      if (!isDone) metrics.set('backup_failures', ++failures)
      noteLast()
      dueAt = beganAt + (isDone ? plan.everyMs : Math.min(plan.everyMs, maxRetryMs))
    }
  }

  const running = runAll()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** When the newest backup was begun; null if the folder cannot be read, which the next backup reports. */
function findLast(folder: string): number | null {
  try {
    return listBackups(folder)[0]?.at ?? 0
  } catch {
    return null
  }
}

async function waitUntil(at: number, signal: AbortSignal): Promise<void> {
  for (let left = at - Date.now(); left > 0 && !signal.aborted; left = at - Date.now()) {
    await sleep(Math.min(left, maxTimerMs), signal)
  }
}

/** Whether there is a new backup. A failure is logged, with what the command said. */
async function backUpOnce(deps: BackupDeps, now: number, signal: AbortSignal): Promise<boolean> {
  const { plan, db, ownCommand, log } = deps
  const file = toBackupPath(plan.folder, now)
  const made = await run([...ownCommand, 'backup', file, '--db', db], {}, signal)
  if (signal.aborted) return false
  if (made.exitCode !== 0) {
    log.error('backup failed', { file, exitCode: made.exitCode, why: made.said })
    return false
  }
  const removed = thinOutBackups(plan.folder, plan.keep)
  log.info('backup made', { file, bytes: statSync(file).size, ms: Date.now() - now, removed })
  if (plan.command !== null) await runAfter(deps, plan.command, file, signal)
  return true
}

async function runAfter({ environment, log }: BackupDeps, command: string, file: string, signal: AbortSignal) {
  const { ROSTRUM_ADMIN_TOKEN: _, ...others } = environment
  const env = { ...others, ROSTRUM_BACKUP: file }
  const { exitCode, said } = await run(['sh', '-c', command], { env }, signal)
  if (exitCode !== 0 && !signal.aborted) log.error('backup command failed', { file, exitCode, why: said })
}

const maxSaid = 500

async function run(
  command: readonly string[],
  options: { readonly env?: BackupDeps['environment'] },
  signal: AbortSignal,
) {
  const child = Bun.spawn([...command], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  // It removes what it has begun.
  const end = () => child.kill('SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  const said = await child.stderr.text()
  const exitCode = await child.exited
  signal.removeEventListener('abort', end)
  return { exitCode, said: said.trim().slice(-maxSaid) }
}
