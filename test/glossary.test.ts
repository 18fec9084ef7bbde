import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { description } from '../scripts/description.ts'
import { exitCodes } from '../src/command-failure.ts'
import { logEvents } from '../src/http/logger.ts'
import { createMetrics, createMetricsBuffer } from '../src/http/metrics.ts'
import { problemCodes } from '../src/http/problem.ts'
import { toProblemAnswer } from '../src/http/respond.ts'
import { roles } from '../src/record/role.ts'

const root = resolve(import.meta.dir, '..')
const page = await Bun.file(`${root}/docs/glossary.md`).text()

/** The table whose first column has this heading: a list of cells for each row, without backticks. */
function readTable(heading: string): readonly (readonly string[])[] {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  expect(start).toBeGreaterThan(-1)
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

const readColumn = (heading: string) => readTable(heading).map(([first = '']) => first)
const sorted = (values: readonly string[]) => [...values].sort()

describe('The glossary lists', () => {
  test('every problem code with its status', () => {
    const listed = readTable('problem code').map(([code, status]) => [code, Number(status)])
    const served = problemCodes.map((code) => {
      // The keys of the table of problems.
      const problem = { code: code as Parameters<typeof toProblemAnswer>[0]['code'] }
      return [code, toProblemAnswer(problem, new Headers(), 'x').status]
    })
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(served))
    expect(listed).toHaveLength(served.length)
  })

  test('every log event, each of which occurs in the code', async () => {
    expect(sorted(readColumn('log event'))).toEqual(sorted(logEvents))
    const logged = new Set<string>()
    for await (const file of new Bun.Glob('src/**/*.ts').scan(root)) {
      if (file === 'src/http/logger.ts') continue
      const text = await Bun.file(`${root}/${file}`).text()
      for (const event of logEvents) if (text.includes(`'${event}'`)) logged.add(event)
    }
    expect(sorted([...logged])).toEqual(sorted(logEvents))
  })

  test('every metric with its type', () => {
    const metrics = createMetrics(createMetricsBuffer(1), 0)
    const types = [...metrics.toText('0', 0).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    expect(readTable('metric').map(([name, type]) => [name, type])).toEqual(types.map(([, name, type]) => [name, type]))
  })

  test('every exit code', () => {
    const listed = readTable('exit code').map(([code, name = '']) => [name, Number(code)])
    expect(Object.fromEntries(listed)).toEqual(exitCodes)
  })

  test('the roles in their order', () => {
    expect(page).toContain(roles.map((role) => `\`${role}\``).join(', '))
  })

  test.each([
    ['kind of a version or change', ['Change', 'properties', 'kind', 'enum']],
    ['kind of a batch', ['Batch', 'properties', 'kind', 'enum']],
    ['state of a batch', ['Batch', 'properties', 'state', 'enum']],
    ['why in left', ['Batch', 'properties', 'left', 'items', 'properties', 'why', 'enum']],
  ])('the values of %s', (member, path) => {
    const row = readTable('member').find(([name]) => name === member)
    const described = ['components', 'schemas', ...path].reduce(
      (value: unknown, key) => Object(value)[key],
      description,
    )
    expect(row?.[1]?.split(', ')).toEqual(described as string[])
  })
})
