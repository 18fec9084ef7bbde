import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')

/** The commit that this program was built from; null if unknown. The build replaces this module (scripts/build.ts). */
export function readBuildCommit(): string | null {
  // An installed package may lie in the repository of another project.
  const text = existsSync(resolve(root, '.git')) ? askGit() : readPackaged()
  return /^[0-9a-f]{12,40}\n$/.test(text) ? text.trim() : null
}

function askGit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 2_000,
  })
  return stdout ?? ''
}

/** `npm pack` writes it, by the script `prepack` of package.json. */
function readPackaged(): string {
  const file = resolve(root, 'dist/commit')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
