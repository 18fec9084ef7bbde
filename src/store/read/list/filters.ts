import { toVideoUrl } from '../../../record/embed.ts'
import type { NameKind } from '../../../record/name.ts'
import { besideCodes, parkedBit, toQualityBits, whiteboardBit } from '../../../record/quality/finding-codes.ts'
import type { Filters } from '../../../record/query/query.ts'
import type { Search } from '../../../record/text/search-text.ts'
import { toDayNumber, toTimestampMs } from '../../columns/numbering.ts'
import type { RecordData } from '../../columns/record-data.ts'
import { unknownDay } from '../../columns/slots.ts'
import { toTraitSql } from '../../companion/companion-rows.ts'
import { toMediaBits } from '../../derive/derived-rows.ts'
import { deadRecordsSql, linkStateSql } from '../../link/link-sql.ts'
import { toMergedSql, toSettledVideosSql, toSharedSql } from '../../write/duplicate-rows.ts'
import { toBesideSql } from '../beside-findings.ts'
import type { Condition, Statements } from '../statements.ts'
import { keepOutside, keepSameVideo, readEventDays } from './finding-columns.ts'

/** The SQL of filters that differs between engines. */
export interface FilterSql {
  /** Selects the ids of names whose folded form contains a text. */
  toNameIds(kind: NameKind, text: string): Condition
  /** Selects the ids of records that match a search with words; with excluded words only, those that have one of them. */
  toMatchIds(search: Search): Condition
  /** Selects the ids of a parameter, which `toIdList` makes. */
  readonly eachId: string
  toIdList(ids: readonly number[]): string
  /** Selects one JSON text of the ids that a statement selects: faster to read than one row for each. */
  toIdsText(select: string): string
  /** The last day of the category `event`. */
  readonly lastDay: string
}

/** The records that match so far; each filter drops some. */
interface Kept {
  /** One byte per slot: 1 for records that match all filters so far. */
  readonly flags: Uint8Array
  readonly data: Columns
  readonly prepare: Statements
  readonly sql: FilterSql
  readonly filters: Filters
}

/** All filters as conditions on rows of `listing`. */
export function toConditions(filters: Filters, sql: FilterSql): Condition[] {
  return entries.flatMap(([name, { toSql }]) => (isGiven(filters[name]) ? toSql(filters[name], sql, filters) : []))
}

/** Applies all filters to the flags; whether there were any. `onStep` is called after each; it may throw. */
export async function keepMatches(kept: Kept, onStep: () => void): Promise<boolean> {
  const given = entries.filter(([name]) => name !== 'visibility' && isGiven(kept.filters[name]))
  for (const [name, { keep }] of given) {
    await keep(kept.filters[name], kept)
    onStep()
  }
  return given.length > 0
}

type Columns = Pick<RecordData, 'arrays' | 'counts' | 'slots' | 'speakers' | 'tags' | 'languages' | 'hosts' | 'authors'>

/** One filter of lists, for both ways to apply it: they must agree (decision 75). */
interface Filter<Value> {
  /** Conditions on rows of `listing`. */
  toSql(value: Value, sql: FilterSql, filters: Filters): readonly Condition[]
  /** Clears the flags of records that do not match. */
  keep(value: Value, kept: Kept): void | Promise<void>
}

type FilterTable = { readonly [F in keyof Filters]-?: Filter<NonNullable<Filters[F]>> }

