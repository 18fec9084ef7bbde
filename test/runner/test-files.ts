import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = resolve(import.meta.dir, '../..')

/** Cases that take minutes; only `npm run test:long` runs them. */
const longSuite = 'test/long'

/**
 * How a test file asks to be run, in a comment at the start of a line: `// Runner: checkout, slow (why)`.
 * - `alone`: nothing else runs at the same time.
 * - `slow`: starts early, so that the run does not end with one long file, and is left out by `--quick`.
 * - `checkout`: runs on the checkout as well as on the built executable, on SQLite.
 * - `one engine`: behaves the same on every engine, so SQLite is enough.
 * - `long`: runs only in `npm run test:long`.
 * - `long checkout`, `long PostgreSQL`: its second run, on the checkout or on PostgreSQL, is part of that alone. A file
 *   outside of the suites for all engines has no other run on PostgreSQL.
 */
const marks = ['alone', 'slow', 'checkout', 'one engine', 'long', 'long checkout', 'long PostgreSQL'] as const

/** Texts of files, which are asked for many times. */
const texts = new Map<string, string>()

type Mark = (typeof marks)[number]

/** The test files at or below the given paths, as paths from the root; all of them by default. */
export function findTestFiles(wanted: readonly string[] = ['test']): readonly string[] {
  const found = new Set<string>()
  for (const path of wanted.map((name) => resolve(root, name))) {
    if (!existsSync(path)) continue
    const below = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : ['']
    for (const name of below) found.add(relative(root, join(path, name)))
  }
  return [...found].filter((file) => file.endsWith('.test.ts')).sort()
}

/** Whether only `npm run test:long` runs the file. */
export function isLongOnly(file: string): boolean {
  return isIn(longSuite, file) || hasMark(file, 'long')
}

/** Whether the file has more cases or larger numbers in `npm run test:long`, by itself or through what it imports. */
export function growsWhenLong(file: string, seen: Set<string> = new Set()): boolean {
  if (file === 'test/harness/runs.ts') return true
  if (seen.has(file)) return false
  seen.add(file)
  const imported = [...read(file).matchAll(/ from '(\.{1,2}\/[^']+\.tsx?)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  )
  return imported.some((path) => isIn('test', path) && growsWhenLong(path, seen))
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
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  texts.set(file, text)
  return text
}
