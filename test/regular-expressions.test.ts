import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript5'
import { isLong } from './harness/runs.ts'
import { type Hostile, listed, metByAll, toText } from './regular-expressions.ts'

// Runner: slow

const src = resolve(import.meta.dir, '../src')
/** A megabyte, the largest body, takes a few milliseconds where time grows with the input; `npm run test:long` goes so far. */
const ownLengths = [1_000, 8_000, 64_000, ...(isLong ? [1_000_000] : [])]
/** There are many of them; what is worse than linear shows all the same. */
const lengthsOfAll = [1_000, 8_000, 100_000]
/** Generous: what is worse than linear takes ten seconds and more for 64,000 characters. */
const maxMs = 3_000

interface Found {
  readonly file: string
  /** As it is written, or as the call that makes it. */
  readonly text: string
  readonly expression: RegExp
}

/** `a*`, `a+`, `a{3,}`: without one of them time is bounded by the length. A plus with spaces around it is a sum. */
const repeatsWithoutBound = /[*]|(?<! )\+|\{\d+,\}/

const found = findExpressions().filter(({ text }) => repeatsWithoutBound.test(text))

test('regular expressions of src/ that repeat without a bound are all in the list of test/regular-expressions.ts', () => {
  const missing = found.filter(({ text }) => !Object.hasOwn(listed, text))
  expect(missing.map(({ file, text }) => `${file}: ${JSON.stringify(text)}`)).toEqual([])
})

test('the list names none that is gone', () => {
  const texts = new Set(found.map(({ text }) => text))
  expect(Object.keys(listed).filter((text) => !texts.has(text))).toEqual([])
})

for (const { text, expression } of new Map(found.map((each) => [each.text, each])).values()) {
  test(`time grows no faster than the input: ${text}`, () => {
    const entry = listed[text] ?? []
    const { hostile, maxLength } = 'hostile' in entry ? entry : { hostile: entry, maxLength: Number.POSITIVE_INFINITY }
    const toLengths = (wanted: readonly number[]) => new Set(wanted.map((length) => Math.min(length, maxLength)))
    const slowOwn = hostile.flatMap((each) => findSlow(expression, each, toLengths(ownLengths)))
    // Each expression meets the texts of all others in `npm run test:long`.
    const slow = (isLong ? metByAll : []).flatMap((each) => findSlow(expression, each, toLengths(lengthsOfAll)))
    expect([...slowOwn, ...slow]).toEqual([])
  }, 180_000)
}

/** Ever longer, so that one that is slow ends the test soon. */
function findSlow(expression: RegExp, hostile: Hostile, lengths: ReadonlySet<number>): string[] {
  for (const length of lengths) {
    const text = toText(hostile, length)
    const started = process.cpuUsage()
    expression.lastIndex = 0
    expression.test(text)
    // What `replace`, `split` and `matchAll` do: on to the end, wherever it may begin.
    if (!expression.sticky) text.replace(new RegExp(expression, toGlobal(expression)), '')
    // Of the processor's time: a busy machine makes nothing slower that is quick.
    const { user, system } = process.cpuUsage(started)
    const tookMs = (user + system) / 1000
    if (tookMs > maxMs) return [`${JSON.stringify(hostile)}, ${length} characters: ${tookMs} ms`]
  }
  return []
}

const toGlobal = ({ flags }: RegExp) => (flags.includes('g') ? flags : `${flags}g`)

function findExpressions(): Found[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  return files.sort().flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(src, file), 'utf8'), ts.ScriptTarget.Latest, true)
    return findIn(source, source)
  })
}

function findIn(source: ts.SourceFile, node: ts.Node): Found[] {
  const text = node.getText(source)
  const own = isExpression(node) ? [{ file: source.fileName, text, expression: toExpression(text) }] : []
  const inside: Found[] = []
  ts.forEachChild(node, (child) => void inside.push(...findIn(source, child)))
  return [...own, ...inside]
}

function isExpression(node: ts.Node): boolean {
  if (ts.isRegularExpressionLiteral(node)) return true
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'
}

/** Our own sources are all that is run. Parts that are put in are those that src/http/host.ts names. */
function toExpression(text: string): RegExp {
  const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?'
  return new Function('label', 'letters', 'maxTokenLength', `return ${text}`)(label, { ä: '' }, 40)
}
