import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDocsFiles } from '../src/api/docs/docs-files.ts'
import { ioThread } from '../src/io-program.ts'
import * as programs from '../src/thread-programs.ts'

const root = resolve(import.meta.dir, '..')
const source = resolve(root, 'src')

/**
 * Makes one executable with everything inside: Bun, the program, its threads, pages, sample and migrations.
 * It takes no .env, bunfig, tsconfig or package.json from the folder that it is started in, as bin/bun does not.
 */
export async function build(outfile: string): Promise<void> {
  const threads = [...Object.values(programs), ioThread].map((url) => fileURLToPath(url))
  await Bun.build({
    entrypoints: [resolve(source, 'main.ts'), ...threads],
    // Threads are found by their paths below this folder (src/thread-programs.ts).
    root: source,
    target: 'bun',
    format: 'esm',
    // Nearly all of the start would be spent on compiling.
    bytecode: true,
    // What several threads need is inside once, and what few requests need is loaded when it is needed.
    splitting: true,
    files: { [resolve(source, 'api/docs/docs-files.ts')]: await toDocsModule() },
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

/** The same files, made now instead of when they are asked for. */
async function toDocsModule(): Promise<string> {
  return `const files = ${JSON.stringify(await readDocsFiles())}\nexport const readDocsFiles = async () => files\n`
}

if (import.meta.main) {
  const outfile = resolve(process.argv[2] ?? resolve(root, 'dist/rostrum'))
  await build(outfile)
  const megabytes = (statSync(outfile).size / 1e6).toFixed(0)
  console.log(`${relative(process.cwd(), outfile)}: ${megabytes} MB, needs nothing else`)
}
