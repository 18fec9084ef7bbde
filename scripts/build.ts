import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDocsFiles } from '../src/api/docs/docs-files.ts'
import { readBuildCommit } from '../src/build-commit.ts'
import { readAssetFiles } from '../src/site/asset/asset-files.ts'
import * as programs from '../src/thread-programs.ts'

const root = resolve(import.meta.dir, '..')
const source = resolve(root, 'src')

/**
 * Builds one executable with everything inside: Bun, the program, its threads, pages, sample and migrations (decision 16).
 * Like bin/bun, it ignores .env, bunfig, tsconfig and package.json of the folder it is started in.
 */
export async function build(outfile: string): Promise<void> {
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
      [resolve(source, 'api/docs/docs-files.ts')]: toModule('readDocsFiles', await readDocsFiles()),
      [resolve(source, 'site/asset/asset-files.ts')]: toModule('readAssetFiles', await readAssetFiles()),
      [resolve(source, 'build-commit.ts')]:
        `export const readBuildCommit = () => ${JSON.stringify(readBuildCommit())}\n`,
    },
    compile: {
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

if (import.meta.main) {
  const outfile = resolve(process.argv[2] ?? resolve(root, 'dist/rostrum'))
  await build(outfile)
  const megabytes = (statSync(outfile).size / 1e6).toFixed(0)
  console.log(`${relative(process.cwd(), outfile)}: ${megabytes} MB; needs glibc 2.17 or newer, and /proc`)
}
