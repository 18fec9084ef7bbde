import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { httpThread, storeThreads } from '../../src/thread-programs.ts'

const root = resolve(import.meta.dir, '../..')

/** How many modules a program may load before it does anything, and which of them none may: they come when needed. */
const programs = [
  { name: 'main', path: resolve(root, 'src/main.ts'), most: 9 },
  { name: 'serve', path: resolve(root, 'src/serve/serve.ts'), most: 40 },
  { name: 'an HTTP thread', path: fileURLToPath(httpThread), most: 125 },
  { name: 'the writer', path: fileURLToPath(storeThreads.sqlite.writer), most: 90 },
  { name: 'the query thread', path: fileURLToPath(storeThreads.sqlite.query), most: 80 },
]
const late = /parse5|any-ascii|entities|openapi|-docs\.ts|docs-assets|docs-files|docs-page|cli\/sample|archive\//

for (const { name, path, most } of programs) {
  test(`${name} loads at most ${most} modules at its start, and nothing that only some requests need`, () => {
    const loaded = findLoaded(path)
    expect(loaded.filter((file) => late.test(file))).toEqual([])
    expect(loaded.length).toBeLessThanOrEqual(most)
    // So that the bound stays one.
    expect(loaded.length).toBeGreaterThan(most / 2)
  })
}

/** Everything that is imported by statements, directly or through others; not what `import()` and `require()` name. */
function findLoaded(entry: string): string[] {
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const name of readImports(path)) visit(Bun.resolveSync(name, dirname(path)))
  }
  visit(entry)
  return [...found].map((path) => relative(root, path))
}

/** Without those for types alone, and without Bun's own modules. */
function readImports(path: string): string[] {
  if (path.endsWith('.json')) return []
  const imports = new Bun.Transpiler({ loader: 'ts' }).scanImports(readFileSync(path, 'utf8'))
  return imports
    .filter(({ kind, path: name }) => kind === 'import-statement' && !/^(?:node|bun):/.test(name))
    .map(({ path: name }) => name)
}
