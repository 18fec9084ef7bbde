import type { NameKind } from '../../record/name.ts'
import { fromBodyText, type VideoRecord } from '../../record/record.ts'
import { compareCodePoints } from '../columns/numbering.ts'
import type { RecordColumns } from '../columns/record-columns.ts'
import { unknownDay } from '../columns/slots.ts'
import type { Database } from '../database.ts'
import { alwaysAnswered } from '../read/list/list.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createMatches } from '../search/matches.ts'
import { fieldBits, toFrequency } from '../search/segment.ts'
import type { WordsIndex } from '../search/words-index.ts'
import type { Related, RelatedQuery } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'
import { listSlots, toDay } from './overview.ts'
import { ensureColumns, type SiteReadDeps } from './site-deps.ts'
import { createTopicWords, findPostings, type TopicWord, toRarity } from './topic-words.ts'

/** A talk page waits for the words of a few changed records only. */
const maxCaughtUp = 128

/** What its source had beside the fields of a record: perhaps the time of the day. */
interface ExtrasRow {
  readonly id: number
  readonly body: Uint8Array
}

/** Live records to watch after another one. */
export function createRelated(deps: SiteReadDeps): SlowReads['findRelated'] {
  const { db, sql, indexes } = deps
  const { columns, words, wordsLoader } = indexes
  const listAround = createProgramme(db, columns)
  const named = createNamedTalks(db, columns)
  const findSimilarWords = createSimilar(columns, words)

  /** The most similar in words; by tags alone until the words are loaded. */
  async function findSimilar(slot: number, limit: number): Promise<number[]> {
    await wordsLoader.catchUp(maxCaughtUp)
    if (!wordsLoader.isComplete()) return named.byTags(slot, limit)
    const [text] = (await sql.readBodies([columns.toId(slot)], null)) ?? []
    return text === undefined ? [] : findSimilarWords(slot, fromBodyText(text), limit)
  }

  async function readBodies(ids: readonly number[]): Promise<Map<number, string>> {
    const texts = new Map<number, string>()
    // A page this small is read whatever its size in bytes.
    for (let index = 0; index < ids.length; index += alwaysAnswered) {
      const some = ids.slice(index, index + alwaysAnswered)
      const bodies = (await sql.readBodies(some, null)) ?? []
      for (const [i, id] of some.entries()) texts.set(id, bodies[i] ?? '')
    }
    return texts
  }

  async function find({ id, limit }: RelatedQuery): Promise<Related> {
    await ensureColumns(columns)
    const slot = columns.toSlot(id)
    if (!columns.isVisible(slot, 'live')) return { next: null, event: [], speakers: [], similar: [] }
    const alike = await findSimilar(slot, limit)
    const similar = alike.map(columns.toId)
    const speakers = (await named.ofSpeakers(slot, limit, new Set(alike))).map(columns.toId)
    const shown = new Set([...speakers, ...similar])
    const talks = await listAround(slot, limit + shown.size)
    const event = findAround(talks, id, shown, limit)
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

  return (query) => db.transaction('read', () => find(query))
}

/**
 * Lists the talks of the event around a talk, at least so many before and after it if there are: by day and time, then in
 * the order in which they were added; unknown days, and unknown times of a day, come last.
 */
function createProgramme(db: Database, columns: RecordColumns) {
  const lookUp = createLookup<ExtrasRow, number>(
    db,
    (ids) => `SELECT record_id AS id, body FROM extras WHERE record_id IN ${ids}`,
  )

  /** The times of talks whose source has one. */
  async function readTimes(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const times = new Map<number, string>()
    for await (const chunk of toChunks(ids)) {
      for (const { id, body } of await lookUp(chunk)) {
        const { recorded } = JSON.parse(Buffer.from(body).toString())
        if (typeof recorded === 'string') times.set(id, recorded)
      }
    }
    return times
  }

  return async (slot: number, distance: number): Promise<number[]> => {
    const { data, toId } = columns
    const { categories, days } = data.arrays()
    const dayOf = (other = 0) => days[other] ?? unknownDay
    const toOrder = (other: number) => (dayOf(other) === unknownDay ? unknownOrder : dayOf(other))
    const category = categories[slot] ?? 0
    const talks = listSlots(data, new Set([category])).get(category) ?? []
    const ordered = Int32Array.from(talks, toOrder).sort()
    const own = toOrder(slot)
    const first = ordered[Math.max(0, ordered.indexOf(own) - distance)] ?? own
    const last = ordered[Math.min(ordered.length - 1, ordered.lastIndexOf(own) + distance)] ?? own
    // Whole days, because the times within a day are not in the columns.
    const around = talks.filter((other) => toOrder(other) >= first && toOrder(other) <= last)
    const times = await readTimes(around.filter((other) => dayOf(other) !== unknownDay).map(toId))
    return around
      .map((other) => ({ id: toId(other), at: toMoment(dayOf(other), times.get(toId(other))) }))
      .sort((a, b) => compareCodePoints(a.at, b.at) || a.id - b.id)
      .map(({ id }) => id)
  }
}

/** Sorts after every day, and after every time of a day. */
const unknown = '~'
/** Sorts after the number of every day. */
const unknownOrder = 2 ** 31 - 1

/** The day, and the time if the source of the talk has one, as texts that sort. */
function toMoment(number: number, source = ''): string {
  const day = toDay(number)
  if (day === null) return unknown
  return source.startsWith(day) && source.length > day.length ? source : `${day}${unknown}`
}

/** The nearest before and after a talk that are not shown elsewhere, in the order of the event. */
function findAround(talks: readonly number[], id: number, shown: ReadonlySet<number>, limit: number): number[] {
  const position = talks.indexOf(id)
  const found: number[] = []
  for (let distance = 1; distance < talks.length && found.length < limit; distance++) {
    for (const index of [position + distance, position - distance]) {
      const other = talks[index]
      if (other !== undefined && !shown.has(other) && found.length < limit) found.push(index)
    }
  }
  return found.sort((a, b) => a - b).flatMap((index) => talks[index] ?? [])
}

/** How many of the best by words are also compared by tags and speakers. */
const maxCompared = 50
/** The weight of a word by the field in which another record has it. Event and speakers do not count: they are not a topic. */
const worth = { title: 1, tags: 0.8, texts: 0.25, textsAgain: 0.4 } as const
/** Longer records share more words by chance; the size is a logarithm to base 2. */
const usualSize = 6
/** Records that score less than this share of the weightiest word match by chance. */
const leastShare = 0.35
/** A word of the title that nothing else in the record repeats may be a figure of speech; two of them are a topic. */
const leastEvidence = 2
const sharedTag = 0.7
const sharedSpeaker = 0.25
/** Of the talks of an event, for a tag to be a label of the event. */
const ofEventShare = 0.5

/** Finds the live records that are nearest to a record in words, tags and speakers, best first. */
function createSimilar(columns: RecordColumns, index: WordsIndex) {
  const findTopic = createTopicWords(columns, index)
  let scores = new Float64Array(1024)
  /** How sure it is that a record is on the same topic. */
  let evidence = new Uint8Array(1024)
  const touched: number[] = []

  function addWord({ weight, isTitleOnly, ...word }: TopicWord): void {
    for (const segment of index.segments()) {
      const { slots, dead, occurrences, sizes } = segment
      const { positions, from, to } = findPostings(segment, word)
      for (let i = from; i < to; i++) {
        const position = positions[i] ?? 0
        const slot = slots[position] ?? 0
        const value = word.inTitles ? worth.title : toWorth(occurrences[i] ?? 0, sizes[position] ?? 0)
        if (value === 0 || dead[position] === 1) continue
        if (scores[slot] === 0) touched.push(slot)
        scores[slot] = (scores[slot] ?? 0) + weight * value
        evidence[slot] = Math.min(leastEvidence, (evidence[slot] ?? 0) + (isTitleOnly ? 1 : leastEvidence))
      }
    }
  }

  /** Shared tags and speakers, each by its rarity. */
  function compareNames(kind: NameKind, slot: number, other: number): number {
    const others = columns.namesOf(kind, other)
    const total = columns.countAll('live')
    const { categories } = columns.data.arrays()
    const event =
      categories[slot] === categories[other] ? columns.countOf('category', categories[slot] ?? 0, 'live') : 0
    return columns.namesOf(kind, slot).reduce((sum, name) => {
      const count = columns.countOf(kind, name, 'live')
      // Within an event, a tag with about as many talks as the event has labels the event.
      const isOfEvent = kind === 'tag' && event > 0 && count > ofEventShare * event
      return isOfEvent || !others.includes(name) ? sum : sum + toRarity(total, count) ** 2
    }, 0)
  }

  function takeBest(slot: number, least: number, limit: number): number[] {
    const isBefore = (a: number, b: number) => columns.toId(a) > columns.toId(b)
    const compared = createMatches(maxCompared, isBefore)
    for (const other of touched) {
      const score = scores[other] ?? 0
      if (score < least || score < compared.threshold() || other === slot) continue
      if ((evidence[other] ?? 0) < leastEvidence) continue
      if (columns.isVisible(other, 'live')) compared.offer(other, score)
    }
    const best = createMatches(limit, isBefore)
    for (const other of compared.take(0, maxCompared)) {
      const names = sharedTag * compareNames('tag', slot, other) + sharedSpeaker * compareNames('speaker', slot, other)
      best.offer(other, (scores[other] ?? 0) + names)
    }
    return best.take(0, limit)
  }

  return (slot: number, record: VideoRecord, limit: number): number[] => {
    if (scores.length < columns.slotEnd()) {
      scores = new Float64Array(2 * columns.slotEnd())
      evidence = new Uint8Array(2 * columns.slotEnd())
    }
    const topic = findTopic(slot, record)
    for (const word of topic) addWord(word)
    const best = takeBest(slot, leastShare * (topic[0]?.weight ?? 0), limit)
    for (const other of touched) scores[other] = evidence[other] = 0
    touched.length = 0
    return best
  }
}

function toWorth(occurrence: number, size: number): number {
  if ((occurrence & fieldBits.title) !== 0) return worth.title
  if ((occurrence & fieldBits.tags) !== 0) return worth.tags
  if ((occurrence & (fieldBits.summary | fieldBits.description)) === 0) return 0
  const value = toFrequency(occurrence) === 0 ? worth.texts : worth.textsAgain
  return size <= usualSize ? value : value * (usualSize / size) ** 2
}

/** More names of a record, or more records of a name, are left out: a page has no room for them. */
const maxNames = 8
const maxRecords = 500

/** Finds other live records that share speakers or tags with a record. */
function createNamedTalks(db: Database, columns: RecordColumns) {
  const prepare = (kind: NameKind) =>
    db.query<{ id: number }, [number, number]>(
      `SELECT record_id AS id FROM record_${kind} WHERE ${kind}_id = ? ORDER BY record_id DESC LIMIT ?`,
    )
  const list = { speaker: prepare('speaker'), tag: prepare('tag') }

  /** The slots of each name's other live records, rarest names first. */
  async function listByName(kind: NameKind, slot: number): Promise<number[][]> {
    const names = Array.from(new Set(columns.namesOf(kind, slot)))
      .sort((a, b) => columns.countOf(kind, a, 'live') - columns.countOf(kind, b, 'live'))
      .slice(0, maxNames)
    const found: number[][] = []
    for (const name of names) {
      const slots = (await list[kind].all(name, maxRecords)).map(({ id }) => columns.toSlot(id))
      found.push(slots.filter((other) => other !== slot && columns.isVisible(other, 'live')))
    }
    return found
  }

  const isNewer = (a: number, b: number) => columns.dayOf(b) - columns.dayOf(a) || columns.toId(b) - columns.toId(a)

  return {
    /** Newest first, without those that are shown elsewhere. Speakers take turns, so that none crowds out the others. */
    async ofSpeakers(slot: number, limit: number, shown: ReadonlySet<number>): Promise<number[]> {
      const found = await listByName('speaker', slot)
      const queues = found.map((slots) => slots.filter((other) => !shown.has(other)).sort(isNewer))
      const chosen = new Set<number>()
      for (let turn = 0; chosen.size < limit && queues.some(({ length }) => length > turn); turn++) {
        for (const queue of queues) {
          const next = queue[turn]
          if (next !== undefined && chosen.size < limit) chosen.add(next)
        }
      }
      return [...chosen].sort(isNewer)
    },
    /** Those with most of the rarer tags first, then the newest. */
    async byTags(slot: number, limit: number): Promise<number[]> {
      const scores = new Map<number, number>()
      for (const slots of await listByName('tag', slot)) {
        for (const other of slots) scores.set(other, (scores.get(other) ?? 0) + 1 / (1 + slots.length))
      }
      const best = [...scores].sort(([a, first], [b, second]) => second - first || isNewer(a, b))
      return best.slice(0, limit).map(([other]) => other)
    },
  }
}
