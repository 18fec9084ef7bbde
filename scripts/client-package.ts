import { copyFile, readdir, rm } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import manifest from '../package.json'

/** Makes dist/client, the package `rostrum-client` (decision 89): pack it with `npm pack ./dist/client`. */
const root = resolve(import.meta.dir, '..')
const out = resolve(root, 'dist/client')

/** Plain JavaScript and declarations. Only what Node.js, Deno, Bun and browsers share is in `lib`. */
const compilerOptions = [
  ...['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmitOnError'],
  ...['--target', 'es2022', '--lib', 'es2022,dom', '--types', ''],
  ...['--module', 'nodenext', '--verbatimModuleSyntax', '--rewriteRelativeImportExtensions'],
  ...['--declaration', '--rootDir', 'src/client', '--outDir', out],
]

const entry = { types: './client.d.ts', default: './client.js' }

/** Nothing to install, and nothing of the server. */
const clientManifest = {
  name: `${manifest.name}-client`,
  version: manifest.version,
  description: 'A typed client for Rostrum, a server for archives of recorded talks.',
  license: manifest.license,
  type: 'module',
  engines: manifest.engines,
  sideEffects: false,
  exports: { '.': entry },
  // For compilers that do not read `exports` (moduleResolution node10).
  types: entry.types,
}

await rm(out, { recursive: true, force: true })
compile()
for (const name of await readdir(out)) if (name.endsWith('.d.ts')) await rewriteImports(resolve(out, name))
await Bun.write(resolve(out, 'package.json'), `${JSON.stringify(clientManifest, null, 2)}\n`)
await Bun.write(resolve(out, 'README.md'), await toClientReadme())
await copyFile(resolve(root, 'LICENSE'), resolve(out, 'LICENSE'))
console.log(`${relative(process.cwd(), out)}: ES modules and types`)

function compile(): void {
  const command = ['node_modules/typescript/bin/tsc', ...compilerOptions, 'src/client/client.ts']
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, ...command], { cwd: root })
  if (exitCode !== 0) throw new Error(`The compiler ended with ${exitCode}: ${stdout}`)
}

/** The client's page, without links to pages that the package does not have. */
async function toClientReadme(): Promise<string> {
  const text = await Bun.file(resolve(root, 'docs/client.md')).text()
  return text.replace(/\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1')
}

/** The compiler rewrites the extensions of imports in JavaScript, but not in declarations. */
async function rewriteImports(file: string): Promise<void> {
  const text = await Bun.file(file).text()
  await Bun.write(file, text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
}
