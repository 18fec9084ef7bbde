import type { ListedTrait } from '../../record/companion/kinds.ts'
import type { FieldName } from '../../record/fields.ts'
import type { Search } from '../../record/text/search-text.ts'
import { findMoment, type Moment } from '../../record/transcript/moments.ts'
import { sliceMs } from '../../record/transcript/spoken.ts'
import { toTranscriptName } from '../../record/transcript/transcript-kind.ts'
import { type CompanionRow, companionSql, createTranscriptList } from '../companion/companion-rows.ts'
import type { Database } from '../database.ts'
import type { MomentPage, MomentQuery, MomentResult } from '../list-reads.ts'
import { type ListDeps, type ListReaderSql, readPage } from '../read/list/list.ts'
import { createFilterResolver } from '../read/names/current-entries.ts'
import type { MemoryIndexes } from '../search/memory-indexes.ts'
import { parseCues } from './moment-rows.ts'
import { createSpokenSearch, type SpokenMatch, type SpokenWindow } from './moment-search.ts'

const shownFields: readonly FieldName[] = ['id', 'slug', 'title', 'speakers', 'category', 'recorded', 'duration']

export function createMomentReader(
  { db, onStep = () => undefined }: ListDeps,
  { columns }: MemoryIndexes,
  sql: ListReaderSql,
): (query: MomentQuery) => Promise<MomentPage> {
  const resolve = createFilterResolver(db)
  const findSpoken = createSpokenSearch(db, sql, onStep)
  const findDue = db.query<unknown, []>('SELECT 1 FROM moment_due LIMIT 1')
  const toMoments = createMomentFinder(db)

  /** The most and closest hits first, then the newest. The order is the same on both engines. */
  function rank(matches: readonly SpokenMatch[]): SpokenMatch[] {
    const days = new Map(matches.map(({ id }) => [id, columns.dayOf(columns.toSlot(id))]))
    const newest = (one: SpokenMatch, other: SpokenMatch) => (days.get(other.id) ?? 0) - (days.get(one.id) ?? 0)
    return matches.toSorted((one, other) => other.score - one.score || newest(one, other) || one.id - other.id)
  }

  async function read({ filters, page, pageSize, moments }: MomentQuery): Promise<MomentPage> {
    const { search = { all: [], none: [] }, ...others } = await resolve(filters)
    await columns.refresh()
    if (!columns.isComplete()) await columns.loadAll()
    const { flags } = await columns.select(others)
    const isSearched = toNameFilter(others.traits ?? [])
    const isWanted = (id: number, name: string) => flags[columns.toSlot(id)] === 1 && isSearched(name)
    const found = await findSpoken(search, isWanted, others.ids)
    const ranked = rank(found.matches)
    let shown: readonly SpokenMatch[] = []
    const take = async (limit: number, offset: number) => {
      shown = ranked.slice(offset, offset + limit)
      return shown.map(({ id }) => id)
    }
    const readCursor = async () => []
    const query = { ...listQuery, filters: { ...others, search }, page, pageSize }
    const { records, ...paging } = await readPage(query, ranked.length, {
      readIds: take,
      rank: take,
      readCursor,
      readBodies: sql.readBodies,
    })
    const results: MomentResult[] = []
    const windows = await found.findWindows(shown)
    for (const [i, match] of shown.entries()) {
      onStep()
      const record = records?.[i] ?? '{}'
      results.push({ record, ...(await toMoments(match, windows.get(match.number) ?? [], search, moments)) })
    }
    const isPartial = (await findDue.get()) !== null
    return { count: ranked.length, ...(isPartial ? { countIs: 'at_least' } : {}), ...paging, results }
  }

  return (query) => db.transaction('read', () => read(query))
}

/** `transcript_language=` says which transcripts are searched, too: `en` is also `en-GB`. */
function toNameFilter(traits: readonly ListedTrait[]): (name: string) => boolean {
  const prefix = 'transcript_language:'
  const wanted = traits.filter((trait) => trait.startsWith(prefix)).map((trait) => trait.slice(prefix.length))
  return (name) => wanted.every((language) => `${name}-`.startsWith(`${toTranscriptName(language)}-`))
}

const listQuery = { match: 'all', order: null, fields: shownFields, facets: [], hasHighlight: false } as const

/** Several windows with the same words nearby may give the same moment. */
const triesPerMoment = 4

function createMomentFinder(db: Database) {
  const findContent = db.query<CompanionRow, [number, string, number]>(companionSql)
  const listTranscripts = createTranscriptList(db)
  return async (match: SpokenMatch, windows: readonly SpokenWindow[], search: Search, limit: number) => {
    const { id, name, version, hits } = match
    const row = await findContent.get(id, name, version)
    const cues = row === null ? [] : parseCues(row.body)
    const moments: Moment[] = []
    /** A line that another moment shows already. */
    const isTaken = (second: number) => moments.some(({ start, end }) => second >= start && second < end)
    const best = windows.toSorted((one, other) => other.weight - one.weight).slice(0, limit * triesPerMoment)
    for (const window of best) {
      const moment = moments.length < limit ? findMoment(cues, search, window, isTaken) : null
      if (moment !== null) moments.push(moment)
    }
    const others = (await listTranscripts({ id })).filter((each) => each.origin !== null && each.name !== name)
    return {
      id,
      isOnly: others.length === 0,
      language: name.slice(name.indexOf('/') + 1),
      hits,
      moments: moments.sort((one, other) => one.start - other.start),
      at: [...new Set(windows.map(({ first }) => (first * sliceMs) / 1000))],
    }
  }
}
