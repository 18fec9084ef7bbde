import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../harness/program.ts'

export const fixtures = join(import.meta.dir, 'fixtures')
export const talksFolder = join(fixtures, 'talks')

type Refused = { readonly file: string; readonly field: string | null; readonly reason: string }

type Renumbered = {
  readonly file: string
  readonly id: number
  readonly new_id: number
  readonly reason: string
}

export type Report = {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: readonly Refused[]
  readonly renumbered: readonly Renumbered[]
  readonly kept: readonly { readonly file: string; readonly id: number; readonly fields: readonly string[] }[]
  readonly unfit: readonly {
    readonly file: string
    readonly field: string
    readonly reason: string
    readonly kept: boolean
  }[]
  readonly taken_down: readonly {
    readonly file: string
    readonly id: number | null
    readonly record: number | null
    readonly was_live: boolean
  }[]
  readonly erased: readonly { readonly file: string; readonly at: string }[]
  readonly live_again: readonly { readonly file: string; readonly id: number }[]
  readonly ignored_aliases: readonly { readonly file: string; readonly id: number; readonly alias: string }[]
  readonly lost_parts: readonly { readonly file: string; readonly id: number; readonly videos: readonly number[] }[]
  readonly batch: number | null
}

export type Ended = {
  /** Null where a signal ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly peakBytes: number
}

export type Imported = Ended & { readonly report: Report }

const timeoutMs = 240_000

/** Starts the command; `ended` kills it when it takes too long. The words in front may change user or disk. */
export function startRostrum(args: readonly string[], front: readonly string[] = []) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ROSTRUM_'))
  const env = Object.fromEntries(inherited)
  const child = Bun.spawn([...front, program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const peak = watchPeak(child.pid)
  const texts = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  async function waitForEnd(): Promise<Ended> {
    const [stdout, stderr] = await texts
    await child.exited
    clearTimeout(timer)
    return { exitCode: child.exitCode, stdout, stderr, peakBytes: peak.end() }
  }
  return { pid: child.pid, kill: (signal: NodeJS.Signals) => child.kill(signal), ended: waitForEnd() }
}

/** The program's own: what the system tells after its end counts what we were when we started it. */
function watchPeak(pid: number) {
  let kilobytes = 0
  const look = () => {
    try {
      kilobytes = Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? kilobytes)
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(look, 20)
  return {
    end() {
      clearInterval(timer)
      return kilobytes * 1024
    },
  }
}

export async function runRostrum(...args: readonly string[]): Promise<Ended> {
  return await startRostrum(args).ended
}

/** Imports and reads the report file. */
export async function importInto(db: string, source: string, ...flags: readonly string[]): Promise<Imported> {
  const ended = await runRostrum(...toImportWords(db, source, flags))
  return { ...ended, report: takeReport(db, ended) }
}

export function toImportWords(db: string, source: string, flags: readonly string[] = []): readonly string[] {
  return ['import', source, '--db', db, '--report', toReportPath(db), ...flags]
}

/** The report of the last import, which is then gone, so that none is read twice. */
export function takeReport(db: string, ended: Ended): Report {
  const path = toReportPath(db)
  if (!existsSync(path)) throw new Error(`No report (exit code ${ended.exitCode}): ${ended.stderr}`)
  const report: Report = JSON.parse(readFileSync(path, 'utf8'))
  rmSync(path)
  return report
}

const toReportPath = (db: string) => `${db}.report.json`

export async function exportFrom(db: string, format: string, out: string, ...flags: readonly string[]): Promise<Ended> {
  return await runRostrum('export', '--format', format, '--out', out, '--db', db, ...flags)
}

/** Counts alone: what most tests look at. */
export function toCounts({ created, updated, unchanged, refused }: Report): readonly number[] {
  return [created, updated, unchanged, new Set(refused.map(({ file }) => file)).size]
}
