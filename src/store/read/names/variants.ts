import type { NameKind } from '../../../record/name.ts'
import type { Timestamp } from '../../../record/timestamp.ts'
import { findKeptName } from '../../../record/variants/kept-name.ts'
import { findVariants } from '../../../record/variants/name-variants.ts'
import {
  createDismissedTest,
  type VariantInput,
  type VariantLine,
  type VariantSet,
  type VariantsQuery,
} from '../../../record/variants/variant.ts'
import type { Database } from '../../database.ts'
import type { DismissedLine, VariantLines } from '../../name-reads.ts'
import type { SlowReads } from '../../store.ts'
import { createDismissalList } from '../../write/names/name-entries.ts'
import { readLogPage } from '../change-log.ts'
import { createMemo } from '../memo.ts'
import { createLookup, OutOfTime, toChunks } from '../statements.ts'
import { compareUse, createMatchingNames, type MatchingName, type NameIndexes } from './matching-names.ts'

/**
 * Names that are probably the same. A search may take longer than a request may. It then continues in the background,
 * and its result is cached until the names change; their counts may change (decision 54).
 */
interface VariantReader {
  list(query: VariantsQuery): Promise<VariantLines>
  /** Whether no search waits to be continued. */
  isComplete(): boolean
  loadSome(): Promise<boolean>
}

/** How long a step in the background may take. */
const maxStepMs = 10

export function createVariantReader(
  db: Database,
  changesCounter: () => number,
  onStep: () => void,
  indexes: NameIndexes | null,
): VariantReader {
  let changes = changesCounter()
  const matching = createMatchingNames(db, indexes, onStep)
  const inputs = createMemo<Input>(() => changes)
  const listDismissed = createDismissalList(db)
  const searches = { speaker: createSearch(), tag: createSearch() }

  async function readInput(kind: VariantsQuery['kind']): Promise<Input> {
    const names = (await matching.list(kind, 'all', () => true)).sort((a, b) => a.id - b.id)
    const sql = `SELECT id, merged_into AS target FROM ${kind} WHERE merged_into IS NOT NULL ORDER BY id`
    const aliases = await db.query<{ id: number; target: number }, []>(sql).all()
    return { kind, names, aliases: new Map(aliases.map(({ id, target }) => [id, target])) }
  }

  async function read({ kind, reason = null, patienceMs, ...paging }: VariantsQuery): Promise<VariantLines> {
    const input = await inputs(kind, () => readInput(kind))
    const groups = patienceMs === undefined ? searches[kind].run(input, onStep) : runWithin(kind, input, patienceMs)
    const isDismissed = createDismissedTest(await listDismissed(kind))
    const all = groups.filter(({ ids }) => !isDismissed(ids))
    const shown = reason === null ? all : all.filter((group) => group.reason === reason)
    const { pageSize } = paging
    const page = paging.page === 'last' ? Math.max(1, Math.ceil(shown.length / pageSize)) : paging.page
    const lines = toLines(shown.slice((page - 1) * pageSize, page * pageSize), input)
    return { count: shown.length, page, lines, reasons: countReasons(all) }
  }

  /** Returns the last result if the search takes longer than this; the search continues in the background. */
  function runWithin(kind: VariantsQuery['kind'], input: Input, patienceMs: number): readonly VariantSet[] {
    const untilMs = performance.now() + patienceMs
    try {
      return searches[kind].run(input, () => {
        onStep()
        if (performance.now() > untilMs) throw new OutOfTime()
      })
    } catch (error) {
      const last = searches[kind].listLast(input)
      if (!(error instanceof OutOfTime) || last === null) throw error
      return last
    }
  }

  const findUnfinished = () => Object.values(searches).find((search) => search.isWaiting())
  return {
    list(query) {
      // Loaded before the snapshot, so that nothing from an older snapshot is kept for it.
      changes = changesCounter()
      return db.transaction('read', () => read(query))
    },
    isComplete: () => findUnfinished() === undefined,
    async loadSome() {
      findUnfinished()?.continueFor(maxStepMs)
      return findUnfinished() !== undefined
    },
  }
}

interface Input extends VariantInput {
  /** In the order of their ids. */
  readonly names: readonly MatchingName[]
}

/** In the order of the groups. */
function countReasons(groups: readonly VariantSet[]): VariantLines['reasons'] {
  const byReason = Map.groupBy(groups, ({ reason }) => reason)
  return [...byReason].map(([reason, { length: count }]) => ({ reason, count }))
}

