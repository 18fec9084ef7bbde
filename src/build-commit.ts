import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')

/** The commit that this program was built from; null if unknown. The build replaces this module (scripts/build.ts). */
export function readBuildCommit(): string | null {
  // An installed package may lie in the repository of another project.
  if (!existsSync(resolve(root, '.git'))) return null
  const options = { cwd: root, encoding: 'utf8', timeout: 2_000 } as const
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], options)
  return status === 0 && /^[0-9a-f]{12,40}\n$/.test(stdout) ? stdout.trim() : null
}
