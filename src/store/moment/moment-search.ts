import type { Search, Term } from '../../record/text/search-text.ts'
import {
  findTerm,
  findWindows,
  keepFollowed,
  keepNear,
  type Occurrences,
  type Pattern,
  type SliceOf,
  tally,
  toPatterns,
  toSliceOf,
} from '../../record/transcript/moments.ts'
import type { Database, Value } from '../database.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { blockSize, type Entry, listEntries, readNumbers, readVarints } from './postings.ts'

/** A transcript in which all terms are said together. */
export interface SpokenMatch {
  /** The number of the transcript in the index. */
  readonly number: number
  readonly id: number
  /** The name and version of the companion. */
  readonly name: string
  readonly version: number
  readonly hits: number
  readonly score: number
}

/** A window as a range of time slices. */
export interface SpokenWindow {
  readonly first: number
  readonly last: number
  readonly weight: number
}

interface SpokenMatches {
  /** The best transcript of each record, unordered. */
  readonly matches: readonly SpokenMatch[]
  /** Of some of the matches, by number, each ordered by time. Reads the index again, so that no search keeps all of it. */
  findWindows(matches: readonly SpokenMatch[]): Promise<ReadonlyMap<number, readonly SpokenWindow[]>>
}

/** Reads within the caller's transaction. `ids`: the only records that may be wanted, so that the others are not read. */
export type FindSpoken = (
  search: Search,
  isWanted: (id: number, name: string) => boolean,
  ids?: readonly number[],
) => Promise<SpokenMatches>

/** The SQL that differs between engines. */
export interface SpokenSql {
  /** Columns block and body; several rows of a block may be one, with their bodies in any order, as Base64. */
  toPostings(condition: string): string
}

interface TranscriptRow {
  readonly number: number
  readonly id: number
  readonly name: string
  readonly version: number
  readonly slices: Uint8Array
}

/** Which part of the index to read. */
interface Scope {
  readonly blocks: readonly number[]
  isWanted(number: number): boolean
}

/** Where the terms of a search are said in one transcript. */
interface SpokenTogether {
  readonly row: TranscriptRow
  readonly all: readonly Occurrences[]
  readonly none: readonly Occurrences[]
  readonly sliceOf: SliceOf
}

/** The numbers of one pattern, by the number of the transcript. */
type Entries = ReadonlyMap<number, Int32Array>

/** A pattern with its place in the search. */
interface Placed {
  readonly pattern: Pattern
  readonly term: number
  readonly offset: number
}

/** A queued transcript still has the words of its former version in the index. */
const isCurrent = `NOT EXISTS (SELECT 1 FROM moment_due AS due
  WHERE due.record_id = moment_transcript.record_id AND due.name = moment_transcript.name)`

export function createSpokenSearch(db: Database, sql: SpokenSql, onStep: () => void): FindSpoken {
  const postings = createPostingReader(db, sql, onStep)
  const lookUp = createLookup<TranscriptRow, number>(
    db,
    (numbers) => `SELECT number, record_id AS id, name, version, slices FROM moment_transcript
      WHERE number IN ${numbers} AND ${isCurrent}`,
  )
  const lookUpNumbers = createLookup<{ number: number }, number>(
    db,
    (ids) => `SELECT number FROM moment_transcript WHERE record_id IN ${ids}`,
  )

  /** Visits the transcripts that have all patterns. Holds a few blocks at a time, however common the words are. */
  async function* listSpoken(
    { all, none }: Search,
    patterns: readonly Placed[],
    { blocks, isWanted }: Scope,
  ): AsyncGenerator<SpokenTogether[]> {
    for (let index = 0; index < blocks.length; index += groupBlocks) {
      const wanted = await postings.readAll(patterns, { blocks: blocks.slice(index, index + groupBlocks), isWanted })
      const excluded = await postings.readSome(none.flatMap(toPatterns), wanted.numbers)
      for await (const chunk of toChunks(wanted.numbers)) {
        onStep()
        yield (await lookUp(chunk)).map((row) => ({
          row,
          all: toOccurrences(all, wanted.entries, row.number),
          none: toOccurrences(none, excluded, row.number),
          sliceOf: createSliceOf(row.slices),
        }))
      }
    }
  }

  return async (search, isWanted, ids) => {
    const all =
      ids === undefined ? await postings.listAll() : toScope((await lookUpNumbers(ids)).map(({ number }) => number))
    const patterns = await postings.plan(search.all, all.blocks)
    const best = new Map<number, SpokenMatch>()
    for await (const group of listSpoken(search, patterns, all)) {
      for (const { row, all, none, sliceOf } of group) {
        const { number, id, name, version } = row
        if (!isWanted(id, name)) continue
        const match = { number, id, name, version, ...tally(all, none, sliceOf) }
        const other = best.get(id)
        if (match.hits > 0 && (other === undefined || isBetter(match, other))) best.set(id, match)
      }
    }
    return {
      matches: [...best.values()],
      async findWindows(matches) {
        const shown = toScope(matches.map(({ number }) => number))
        const windows = new Map<number, readonly SpokenWindow[]>()
        for await (const group of listSpoken(search, patterns, shown)) {
          for (const { row, all, none, sliceOf } of group) windows.set(row.number, toWindows(all, none, sliceOf))
        }
        return windows
      },
    }
  }
}

