import { type CountedFacet, type FileKind, fileKinds, lengthRanges } from '../../record/query/query.ts'
import type { Database } from '../database.ts'
import { toMediaBits } from '../derive/derived-rows.ts'
import type { FacetValue, ListPage } from '../list-reads.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { compareCodePoints } from './numbering.ts'
import { countValues, findLargest, type RecordData } from './record-data.ts'
import type { SlotSet } from './slots.ts'

/** The most frequent values of each facet. */
export type Facets = NonNullable<ListPage['facets']>

const maxFacetValues = 100
/** If more names are equally frequent, the index of names finds those that come first. */
const maxLookedUp = 1_000

/** A value without its count, by its number. */
interface NumberedValue {
  readonly number: number
  readonly value: Omit<FacetValue, 'count'>
}

/** The first `limit` of these values in the order of their texts, and perhaps more. */
type FindValues = (numbers: readonly number[], limit: number) => Promise<readonly NumberedValue[]>

/** The most frequent values among the records of a set; equally frequent ones in the order of their texts. */
export function createFacetCounts(db: Database, data: RecordData, onStep: () => void) {
  const toNamed = ({ id, name, slug }: NameRow) => ({ number: id, value: { value: name, id, slug } })
  const toCategory = ({ id, name, slug }: NameRow) => ({ number: id, value: { value: name, slug } })
  const findValues: { readonly [F in CountedFacet]: FindValues } = {
    category: createNameReader(db, 'category', 'title', toCategory, onStep),
    speaker: createNameReader(db, 'speaker', 'name', toNamed, onStep),
    tag: createNameReader(db, 'tag', 'name', toNamed, onStep),
    language: toTexts((number) => data.languages.toText(number)),
    year: toTexts((number) => String(number - 1).padStart(4, '0')),
    length: toTexts((number) => lengthRanges[number - 1]?.value ?? ''),
    download: toTexts(() => 'yes'),
  }

  function count(name: CountedFacet, { flags }: SlotSet): Uint32Array {
    const { categories, languages, years, durations, media } = data.arrays()
    switch (name) {
      case 'speaker':
        return data.speakers.count(flags)
      case 'tag':
        return data.tags.count(flags)
      case 'category':
        return countValues(flags, categories, 1 + findLargest(categories))
      case 'language':
        return countValues(flags, languages, data.languages.end())
      case 'year':
        return countValues(flags, years, yearEnd)
      case 'length':
        return countLengths(flags, durations)
      case 'download':
        return countFiles(flags, media)
    }
  }

  async function readTop(name: CountedFacet, set: SlotSet, max: number): Promise<FacetValue[]> {
    const counts = count(name, set)
    const { above, tied } = findFrequent(counts, max, set.count)
    const find = findValues[name]
    const found = [...(await find(above, above.length)), ...(await find(tied, max - above.length))]
    return found
      .map(({ number, value }) => ({ ...value, count: counts[number] ?? 0 }))
      .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value))
      .slice(0, max)
  }

  return async (names: readonly CountedFacet[], set: SlotSet, maxNames = maxFacetValues): Promise<Facets> => {
    const facets: { [F in CountedFacet]?: FacetValue[] } = {}
    for (const name of names) {
      facets[name] = await readTop(name, set, isNamed(name) ? maxNames : maxFacetValues)
      onStep()
    }
    return facets
  }
}

const isNamed = (facet: CountedFacet) => facet === 'category' || facet === 'speaker' || facet === 'tag'

/** Numbers of years are one more than the year. */
const yearEnd = 10_001

/** Numbers of lengths are one more than the index in `lengthRanges`. Unknown lengths are not counted. */
function countLengths(flags: Uint8Array, durations: Int32Array): Uint32Array {
  const counts = new Uint32Array(lengthRanges.length + 1)
  const [, second, third, last] = lengthRanges
  for (let slot = 0; slot < flags.length; slot++) {
    const duration = durations[slot] ?? -1
    // Sums instead of branches, which could not be predicted.
    const number =
      Number(duration >= 0) +
      Number(duration >= second.durationMin) +
      Number(duration >= third.durationMin) +
      Number(duration >= last.durationMin)
    counts[number] = (counts[number] ?? 0) + (flags[slot] ?? 0)
  }
  return counts
}

