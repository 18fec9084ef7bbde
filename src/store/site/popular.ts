import type { NameKind } from '../../record/name.ts'
import type { VocabularyName } from '../../record/query/vocabulary.ts'
import { live } from '../../record/state.ts'
import { toSortKey } from '../../record/text/fold.ts'
import { isPerson, isTopic, toEventKeys, toOneSpelling } from '../../record/text/topic.ts'
import { toBareKey } from '../../record/variants/spelling-keys.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { createMemo, getOrMake } from '../read/memo.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import type { PopularName, PopularQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { ensureColumns, type SiteReadDeps } from './site-deps.ts'

/** Candidates for each place of the list: spellings of others are among them, and tags that are no topics or of one event. */
const candidatesPerPlace = { speaker: 3, tag: 8 } as const

interface EventNames {
  readonly id: number
  readonly title: string
  readonly series: string
}

/**
 * Names for an overview, one of each spelling: speakers with the most live records, and tags of the most events, for
 * `Room 215` may be on a hundred talks, but all of one event. Without speakers that are no person, and tags that name an
 * event, a series or a speaker. Kept until a change.
 */
export function createPopular({
  db,
  indexes: { columns },
  changesCounter,
}: SiteReadDeps): SlowReads['listPopularNames'] {
  const listEvents = db.query<EventNames, []>('SELECT id, title, series FROM category')
  const findSpeakers = createLookup<{ id: number; key: string }, string>(
    db,
    (keys) => `SELECT id, key FROM speaker WHERE key IN ${keys}`,
  )
  const memo = createMemo<readonly PopularName[]>(changesCounter)
  /** By title and series, as in the overview. */
  const eventKeys = new Map<string, readonly string[]>()

  /** What drafts alone have must not have an effect that the public could see. */
  async function findEventKeys(): Promise<ReadonlySet<string>> {
    const events = (await listEvents.all()).filter(({ id }) => columns.countOf('category', id, 'live') > 0)
    return new Set(
      events.flatMap((event) => getOrMake(eventKeys, `${event.title}\n${event.series}`, () => toEventKeys(event))),
    )
  }

  async function findSpeakerKeys(tags: readonly VocabularyName[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for await (const chunk of toChunks(tags.map(({ name }) => toSortKey(name)))) {
      for (const { id, key } of await findSpeakers(chunk))
        if (columns.countOf('speaker', id, 'live') > 0) found.add(key)
    }
    return found
  }

  async function keepTopics(tags: readonly VocabularyName[]): Promise<readonly VocabularyName[]> {
    const [events, speakers] = [await findEventKeys(), await findSpeakerKeys(tags)]
    const isOther = (name: string) => events.has(toBareKey(name)) || speakers.has(toSortKey(name))
    return tags.filter(({ name }) => isTopic(name) && !isOther(name))
  }

  async function read({ kind, limit }: PopularQuery): Promise<readonly PopularName[]> {
    await ensureColumns(columns)
    const shown = columns.data.counts.visible('live')
    const facets = await columns.countFacets([kind], shown, candidatesPerPlace[kind] * limit)
    const found = (facets[kind] ?? []).map(({ value, count, id = 0, slug = '' }) => ({ id, slug, name: value, count }))
    const kept = kind === 'tag' ? await keepTopics(found) : found.filter(({ name }) => isPerson(name))
    const events = countEvents(columns, kind, kept)
    const counted = kept.map((name) => ({ ...name, events: events.get(name.id) ?? 0 }))
    // Sorting is stable: of as many events, the tag with more talks comes first.
    const ranked = kind === 'tag' ? counted.sort((a, b) => b.events - a.events) : counted
    return toOneSpelling(ranked, ({ name }) => name).slice(0, limit)
  }

  return (query) => memo(JSON.stringify(query), () => db.transaction('read', () => read(query)))
}

/** At how many events each of these names has live records. */
function countEvents({ data }: RecordColumns, kind: NameKind, names: readonly VocabularyName[]): Map<number, number> {
  const { states, categories } = data.arrays()
  const width = data.counts.by('category', 'live').length
  // Flat arrays: nearly every talk has one of these names.
  const [rows, counts] = [new Uint32Array(data.counts.by(kind, 'live').length), new Uint32Array(names.length + 1)]
  const isCounted = new Uint8Array(counts.length * width)
  for (const [i, { id }] of names.entries()) rows[id] = i + 1
  const links = kind === 'speaker' ? data.speakers : data.tags
  links.each((slot, id) => {
    const row = rows[id] ?? 0
    const cell = row * width + (categories[slot] ?? 0)
    if (row === 0 || isCounted[cell] === 1 || states[slot] !== live) return
    isCounted[cell] = 1
    counts[row] = (counts[row] ?? 0) + 1
  })
  return new Map(names.map(({ id }, i) => [id, counts[i + 1] ?? 0]))
}
