import { describe, expect, test } from 'bun:test'
import type { Command } from '../../src/record/command.ts'
import { fromBody } from '../../src/record/record.ts'
import { createMergedFinder } from '../../src/store/derive/former-paths.ts'
import { runs } from '../harness/runs.ts'
import { author, fail, type NameStore, useNameStores } from './name-stores.ts'

// Runner: slow

const stores = useNameStores()
const bob = { name: 'bob', role: 'admin' } as const
const fields = ['state', 'title', 'summary'] as const
type Field = (typeof fields)[number]
type Talk = { [name in Field]: string | number }

/** What a batch did, as the model remembers it: fields with their values before and after, and where a page led. */
interface Deed {
  readonly fields: readonly {
    readonly id: number
    readonly name: Field
    readonly before: unknown
    readonly after: unknown
  }[]
  readonly page: { readonly id: number; readonly from: number | null; readonly to: number | null } | null
}

/** Records by id, where the pages of merged ones lead while they are drafts, and batches by number. */
interface Model {
  readonly talks: Map<number, Talk>
  readonly pages: Map<number, number>
  readonly deeds: Map<number, Deed>
}

function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const words = ['Tides', 'Buoys', 'Ropes'] as const

function pickCommand(random: (below: number) => number, { talks, deeds }: Model): Command {
  const id = 1 + random(talks.size)
  const word = words[random(words.length)] ?? 'Tides'
  switch (random(8)) {
    case 0:
      return {
        kind: 'merge',
        id,
        author: bob,
        precondition: {},
        changes: { [random(2) === 0 ? 'title' : 'summary']: word },
      }
    case 1:
      return { kind: 'merge', id, author: bob, precondition: {}, changes: { state: 1 + random(2) } }
    case 2:
    case 3:
    case 4: {
      const take = (['title', 'summary'] as const).filter(() => random(2) === 0)
      return { kind: 'merge records', id, into: 1 + random(talks.size), take, author }
    }
    default: {
      const batch = [...deeds.keys()][random(Math.max(1, deeds.size))]
      return batch === undefined
        ? pickCommand(random, { talks, deeds, pages: new Map() })
        : { kind: 'undo', batch, author }
    }
  }
}

/** Sets fields, and returns which of them changed. */
function set(model: Model, id: number, changes: Partial<Talk>): Deed['fields'] {
  const talk = model.talks.get(id) ?? fail(`no ${id}`)
  const changed = fields.flatMap((name) => {
    const [before, after] = [talk[name], changes[name]]
    return after === undefined || after === before ? [] : [{ id, name, before, after }]
  })
  model.talks.set(id, { ...talk, ...changes })
  return changed
}

/** What a merge is refused for; null if it is not. */
function findRefusal({ talks, pages }: Model, id: number, into: number): string | null {
  if (id === into) return 'same_entry'
  if (pages.has(id) && talks.get(id)?.state === 2) return 'merged'
  if (talks.get(into)?.state === 1) return null
  return pages.has(into) ? 'merged' : 'draft_target'
}

/** The naive undo: each field that still has the value of the batch goes back, each page that still leads there too. */
function undo(model: Model, { fields: given, page }: Deed): Deed {
  const isLive = (id: number) => model.talks.get(id)?.state === 1
  const hasValue = ({ id, name, after }: Deed['fields'][number]) => model.talks.get(id)?.[name] === after
  const now = page === null ? null : (model.pages.get(page.id) ?? null)
  const isSame = page === null || now === page.from
  const back = given.find((field) => field.id === page?.id && field.name === 'state' && hasValue(field))
  const mayStay = (state: unknown) => state === 1 || page?.from == null || isLive(page.from)
  const mayGoBack = page !== null && now === page.to && mayStay(back?.before ?? model.talks.get(page.id)?.state)
  const changed = given.flatMap((field) =>
    hasValue(field) && (isSame || mayGoBack || field !== back)
      ? set(model, field.id, { [field.name]: field.before } as Partial<Talk>)
      : [],
  )
  if (page === null || isSame || !mayGoBack) return { fields: changed, page: null }
  if (page.from === null) model.pages.delete(page.id)
  else model.pages.set(page.id, page.from)
  return { fields: changed, page: { id: page.id, from: now, to: page.from } }
}

