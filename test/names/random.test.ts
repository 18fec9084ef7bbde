import { describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import type { Author } from '../../src/record/role.ts'
import type { BatchReport } from '../../src/store/batch-reads.ts'
import { runs } from '../harness/runs.ts'
import { author, fail, type NameStore, useNameStores } from './name-stores.ts'

// Runner: slow

const words = ['Ann', 'Anna', 'Bob', 'Bobby', 'Cy', 'Dee'] as const
const titles = ['One', 'Two', 'Three'] as const
const stores = useNameStores()
const mallory = { name: 'mallory', role: 'admin' } as const

/** Numbers from a seed, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

type Random = ReturnType<typeof createRandom>

const pick = <T>(random: Random, all: readonly T[]): T => all[random(all.length)] as T // `random` stays below the length

const pickNames = (random: Random) => [...new Set(Array.from({ length: 1 + random(3) }, () => pick(random, words)))]

/** Further merges, mostly none: one that is refused prevents all. */
const pickMerges = (random: Random, pickName: () => number) =>
  Array.from({ length: Math.max(0, random(5) - 2) }, () => ({ nameId: pickName(), into: pickName() }))

async function pickCommand(random: Random, store: NameStore, author: Author): Promise<Command> {
  const [[records = 0, names = 0, batches = 0] = []] = await store.rows(
    'SELECT (SELECT count(*) FROM record), (SELECT max(id) FROM speaker), (SELECT count(*) FROM batch)',
  )
  const pickName = () => 1 + random(Number(names))
  const nameId = pickName()
  const slugs = (await store.rows('SELECT slug FROM category ORDER BY id')).map(([slug]) => String(slug))
  const changes = { category: pick(random, titles), speakers: pickNames(random) }
  switch (random(9)) {
    case 0:
      return { kind: 'create', author, changes: { title: 'T', state: 1, ...changes } }
    case 1:
      return { kind: 'merge', id: 1 + random(Number(records)), author, precondition: {}, changes }
    case 2:
      return {
        kind: 'merge names',
        of: 'speaker',
        nameId,
        into: pickName(),
        also: pickMerges(random, pickName),
        author,
      }
    case 3:
    case 4:
      return { kind: 'rename name', of: 'speaker', nameId, name: pick(random, words), author }
    case 5:
      return { kind: 'merge categories', slug: pick(random, slugs), into: pick(random, slugs), author }
    case 6:
      return {
        kind: 'category',
        slug: pick(random, slugs),
        changes: { title: pick(random, [...titles, 'Four']) },
        author,
      }
    default:
      return { kind: 'undo', batch: 1 + random(Math.max(1, Number(batches))), author }
  }
}

const readAll = (store: NameStore) =>
  Promise.all([
    store.rows('SELECT id, name, slug, merged_into FROM speaker ORDER BY id'),
    store.rows(
      `SELECT category.slug, category.title, target.slug AS target, category.description FROM category
       LEFT JOIN category AS target ON target.id = category.merged_into ORDER BY 1`,
    ),
    store.rows('SELECT record_id, place, speaker_id FROM record_speaker ORDER BY record_id, place'),
    store.rows('SELECT listing.id, slug FROM listing JOIN category ON category.id = category_id ORDER BY 1'),
  ])

describe.each(stores)('On $name, after any sequence of renames, merges and undos', ({ name, run }) => {
  const seeds = Array.from({ length: runs(name === 'SQLite' ? 80 : 10) }, (_, i) => i + 1)
  test.each(seeds)('with seed %d, everything agrees, and the undo of the last batch brings all back', (seed) =>
    run(async (store) => {
      const random = createRandom(seed)
      for (let i = 0; i < 6; i++) await store.create({ category: pick(random, titles), speakers: pickNames(random) })
      const log: Command[] = []
      for (let step = 0; step < 60; step++) {
        const command = await pickCommand(random, store, author)
        log.push(command)
        const before = await readAll(store)
        const outcome = await store.ask(command)
        expect([outcome.is, log]).not.toEqual(['failed', log])
        expect([await store.check(), log]).toEqual([[], log])
        const batch = outcome.is === 'batch' ? (outcome.batch?.id ?? null) : null
        const isNew = batch !== null && command.kind !== 'undo'
        if (!isNew || random(2) === 0) continue
        await store.ask({ kind: 'undo', batch, author })
        // A name that the batch was the first to have keeps its row.
        const after = await readAll(store)
        const toKnown = ([names, ...others]: typeof after) => ({ names: names.slice(0, before[0].length), others, log })
        expect(toKnown(after)).toEqual(toKnown(before))
      }
    }),
  )
})

describe.each(stores)('On $name, all that one author did', ({ name, run }) => {
  const seeds = Array.from({ length: runs(name === 'SQLite' ? 100 : 20) }, (_, i) => i + 1)
  const since = '2020-01-01T00:00:00.000'
  const select = { is: 'by', author: mallory.name, since, until: null } as const
  const request = { select, work: { is: 'restore' }, expect: null, asOf: null, isPartial: false } as const

  async function ask(store: NameStore, command: Command) {
    const outcome = await store.ask(command)
    return outcome.is === 'batch' && outcome.batch !== null ? outcome.batch : fail(outcome)
  }

  test.each(seeds)('with seed %d, is taken back at once, the undo brings it back, and its undo takes it back', (seed) =>
    run(async (store) => {
      const random = createRandom(seed)
      for (let i = 0; i < 5; i++) await store.create({ category: pick(random, titles), speakers: pickNames(random) })
      const early = random(8)
      for (let step = 0; step < early; step++) await store.ask(await pickCommand(random, store, author))
      const before = await readAll(store)
      const log: Command[] = []
      const steps = 1 + random(10)
      for (let step = 0; step < steps; step++) {
        const command = await pickOwn(random, store)
        log.push(command)
        await store.ask(command)
      }
      const after = await readAll(store)
      const told = await ask(store, { kind: 'bulk', request, author, isDryRun: true })
      expect([await readAll(store), log]).toEqual([after, log])
      const restored = await ask(store, { kind: 'bulk', request, author })
      expect([{ ...told, id: 0, at: '' }, log]).toEqual([{ ...restored, id: 0, at: '' }, log])
      await expectAll(store, restored, before, log)
      if (restored.id === null) return
      const undone = await ask(store, { kind: 'undo', batch: restored.id, author })
      await expectAll(store, undone, after, log, before)
      if (undone.id === null || isLeft(restored) || isLeft(undone)) return
      await expectAll(store, await ask(store, { kind: 'undo', batch: undone.id, author }), before, log)
    }),
  )

  /** All is as it was then, unless the batch says otherwise; the doctor has nothing to say either way. */
  async function expectAll(store: NameStore, batch: BatchReport, then: All, log: readonly Command[], known = then) {
    expect([await store.check(), log]).toEqual([[], log])
    if (!isLeft(batch)) expect([toKnown(await readAll(store), known), log]).toEqual([toKnown(then, known), log])
  }

  const isLeft = ({ left, others }: BatchReport) =>
    left.some(({ why }) => why === 'changed_since') || others.some((each) => each.left !== null)

  test.each(seeds)('with seed %d, is taken back as far as others have not changed it since', (seed) =>
    run(async (store) => {
      const random = createRandom(seed + 10_000)
      for (let i = 0; i < 5; i++) await store.create({ category: pick(random, titles), speakers: pickNames(random) })
      const log: Command[] = []
      for (let step = 0; step < 12; step++) {
        const command = await pickCommand(random, store, random(3) === 0 ? author : mallory)
        log.push(command)
        await store.ask(command)
      }
      const told = await ask(store, { kind: 'bulk', request, author, isDryRun: true })
      let batch = await ask(store, { kind: 'bulk', request, author })
      expect([{ ...told, id: 0, at: '' }, log]).toEqual([{ ...batch, id: 0, at: '' }, log])
      for (let undos = 0; undos < 3 && batch.id !== null; undos++) {
        expect([await store.check(), log]).toEqual([[], log])
        batch = await ask(store, { kind: 'undo', batch: batch.id, author })
      }
      expect([await store.check(), log]).toEqual([[], log])
    }),
  )

  /** Batches of others are not undone: what they gave back nobody but their author knows. */
  async function pickOwn(random: Random, store: NameStore): Promise<Command> {
    const command = await pickCommand(random, store, mallory)
    if (command.kind !== 'undo') return command
    const own = await store.rows(`SELECT id FROM batch WHERE author = 'mallory' ORDER BY id DESC LIMIT 3`)
    return { ...command, batch: Number(pick(random, own)?.[0] ?? 999) }
  }

  type All = Awaited<ReturnType<typeof readAll>>

  /** Without names, categories and records that came later: they are there still, as rows and drafts. */
  function toKnown([names, categories, links, listings]: All, known: All) {
    const has = (rows: readonly unknown[][], row: readonly unknown[]) => rows.some(([key]) => key === row[0])
    return {
      names: names.filter((row) => has(known[0], row)),
      categories: categories.filter((row) => has(known[1], row)),
      links: links.filter((row) => has(known[3], row)),
      listings: listings.filter((row) => has(known[3], row)),
    }
  }
})
