import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createRandom } from '../../bench/generated/random.ts'
import { createTranscripts } from '../../bench/generated/transcripts.ts'
import { parseSearch, type Search, type Term } from '../../src/record/text/search-text.ts'
import { findTerm, type Pattern, tally, toPatterns, toSliceOf } from '../../src/record/transcript/moments.ts'
import { toSpoken } from '../../src/record/transcript/spoken.ts'
import type { Cue } from '../../src/record/transcript/transcript.ts'
import { toCompanionBody, toCompanionChecksum } from '../../src/store/companion/companion-rows.ts'
import { checkMoments } from '../../src/store/moment/check-moments.ts'
import { createMomentRows } from '../../src/store/moment/moment-rows.ts'
import { createSpokenSearch } from '../../src/store/moment/moment-search.ts'
import { blockSize } from '../../src/store/moment/postings.ts'
import { isLong, runs } from '../harness/runs.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from './list-stores.ts'

const stores: ListStore[] = []
beforeAll(async () => {
  for (const open of [openSqliteStore, openPostgresStore]) stores.push(await open())
}, 60_000)
afterAll(async () => {
  for (const store of stores) await store.remove()
})

const toCues = (texts: readonly string[]): Cue[] =>
  texts.map((text, i) => ({ start: i * 3000, end: (i + 1) * 3000, text }))

async function put({ writing }: ListStore, id: number, version: number, cues: readonly Cue[], language = 'en') {
  const body = toCompanionBody({ origin: 'machine', cues })
  await writing
    .query('INSERT INTO companion (record_id, name, number, alone, checksum, body) VALUES (?, ?, ?, 1, ?, ?)')
    .run(id, `transcripts/${language}`, version, toCompanionChecksum(body), body)
}

async function indexAll({ writer }: ListStore): Promise<void> {
  while ((await writer.indexMoments()) === 'some');
}

function toSearch(text: string): Search {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.search
}

/** Without an index. */
function tallyTexts(cues: readonly Cue[], { all, none }: Search) {
  const { tokens, slices } = toSpoken(cues)
  const findNumbers = ({ token, isPrefix }: Pattern) =>
    Int32Array.from(
      [...tokens].flatMap(([said, numbers]) => (said === token || (isPrefix && said.startsWith(token)) ? numbers : [])),
    ).sort()
  const toSaid = (terms: readonly Term[]) => terms.map((term) => findTerm(toPatterns(term).map(findNumbers)))
  return tally(toSaid(all), toSaid(none), toSliceOf(Int32Array.from(slices)))
}

async function find({ db, listSql }: ListStore, text: string, isWanted: (id: number) => boolean = () => true) {
  const spoken = createSpokenSearch(db, listSql, () => undefined)
  const found = await db.transaction('read', () => spoken(toSearch(text), isWanted))
  return found.matches
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .map(({ id, name, hits, score }) => ({ id, name, hits, score }))
}

const ids = async (store: ListStore, text: string) => (await find(store, text)).map(({ id }) => id)

