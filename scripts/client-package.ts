import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { JsonObject } from '../src/record/json.ts'

/**
 * Makes the client a package of its own (decision 56). `build` compiles it into dist/client. npm calls the other two around
 * `npm pack`: `prepack` builds and puts the manifest and the README of the client in place of ours, `postpack` restores them.
 * npm packs no README but that of the root.
 */
const root = resolve(import.meta.dir, '..')
const out = resolve(root, 'dist/client')
const toSwapped = (name: string) => ({ own: resolve(root, name), setAside: resolve(root, 'dist', name) })
const manifest = toSwapped('package.json')
const readme = toSwapped('README.md')

/** Plain JavaScript and declarations. Only what Node.js, Deno, Bun and browsers share is in `lib`. */
const compilerOptions = [
  ...['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmitOnError'],
  ...['--target', 'es2022', '--lib', 'es2022,dom', '--types', ''],
  ...['--module', 'nodenext', '--verbatimModuleSyntax', '--rewriteRelativeImportExtensions'],
  ...['--declaration', '--rootDir', 'src/client', '--outDir', out],
]

async function build(): Promise<void> {
  await rm(out, { recursive: true, force: true })
  const command = ['node_modules/typescript/bin/tsc', ...compilerOptions, 'src/client/client.ts']
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, ...command], { cwd: root })
  if (exitCode !== 0) throw new Error(`The compiler ended with ${exitCode}: ${stdout}`)
  for (const name of await readdir(out)) if (name.endsWith('.d.ts')) await rewriteImports(resolve(out, name))
  await Bun.write(resolve(out, 'README.md'), await toClientReadme())
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

/** The package has nothing but the client, so its name alone is the client, too. */
const entry = { types: './dist/client/client.d.ts', default: './dist/client/client.js' }

/** The manifest of the package: nothing to install, and nothing of the server. */
function toClientManifest({ name, version, license, engines, type }: JsonObject): JsonObject {
  return {
    name: name ?? null,
    version: version ?? null,
    description: 'A typed client for Rostrum, a server for archives of recorded talks.',
    license: license ?? null,
    type: type ?? null,
    engines: engines ?? null,
    sideEffects: false,
    exports: { '.': entry, './client': entry },
    // For compilers that do not read `exports` (moduleResolution node10).
    types: entry.types,
    typesVersions: { '*': { client: ['./dist/client/client.d.ts'] } },
    files: ['dist/client'],
    // npm reads this from the manifest that is in place while it packs.
    scripts: { postpack: 'sh bin/bun --dev scripts/client-package.ts postpack' },
  }
}

async function prepack(): Promise<void> {
  await build()
  const own = await Bun.file(manifest.own).json()
  await rename(manifest.own, manifest.setAside)
  await Bun.write(manifest.own, `${JSON.stringify(toClientManifest(own), null, 2)}\n`)
  await rename(readme.own, readme.setAside)
  await Bun.write(readme.own, await toClientReadme())
}

/** Does not touch our own manifest: a saved copy may be left from a run that was killed long ago. */
async function postpack(): Promise<void> {
  const isOwn = (await Bun.file(manifest.own).json()).private === true
  // The manifest last: until then, this can be repeated.
  for (const { own, setAside } of isOwn ? [] : [readme, manifest]) if (existsSync(setAside)) await rename(setAside, own)
}

const steps: Readonly<Record<string, () => Promise<void>>> = { build, prepack, postpack }
const step = steps[process.argv[2] ?? '']
if (step === undefined) throw new Error(`Usage: client-package.ts ${Object.keys(steps).join(' | ')}`)
await step()
if (step === build) console.log(`${relative(process.cwd(), out)}: ES modules and types`)