async function readStore(store: NameStore) {
  const bodies = await store.db
    .query<{ id: number; body: Uint8Array }, []>('SELECT id, body FROM record ORDER BY id')
    .all()
  return {
    talks: bodies.map(({ id, body }) => [id, ...fields.map((name) => fromBody(body)[name])]),
    pages: (await store.rows('SELECT record_id, into_id FROM merged_record ORDER BY 1')).map((row) => row.map(Number)),
  }
}

const readModel = ({ talks, pages }: Model) => ({
  talks: [...talks].map(([id, talk]) => [id, ...fields.map((name) => talk[name])]),
  pages: [...pages].sort(([one], [other]) => one - other).map(([id, into]) => [id, into]),
})

/** Runs a command on both; the number of the batch, if there is one. */
async function run(store: NameStore, model: Model, command: Command): Promise<void> {
  const outcome = await store.ask(command)
  switch (command.kind) {
    case 'merge':
      set(model, command.id, command.changes as Partial<Talk>)
      return
    case 'merge records': {
      const { id, into, take } = command
      const refusal = findRefusal(model, id, into)
      expect<string | null>(outcome.is === 'refused' ? outcome.refusal.code : null).toBe(refusal)
      if (refusal !== null || outcome.is !== 'batch') return
      const talk = model.talks.get(id) ?? fail(id)
      const taken = Object.fromEntries(take.map((name) => [name, talk[name as Field]]))
      const changed = [...set(model, into, taken), ...set(model, id, { state: 2 })]
      const page = { id, from: model.pages.get(id) ?? null, to: into }
      model.pages.set(id, into)
      model.deeds.set(outcome.batch?.id ?? fail('a merge without a batch'), { fields: changed, page })
      return
    }
    case 'undo': {
      const deed = undo(model, model.deeds.get(command.batch) ?? fail(command.batch))
      const id = outcome.is === 'batch' ? (outcome.batch?.id ?? null) : fail(outcome)
      expect(id !== null).toBe(deed.fields.length > 0 || deed.page !== null)
      if (id !== null) model.deeds.set(id, deed)
      return
    }
    default:
      fail(command.kind)
  }
}

/** Every page of a merged draft leads to a live record, or to none. */
async function expectPages(store: NameStore, { talks, pages }: Model): Promise<void> {
  const find = createMergedFinder(store.db)
  for (const [id, { state }] of talks) {
    let end = state === 2 ? pages.get(id) : undefined
    for (let step = 0; end !== undefined && talks.get(end)?.state === 2; step++) {
      end = step > talks.size ? undefined : pages.get(end)
    }
    expect((await find(id))?.id ?? null).toBe(end ?? null)
  }
}

describe.each(stores)('On $name, after any sequence of merges of records, edits, publications and undos', (engine) => {
  const seeds = Array.from({ length: runs(engine.name === 'SQLite' ? 80 : 10) }, (_, i) => i + 1)
  test.each(seeds)('with seed %d, fields and pages are as a naive model says', (seed) =>
    engine.run(async (store) => {
      const random = createRandom(seed)
      const model: Model = { talks: new Map(), pages: new Map(), deeds: new Map() }
      for (let i = 0; i < 5; i++) {
        const talk = { state: i === 4 ? 2 : 1, title: `Talk ${i}`, summary: `About ${i}` }
        model.talks.set(await store.create(talk), talk)
      }
      for (let step = 0; step < 50; step++) {
        const command = pickCommand(random, model)
        await run(store, model, command)
        expect({ command, ...(await readStore(store)) }).toEqual({ command, ...readModel(model) })
      }
      await expectPages(store, model)
    }),
  )

  test('the undo of a merge gives everything back, and its own undo merges again', () =>
    engine.run(async (store) => {
      const [kept, merged] = [
        await store.create({ title: 'Kept' }),
        await store.create({ title: 'Merged', summary: 'S' }),
      ]
      const before = await readStore(store)
      const merge = { kind: 'merge records', id: merged, into: kept, take: ['summary'], author } as const
      const numberOf = async (command: Command) => {
        const outcome = await store.ask(command)
        return outcome.is === 'batch' ? (outcome.batch?.id ?? fail('nothing changed')) : fail(outcome)
      }
      const batch = await numberOf(merge)
      const after = await readStore(store)
      expect(after.pages).toEqual([[merged, kept]])
      const undone = await numberOf({ kind: 'undo', batch, author })
      expect(await readStore(store)).toEqual(before)
      await numberOf({ kind: 'undo', batch: undone, author })
      expect(await readStore(store)).toEqual(after)
    }))
})
