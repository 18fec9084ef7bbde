import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg, release, type as systemName } from 'node:os'
import { resolve } from 'node:path'

const root = resolve(import.meta.dir, '../..')

/** The machine and the versions, in one line. */
export function toMachineText(nowMs: number): string {
  const cores = availableParallelism()
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const parts = [
    `${cores} core${cores === 1 ? '' : 's'} (${readProcessorName()})`,
    `${systemName()} ${release()}`,
    `Bun ${Bun.version}`,
    `commit ${readCommit()}`,
    day,
    `load ${(loadavg()[0] ?? 0).toFixed(1)} before`,
  ]
  return parts.join(', ')
}

/** Some kernels name the processor; for the others, lscpu does. */
function readProcessorName(): string {
  if (process.platform !== 'linux') return runQuietly(['sysctl', '-n', 'machdep.cpu.brand_string']) ?? process.arch
  const named = /^model name\s*:\s*(.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]
  const listed = () => /^Model name:\s*(.+)$/m.exec(runQuietly(['lscpu']) ?? '')?.[1]
  return named ?? listed() ?? process.arch
}

function readCommit(): string {
  const commit = runQuietly(['git', 'rev-parse', '--short', 'HEAD'])
  if (commit === null) return 'unknown'
  // The results themselves do not count as a change.
  const changes = runQuietly(['git', 'status', '--porcelain', '--', '.', ':!bench/results.md'])
  return changes === '' ? commit : `${commit} with changes`
}

/** The output of a command; null if it does not exist or fails. */
function runQuietly(command: string[]): string | null {
  const program = Bun.which(command[0] ?? '')
  if (program === null) return null
  const { success, stdout } = Bun.spawnSync([program, ...command.slice(1)], { cwd: root, stderr: 'ignore' })
  return success ? stdout.toString().trim() : null
}
