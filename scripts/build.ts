import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json'
import { readDocsFiles } from '../src/api/docs-files.ts'
import { readBuildCommit } from '../src/build-commit.ts'
import { readAssetFiles } from '../src/site/asset/asset-files.ts'
import * as programs from '../src/thread-programs.ts'
import { isPlatform, type Platform, platforms, toCrossOptions } from './platforms.ts'

const root = resolve(import.meta.dir, '..')
const source = resolve(root, 'src')

/**
 * Builds one executable with everything inside: Bun, the program, its threads, pages, sample and migrations (decision 16).
 * Like bin/bun, it ignores .env, bunfig, tsconfig and package.json of the folder it is started in. By default it is for this
 * machine, with the Bun that builds it.
 */
export async function build(outfile: string, platform?: Platform): Promise<void> {
  const threads = [...Object.values(programs)].map((url) => fileURLToPath(url))
  await Bun.build({
    entrypoints: [resolve(source, 'main.ts'), ...threads],
    // The paths of thread programs in the executable are relative to this folder (src/thread-programs.ts).
    root: source,
    target: 'bun',
    format: 'esm',
    // Otherwise compiling would take most of the start.
    bytecode: true,
    // Modules that several threads share are included once, and lazy ones are loaded on demand.
    splitting: true,
    files: {
      [resolve(source, 'api/docs-files.ts')]: toModule('readDocsFiles', await readDocsFiles()),
      [resolve(source, 'site/asset/asset-files.ts')]: toModule('readAssetFiles', await readAssetFiles()),
      [resolve(source, 'build-commit.ts')]:
        `export const readBuildCommit = () => ${JSON.stringify(readBuildCommit())}\n`,
    },
    compile: {
      ...(platform === undefined ? {} : toCrossOptions(platform, resolve(root, 'dist/runtimes'))),
      outfile,
      execArgv: ['--max-http-header-size=131072'],
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  })
}

/** A module whose function returns what it would read or build at the first request. */
function toModule(name: string, files: object): string {
  return `const files = ${JSON.stringify(files)}\nexport const ${name} = async () => files\n`
}

/** Makes dist/release: executables named by version and platform, and their checksums. */
export async function buildRelease(names: readonly Platform[]): Promise<string> {
  const folder = resolve(root, 'dist/release')
  rmSync(folder, { recursive: true, force: true })
  for (const name of names) {
    const outfile = join(folder, `rostrum-${packageJson.version}-${name}`)
    await build(outfile, name)
    print(outfile)
  }
  await writeChecksums(folder)
  return folder
}

/** As `sha256sum` writes and checks it. */
export async function writeChecksums(folder: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => name !== checksums)
  const lines = await Promise.all(names.sort().map(async (name) => `${await hash(join(folder, name))}  ${name}\n`))
  await Bun.write(join(folder, checksums), lines.join(''))
}

const checksums = 'SHA256SUMS'

async function hash(file: string): Promise<string> {
  const hasher = createHash('sha256')
  for await (const chunk of Bun.file(file).stream()) hasher.update(chunk)
  return hasher.digest('hex')
}

function print(file: string): void {
  console.log(`${relative(process.cwd(), file)}: ${(statSync(file).size / 1e6).toFixed(0)} MB`)
}

/** Without arguments, dist/rostrum; with a path, the same there; with platforms or `all`, a folder for all of them. */
async function main([first, ...rest]: readonly string[]): Promise<void> {
  if (first === undefined || first.includes('/')) {
    const outfile = resolve(first ?? resolve(root, 'dist/rostrum'))
    await build(outfile)
    return print(outfile)
  }
  const wanted = first === 'all' ? platforms : [first, ...rest]
  const unknown = wanted.find((name) => !isPlatform(name))
  if (unknown !== undefined) throw new Error(`Unknown platform ${unknown}. There are: all, ${platforms.join(', ')}`)
  await buildRelease(wanted.filter(isPlatform))
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
