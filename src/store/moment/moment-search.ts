import type { Search, Term } from '../../record/text/search-text.ts'
import {
  findTerm,
  findWindows,
  type Pattern,
  type Said,
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
interface SpokenWindow {
  readonly first: number
  readonly last: number
  readonly weight: number
}

export interface SpokenMatches {
  /** The best transcript of each record, unordered. */
  readonly matches: readonly SpokenMatch[]
  /** Ordered by time. */
  findWindows(match: SpokenMatch): readonly SpokenWindow[]
}

/** Reads within the caller's transaction. */
export type FindSpoken = (search: Search, isWanted: (id: number, name: string) => boolean) => Promise<SpokenMatches>

interface TranscriptRow {
  readonly number: number
  readonly id: number
  readonly name: string
  readonly version: number
  readonly slices: Uint8Array
}

/** The entries of one pattern, by the number of the transcript. A prefix has one for each word. */
type Entries = ReadonlyMap<number, readonly Entry[]>

/** A queued transcript still has the words of its former version in the index. */
const isCurrent = `NOT EXISTS (SELECT 1 FROM moment_due AS due
  WHERE due.record_id = moment_transcript.record_id AND due.name = moment_transcript.name)`

export function createSpokenSearch(db: Database, onStep: () => void): FindSpoken {
  const postings = createPostingReader(db, onStep)
  const lookUp = createLookup<TranscriptRow, number>(
    db,
    (numbers) => `SELECT number, record_id AS id, name, version, slices FROM moment_transcript
      WHERE number IN ${numbers} AND ${isCurrent}`,
  )
  return async ({ all, none }, isWanted) => {
    const wanted = await postings.readAll(all.flatMap(toPatterns))
    const excluded = await postings.readSome(none.flatMap(toPatterns), wanted.numbers)
    const toAll = (number: number) => [toSaid(all, wanted.entries, number), toSaid(none, excluded, number)] as const
    const best = new Map<number, SpokenMatch>()
    const slices = new Map<number, SliceOf>()
    for await (const chunk of toChunks(wanted.numbers)) {
      onStep()
      for (const row of await lookUp(chunk)) {
        const { number, id, name, version } = row
        if (!isWanted(id, name)) continue
        const sliceOf = createSliceOf(row.slices)
        const match = { number, id, name, version, ...tally(...toAll(number), sliceOf) }
        const other = best.get(id)
        if (match.hits === 0 || (other !== undefined && !isBetter(match, other))) continue
        best.set(id, match)
        slices.set(number, createSliceOf(row.slices))
      }
    }
    return {
      matches: [...best.values()],
      findWindows({ number }) {
        const sliceOf = slices.get(number) ?? (() => 0)
        return findWindows(...toAll(number), sliceOf).map(({ from, to, weight }) => {
          return { first: sliceOf(from), last: sliceOf(to), weight }
        })
      },
    }
  }
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

function toSaid(terms: readonly Term[], entries: ReadonlyMap<string, Entries>, number: number): Said[] {
  return terms.map((term) =>
    findTerm(toPatterns(term).map((pattern) => toNumbers(entries.get(toKey(pattern))?.get(number) ?? []))),
  )
}

function toNumbers(entries: readonly Entry[]): Int32Array {
  const [first = new Int32Array(), ...others] = entries.map(readNumbers)
  if (others.length === 0) return first
  const numbers = new Int32Array(others.reduce((sum, { length }) => sum + length, first.length))
  let at = 0
  for (const some of [first, ...others]) {
    numbers.set(some, at)
    at += some.length
  }
  return numbers.sort()
}

const toKey = ({ token, isPrefix }: Pattern) => `${token}${isPrefix ? '*' : ''}`
/** Sorts after every token with the same prefix. */
const lastCharacter = '\u{10ffff}'

/** Of so many blocks one statement reads the rows, and of so many it adds up their sizes. */
const [readBlocks, sampledBlocks] = [128, 4]

interface PostingRow {
  readonly block: number
  readonly body: Uint8Array
}

function createPostingReader(db: Database, onStep: () => void) {
  const findLast = db.query<{ number: number | null }, []>('SELECT max(number) AS number FROM moment_transcript')
  const condition = { word: 'token = ?', beginning: 'token >= ? AND token <= ?' }
  const toKind = ({ isPrefix }: Pattern) => (isPrefix ? 'beginning' : 'word')
  const toBound = ({ token, isPrefix }: Pattern) => (isPrefix ? [token, token + lastCharacter] : [token])
  const prepare = <Row>(columns: string, kind: keyof typeof condition, size: number) =>
    db.query<Row, Value[]>(
      `SELECT ${columns} FROM moment_posting WHERE block IN (${Array(size).fill('?').join(', ')}) AND ${condition[kind]}`,
    )
  const measure = {
    word: prepare<{ bytes: number | null }>('sum(length(body)) AS bytes', 'word', sampledBlocks),
    beginning: prepare<{ bytes: number | null }>('sum(length(body)) AS bytes', 'beginning', sampledBlocks),
  }
  const read = {
    word: prepare<PostingRow>('block, body', 'word', readBlocks),
    beginning: prepare<PostingRow>('block, body', 'beginning', readBlocks),
  }

  async function* toBlockLists(blocks: readonly number[]): AsyncGenerator<number[]> {
    for await (const chunk of toChunks(blocks)) {
      onStep()
      yield Array.from({ length: readBlocks }, (_, i) => chunk[i] ?? -1)
    }
  }

  /** In a few blocks, which tells the rare tokens from the common ones. */
  async function sampleBytes(pattern: Pattern, blocks: readonly number[]): Promise<number> {
    const step = Math.max(1, Math.floor(blocks.length / sampledBlocks))
    const sampled = blocks.filter((_, i) => i % step === 0).slice(0, sampledBlocks)
    const list = Array.from({ length: sampledBlocks }, (_, i) => sampled[i] ?? -1)
    onStep()
    return (await measure[toKind(pattern)].get(...list, ...toBound(pattern)))?.bytes ?? 0
  }

  /** `isKept`: which transcripts to read entries for. */
  async function readPattern(
    pattern: Pattern,
    blocks: readonly number[],
    isKept: (number: number) => boolean,
  ): Promise<Entries> {
    const entries = new Map<number, Entry[]>()
    for await (const list of toBlockLists(blocks)) {
      for (const { block, body } of await read[toKind(pattern)].all(...list, ...toBound(pattern))) {
        listEntries(body, (place, from, to) => {
          const number = block * blockSize + place
          if (!isKept(number)) return
          const known = entries.get(number)
          if (known === undefined) entries.set(number, [{ body, from, to }])
          else known.push({ body, from, to })
        })
      }
    }
    return entries
  }

  return {
    /** The transcripts that have all patterns, in order, and their entries. Reads the rarest pattern first. */
    async readAll(patterns: readonly Pattern[]) {
      const entries = new Map<string, Entries>()
      if (patterns.length === 0) return { numbers: [], entries }
      const last = (await findLast.get())?.number ?? -1
      let blocks = Array.from({ length: Math.floor(last / blockSize) + 1 }, (_, block) => block)
      let numbers: readonly number[] | null = null
      for (const pattern of await sortByBytes(patterns, (each) => sampleBytes(each, blocks))) {
        const kept: ReadonlySet<number> | null = numbers === null ? null : new Set<number>(numbers)
        const found = await readPattern(pattern, blocks, (number) => kept === null || kept.has(number))
        entries.set(toKey(pattern), found)
        numbers = [...found.keys()]
        blocks = toBlocks(numbers)
        if (numbers.length === 0) break
      }
      return { numbers: [...(numbers ?? [])].sort((one, other) => one - other), entries }
    },
    async readSome(patterns: readonly Pattern[], numbers: readonly number[]) {
      const [kept, blocks] = [new Set(numbers), toBlocks(numbers)]
      const entries = new Map<string, Entries>()
      for (const pattern of patterns)
        entries.set(toKey(pattern), await readPattern(pattern, blocks, (number) => kept.has(number)))
      return entries
    },
  }
}

const toBlocks = (numbers: readonly number[]) => [...new Set(numbers.map((number) => Math.floor(number / blockSize)))]

async function sortByBytes(patterns: readonly Pattern[], findBytes: (pattern: Pattern) => Promise<number>) {
  const different = new Map(patterns.map((pattern) => [toKey(pattern), pattern]))
  if (different.size === 1) return [...different.values()]
  const sized: { readonly pattern: Pattern; readonly bytes: number }[] = []
  for (const pattern of different.values()) sized.push({ pattern, bytes: await findBytes(pattern) })
  return sized.sort((one, other) => one.bytes - other.bytes).map(({ pattern }) => pattern)
}