/** Every filter of lists. */
const table: FilterTable = {
  visibility: {
    toSql: (visibility) => (visibility === 'live' ? [is('state = 1')] : []),
    // The flags begin with what is visible.
    keep: () => undefined,
  },
  state: {
    toSql: (state) => [is('state = ?', state)],
    keep: (state, { flags, data }) => keepBetween(flags, data.arrays().states, state, state),
  },
  category: {
    toSql: (text) => [is(`category_id IN (${categorySql})`, text, text)],
    async keep(text, kept) {
      keepOneOf(kept.flags, kept.data.arrays().categories, await readIds(kept, is(categorySql, text, text)))
    },
  },
  speakers: toNameFilter('speaker'),
  tags: toNameFilter('tag'),
  speakerIds: toNameIdFilter('speaker'),
  tagIds: toNameIdFilter('tag'),
  language: {
    toSql: (language) => [is('language = ?', language)],
    keep: (language, { flags, data }) =>
      keepNumber(flags, data.arrays().languages, data.languages.findNumber(language)),
  },
  recordedAfter: {
    toSql: (day) => [is('recorded >= ?', day)],
    keep: (day, { flags, data }) => keepBetween(flags, data.arrays().days, toDayNumber(day), end),
  },
  recordedBefore: {
    toSql: (day) => [is('recorded <= ?', day)],
    keep: (day, { flags, data }) => keepBetween(flags, data.arrays().days, unknownDay + 1, toDayNumber(day)),
  },
  durationMin: {
    toSql: (seconds) => [is('duration >= ?', seconds)],
    keep: (seconds, { flags, data }) => keepBetween(flags, data.arrays().durations, Math.max(0, seconds), end),
  },
  durationMax: {
    toSql: (seconds) => [is('duration <= ?', seconds)],
    keep: (seconds, { flags, data }) => keepBetween(flags, data.arrays().durations, 0, seconds),
  },
  has: {
    toSql: (kinds) => kinds.map((kind) => is(`(media & ${toMediaBits([kind])}) <> 0`)),
    keep: (kinds, { flags, data }) => keepBits(flags, data.arrays().media, toMediaBits(kinds)),
  },
  hasAny: {
    toSql: (kinds) => [is(`(media & ${toMediaBits(kinds)}) <> 0`)],
    keep: (kinds, { flags, data }) => keepAnyBit(flags, data.arrays().media, toMediaBits(kinds)),
  },
  traits: {
    toSql: (traits) => traits.map(toTraitSql).map(({ sql, values }) => is(`id IN (${sql})`, ...values)),
    // The columns do not have them.
    async keep(traits, kept) {
      for (const trait of traits) keepIds(kept, await readIds(kept, toTraitSql(trait)))
    },
  },
  withoutTraits: {
    toSql: (traits) => traits.map(toTraitSql).map(({ sql, values }) => is(`id NOT IN (${sql})`, ...values)),
    async keep(traits, kept) {
      const { flags, data } = kept
      for (const trait of traits)
        for (const id of await readIds(kept, toTraitSql(trait))) flags[data.slots.toSlot(id)] = 0
    },
  },
  sourceUrl: {
    toSql: (url) => [is(sourceSql, toVideoUrl(url))],
    async keep(url, kept) {
      keepIds(kept, await readIds(kept, is(`SELECT id FROM listing WHERE ${sourceSql}`, toVideoUrl(url))))
    },
  },
  ids: {
    toSql: (ids) => [is(`id IN (${ids.map(() => '?').join(', ')})`, ...ids)],
    keep: (ids, kept) => keepIds(kept, ids),
  },
  isScheduled: {
    toSql: () => [is(`id IN (${scheduledSql})`)],
    // There are few of them, and the columns do not have them.
    keep: async (_, kept) => keepIds(kept, await readIds(kept, is(scheduledSql))),
  },
  findings: {
    toSql(codes, { lastDay }, { visibility }) {
      const bits = toQualityBits(codes)
      return [
        is(`(quality & ${bits}) = ${bits}`),
        // The bits are in no index, but days are.
        ...(codes.includes('missing_recorded') ? [is('recorded IS NULL')] : []),
        ...(codes.includes('outside_event') ? [is(toOutsideSql(lastDay))] : []),
        ...(codes.includes('same_video') ? [is(toRepeatedSql(visibility)), is(toSharedSql(visibility))] : []),
        ...besideCodes.filter((code) => codes.includes(code)).map((code) => is(`id IN (${toBesideSql(code)})`)),
        is(
          `NOT EXISTS (SELECT 1 FROM accepted_finding AS accepted WHERE accepted.record_id = listing.id
          AND accepted.code IN (${codes.map(() => '?').join(', ')}))`,
          ...codes,
        ),
      ]
    },
    async keep(codes, kept) {
      const { flags, data, filters } = kept
      keepBits(flags, data.arrays().qualities, toQualityBits(codes))
      if (codes.includes('outside_event')) keepOutside(flags, data, await readEventDays(kept.prepare))
      if (codes.includes('same_video')) {
        const settled = await readIds(kept, is(toSettledVideosSql(filters.visibility)))
        keepSameVideo(flags, data, filters.visibility, settled)
      }
      for (const code of besideCodes.filter((each) => codes.includes(each)))
        keepIds(kept, await readIds(kept, is(toBesideSql(code))))
      for (const code of codes) {
        const accepted = is('SELECT record_id AS id FROM accepted_finding WHERE code = ?', code)
        for (const id of await readIds(kept, accepted)) flags[data.slots.toSlot(id)] = 0
      }
    },
  },
  link: {
    toSql: (state) => [is(`id IN (${linkStateSql})`, state)],
    // The columns have no addresses, and few addresses are in such a state.
    keep: async (state, kept) => keepIds(kept, await readIds(kept, is(linkStateSql, state))),
  },
  isWatchable: {
    toSql: (isWatchable) => [
      is(`${isWatchable ? 'NOT ' : ''}(${nothingToWatch} OR id IN (${deadRecordsSql}))`, 'recordings'),
    ],
    async keep(isWatchable, kept) {
      const { flags, data } = kept
      const without = `SELECT id FROM listing WHERE ${nothingToWatch}`
      const unwatchable = [
        ...(await readIds(kept, is(deadRecordsSql))),
        ...(await readIds(kept, is(without, 'recordings'))),
      ]
      if (!isWatchable) keepIds(kept, unwatchable)
      else for (const id of unwatchable) flags[data.slots.toSlot(id)] = 0
    },
  },
  whiteboard: toBitFilter(whiteboardBit),
  // A merged draft is done as well, without the mark.
  parked: {
    toSql: (isSet) => [is(`${isSet ? '' : 'NOT '}((quality & ${parkedBit}) <> 0 OR ${toMergedSql('listing')})`)],
    async keep(isSet, kept) {
      const { flags, data } = kept
      const merged = await readIds(kept, is(`SELECT id FROM listing WHERE ${toMergedSql('listing')}`))
      const wasKept = merged.map((id) => flags[data.slots.toSlot(id)] ?? 0)
      keepAnyBit(flags, data.arrays().qualities, parkedBit, isSet)
      for (const [i, id] of merged.entries()) flags[data.slots.toSlot(id)] = isSet ? (wasKept[i] ?? 0) : 0
    },
  },
  host: {
    toSql: (host) => [is('host = ?', host)],
    keep: (host, { flags, data }) => keepNumber(flags, data.arrays().hosts, data.hosts.findNumber(host)),
  },
  by: {
    toSql: (author) => [is('author = ?', author)],
    keep: (author, { flags, data }) => keepNumber(flags, data.arrays().authors, data.authors.findNumber(author)),
  },
  addedAfter: {
    toSql: (at) => [is('added >= ?', at)],
    keep: (at, { flags, data }) => keepBetween(flags, data.arrays().addedMs, toTimestampMs(at), end),
  },
  addedBefore: {
    toSql: (at) => [is('added <= ?', at)],
    keep: (at, { flags, data }) => keepBetween(flags, data.arrays().addedMs, -end, toTimestampMs(at)),
  },
  updatedAfter: {
    toSql: (at) => [is('updated >= ?', at)],
    keep: (at, { flags, data }) => keepBetween(flags, data.arrays().updatedMs, toTimestampMs(at), end),
  },
  updatedBefore: {
    toSql: (at) => [is('updated <= ?', at)],
    keep: (at, { flags, data }) => keepBetween(flags, data.arrays().updatedMs, -end, toTimestampMs(at)),
  },
  search: {
    toSql(search, sql) {
      // A search without words finds nothing.
      if (isEmpty(search)) return [is('FALSE')]
      const { sql: ids, values } = sql.toMatchIds(search)
      return [is(`id ${search.all.length === 0 ? 'NOT IN' : 'IN'} (${ids})`, ...values)]
    },
    async keep(search, kept) {
      const ids = isEmpty(search) ? [] : await readIds(kept, kept.sql.toMatchIds(search))
      if (search.all.length > 0 || isEmpty(search)) keepIds(kept, ids)
      else for (const id of ids) kept.flags[kept.data.slots.toSlot(id)] = 0
    },
  },
}

