import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isLong } from '../harness/runs.ts'
import { createSqliteEngine, findDifference, outOfTime, type SearchEngine } from './engine.ts'
import { createRandom } from './random.ts'
import { toCreate, toMerge, toTalk } from './random-archive.ts'
import { toAsked, toTyped } from './random-query.ts'

// Runner: one engine, slow (what is interrupted is in memory, and the same on every engine)

/** A failure tells the seed, and ROSTRUM_TEST_SEED repeats it. */
const seed = Number(process.env.ROSTRUM_TEST_SEED ?? Math.floor(Math.random() * 0x7fff_ffff))
const [records, queries, maxSteps] = [300, isLong ? 60 : 20, 40]

let hurried: SearchEngine
let calm: SearchEngine
beforeAll(async () => {
  hurried = await createSqliteEngine()
  calm = await createSqliteEngine()
}, 180_000)
afterAll(async () => {
  await hurried.close()
  await calm.close()
})

/** Gives it more and more steps until it answers. */
async function askInHaste<T>(ask: (maxSteps?: number) => Promise<T>, seen: { interrupted: number }): Promise<T> {
  for (let steps = 0; ; steps++) {
    try {
      return await ask(steps < maxSteps ? steps : undefined)
    } catch (error) {
      ignoreInterruption(error)
      seen.interrupted++
    }
  }
}

function ignoreInterruption(error: unknown): void {
  if (!(error instanceof Error) || error.message !== outOfTime) throw error
}

test('a search that was interrupted at any step leaves nothing behind: the next one is right', async () => {
  const random = createRandom(seed)
  const seen = { interrupted: 0 }
  const faults: string[] = []
  const talks = Array.from({ length: records }, () => toCreate(toTalk(random)))
  for (const engine of [hurried, calm]) await engine.write(...talks)
  for (let i = 0; i < queries; i++) {
    const asked = toAsked(random)
    if (i % 4 === 0) hurried.restart()
    const difference = findDifference(
      await askInHaste((steps) => hurried.ask(asked, steps), seen),
      await calm.ask(asked),
    )
    if (difference !== null) faults.push(`${decodeURIComponent(asked.parameters)}\n    ${difference}`)
    const typed = toTyped(random)
    await askInHaste((steps) => hurried.suggest({ ...typed, text: `ada ${typed.text}` }, steps), seen)
    for (const text of ['ada', typed.text]) {
      await hurried.suggest({ ...typed, text: `ada ${typed.text}` }, random.between(0, 6)).catch(ignoreInterruption)
      const answers = [hurried, calm].map((engine) => engine.suggest({ ...typed, text }))
      const [ours, theirs] = (await Promise.all(answers)).map((answer) => JSON.stringify(answer))
      if (ours !== theirs) faults.push(`suggest ${text}\n    ${ours} / ${theirs}`)
    }
    const change = toMerge(random.between(1, records), toTalk(random))
    for (const engine of [hurried, calm]) await engine.write(change)
  }
  expect(`seed ${seed}, ${faults.length} faults\n${faults.slice(0, 10).join('\n')}`).toBe(`seed ${seed}, 0 faults\n`)
  expect(seen.interrupted).toBeGreaterThan(queries)
}, 120_000)
