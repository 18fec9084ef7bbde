import type { VocabularyName } from '../../record/query/vocabulary.ts'
import { live } from '../../record/state.ts'
import { toSortKey } from '../../record/text/fold.ts'
import { guessSeries } from '../../record/text/series.ts'
import { isPerson, isTopic, toOneSpelling } from '../../record/text/topic.ts'
import { toBareKey } from '../../record/variants/spelling-keys.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { createMemo } from '../read/memo.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import type { PopularQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { ensureColumns, type SiteReadDeps } from './site-deps.ts'

/** Candidates for each place of the list: many are spellings of others, or no topics. */
const candidatesPerPlace = 3

/** `PyCon` of `PyCon US 2019`. */
const conferenceWord = /^\p{L}{1,30}con(?:f|ference)?(?!\p{L})/iu

interface EventNames {
  readonly id: number
  readonly title: string
  readonly series: string
}

/**
 * The speakers or tags with the most live records, one of each spelling. Without speakers that are no person, and tags
 * that name an event, a series or a speaker, or that nearly all talks of a few events have. Kept until a change.
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
  const memo = createMemo<readonly VocabularyName[]>(changesCounter)

  /** What drafts alone have must not have an effect that the public could see. */
  async function findEventKeys(): Promise<ReadonlySet<string>> {
    const events = (await listEvents.all()).filter(({ id }) => columns.countOf('category', id, 'live') > 0)
    const names = events.flatMap(({ title, series }) => [
      ...[title, series.trim(), guessSeries(title) ?? ''],
      conferenceWord.exec(title)?.[0] ?? '',
    ])
    return new Set(names.filter((name) => name !== '').map(toBareKey))
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
    const labels = findLabels(columns, tags)
    const isOther = ({ id, name }: VocabularyName) =>
      labels.has(id) || events.has(toBareKey(name)) || speakers.has(toSortKey(name))
    return tags.filter((tag) => isTopic(tag.name) && !isOther(tag))
  }

  async function read({ kind, limit }: PopularQuery): Promise<readonly VocabularyName[]> {
    await ensureColumns(columns)
    const shown = columns.data.counts.visible('live')
    const facets = await columns.countFacets([kind], shown, candidatesPerPlace * limit)
    const found = (facets[kind] ?? []).map(({ value, count, id = 0, slug = '' }) => ({ id, slug, name: value, count }))
    const kept = kind === 'tag' ? await keepTopics(found) : found.filter(({ name }) => isPerson(name))
    return toOneSpelling(kept, ({ name }) => name).slice(0, limit)
  }

  return (query) => memo(JSON.stringify(query), () => db.transaction('read', () => read(query)))
}

/** A tag of fewer talks may well be on all talks of a small event. */
const minLabelled = 10
const leastShare = 0.8
/** In an archive of a few events, such a tag may be its main topic. */
const mostEvents = 0.1

/** Tags that nearly all talks of a few events have, and no others: what these are called, or where they were. */
function findLabels(
  { data, countOf, countNames }: RecordColumns,
  tags: readonly VocabularyName[],
): ReadonlySet<number> {
  const { states, categories } = data.arrays()
  const used = tags.filter(({ count }) => count >= minLabelled)
  const events = new Map(used.map(({ id }) => [id, new Set<number>()]))
  const size = data.counts.by('tag', 'live').length
  const [isUsed, lastEvents] = [new Uint8Array(size), new Uint32Array(size)]
  for (const { id } of used) isUsed[id] = 1
  data.tags.each((slot, tag) => {
    const event = categories[slot] ?? 0
    // The talks of an event are mostly neighbours.
    if (isUsed[tag] !== 1 || lastEvents[tag] === event || states[slot] !== live) return
    lastEvents[tag] = event
    events.get(tag)?.add(event)
  })
  const countTalks = (id: number) =>
    [...(events.get(id) ?? [])].reduce((sum, event) => sum + countOf('category', event, 'live'), 0)
  const maxEvents = mostEvents * countNames('category', 'live')
  const isLabel = ({ id, count }: VocabularyName) =>
    (events.get(id)?.size ?? 0) <= maxEvents && count >= leastShare * countTalks(id)
  return new Set(used.filter(isLabel).map(({ id }) => id))
}
