import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Command } from '../../src/record/command.ts'
import type { Outcome } from '../../src/store/store.ts'
import { expectSame, toGist } from './agreement.ts'
import type { Counts, Engine } from './engine.ts'
import { createModel } from './model-engine.ts'
import { expectPromises, toRecord, toWritable } from './promise.ts'
import { createSqliteFiles } from './sqlite-engine.ts'
import { anyGroups, type Group } from './wish.ts'
import { toCommand } from './wish-command.ts'

/** A failing run is cut down to a short one, which takes many more. */
const timeoutMs = 120_000
const startMs = Date.parse('2024-02-29T12:00:00.250Z')

const files = createSqliteFiles()
afterAll(() => files.remove())

test(
  'whatever is asked, in whatever groups, the store does what the model does, and it is still there afterwards',
  () =>
    forAll(200, anyGroups, async (groups, open) => {
      const engine = open()
      const model = createModel()
      const played = await play(groups, engine, model)
      await expectSame(engine, model)
      await expectPromises(engine)
      const reopened = open()
      await expectSame(reopened, model)
      for (const outcome of played) await expectKept(reopened, outcome)
    }),
  timeoutMs,
)

test(
  'a renamed category is undone to the letter, and so is the undoing, whatever came before',
  () =>
    forAll(80, fc.record({ groups: anyGroups, pick: fc.nat(3) }), async ({ groups, pick }, open) => {
      const engine = open()
      await play(groups, engine, createModel())
      const { categories } = await engine.vocabulary()
      const category = categories[pick % Math.max(1, categories.length)]
      if (category === undefined) return
      const before = await readEverything(engine)
      const renamed = await runOne(engine, rename(category.slug, 'Omega'))
      if (renamed.is !== 'batch') throw new Error(`a rename was ${renamed.is}`)
      const between = await readEverything(engine)
      expect(between).not.toEqual(before)
      const undone = await runOne(engine, undo(renamed.batch))
      expect(undone).toMatchObject({ is: 'undone', ids: [...category.ids], left: [] })
      expect(await readEverything(engine)).toEqual(before)
      if (undone.is !== 'undone') return
      expect(await runOne(engine, undo(undone.batch))).toMatchObject({ is: 'undone', ids: [...category.ids], left: [] })
      expect(await readEverything(engine)).toEqual(between)
      await expectPromises(engine)
    }),
  timeoutMs,
)

const author = { name: 'ada', role: 'admin' } as const
const rename = (slug: string, title: string): Command => ({ kind: 'category', slug, author, changes: { title } })
const undo = (batch: number | null): Command => ({ kind: 'undo', batch: batch ?? 0, author })

type Open = () => Engine

/** Each run has a file of its own. */
function forAll<T>(numRuns: number, arbitrary: fc.Arbitrary<T>, check: (value: T, open: Open) => Promise<void>) {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const file = files.create()
    const opened: { close(): void }[] = []
    try {
      await check(value, () => {
        const engine = file.open()
        opened.push(engine)
        return engine
      })
    } finally {
      for (const engine of opened) engine.close()
      file.remove()
    }
  })
  return fc.assert(property, { numRuns })
}

/** Runs the groups on both; after each of them they agree on the outcomes, and nothing has disappeared. */
async function play(groups: readonly Group[], engine: Engine, model: Engine): Promise<readonly Outcome[]> {
  const played: Outcome[] = []
  let nowMs = startMs
  for (const { stepMs, wishes } of groups) {
    nowMs += stepMs
    const commands: Command[] = []
    const expected: Outcome[] = []
    for (const wish of wishes) {
      const command = await toCommand(wish, model)
      commands.push(command)
      expected.push(...(await model.run([command], nowMs)))
    }
    const before = await engine.counts()
    const outcomes = await engine.run(commands, nowMs)
    // With the commands beside them, so that a failure shows what was asked.
    expect(outcomes.map((outcome, i) => [commands[i], toGist(outcome)])).toEqual(
      expected.map((outcome, i) => [commands[i], toGist(outcome)]),
    )
    expectGrowth(before, await engine.counts())
    for (const outcome of outcomes) await expectKept(engine, outcome)
    played.push(...outcomes)
  }
  return played
}

function expectGrowth(before: Counts, after: Counts): void {
  expect(after.records).toBeGreaterThanOrEqual(before.records)
  expect(after.versions).toBeGreaterThanOrEqual(before.versions)
  expect(after.batches).toBeGreaterThanOrEqual(before.batches)
  expect(after.categories).toBeGreaterThanOrEqual(before.categories)
}

/** What was acknowledged can be read, byte for byte. */
async function expectKept(engine: Engine, outcome: Outcome): Promise<void> {
  if (outcome.is !== 'stored') return
  const { id, version, mark, body } = outcome.stored
  const kept = await engine.readVersion(id, version)
  expect(kept?.mark).toBe(mark)
  expect(Buffer.from(kept?.body ?? [])).toEqual(Buffer.from(body))
}

async function runOne(engine: Engine, command: Command): Promise<Outcome> {
  const [outcome] = await engine.run([command], startMs)
  if (outcome === undefined) throw new Error('a command had no outcome')
  return outcome
}

/** All that a client could have written, and what categories are called. */
async function readEverything(engine: Engine) {
  const { records } = await engine.counts()
  const all: Partial<ReturnType<typeof toRecord>>[] = []
  for (let id = 1; id <= records; id++) {
    const stored = await engine.read(id)
    if (stored === null) throw new Error(`record ${id} is not there`)
    all.push(toWritable(toRecord(stored)))
  }
  return { all, vocabulary: await engine.vocabulary() }
}
