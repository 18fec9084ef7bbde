import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import packageJson from '../package.json'
import { readBuildCommit } from '../src/build-commit.ts'
import { buildRelease, writeChecksums } from './build.ts'
import { buildDeb, debArchitectures } from './deb.ts'
import { isPlatform, platforms } from './platforms.ts'

const root = resolve(import.meta.dir, '..')

/** What the changelog says of a version that has a date; null if it has no such section. */
export function findNotes(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find(
    (section) => section.startsWith(`${version} (`) && /^\S+ \(\d{4}-\d\d-\d\d\)\n/.test(section),
  )
  return found === undefined ? null : `# Rostrum ${found.trim()}\n`
}

/** Makes dist/release with everything that a release consists of. Publishes nothing. */
async function release(): Promise<void> {
  const { version } = packageJson
  const notes = findNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  if (notes === null) throw new Error(`CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)".`)
  if (run('git', 'status', '--porcelain') !== '') throw new Error('There are changes that are not committed.')
  run('npm', 'run', 'check')
  const folder = await buildRelease(platforms.filter(isPlatform))
  for (const [platform, architecture] of Object.entries(debArchitectures)) {
    buildDeb(join(folder, `rostrum-${version}-${platform}`), architecture, folder)
  }
  run('npm', 'pack', '--silent', '--pack-destination', folder)
  run('npm', 'run', 'build:client')
  run('npm', 'pack', './dist/client', '--silent', '--pack-destination', folder)
  run('tar', '-czf', join(folder, `rostrum-${version}-packaging.tar.gz`), 'packaging')
  await Bun.write(join(folder, 'NOTES.md'), notes)
  await writeChecksums(folder)
  console.log(`${relative(process.cwd(), folder)}: Rostrum ${version}, commit ${readBuildCommit() ?? 'unknown'}`)
}

/** What a command prints. */
function run(...command: string[]): string {
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd: root, stdin: 'ignore', stderr: 'inherit' })
  if (exitCode === 0) return stdout.toString()
  throw new Error(`\`${command.join(' ')}\` ended with ${exitCode}:\n${stdout}`)
}

if (import.meta.main) {
  try {
    await release()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
