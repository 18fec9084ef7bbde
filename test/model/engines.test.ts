import { afterAll, beforeAll, test } from 'bun:test'
import fc from 'fast-check'
import { isLong, runs } from '../harness/runs.ts'
import { expectSame } from './agreement.ts'
import { createModel } from './model-engine.ts'
import { play } from './play.ts'
import { createPostgresDatabases } from './postgres-engine.ts'
import type { OpenEngine, Places } from './sql-engine.ts'
import { createSqliteFiles } from './sqlite-engine.ts'
import { longGroups } from './wish.ts'

// Runner: slow

const minCommands = isLong ? 20_000 : 200
/** Each time with a seed of its own, which a failure tells. */
const numRuns = runs(10)
const timeoutMs = isLong ? 1_800_000 : 600_000
/** A failing run is cut down to a short one, which takes many more: it has to be told before the test times out. */
const cutOff = { interruptAfterTimeLimit: timeoutMs / 3, markInterruptAsFailure: true }

let places: readonly Places[] = []

beforeAll(async () => {
  places = [await createSqliteFiles(), await createPostgresDatabases()]
}, 180_000)
afterAll(() => Promise.all(places.map((each) => each.remove())))

test(
  `of ${minCommands} commands, a file and PostgreSQL do every one as the model does`,
  async () => {
    let commands = 0
    const property = fc.asyncProperty(longGroups, (groups) =>
      withEngines(async (engines) => {
        const model = createModel()
        commands += (await play(groups, engines, model)).length
        for (const engine of engines) await expectSame(engine, model)
      }),
    )
    while (commands < minCommands) await fc.assert(property, { numRuns, ...cutOff })
  },
  timeoutMs,
)

/** One of each kind, on stores that are new. */
async function withEngines(check: (engines: readonly OpenEngine[]) => Promise<void>): Promise<void> {
  const made = await Promise.all(places.map((each) => each.create()))
  const engines = made.map((place) => place.open())
  try {
    await check(engines)
  } finally {
    for (const engine of engines) engine.close()
    await Promise.all(made.map((place) => place.remove()))
  }
}
