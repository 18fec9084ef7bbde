import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Command } from '../../../src/record/command.ts'
import type { Visibility } from '../../../src/record/state.ts'
import { createCompletion } from '../../../src/store/completion/completion.ts'
import { eraseRecord } from '../../../src/store/maintain/erase.ts'
import { createRandom, type Random } from '../../search/random.ts'
import { toCreate, toMerge, toTalk, vocabulary } from '../../search/random-archive.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from '../list-stores.ts'
import { type Expected, findPlainly, readTalks } from './suggest-model.ts'

// Runner: slow

const timeoutMs = 120_000
const steps = 25
const asksAStep = 12
const firstRecords = 40
const erasedAt = '2026-01-01T00:00:00.000'

/** What suggestions answer on a store. A new one has nothing in memory. */
function open({ db, createIndexes }: ListStore) {
  const indexes = createIndexes()
  const { suggest } = createCompletion({ db, indexes, changesCounter: () => Number.NaN, onStep: () => undefined })
  const ask = async (text: string, visibility: Visibility = 'live') => {
    const { results, isPartial } = await suggest({ text, visibility })
    const found = results.map((each) =>
      each.kind === 'video' ? `video ${each.id}` : `${each.kind} ${each.text} ${each.count}`,
    )
    return { found, isPartial }
  }
  const load = async () => {
    for (const each of [indexes.columns, indexes.nameLoader, indexes.ranked]) while (await each.loadSome());
  }
  return { ask, load, suggest }
}

/** The beginning of some words, as typed or with an error. */
function toTyped(random: Random): string {
  const words = Array.from({ length: random.between(1, random.pick([1, 2, 3])) }, () => random.pick(vocabulary))
  const names = ['Ada Mü', 'guido t', 'pycon 202', '山田', "o'reil", 'евро', 'pycno', 'Tester Guido']
  const text = random.chance(0.3) ? random.pick(names) : words.join(' ')
  const letters = [...text].slice(0, random.between(1, [...text].length))
  if (random.chance(0.3)) letters.splice(random.between(0, letters.length), random.between(0, 1), 'x')
  return letters.join('').trim() || 'p'
}

function toCommand(random: Random, last: number): Command {
  const id = random.between(1, last)
  const { title, speakers = [], tags = [] } = toTalk(random)
  const state = random.pick([1, 2])
  const slug = random.pick(['pycon-2023', 'pycon-2024', 'europython'])
  return random.pick<Command>([
    toCreate({ ...toTalk(random), state: 1 }),
    toMerge(id, { title, speakers, tags }),
    toMerge(id, { state }),
    {
      kind: 'category',
      slug,
      author,
      changes: { title: random.pick(['EuroPython', 'PyCon 2023', 'Testday', 'Тест']) },
    },
  ])
}

const author = { name: 'test', role: 'admin' } as const

/** Exactly what was typed if there is any, in ten places of which three are for titles. */
function expectFound(text: string, found: readonly string[], { names, titles }: Expected): void {
  const kept = names.slice(0, 10 - Math.min(3, titles.length))
  const typed = [...kept, ...titles.slice(0, 10 - kept.length)]
  if (typed.length > 0) expect({ text, found }).toEqual({ text, found: typed })
}

