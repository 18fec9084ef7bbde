import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dir, '../..')

/** Suites that take minutes; only `npm run test:long` runs them. */
export const longSuite = 'test/long'

/**
 * How a test file asks to be run, in a comment at the start of a line: `// Runner: checkout, slow (why)`.
 * - `alone`: nothing else runs at the same time.
 * - `slow`: starts early, so that the run does not end with one long file, and is left out by `--quick`.
 * - `checkout`: runs on the checkout as well as on the built executable, on SQLite.
 * - `one engine`: behaves the same on every engine, so SQLite is enough.
 */
const marks = ['alone', 'slow', 'checkout', 'one engine'] as const

export type Mark = (typeof marks)[number]

/** The test files at or below the given paths, as paths from the root; all but the long ones by default. */
export function findTestFiles(wanted: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const path of wanted.length === 0 ? [join(root, 'test')] : wanted.map((name) => resolve(root, name))) {
    if (!existsSync(path)) continue
    const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : ['']
    for (const name of below) found.add(relative(root, join(path, name)))
  }
  const isWanted = (file: string) => wanted.length > 0 || !isIn(longSuite, file)
  return [...found].filter((file) => file.endsWith('.test.ts') && isWanted(file)).sort()
}

/** Those whose numbers depend on the kind of run. */
export function findRandomTests(): readonly string[] {
  return findTestFiles([]).filter((file) => /\/harness\/runs\.ts'/.test(read(file)))
}

export function isIn(suite: string, file: string): boolean {
  return file === suite || file.startsWith(`${suite}/`)
}

export function hasMark(file: string, mark: Mark): boolean {
  const comments = read(file).matchAll(/^\/\/ Runner: ([^(\n]*)/gm)
  const found = [...comments].flatMap(([, text = '']) => text.split(',').map((word) => word.trim()))
  const unknown = found.find((word) => !marks.some((known) => known === word))
  if (unknown !== undefined) throw new Error(`${file}: the runner does not know "${unknown}"`)
  return found.includes(mark)
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