/** Number 1 counts the records that have a file. */
function countFiles(flags: Uint8Array, media: Uint8Array): Uint32Array {
  const bits = toMediaBits(fileKinds)
  let count = 0
  for (let slot = 0; slot < flags.length; slot++) {
    count += Number(((media[slot] ?? 0) & bits) !== 0) & (flags[slot] ?? 0)
  }
  return Uint32Array.of(0, count)
}

/** The kinds of files that at least one record of the set has. */
export function findFileKinds({ flags }: SlotSet, media: Uint8Array): FileKind[] {
  let bits = 0
  for (let slot = 0; slot < flags.length; slot++) if (flags[slot] === 1) bits |= media[slot] ?? 0
  return fileKinds.filter((kind) => (bits & toMediaBits([kind])) !== 0)
}

/**
 * The values that are certainly among the `limit` most frequent ones, and the equally frequent ones that compete for the
 * places left. Number 0 means no value. No count is larger than `most`.
 */
function findFrequent(counts: Uint32Array, limit: number, most: number): { above: number[]; tied: number[] } {
  const least = findLeast(counts, limit, Math.max(1, Math.min(most, maxSteps)))
  const [above, tied]: [number[], number[]] = [[], []]
  for (let number = 1; number < counts.length; number++) {
    const count = counts[number] ?? 0
    if (count > least) above.push(number)
    else if (count === least) tied.push(number)
  }
  return { above, tied }
}

/** The count of the value at the last place: at least 1. Larger counts than this share one step of the histogram. */
const maxSteps = 0xffff

function findLeast(counts: Uint32Array, limit: number, maxStep: number): number {
  const histogram = new Uint32Array(maxStep + 1)
  for (let number = 1; number < counts.length; number++) {
    const step = Math.min(counts[number] ?? 0, maxStep)
    histogram[step] = (histogram[step] ?? 0) + 1
  }
  if ((histogram[maxStep] ?? 0) >= limit) return counts.slice(1).sort().at(-limit) ?? 1
  let step = maxStep
  for (let places = histogram[maxStep] ?? 0; places < limit && step > 1; places += histogram[step] ?? 0) step--
  return step
}

function toTexts(toText: (number: number) => string): FindValues {
  return async (numbers) => numbers.map((number) => ({ number, value: { value: toText(number) } }))
}

interface NameRow {
  readonly id: number
  readonly name: string
  readonly slug: string
}

function createNameReader(
  db: Database,
  table: string,
  column: string,
  toValue: (row: NameRow) => NumberedValue,
  onStep: () => void,
): FindValues {
  const select = `SELECT id, ${column} AS name, slug FROM ${table}`
  const lookup = createLookup<NameRow, number>(db, (ids) => `${select} WHERE id IN ${ids}`)
  const readFirst = db.query<NameRow, [number]>(`${select} ORDER BY ${column} LIMIT ?`)
  const readNext = db.query<NameRow, [string, number]>(`${select} WHERE ${column} > ? ORDER BY ${column} LIMIT ?`)

  async function lookUp(numbers: readonly number[]): Promise<NameRow[]> {
    const found: NameRow[] = []
    for await (const chunk of toChunks(numbers)) found.push(...(await lookup(chunk)))
    return found
  }

  /** Walks through all names in order until enough are found. */
  async function walk(numbers: readonly number[], limit: number): Promise<NameRow[]> {
    const wanted = new Set(numbers)
    const found: NameRow[] = []
    let rows = await readFirst.all(maxLookedUp)
    while (rows.length > 0 && found.length < limit) {
      found.push(...rows.filter(({ id }) => wanted.has(id)))
      rows = await readNext.all(rows.at(-1)?.name ?? '', maxLookedUp)
      onStep()
    }
    return found
  }
  return async (numbers, limit) => {
    const rows = numbers.length <= maxLookedUp ? await lookUp(numbers) : await walk(numbers, limit)
    return rows.map(toValue)
  }
}