describe.each([
  ['SQLite', 0],
  ['PostgreSQL', 1],
])('on %s', (_, i) => {
  const store = () => stores[i] as ListStore

  test('a transcript is found once it is indexed, by its newest words only', async () => {
    await put(store(), 1, 2, toCues(['the quick brown', 'fox jumps']))
    await put(store(), 2, 2, toCues(['a lazy dog', 'and a fox']))
    expect(await ids(store(), 'fox')).toEqual([])
    await indexAll(store())
    expect(await ids(store(), 'fox')).toEqual([1, 2])
    expect(await ids(store(), '"brown fox"')).toEqual([1])
    await put(store(), 1, 3, toCues(['the quick brown bear']))
    // Its former words are not found while it waits.
    expect(await ids(store(), 'fox')).toEqual([2])
    await indexAll(store())
    expect(await ids(store(), 'fox')).toEqual([2])
    expect(await ids(store(), 'bear')).toEqual([1])
    await put(store(), 1, 4, [])
    await indexAll(store())
    expect(await ids(store(), 'bear')).toEqual([])
  })

  test('the language in which more is said counts, and only wanted records are found', async () => {
    await put(store(), 3, 2, toCues(['computer says no']))
    await put(store(), 3, 3, toCues(['computer sagt computer']), 'de')
    await indexAll(store())
    expect(await find(store(), 'computer')).toMatchObject([{ id: 3, name: 'transcripts/de', hits: 2 }])
    expect(await find(store(), 'computer', (id) => id !== 3)).toEqual([])
  })

  test('a long transcript is indexed in parts, which a new version or a purge may interrupt', async () => {
    const { writing } = store()
    let clock = 0
    // Each part ends after its first tokens, and any process may do the next one.
    const nextPart = async () => {
      const rows = createMomentRows(writing, () => (clock += 1_000))
      return (await rows.prepare()) !== 'none' && (await writing.transaction('write', rows.indexPart))
    }
    const numbered = (word: string) => toCues(Array.from({ length: 500 }, (_, n) => `${word} ${word}${n} shared${n}`))
    const countRows = async () => (await writing.query('SELECT token FROM moment_posting').all()).length
    const rowsBefore = await countRows()

    await put(store(), 6, 2, numbered('first'))
    let parts = 0
    for (; await nextPart(); parts++) expect(await ids(store(), 'first499')).toEqual([])
    expect(parts).toBeGreaterThan(5)
    expect(await find(store(), '"first499 shared499"')).toMatchObject([{ id: 6, hits: 1 }])

    await put(store(), 6, 3, numbered('second'))
    for (let i = 0; i < parts + 3; i++) await nextPart()
    await put(store(), 6, 4, numbered('third'))
    for (let i = 0; i < 3; i++) await nextPart()
    await put(store(), 6, 5, numbered('fourth'))
    while (await nextPart());
    for (const word of ['first', 'second', 'third']) expect(await ids(store(), `${word}3`)).toEqual([])
    expect(await find(store(), '"fourth7 shared7"')).toMatchObject([{ id: 6, hits: 1 }])
    expect(await ids(store(), 'shared499')).toEqual([6])

    await put(store(), 6, 6, numbered('fifth'))
    for (let i = 0; i < parts + 5; i++) await nextPart()
    await writing.transaction('write', () => createMomentRows(writing).drop(6))
    await writing.query('DELETE FROM companion WHERE record_id = 6').run()
    while (await nextPart());
    expect(await countRows()).toBe(rowsBefore)
  })

  test('talks are found however many blocks are between them, and their windows are read again', async () => {
    await put(store(), 7, 2, toCues(['a rare platypus']))
    await indexAll(store())
    // The next transcript gets the number after it.
    await store()
      .writing.query("INSERT INTO moment_transcript VALUES (?, 0, '', 0, ?)")
      .run(40 * blockSize, new Uint8Array())
    await put(store(), 8, 2, toCues(['one', 'two', 'three', 'four', 'five', 'platypus, platypus']))
    await indexAll(store())
    expect(await find(store(), 'platypus')).toMatchObject([
      { id: 8, hits: 2 },
      { id: 7, hits: 1 },
    ])
    const { db, listSql } = store()
    const windows = await db.transaction('read', async () => {
      const search = createSpokenSearch(db, listSql, () => undefined)
      const { matches, findWindows } = await search(toSearch('platypus'), () => true)
      return findWindows(matches.filter(({ id }) => id === 8))
    })
    expect([...windows.values()].map((each) => each.map(({ first, last }) => [first, last]))).toEqual([
      [
        [1, 1],
        [1, 1],
      ],
    ])
    await store().writing.query('DELETE FROM moment_transcript WHERE record_id = 0').run()
  })

  test('a search finds what the texts themselves have', async () => {
    const random = createRandom(5)
    const words = ['sun', 'sunny', 'sunset', 'moon', 'moonlight', 'star', 'a', 'an']
    const pick = (count: number) => Array.from({ length: count }, () => words[random.below(words.length)]).join(' ')
    const talks = new Map<number, Cue[]>()
    for (let id = 20; id < 50; id++) {
      const rest = Array.from({ length: random.below(30) }, () => (random.percent(30) ? pick(4) : 'hm hm hm'))
      talks.set(id, toCues([pick(3), ...rest]))
    }
    for (const [id, cues] of talks) await put(store(), id, 2, cues)
    await indexAll(store())
    for (let i = 0; i < runs(150); i++) {
      const terms = Array.from({ length: 1 + random.below(3) }, () =>
        random.percent(50) ? `"${pick(2 + random.below(3))}"` : pick(1),
      )
      const text = `${terms.join(' ')}${random.percent(30) ? ` -${pick(1)}` : ''}`
      const expected = [...talks].flatMap(([id, cues]) => {
        const { hits, score } = tallyTexts(cues, toSearch(text))
        return hits === 0 ? [] : [{ id, hits, score }]
      })
      const found = (await find(store(), text)).filter(({ id }) => talks.has(id))
      expect([text, found.map(({ id, hits, score }) => ({ id, hits, score }))]).toEqual([
        text,
        expected.toSorted((one, other) => other.score - one.score || one.id - other.id),
      ])
    }
  })

  test('a transcript that always takes long to read is indexed after other writes have run once', async () => {
    let clock = 0
    const rows = createMomentRows(store().writing, () => (clock += 1_000))
    await put(store(), 64, 2, toCues(['marsupial']))
    expect([await rows.prepare(), await rows.prepare()]).toEqual(['slow', 'ready'])
    // Another content is read again.
    await put(store(), 64, 3, toCues(['monotreme']))
    expect([await rows.prepare(), await rows.prepare()]).toEqual(['slow', 'ready'])
    await indexAll(store())
    expect(await ids(store(), 'monotreme')).toEqual([64])
  })

  test('a transcript without a word is complete', async () => {
    await put(store(), 63, 2, toCues(['♪']))
    const insert = 'INSERT INTO companion_trait (trait, record_id, name) VALUES (?, 63, ?)'
    await store().writing.query(insert).run('transcript:machine:en', 'transcripts/en')
    await indexAll(store())
    expect((await Array.fromAsync(checkMoments(store().db))).filter(({ id }) => id === 63)).toEqual([])
  })

  test('a search in a few records reads no others', async () => {
    await put(store(), 60, 2, toCues(['an aardvark', 'and an aardvark']))
    await put(store(), 61, 2, toCues(['no aardvark']))
    await indexAll(store())
    const { db, listSql } = store()
    const search = createSpokenSearch(db, listSql, () => undefined)
    const asked: number[] = []
    const isWanted = (id: number) => asked.push(id) > 0
    const { matches } = await db.transaction('read', () => search(toSearch('aardvark'), isWanted, [60, 62]))
    expect([asked, matches.map(({ id, hits }) => [id, hits])]).toEqual([[60], [[60, 2]]])
  })

  test('a dropped record leaves no word behind', async () => {
    await put(store(), 4, 2, toCues(['xylophone player']))
    await put(store(), 5, 2, toCues(['another player']))
    await indexAll(store())
    await store().writing.transaction('write', () => createMomentRows(store().writing).drop(4))
    const rows = store().db.query<{ token: string }, []>(
      `SELECT token FROM moment_posting WHERE token IN ('xylophone', 'player') ORDER BY token`,
    )
    expect(await rows.all()).toEqual([{ token: 'player' }])
    expect(await ids(store(), 'player')).toEqual([5])
  })
})

test('runs of words are found in the same talks, in the same order, on both engines', async () => {
  const make = createTranscripts(3)
  const first = 100
  const count = isLong ? 400 : 40
  for (const store of stores) {
    for (let i = 0; i < count; i++) await put(store, first + i, 2, make(i).cues.slice(0, 60))
    await indexAll(store)
  }
  const queries = Array.from({ length: count }, (_, i) => {
    const words = make(i)
      .cues.slice(4, 6)
      .flatMap(({ text }) => text.split(' '))
    return words
      .slice(2, 8)
      .join(words.length < 5 ? '' : ' ')
      .slice(0, 60)
  })
  let right = 0
  for (const [i, text] of queries.entries()) {
    for (const query of [`"${text}"`, text]) {
      const [one, other] = [await find(stores[0] as ListStore, query), await find(stores[1] as ListStore, query)]
      expect(other).toEqual(one)
      if (one[0]?.id === first + i) right++
    }
  }
  expect(right / queries.length / 2).toBeGreaterThan(0.95)
}, 120_000)
