import { fromBodyText } from '../../record/json/body-bytes.ts'
import { defaultOrder } from '../../record/query/ordering.ts'
import { alwaysAnswered } from '../read/list/list-page.ts'
import { toOrderSql } from '../read/list/list-sql.ts'
import { createMemo } from '../read/memo.ts'
import type { Related, RelatedQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { createNamedTalks } from './named-talks.ts'
import { createSimilar } from './similar.ts'
import { ensureColumns, type SiteReadDeps } from './site-needs.ts'

/** A talk page waits for the words of a few changed records only. */
const maxCaughtUp = 128

/** In the order of an index: sorting by day would take four times as long. */
const eventSql = `SELECT id, recorded FROM listing WHERE category_id = ? AND state = 1 ORDER BY ${toOrderSql(defaultOrder)}`

interface EventTalk {
  readonly id: number
  readonly recorded: string | null
}

/** Live records to watch after another one. */
export function createRelated(deps: SiteReadDeps): SlowReads['findRelated'] {
  const { db, sql, indexes } = deps
  const { columns, words, wordsLoader } = indexes
  let changes = deps.changesCounter()
  const listEvent = db.query<EventTalk, [number]>(eventSql)
  const events = createMemo<readonly number[]>(() => changes)
  const named = createNamedTalks(db, columns)
  const findSimilarWords = createSimilar(columns, words)

  const readEvent = (category: number) =>
    events(String(category), async () => toProgramme(await listEvent.all(category)))

  /** The nearest in words; by tags alone until the words are loaded. */
  async function findSimilar(slot: number, limit: number): Promise<number[]> {
    await wordsLoader.catchUp(maxCaughtUp)
    if (!wordsLoader.isComplete()) return named.byTags(slot, limit)
    const [text] = (await sql.readBodies([columns.toId(slot)], null)) ?? []
    return text === undefined ? [] : findSimilarWords(slot, fromBodyText(text), limit)
  }

  async function readBodies(ids: readonly number[]): Promise<Map<number, string>> {
    const texts = new Map<number, string>()
    // So many are read even if they are large.
    for (let at = 0; at < ids.length; at += alwaysAnswered) {
      const some = ids.slice(at, at + alwaysAnswered)
      const bodies = (await sql.readBodies(some, null)) ?? []
      for (const [i, id] of some.entries()) texts.set(id, bodies[i] ?? '')
    }
    return texts
  }

  async function find({ id, limit }: RelatedQuery): Promise<Related> {
    await ensureColumns(columns)
    const slot = columns.toSlot(id)
    if (!columns.isVisible(slot, 'live')) return { next: null, event: [], speakers: [], similar: [] }
    const speakers = (await named.ofSpeakers(slot, limit)).map(columns.toId)
    const alike = (await findSimilar(slot, 2 * limit)).map(columns.toId)
    const similar = alike.filter((other) => !speakers.includes(other)).slice(0, limit)
    const talks = await readEvent(columns.data.arrays().categories[slot] ?? 0)
    const event = findAround(talks, id, new Set([...speakers, ...similar]), limit)
    const next = talks[talks.indexOf(id) + 1]
    const texts = await readBodies([
      ...new Set([...speakers, ...similar, ...event, ...(next === undefined ? [] : [next])]),
    ])
    const toTexts = (ids: readonly number[]) => ids.flatMap((each) => texts.get(each) ?? [])
    return {
      next: next === undefined ? null : (texts.get(next) ?? null),
      event: toTexts(event),
      speakers: toTexts(speakers),
      similar: toTexts(similar),
      ...(wordsLoader.isComplete() ? {} : { isProvisional: true }),
    }
  }

  return (query) => {
    changes = deps.changesCounter()
    return db.transaction('read', () => find(query))
  }
}

/** By day, then by title; unknown days come last. The talks are given with the newest day first. */
function toProgramme(talks: readonly EventTalk[]): number[] {
  const days = Map.groupBy(talks, ({ recorded }) => recorded)
  const known = [...days.keys()].filter((day) => day !== null).reverse()
  return [...known, null].flatMap((day) => (days.get(day) ?? []).map(({ id }) => id))
}

/** The nearest before and after a talk that are not shown elsewhere, in the order of the event. */
function findAround(talks: readonly number[], id: number, shown: ReadonlySet<number>, limit: number): number[] {
  const at = talks.indexOf(id)
  const found: number[] = []
  for (let distance = 1; distance < talks.length && found.length < limit; distance++) {
    for (const index of [at + distance, at - distance]) {
      const other = talks[index]
      if (other !== undefined && !shown.has(other) && found.length < limit) found.push(index)
    }
  }
  return found.sort((a, b) => a - b).flatMap((index) => talks[index] ?? [])
}
