import type { BulkRequest, Selection } from '../../src/record/bulk.ts'
import type { Command, Precondition } from '../../src/record/command.ts'
import type { Author } from '../../src/record/role.ts'
import type { Engine } from './engine.ts'
import type { Condition, Wish } from './wish.ts'

type BulkWish = Extract<Wish, { is: 'bulk' }>
type RestoreWish = Extract<Wish, { is: 'restore by' }>

/** What changes many records. */
const batchWishes: readonly Wish['is'][] = ['rename', 'merge names', 'undo']

/** The highest pick means what is not there. */
const missing = 12

/** The command that a wish is at this point: picks become records, marks, slugs and batches that the engine has now. */
export async function toCommand(wish: Wish, engine: Engine): Promise<Command> {
  const { author, reason } = wish
  // An editor cannot ask for batches, and one who could would fail at the first live record: not worth a dry run.
  const isDryRun = wish.isDryRun && !(author.role === 'editor' && batchWishes.includes(wish.is))
  const who = { author, ...(reason === undefined ? {} : { reason }), ...(isDryRun ? { isDryRun } : {}) }
  const { records, batches } = await engine.counts()
  switch (wish.is) {
    case 'create':
      return { kind: 'create', changes: wish.changes, ...who }
    case 'broken':
      return toBroken(wish.category, author)
    case 'change': {
      const id = pickNumber(wish.pick, records)
      return { ...wish.change, id, precondition: await toPrecondition(wish.condition, id, engine), ...who }
    }
    case 'restore': {
      const id = pickNumber(wish.pick, records)
      const number = pickNumber(wish.version, (await engine.read(id))?.version ?? 0)
      const precondition = await toPrecondition(wish.condition, id, engine)
      return { kind: 'restore', id, number, precondition, ...who }
    }
    case 'rename':
      return { kind: 'category', slug: await pickSlug(wish.pick, engine), changes: { title: wish.title }, ...who }
    case 'merge names': {
      const { length } = (await engine.vocabulary()).names[wish.of]
      const [nameId, into] = [pickNumber(wish.pick, length), pickNumber(wish.into, length)]
      return { kind: 'merge names', of: wish.of, nameId, into, ...who }
    }
    case 'bulk':
      return { kind: 'bulk', request: toBulkRequest(wish, records), ...who }
    case 'restore by':
      return { kind: 'bulk', request: await toRestoreRequest(wish, records, engine), ...who }
    case 'undo': {
      // The newest are the ones that most can still be put back of.
      const batch = wish.pick === missing ? batches + 1 : batches + 1 - pickNumber(wish.pick, batches)
      return { kind: 'undo', batch, ...who }
    }
  }
}

/** Of a selection that says nothing else, all records. */
function toBulkRequest(
  { picks, category, state, patch, isPartial, isExpected }: BulkWish,
  records: number,
): BulkRequest {
  const ids = [...new Set(picks.map((pick) => pickNumber(pick, records)))].sort((a, b) => a - b)
  const filters = { ...(category === null ? {} : { category }), ...(state === null ? {} : { state }) }
  const select: Selection =
    ids.length > 0
      ? { is: 'ids', ids }
      : { is: 'query', filters: { visibility: 'all', speakers: [], tags: [], has: [], ...filters } }
  return { select, work: { is: 'patch', patch, said: {} }, expect: isExpected ? null : 99, asOf: null, isPartial }
}

async function toRestoreRequest(wish: RestoreWish, records: number, engine: Engine): Promise<BulkRequest> {
  const id = pickNumber(wish.pick, records)
  const last = (await engine.read(id))?.version ?? 0
  const findAt = async (pick: number) => (await engine.readVersion(id, pickNumber(pick, last)))?.at
  const since = (await findAt(wish.since)) ?? '2024-01-01T00:00:00.000'
  const until = wish.until === null ? null : ((await findAt(wish.until)) ?? null)
  const select = { is: 'by', author: wish.by, since, until } as const
  return { select, work: { is: 'restore' }, expect: null, asOf: null, isPartial: wish.isPartial }
}

/** a dry run writes nothing, so it would not break. */
function toBroken(category: string, author: Author): Command {
  return { kind: 'create', author, changes: { category } }
}

/** From 1 to the count; one above it for the highest pick, and where there are none. */
function pickNumber(pick: number, count: number): number {
  return pick === missing || count === 0 ? count + 1 : (pick % count) + 1
}

async function pickSlug(pick: number, engine: Engine): Promise<string> {
  const { categories } = await engine.vocabulary()
  return categories[pickNumber(pick, categories.length) - 1]?.slug ?? 'no-such-category'
}

async function toPrecondition(condition: Condition, id: number, engine: Engine): Promise<Precondition> {
  const current = await engine.read(id)
  const findMark = async (from: number, number: number) =>
    (await engine.readVersion(from, number))?.versionTag ?? '7-0a1b2c3d'
  const findBack = (back: number) => findMark(id, Math.max(1, (current?.version ?? 1) - back))
  switch (condition.is) {
    case 'none':
      return {}
    case 'any':
      return { ifMatch: '*' }
    case 'nothing':
      return { ifMatch: [] }
    case 'absent':
      return { ifNoneMatch: '*' }
    case 'made-up base':
      return { mergeBase: `${current?.version ?? 1}-00000000` }
    case "another record's base":
      return { mergeBase: await findMark(id === 1 ? 2 : 1, 1) }
    case 'match':
      return { ifMatch: ['0-00000000', await findBack(condition.back)] }
    case 'base':
      return { mergeBase: await findBack(condition.back) }
    case 'match and base':
      return { ifMatch: [await findBack(0)], mergeBase: await findBack(condition.back) }
    case 'unmodified since': {
      const updatedMs = Date.parse(`${current?.updated ?? '2020-01-01T00:00:00.000'}Z`)
      return { ifUnmodifiedSinceMs: Math.floor(updatedMs / 1000) * 1000 + condition.offsetMs }
    }
  }
}
