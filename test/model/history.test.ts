import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Command } from '../../src/record/command.ts'
import type { Outcome } from '../../src/store/store.ts'
import { runs } from '../harness/runs.ts'
import { expectSame } from './agreement.ts'
import type { Engine } from './engine.ts'
import { createModel } from './model-engine.ts'
import { expectKept, play, startMs } from './play.ts'
import { expectPromises, toRecord, toWritable } from './promise.ts'
import { createSqliteFiles } from './sqlite-engine.ts'
import { anyGroups } from './wish.ts'

/** A failing run is cut down to a short one, which takes many more. */
const timeoutMs = 120_000

const files = await createSqliteFiles()
afterAll(() => files.remove())

test(
  'whatever is asked, in whatever groups, the store does what the model does, and it is still there afterwards',
  () =>
    forAll(200, anyGroups, async (groups, open) => {
      const engine = open()
      const model = createModel()
      const played = await play(groups, [engine], model)
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
      await play(groups, [engine], createModel())
      const { categories } = await engine.vocabulary()
      const category = categories[pick % Math.max(1, categories.length)]
      if (category === undefined) return
      const before = await readEverything(engine)
      const renamed = await runOne(engine, rename(category.slug, 'Omega'))
      if (renamed.is !== 'batch') throw new Error(`a rename was ${renamed.is}`)
      const between = await readEverything(engine)
      expect(between).not.toEqual(before)
      const undone = await runOne(engine, undo(renamed))
      expect(undone).toMatchObject({ is: 'batch', ids: [...category.ids], batch: { left: [] } })
      expect(await readEverything(engine)).toEqual(before)
      const redone = await runOne(engine, undo(undone))
      expect(redone).toMatchObject({ is: 'batch', ids: [...category.ids], batch: { left: [] } })
      expect(await readEverything(engine)).toEqual(between)
      await expectPromises(engine)
    }),
  timeoutMs,
)

const author = { name: 'ada', role: 'admin' } as const
const rename = (slug: string, title: string): Command => ({ kind: 'category', slug, author, changes: { title } })
const undo = (done: Outcome): Command => ({
  kind: 'undo',
  batch: (done.is === 'batch' ? done.batch?.id : null) ?? 0,
  author,
})

type Open = () => Engine

/** Each run has a file of its own. */
function forAll<T>(numRuns: number, arbitrary: fc.Arbitrary<T>, check: (value: T, open: Open) => Promise<void>) {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const file = await files.create()
    const opened: { close(): void }[] = []
    try {
      await check(value, () => {
        const engine = file.open()
        opened.push(engine)
        return engine
      })
    } finally {
      for (const engine of opened) engine.close()
      await file.remove()
    }
  })
  return fc.assert(property, { numRuns: runs(numRuns) })
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