function toWindows(all: readonly Occurrences[], none: readonly Occurrences[], sliceOf: SliceOf): SpokenWindow[] {
  return findWindows(all, none, sliceOf).map(({ from, to, weight }) => {
    return { first: sliceOf(from), last: sliceOf(to), weight }
  })
}

const isBetter = (one: SpokenMatch, other: SpokenMatch) =>
  one.score === other.score ? one.name < other.name : one.score > other.score

/** Decoded on demand: a search for one word needs it only for the talks on the page. */
function createSliceOf(slices: Uint8Array): SliceOf {
  let sliceOf: SliceOf | null = null
  return (number) => {
    sliceOf ??= toSliceOf(readVarints(slices, 0, slices.length))
    return sliceOf(number)
  }
}

function toOccurrences(terms: readonly Term[], entries: ReadonlyMap<string, Entries>, number: number): Occurrences[] {
  return terms.map((term) =>
    findTerm(toPatterns(term).map((pattern) => entries.get(toKey(pattern))?.get(number) ?? noNumbers)),
  )
}

const noNumbers = new Int32Array()

function toNumbers(entries: readonly Entry[]): Int32Array {
  const [first = noNumbers, ...others] = entries.map(readNumbers)
  if (others.length === 0) return first
  const numbers = new Int32Array(others.reduce((sum, { length }) => sum + length, first.length))
  let index = 0
  for (const some of [first, ...others]) {
    numbers.set(some, index)
    index += some.length
  }
  return numbers.sort()
}

const toKey = ({ token, isPrefix }: Pattern) => `${token}${isPrefix ? '*' : ''}`
/** Sorts after every token with the same prefix. */
const lastCharacter = '\u{10ffff}'

/** Of so many blocks one statement reads the rows, and of so many it adds up their sizes. */
const [groupBlocks, sampledBlocks] = [16, 4]

interface PostingRow {
  readonly block: number
  readonly body: Uint8Array | string
}

