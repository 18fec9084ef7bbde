import { expect, test } from 'bun:test'
import { join, resolve } from 'node:path'
import { problemCodes } from '../src/http/problem.ts'
import { linkClient } from './client/examples.ts'
import { useSample } from './harness/sample-server.ts'

const root = resolve(import.meta.dir, '..')
const page = await Bun.file(join(root, 'docs/curators.md')).text()
const sample = useSample('rostrum-curators-')

/** A command, and what its answer has. */
interface Step {
  readonly line: string
  readonly answer: unknown
}

/** Commands in the order of the page; JSON below a block is part of the answer to its last command. */
function toSteps(text: string): Step[] {
  const steps: Step[] = []
  for (const [, kind, block = ''] of text.matchAll(/```(sh|json)\n([\s\S]*?)```/g)) {
    const last = steps.at(-1)
    if (kind === 'json' && last !== undefined) steps[steps.length - 1] = { ...last, answer: JSON.parse(block) }
    else for (const line of block.trimEnd().split('\n')) steps.push({ line, answer: null })
  }
  return steps
}

const steps = toSteps(page)

test('the guide for curators has commands and answers', () => {
  expect(steps.filter(({ line }) => line.startsWith('curl')).length).toBeGreaterThan(20)
  expect(steps.filter(({ answer }) => answer !== null).length).toBeGreaterThan(8)
})

test('its commands work unchanged after npm start, one after the other', () => {
  const before: string[] = []
  for (const { line, answer } of steps) {
    const here = line.replace('127.0.0.1:8000', `127.0.0.1:${sample.port}`)
    if (!/^(curl|bin)/.test(line)) before.push(here)
    const script = [...before, here.replace(/^curl/, 'curl --silent --show-error --fail-with-body')].join('\n')
    const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', script], { cwd: root, env: sample.environment })
    const said = exitCode === 0 ? '' : `${stdout}${stderr}`
    expect([line, exitCode, said]).toEqual([line, 0, ''])
    if (line.startsWith('curl')) expect([line, JSON.parse(stdout.toString())]).toEqual([line, expect.anything()])
    if (answer !== null) expect(toPart(JSON.parse(stdout.toString()), answer)).toEqual(answer)
  }
}, 120_000)

test('its program works unchanged', async () => {
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
  const api = `http://127.0.0.1:${sample.port}`
  const spelling = { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"tags":["CACHING"]}' }
  expect((await fetch(`${api}/api/v2/video/3`, spelling)).status).toBe(200)
  await linkClient(sample.folder)
  const file = join(sample.folder, 'curate.ts')
  await Bun.write(file, program.replace('http://127.0.0.1:8000', api))
  const { exitCode, stdout, stderr } = Bun.spawnSync([join(root, 'bin/bun'), file], { env: sample.environment })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
  expect(stdout.toString().trim().split('\n')).toEqual([
    'CACHING is caching now, records: 1',
    expect.stringMatching(/^Batch \d+ changed 7 of 7$/),
  ])
})

test('the filters that it names are filters', async () => {
  const filters = [...page.matchAll(/^\|.*$/gm)].flatMap(([row]) => [...row.matchAll(/`(\w+=[\w.-]+)`/g)])
  expect(filters.length).toBeGreaterThan(5)
  for (const [, filter] of filters) {
    const { status, headers } = await fetch(`http://127.0.0.1:${sample.port}/api/v2/video?${filter}`)
    expect([filter, status, headers.get('Ignored-Parameters')]).toEqual([filter, 200, null])
  }
})

test('the problems that it explains exist', () => {
  const [, table = ''] = page.split('## When a change is refused')
  const rows = [...table.matchAll(/^\| (`\w+`.*?) \|/gm)].map(([, cell = '']) => cell)
  const codes = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code))
  expect(codes).toContain('stale')
  const others = ['refused', 'changed_since']
  expect(codes.filter((code) => !problemCodes.includes(code) && !others.includes(code))).toEqual([])
})

/** The part of an answer that the page shows: named members, and as many of the first elements. */
function toPart(value: unknown, shown: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shown)) {
    return value.slice(0, shown.length || undefined).map((each, i) => toPart(each, shown[i]))
  }
  if (typeof value !== 'object' || value === null || typeof shown !== 'object' || shown === null) return value
  const members: { readonly [name: string]: unknown } = { ...value }
  return Object.fromEntries(Object.entries(shown).map(([name, each]) => [name, toPart(members[name], each)]))
}
