// Runner: long
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createChildren } from '../bench/harness/children.ts'
import { budgets, findLimit } from '../bench/structure/budgets.ts'
import { instrument } from '../bench/structure/instrument.ts'
import { followRequests } from '../bench/structure/requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'rostrum-budget-'))
const children = createChildren()

afterAll(() => {
  children.killAll()
  rmSync(folder, { recursive: true, force: true })
})

test('no request runs through more files than its budget and a tenth', async () => {
  const paths = await followRequests(instrument(resolve(import.meta.dir, '..'), folder), children)
  const counts = new Map(paths.map(({ name, files }) => [name, files.length]))
  expect([...counts.keys()]).toEqual(expect.arrayContaining(Object.keys(budgets)))
  const over = paths.filter(({ name, files }) => files.length > (findLimit(name) ?? Number.POSITIVE_INFINITY))
  expect(over.map(({ name, files }) => ({ name, limit: findLimit(name), count: files.length, files }))).toEqual([])
}, 180_000)