const end = Number.POSITIVE_INFINITY
const categorySql = 'SELECT id FROM category WHERE slug = ? OR title = ?'
/** Repeats the condition of the partial index, which is used only then. */
const sourceSql = `(source_url = ? AND source_url <> '')`

const is = (sql: string, ...values: Condition['values']): Condition => ({ sql, values })
const isEmpty = ({ all, none }: Search) => all.length + none.length === 0

const traitSql = 'SELECT record_id AS id FROM companion_trait WHERE trait = ?'
const noMediaBits = toQualityBits(['missing_source', 'missing_media'])
/** Neither a page nor a file, nor player markup of its own. */
const nothingToWatch = `((quality & ${noMediaBits}) = ${noMediaBits} AND (media & ${toMediaBits(['embed'])}) = 0
  AND id NOT IN (${traitSql}))`
const scheduledSql = 'SELECT record_id AS id FROM scheduled_publish'

async function readIds({ prepare, sql }: Kept, select: Condition): Promise<readonly number[]> {
  const row = await prepare<{ ids: string | null }>(sql.toIdsText(select.sql)).get(...select.values)
  return JSON.parse(row?.ids ?? '[]')
}

type Entry = readonly [keyof Filters, Filter<unknown>]
// Each filter gets the value of its own name.
const entries = Object.entries(table) as unknown as readonly Entry[]

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Looking up the records of rarer names is cheaper than a pass over all records. */
const maxRare = 2_000