function toLines(groups: readonly VariantSet[], { kind, names }: Input): VariantLine[] {
  const wanted = new Set(groups.flatMap(({ ids }) => ids))
  const found = new Map(names.filter(({ id }) => wanted.has(id)).map((each) => [each.id, each]))
  return groups.map(({ reason, ids }) => {
    const members = ids.map((id) => found.get(id)).filter((each) => each !== undefined)
    const used = members.sort(compareUse).map(({ id, name, count }) => ({ id, name, count }))
    return { reason, keep: findKeptName(kind, used)?.id ?? 0, names: used }
  })
}

/** The last search for variants of one kind, finished or not. */
interface Search {
  /** Finds the groups, or continues where an earlier call for the same names ended. `onStep` may throw. */
  run(input: Input, onStep: () => void): readonly VariantSet[]
  /** The groups of the last search that has finished, without names that are no longer the same; null if none has. */
  listLast(input: Input): readonly VariantSet[] | null
  isWaiting(): boolean
  continueFor(ms: number): void
}

function createSearch(): Search {
  let input: Input | null = null
  let groups: readonly VariantSet[] = []
  /** The names of the last search that has finished. */
  let finished: Input | null = null
  let steps: ReturnType<typeof findVariants> | null = null

  function takeStep(): void {
    const step = steps?.next()
    if (step?.done !== true) return
    groups = step.value
    finished = input
    steps = null
  }

  return {
    run(given, onStep) {
      if (input === null || !isSameInput(input, given)) steps = findVariants(given)
      input = given
      while (steps !== null) {
        onStep()
        takeStep()
      }
      return groups
    },
    listLast: (current) => (finished === null ? null : withoutChanged(groups, finished, current)),
    isWaiting: () => steps !== null,
    continueFor(ms) {
      for (const until = performance.now() + ms; steps !== null && performance.now() < until; ) takeStep()
    },
  }
}

/** The groups without names that have changed since. */
function withoutChanged(groups: readonly VariantSet[], before: Input, now: Input): VariantSet[] {
  const old = new Map(before.names.map(({ id, name }) => [id, name]))
  const same = new Set(now.names.filter(({ id, name }) => old.get(id) === name).map(({ id }) => id))
  return groups
    .map(({ reason, ids }) => ({ reason, ids: ids.filter((id) => same.has(id)) }))
    .filter(({ ids }) => ids.length > 1)
}

/** Whether a search of both would find the same variants. */
function isSameInput(a: Input, b: Input): boolean {
  if (a === b) return true
  if (a.names.length !== b.names.length || a.aliases.size !== b.aliases.size) return false
  for (const [id, target] of a.aliases) if (b.aliases.get(id) !== target) return false
  return a.names.every(({ id, name }, i) => b.names[i]?.id === id && b.names[i]?.name === name)
}

type Row = { readonly ids: string; readonly at: Timestamp; readonly by: string }

/** Lists the groups that curators have called different, with the current names. */
export function createDismissedReader(
  db: Database,
  onStep: () => void,
  indexes: NameIndexes | null,
): SlowReads['listDismissed'] {
  const count = db.query<{ count: number }, [string]>('SELECT count(*) AS count FROM dismissed_variant WHERE kind = ?')
  const list = db.query<Row, [string, number, number]>(
    'SELECT ids, at, author AS "by" FROM dismissed_variant WHERE kind = ? ORDER BY at DESC, ids LIMIT ? OFFSET ?',
  )
  const toLookup = (kind: NameKind) =>
    createLookup<{ id: number; name: string }, number>(db, (ids) => `SELECT id, name FROM ${kind} WHERE id IN ${ids}`)
  const lookUp = { speaker: toLookup('speaker'), tag: toLookup('tag') }
  const matching = createMatchingNames(db, indexes, onStep)

  async function readNames(kind: NameKind, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const names = new Map<number, string>()
    for await (const chunk of toChunks(ids)) for (const { id, name } of await lookUp[kind](chunk)) names.set(id, name)
    return names
  }

  async function readLines(kind: NameKind, limit: number, offset: number): Promise<DismissedLine[]> {
    const groups = (await list.all(kind, limit, offset)).map((row) => ({ ...row, ids: parseIds(row.ids) }))
    const ids = [...new Set(groups.flatMap((group) => group.ids))]
    const names = await readNames(kind, ids)
    const counts = await matching.count(kind, 'all', ids)
    const toName = (id: number) => ({ id, name: names.get(id) ?? '', count: counts.get(id) ?? 0 })
    return groups.map(({ ids: members, at, by }) => {
      const known = members.filter((id) => names.has(id)).map(toName)
      return { ids: members, at, by, names: known.sort((a, b) => b.count - a.count || a.id - b.id) }
    })
  }

  return ({ kind, ...paging }) =>
    db.transaction('read', async () =>
      readLogPage(paging, (await count.get(kind))?.count ?? 0, (limit, offset) => readLines(kind, limit, offset)),
    )
}

/** As the writer stored them. */
const parseIds = (ids: string): number[] => JSON.parse(ids)
