import { describe, expect, test } from 'bun:test'
import { createRandom, type Random } from '../../bench/generated/random.ts'
import type { Command } from '../../src/record/command.ts'
import { runs } from '../harness/runs.ts'
import { importTalks } from '../store/talks.ts'
import { author, fail, type NameStore, useNameStores } from './name-stores.ts'

// Runner: long, slow (thousands of records)

/** More than change in one transaction. */
const count = 10_050
const rounds = 4
const timeoutMs = 600_000
const bob = { name: 'bob', role: 'admin' } as const

const live = 1
const draft = 2

/** States by id, and which records a batch has changed. */
interface Model {
  readonly states: Map<number, number>
  readonly changed: Map<number, ReadonlySet<number>>
}

/** What an undo does to the records from `from` to `to`: they get a state if they still have the other one. */
function apply({ states }: Model, ids: readonly number[], before: number, after: number): number[] {
  const changed = ids.filter((id) => states.get(id) === before)
  for (const id of changed) states.set(id, after)
  return changed
}

async function expectStates(store: NameStore, { states }: Model): Promise<void> {
  const rows = await store.rows('SELECT id, state FROM record ORDER BY id')
  const wrong = rows.map((row) => row.map(Number)).filter(([id = 0, state]) => states.get(id) !== state)
  expect([rows.length, wrong]).toEqual([count, []])
}

const undo = (batch: number): Command => ({ kind: 'undo', batch, author })

/** Somebody else publishes or withdraws some records. */
async function edit(store: NameStore, random: Random, { states }: Model): Promise<void> {
  for (let i = 0; i < 4; i++) {
    const [id, state] = [1 + random.below(count), random.percent(50) ? live : draft]
    await store.ask({ kind: 'merge', id, author: bob, precondition: {}, changes: { state } })
    states.set(id, state)
  }
}

async function ask(store: NameStore, command: Command) {
  const outcome = await store.ask(command)
  return outcome.is === 'batch' ? (outcome.batch ?? fail(outcome)) : fail(outcome)
}

/** Stops an undo of the import anywhere, while others change records; returns its number. */
async function stopUndo(store: NameStore, random: Random, model: Model): Promise<number> {
  const ids = [...model.states.keys()]
  const changed: number[] = []
  let last = 0
  const follow = (done: number) => {
    changed.push(...apply(model, ids.slice(last, done), live, draft))
    last = done
  }
  const outcome = await store.stop(undo(1), random.below(count - 200), async (done) => {
    follow(done)
    await edit(store, random, model)
  })
  const batch = outcome.is === 'batch' ? (outcome.batch ?? fail(outcome)) : fail(outcome)
  follow(batch.done)
  const id = batch.id ?? fail(batch)
  expect(batch).toMatchObject({ state: 'stopped', total: count, changed: changed.length })
  model.changed.set(id, new Set(changed))
  return id
}

describe.each(useNameStores())('On $name, a batch that is stopped at any moment', ({ name, run }) => {
  const seeds = Array.from({ length: runs(name === 'SQLite' ? 2 : 1) }, (_, i) => i + 1)
  test.each(seeds)(
    'with seed %d, has changed what it says, loses nothing that others changed, and goes back or on',
    (seed) =>
      run(async (store) => {
        const random = createRandom(seed)
        await importTalks(store.db, count, 'Event')
        const states = new Map(Array.from({ length: count }, (_, i) => [i + 1, live]))
        const model: Model = { states, changed: new Map() }
        for (let round = 0; round < rounds; round++) {
          const stopped = await stopUndo(store, random, model)
          await expectStates(store, model)
          await edit(store, random, model)
          if (random.percent(50)) {
            const back = apply(model, [...(model.changed.get(stopped) ?? [])], draft, live)
            expect((await ask(store, undo(stopped))).changed).toBe(back.length)
          } else {
            const rest = apply(model, [...states.keys()], live, draft)
            const { id, changed } = await ask(store, undo(1))
            expect(changed).toBe(rest.length)
            await expectStates(store, model)
            apply(model, rest, draft, live)
            await ask(store, undo(id ?? fail('no batch')))
          }
          await expectStates(store, model)
          const before = await store.rows('SELECT id, title, slug FROM category ORDER BY id')
          const rename: Command = { kind: 'category', slug: 'event', changes: { title: `Renamed ${round}` }, author }
          expect(await store.stop(rename, random.below(count))).toMatchObject({
            batch: { state: 'stopped', changed: 0 },
          })
          expect(await store.rows('SELECT id, title, slug FROM category ORDER BY id')).toEqual(before)
        }
      }),
    timeoutMs,
  )
})