/** Records that have one of these names. */
async function keepNames(kept: Kept, kind: NameKind, names: readonly number[]): Promise<void> {
  const { flags, data, sql } = kept
  const counts = data.counts.by(kind, 'all')
  const used = names.filter((name) => (counts[name] ?? 0) > 0)
  if (used.reduce((sum, name) => sum + (counts[name] ?? 0), 0) > maxRare) {
    return (kind === 'speaker' ? data.speakers : data.tags).keep(used, flags)
  }
  const select = `SELECT record_id AS id FROM record_${kind} WHERE ${kind}_id IN (${sql.eachId})`
  keepIds(kept, await readIds(kept, is(select, sql.toIdList(used))))
}

/** For each text, a record must have a name that contains it. */
function toNameFilter(kind: NameKind): Filter<readonly string[]> {
  return {
    toSql: (texts, { toNameIds }) =>
      texts.map((text) => {
        const { sql, values } = toNameIds(kind, text)
        return is(`id IN (SELECT record_id FROM record_${kind} WHERE ${kind}_id IN (${sql}))`, ...values)
      }),
    async keep(texts, kept) {
      for (const text of texts) await keepNames(kept, kind, await readIds(kept, kept.sql.toNameIds(kind, text)))
    },
  }
}

/** A record must have each name. */
function toNameIdFilter(kind: NameKind): Filter<readonly number[]> {
  return {
    toSql: (ids) => ids.map((id) => is(`id IN (SELECT record_id FROM record_${kind} WHERE ${kind}_id = ?)`, id)),
    async keep(ids, kept) {
      for (const id of ids) await keepNames(kept, kind, [id])
    },
  }
}

function toBitFilter(bit: number): Filter<boolean> {
  return {
    toSql: (isSet) => [is(`(quality & ${bit}) ${isSet ? '<>' : '='} 0`)],
    keep: (isSet, { flags, data }) => keepAnyBit(flags, data.arrays().qualities, bit, isSet),
  }
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

// The loops below have no branches on values, because the CPU could not predict them.

function keepBetween(flags: Uint8Array, values: Numbers, from: number, to: number): void {
  for (let slot = 0; slot < flags.length; slot++) {
    const value = values[slot] ?? 0
    flags[slot] = (flags[slot] ?? 0) & Number(value >= from) & Number(value <= to)
  }
}

/** Undefined: no record has it. */
function keepNumber(flags: Uint8Array, values: Uint32Array | Uint16Array, wanted: number | undefined): void {
  keepOneOf(flags, values, wanted === undefined ? [] : [wanted])
}

/** At most two: the same text may be the slug of one category and the title of another. */
function keepOneOf(flags: Uint8Array, values: Uint32Array | Uint16Array, wanted: readonly number[]): void {
  const [first = -1, second = first] = wanted
  for (let slot = 0; slot < flags.length; slot++) {
    const value = values[slot] ?? 0
    flags[slot] = (flags[slot] ?? 0) & (Number(value === first) | Number(value === second))
  }
}

/** Records that have all of these bits. */
function keepBits(flags: Uint8Array, values: Uint8Array | Uint32Array, bits: number): void {
  for (let slot = 0; slot < flags.length; slot++) {
    flags[slot] = (flags[slot] ?? 0) & Number(((values[slot] ?? 0) & bits) === bits)
  }
}

/** Records that have one of these bits, or none of them. */
function keepAnyBit(flags: Uint8Array, values: Uint8Array | Uint32Array, bits: number, isSet = true): void {
  for (let slot = 0; slot < flags.length; slot++) {
    flags[slot] = (flags[slot] ?? 0) & Number((((values[slot] ?? 0) & bits) !== 0) === isSet)
  }
}

function keepIds({ flags, data }: Kept, ids: readonly number[]): void {
  const kept = new Uint8Array(flags.length)
  for (const id of ids) {
    const slot = data.slots.toSlot(id)
    kept[slot] = flags[slot] ?? 0
  }
  flags.set(kept)
}

/** Unknown days match nothing. */
const toOutsideSql = (lastDay: string) => `EXISTS (SELECT 1 FROM category AS event
  WHERE event.id = listing.category_id AND (listing.recorded < event.start_date OR listing.recorded > COALESCE(event.end_date, ${lastDay})))`

/** Finds the few candidates faster than a look at the other records of each. */
const toRepeatedSql = (visibility: Filters['visibility']) => `source_url IN (SELECT source_url FROM listing
  WHERE source_url <> ''${visibility === 'live' ? ' AND state = 1' : ''} GROUP BY source_url HAVING count(*) > 1)`