function createPostingReader(db: Database, { toPostings }: SpokenSql, onStep: () => void) {
  const findLast = db.query<{ number: number | null }, []>('SELECT max(number) AS number FROM moment_transcript')
  const toKind = ({ isPrefix }: Pattern) => (isPrefix ? 'beginning' : 'word')
  const toBound = ({ token, isPrefix }: Pattern) => (isPrefix ? [token, token + lastCharacter] : [token])
  const ofWord = { word: 'token = ?', beginning: 'token >= ? AND token <= ?' }
  const toCondition = (kind: keyof typeof ofWord, size: number) =>
    `block IN (${Array(size).fill('?').join(', ')}) AND ${ofWord[kind]}`
  const toSizes = (kind: keyof typeof ofWord) =>
    `SELECT sum(length(body)) AS bytes FROM moment_posting WHERE ${toCondition(kind, sampledBlocks)}`
  const toRows = (kind: keyof typeof ofWord) => toPostings(toCondition(kind, groupBlocks))
  const measure = {
    word: db.query<{ bytes: number | null }, Value[]>(toSizes('word')),
    beginning: db.query<{ bytes: number | null }, Value[]>(toSizes('beginning')),
  }
  const read = {
    word: db.query<PostingRow, Value[]>(toRows('word')),
    beginning: db.query<PostingRow, Value[]>(toRows('beginning')),
  }

  /** In a few blocks, which tells the rare tokens from the common ones. */
  async function sampleBytes(pattern: Pattern, blocks: readonly number[]): Promise<number> {
    const step = Math.max(1, Math.floor(blocks.length / sampledBlocks))
    const sampled = blocks.filter((_, i) => i % step === 0).slice(0, sampledBlocks)
    onStep()
    return (await measure[toKind(pattern)].get(...pad(sampled, sampledBlocks), ...toBound(pattern)))?.bytes ?? 0
  }

  async function readPattern(pattern: Pattern, { blocks, isWanted }: Scope): Promise<Entries> {
    const entries = new Map<number, Entry[]>()
    onStep()
    for (const row of await read[toKind(pattern)].all(...pad(blocks, groupBlocks), ...toBound(pattern))) {
      const body = typeof row.body === 'string' ? Buffer.from(row.body, 'base64') : row.body
      listEntries(body, (place, from, to) => {
        const number = row.block * blockSize + place
        if (!isWanted(number)) return
        const known = entries.get(number)
        if (known === undefined) entries.set(number, [{ body, from, to }])
        else known.push({ body, from, to })
      })
    }
    return new Map([...entries].map(([number, each]) => [number, toNumbers(each)]))
  }

  return {
    async listAll(): Promise<Scope> {
      const last = (await findLast.get())?.number ?? -1
      const blocks = Array.from({ length: Math.floor(last / blockSize) + 1 }, (_, block) => block)
      return { blocks, isWanted: () => true }
    },
    /** The different patterns, the rarest one first. */
    async plan(terms: readonly Term[], blocks: readonly number[]): Promise<readonly Placed[]> {
      const different = listDifferent(terms)
      if (different.length < 2) return different
      const sized: { readonly placed: Placed; readonly bytes: number }[] = []
      for (const placed of different) sized.push({ placed, bytes: await sampleBytes(placed.pattern, blocks) })
      const sorted = sized.sort((one, other) => one.bytes - other.bytes)
      return sorted.map(({ placed }) => placed)
    },
    /** The transcripts that may have all patterns together, in order, and their numbers. */
    async readAll([first, ...others]: readonly Placed[], scope: Scope) {
      const entries = new Map<string, Entries>()
      if (first === undefined) return { numbers: [], entries }
      let left = await readPattern(first.pattern, scope)
      entries.set(toKey(first.pattern), left)
      for (const other of others) {
        if (left.size === 0) break
        const before = left
        const isWanted = (number: number) => before.has(number)
        const found = await readPattern(other.pattern, { blocks: toBlocks([...left.keys()]), isWanted })
        entries.set(toKey(other.pattern), found)
        left = keepTogether(left, found, first, other)
      }
      return { numbers: [...left.keys()].sort((one, other) => one - other), entries }
    },
    async readSome(patterns: readonly Pattern[], numbers: readonly number[]) {
      const scope = toScope(numbers)
      const entries = new Map<string, Entries>()
      if (numbers.length === 0) return entries
      for (const pattern of patterns) entries.set(toKey(pattern), await readPattern(pattern, scope))
      return entries
    },
  }
}

function listDifferent(terms: readonly Term[]): Placed[] {
  const different = new Map<string, Placed>()
  for (const [term, each] of terms.entries()) {
    for (const [offset, pattern] of toPatterns(each).entries()) {
      if (!different.has(toKey(pattern))) different.set(toKey(pattern), { pattern, term, offset })
    }
  }
  return [...different.values()]
}

/** The numbers of the first pattern that may be in a window with the other one. */
function keepTogether(numbers: Entries, others: Entries, first: Placed, other: Placed): Entries {
  const kept = new Map<number, Int32Array>()
  for (const [transcript, following] of others) {
    const known = numbers.get(transcript) ?? noNumbers
    const near =
      first.term === other.term
        ? keepFollowed(known, following, other.offset - first.offset)
        : keepNear(known, following)
    if (near.length > 0) kept.set(transcript, near)
  }
  return kept
}

/** No block has the number -1. */
const pad = (blocks: readonly number[], length: number) => Array.from({ length }, (_, i) => blocks[i] ?? -1)

function toScope(numbers: readonly number[]): Scope {
  const wanted = new Set(numbers)
  return { blocks: toBlocks(numbers), isWanted: (number) => wanted.has(number) }
}

const toBlocks = (numbers: readonly number[]) => [...new Set(numbers.map((number) => Math.floor(number / blockSize)))]