describe('Suggestions on both engines', () => {
  let stores: readonly ListStore[] = []
  beforeAll(async () => {
    stores = [await openSqliteStore(), await openPostgresStore()]
  }, timeoutMs)
  afterAll(async () => {
    for (const store of stores) await store.remove()
  }, timeoutMs)

  /** Runs on every store; their answers must be the same. */
  async function onAll<T>(run: (store: ListStore, index: number) => Promise<T>): Promise<T> {
    const [first, ...others] = await Promise.all(stores.map(run))
    for (const other of others) expect(other).toEqual(first as typeof other)
    return first as T
  }
  const write = (...commands: readonly Command[]) =>
    onAll(async ({ writer }) => void (await writer.run(commands, new Set())))

  test(
    'are those of all names and titles, after creations, changes, withdrawals, erasures and renames',
    async () => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      const random = createRandom(seed)
      try {
        await write(...Array.from({ length: firstRecords }, () => toCreate({ ...toTalk(random), state: 1 })))
        const opened = stores.map(open)
        for (const { load } of opened) await load()
        for (let step = 0; step < steps; step++) {
          for (let i = 0; i < 3; i++) await write(toCommand(random, firstRecords + step))
          const id = random.between(1, firstRecords + step)
          if (random.chance(0.3)) await onAll(({ writing }) => eraseRecord(writing, id, erasedAt))
          const fresh = stores.map(open)
          for (const { load } of fresh) await load()
          const talks = await onAll(async ({ db }) => ({
            live: await readTalks(db, 'live'),
            all: await readTalks(db, 'all'),
          }))
          for (let asked = 0; asked < asksAStep; asked++) {
            const [typed, visibility] = [toTyped(random), random.pick<Visibility>(['live', 'all'])]
            const followed = await onAll(async (_, i) => ({ typed, ...(await opened[i]?.ask(typed, visibility)) }))
            const loaded = await onAll(async (_, i) => ({ typed, ...(await fresh[i]?.ask(typed, visibility)) }))
            expect(followed).toEqual(loaded)
            expect(followed.isPartial).toBe(false)
            expectFound(typed, followed.found ?? [], findPlainly(talks[visibility], typed))
          }
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    },
    timeoutMs,
  )

  test(
    'are the same to the public whatever drafts there are',
    async () => {
      const random = createRandom(7)
      const opened = stores.map(open)
      for (const { load } of opened) await load()
      const typed = Array.from({ length: 150 }, () => toTyped(random))
      const askAll = () =>
        onAll(async (_, i) => {
          const answers: unknown[] = []
          for (const text of typed) answers.push(await opened[i]?.ask(text))
          return answers
        })
      const before = await askAll()
      const toDraft = () => toCreate({ ...toTalk(random), tags: [toTyped(random), 'pyhon'], state: 2 })
      await write(...Array.from({ length: 60 }, toDraft))
      expect(await askAll()).toEqual(before)
    },
    timeoutMs,
  )

  test('have the id and slug of what they name', async () => {
    await write(
      toCreate({
        title: 'Quokka tales',
        category: 'Quokkaconf',
        speakers: ['Quokka, Queen'],
        tags: ['quokka'],
        state: 1,
      }),
      toCreate({ title: 'Quokka tales', category: 'Other', speakers: ['Queen Quokka'], tags: ['Quokka'], state: 1 }),
    )
    await onAll(async (store) => {
      const { load, suggest } = open(store)
      await load()
      const { results } = await suggest({ text: 'quokka', visibility: 'live' })
      expect(results.map(({ kind }) => kind).sort()).toEqual([
        'category',
        'speaker',
        'speaker',
        'tag',
        'tag',
        'video',
        'video',
      ])
      for (const { kind, text, slug, ...rest } of results) {
        const column = kind === 'category' ? 'title' : 'name'
        const sql = kind === 'video' ? 'SELECT id FROM record WHERE slug = ?' : `SELECT id FROM ${kind} WHERE slug = ?`
        const found = await store.db.query<{ id: number }, [string]>(sql).all(slug)
        expect(found).toHaveLength(1)
        if ('id' in rest) expect(found).toEqual([{ id: rest.id }])
        if (kind === 'video') continue
        const named = store.db.query<{ slug: string }, [string]>(`SELECT slug FROM ${kind} WHERE ${column} = ?`)
        expect(await named.all(text)).toEqual([{ slug }])
      }
    })
  })

  test('forget a name that was erased, also if its id gets another name', async () => {
    const opened = stores.map(open)
    for (const { load } of opened) await load()
    const ask = async (text: string) => (await onAll(async (_, i) => opened[i]?.ask(text)))?.found
    const create = (speaker: string) =>
      onAll(async ({ writer, db }) => {
        await writer.run([toCreate({ title: 'y', category: 'Y', state: 1, speakers: [speaker] })], new Set())
        return (await db.query<{ id: number }, []>('SELECT max(id) AS id FROM record').get())?.id ?? 0
      })
    const id = await create('Quirin Quast')
    expect(await ask('quirin')).toEqual(['speaker Quirin Quast 1'])
    await onAll(({ writing }) => eraseRecord(writing, id, erasedAt))
    await create('Walburga Wunsch')
    expect([await ask('quirin quast'), await ask('walburga')]).toEqual([[], ['speaker Walburga Wunsch 1']])
  })

  test('are none and partial before the records are loaded, and partial until all words are', async () => {
    const [store] = stores
    const { ask, load } = open(store ?? expect.unreachable())
    expect(await ask('p')).toEqual({ found: [], isPartial: true })
    await load()
    expect(await ask('p')).toMatchObject({ isPartial: false })
  })
})
