import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseListQuery } from '../../../src/record/query/query.ts'
import { type Changes, fromBodyText } from '../../../src/record/record.ts'
import type { Visibility } from '../../../src/record/state.ts'
import { createCompletion } from '../../../src/store/completion/completion.ts'
import { toCreate } from '../../search/random-archive.ts'
import { type ListStore, openPostgresStore, openSqliteStore } from '../list-stores.ts'

// Runner: one engine, slow (both engines are in one process)

const timeoutMs = 120_000

const talk = (title: string, category: string, recorded: string | null, speakers: string[], more: Changes = {}) => ({
  ...{ title, category, recorded, speakers, state: 1 },
  ...more,
})
const archive: readonly Changes[] = [
  talk('Ferry timetables', 'Harbourcon 2017', '2017-05-01', ['Odalys Brightwater']),
  talk('Ferry timetables and tides', 'Harbourcon 2018', '2018-05-01', ['Odalys Brightwater']),
  talk('Ferries of 2017', 'Shipday 2019', '2019-02-01', ['Tobias Holm']),
  talk('Ferry harbours', 'Shipday 2020', '2020-02-01', ['Tobias Holm'], {
    description: 'Was first given in 2017, and again in 2017: harbours of 2017.',
  }),
  talk('Opening keynote', 'Shipday 2016', '2016-02-01', ['Odalys Brightwater']),
  talk('Why knots hold', 'Ropemeet', '2018-09-09', ['David Brandtzaeg'], { tags: ['knots'] }),
  talk('Why splices hold', 'Ropemeet', '2018-09-09', ['Dave Olderman']),
  talk('Have beautiful boats', 'Ropemeet', '2018-09-10', ['Tobias Holm']),
  talk('Charts for everyone', 'Mapcon', '2015-01-01', ['Ines VanderMeer']),
  talk('Vans, meers and Ines', 'Mapcon', '2015-01-01', ['Somebody Else']),
  talk('Segeln und mehr', 'Mapcon', '2016-01-01', ['Rolf Lotser']),
  talk('Noch ein Vortrag', 'Mapcon', '2017-01-01', ['Rolf Lotser'], { description: 'Es spricht Rolf Lotser.' }),
  talk('Auf See', 'Mapcon', '2014-01-01', ['Ada Meer'], { description: 'Vom nautischen Lotsen in der Bucht.' }),
  talk('Im Hafen', 'Mapcon', '2013-01-01', ['Ada Meer'], { description: 'Lotsen und Schiffe, nautischen Karten.' }),
  talk('Compass', 'Mapcon', '2012-01-01', [], {
    description: 'Rust grows on iron. Every compass needs a needle. Some prefer a signal light instead.',
  }),
  talk('Compass', 'Mapcon', '2012-01-01', [], {
    description: 'Rust grows on iron. Every signal needs a needle. Some prefer a compass light instead.',
  }),
  talk('Anchors aweigh', 'Mapcon', '2011-01-01', ['Guido Halyard'], { description: 'A tour of the winch.' }),
  talk('A guide to winches', 'Mapcon', '2011-01-01', ['Ada Meer'], { description: 'Guided tours, and guides. Java.' }),
  talk('Guides in fog', 'Mapcon', '2011-01-02', ['Ada Meer'], { description: 'Drawn in JavaScript.' }),
  talk('A secret voyage', 'Secretcon', '2018-01-01', ['Hidden Helmsman'], { state: 2, tags: ['stowaways'] }),
]

/** An event series, with the same topics and people every year. */
const editions: readonly Changes[] = [2014, 2015, 2016, 2017, 2018, 2019].flatMap((year) => [
  talk(`Lighthouses with lamps (${year})`, `Beaconfest ${year}`, `${year}-06-01`, ['Mirela Quist']),
  talk('Lighthouses', `Beaconfest ${year}`, `${year}-06-02`, ['Anton Garrow'], { tags: ['lighthouses'] }),
  talk('Keynote', `Beaconfest ${year}`, `${year}-06-02`, [year % 2 === 0 ? 'Mirela Quist' : 'Anton Garrow']),
  talk('Opening', `Beaconfest ${year}`, `${year}-06-01`, ['Mirela Quist'], { description: 'Lamps, and the keynote.' }),
  talk('Buoys in fog', `Buoy Summit ${year}`, `${year}-09-01`, ['Mirela Quist'], { tags: ['beaconfest'] }),
])
/** Talks that have a year in their titles and are of another one. */
const lookingBack: readonly Changes[] = [
  talk('What we learned since 2015', 'Beaconfest 2019', '2019-06-03', ['Anton Garrow']),
  talk('Lighthouses since 2017', 'Beaconfest 2019', '2019-06-03', ['Mirela Quist'], {
    tags: ['lighthouses'],
    description: 'Lighthouses of 2017, as Beaconfest 2017 saw them. Beaconfest had lighthouses in 2017.',
  }),
  talk('Keynote after 2018', 'Buoy Summit 2019', '2019-09-02', ['Mirela Quist']),
]

/** Talks that differ in a number only. Their tag is the name of an event in one word. */
const parts: readonly Changes[] = [1, 2, 3].map((part) =>
  talk(
    `Tarring hemp hawsers, part ${part}`,
    'Tallship Fair 2021',
    `2021-07-0${part}`,
    ['Zeb VanOakum', 'William Crane'],
    { tags: ['buoysummit'] },
  ),
)
const barrels = talk('Casks', 'Tallship Fair 2020', '2020-07-01', ['Ada Meer'], {
  description: 'Barrels need tarring. There is also some hemp, as in ropes and in hawsers.',
})

describe('Queries that people type, on both engines', () => {
  let stores: readonly ListStore[] = []
  let readers: readonly Awaited<ReturnType<typeof open>>[] = []
  beforeAll(async () => {
    stores = [await openSqliteStore(), await openPostgresStore()]
    for (const { writer } of stores)
      await writer.run([...archive, ...editions, ...lookingBack, ...parts, barrels].map(toCreate), new Set())
    readers = await Promise.all(stores.map(open))
  }, timeoutMs)
  afterAll(async () => {
    for (const store of stores) await store.remove()
  }, timeoutMs)

  async function open({ db, createIndexes, createList }: ListStore) {
    const indexes = createIndexes()
    for (const each of [indexes.columns, indexes.nameLoader, indexes.ranked]) while (await each.loadSome());
    const completion = createCompletion({ db, indexes, changesCounter: () => Number.NaN, onStep: () => undefined })
    return { list: createList(indexes), ...completion }
  }

  /** The answers of all engines, which must be the same. */
  async function onAll<T>(ask: (reader: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    const [first, ...others] = await Promise.all(readers.map(ask))
    for (const other of others) expect(other).toEqual(first as typeof other)
    return first as T
  }

  const search = (q: string, filters: Readonly<Record<string, string>> = {}, visibility: Visibility = 'live') =>
    onAll(async ({ list }) => {
      const parsed = parseListQuery(new URLSearchParams({ q, match: 'best', ...filters }), visibility)
      if (!parsed.ok) throw new Error(parsed.problem)
      const { records, count, corrected = {}, matchIs = 'all', completeCount, unknown = [] } = await list(parsed.query)
      const found = (records ?? []).map(fromBodyText).map(({ id, title, category }) => ({ id, title, category }))
      const titles = found.map(({ title }) => title)
      return { count, corrected, matchIs, completeCount, unknown, found, titles, ids: found.map(({ id }) => id) }
    })
  const suggest = (text: string) =>
    onAll(async (reader) => {
      const { results } = await reader.suggest({ text, visibility: 'live' })
      return results.map(({ kind, text: name }) => `${kind} ${name}`)
    })
  const findNamed = (text: string, visibility: Visibility = 'live') =>
    onAll(async (reader) => {
      const { results } = await reader.findNamed({ text, visibility })
      return results.map(({ kind, text: name, count }) => `${kind} ${name} ${count}`)
    })

  describe('A search finds first:', () => {
    const cases: readonly (readonly [q: string, first: string, why: string])[] = [
      ['ferry 2017', 'Ferry timetables', 'the year of the talk, which its text need not have'],
      ['harbourcon 2018 ferry', 'Ferry timetables and tides', 'the event and its year'],
      ['brightwater 2016', 'Opening keynote', 'the year of a speaker'],
      ['ferries 2017', 'Ferries of 2017', 'a year that is a word of the title'],
      ['dave brandt', 'Why knots hold', 'the name behind a nickname'],
      ['dave', 'Why splices hold', 'the name as it was typed'],
      ['ines van der meer', 'Charts for everyone', 'words that a name writes as one'],
      ['nautisches Lotsen', 'Auf See', 'words near each other, before a name that looks like a form of one'],
      ['signal needs needle', 'Compass', 'words near each other in a description'],
    ]
    for (const [q, first, why] of cases) {
      test(`${q}: ${why}`, async () => expect((await search(q)).titles[0]).toBe(first))
    }

    const ofEditions: readonly (readonly [q: string, event: string, title?: string])[] = [
      ['beaconfest 2016 lighthouses', 'Beaconfest 2016'],
      ['beaconfest 2017 lighthouses', 'Beaconfest 2017'],
      ['lighthouses beaconfest 2014', 'Beaconfest 2014'],
      ['beaconfest 2018 lamps', 'Beaconfest 2018', 'Lighthouses with lamps (2018)'],
      ['keynote mirela 2018', 'Beaconfest 2018', 'Keynote'],
      ['keynote quist 2016', 'Beaconfest 2016', 'Keynote'],
      ['beaconfest 2015 garrow', 'Beaconfest 2015'],
      ['buoy summit 2015 quist', 'Buoy Summit 2015'],
      ['learned since 2015', 'Beaconfest 2019', 'What we learned since 2015'],
      ['lighthouses since 2017', 'Beaconfest 2019', 'Lighthouses since 2017'],
    ]
    for (const [q, category, title] of ofEditions) {
      test(`${q}: a talk of ${category}`, async () => {
        const [first] = (await search(q)).found
        expect(first).toMatchObject({ category, ...(title === undefined ? {} : { title }) })
      })
    }

    test('compass needs needle, or signal needs needle: the one that says so', async () => {
      const [compass, signal] = [await search('compass needs needle'), await search('signal needs needle')]
      expect(compass.ids[0]).not.toBe(signal.ids[0])
    })

    test('a word before a name of which it is no form', async () => {
      expect((await search('Lotsen')).titles.slice(0, 2).sort()).toEqual(['Auf See', 'Im Hafen'])
    })
  })

  describe('All words count:', () => {
    const cases: readonly (readonly [q: string, why: string])[] = [
      ['tarring hemp hawsers william', 'as typed'],
      ['tarred hemp crane', 'in another form'],
      ['crane hawsres', 'corrected'],
      ['bill hawsers', 'by a nickname'],
      ['van oakum hawsers', 'joined'],
      ['tarring 2021', 'with the year of the recording'],
      ['tallship hemp crane', 'with the event'],
      ['how does crane tar the hawsers?', 'function words need not occur'],
      ['what was the talk about hemp and crane', 'nor what a question is about'],
      ['"tarring hemp" hawsers', 'beside a phrase'],
      ['tarring -barrels', 'without those that are excluded'],
    ]
    for (const [q, why] of cases) {
      test(`${q}: ${why}`, async () => {
        expect(await search(q)).toMatchObject({ count: 3, matchIs: 'all', unknown: [] })
      })
    }

    const single: readonly (readonly [q: string, found: readonly string[], why: string])[] = [
      ['guido', ['Anchors aweigh'], 'a name has no other forms'],
      ['lotsen', ['Auf See', 'Im Hafen'], 'a name is no other form of a word'],
      ['java', ['A guide to winches'], 'a word that the archive knows is not the beginning of another'],
      ['javasc', ['Guides in fog'], 'a word that no talk has may be the beginning of one'],
    ]
    for (const [q, found, why] of single) {
      test(`${q}: ${why}`, async () => expect(await search(q)).toMatchObject({ titles: found, matchIs: 'all' }))
    }

    test('another word never makes a result longer that is not widened', async () => {
      const counts: number[] = []
      for (const q of ['tarring', 'tarring hemp', 'tarring hemp william']) counts.push((await search(q)).count)
      expect(counts).toEqual([4, 4, 3])
    })

    test('if few talks have four words or more, and one without is as good, it is found, and the answer says so', async () => {
      const few = await search('tarring hemp hawsers barrels')
      expect(few).toMatchObject({ count: 4, matchIs: 'some', completeCount: 1 })
      expect(few.titles[0]).toStartWith('Tarring hemp hawsers')
      expect(await search('tarring hawsers barrels')).toMatchObject({ count: 1, matchIs: 'all' })
    })

    test('a word that most talks write as two finds these, too', async () => {
      expect(await search('buoysummit fog')).toMatchObject({ count: 6, matchIs: 'all', corrected: {} })
      expect(await search('buoysummit')).toMatchObject({ count: 10, matchIs: 'all' })
    })

    test('if no talk has them, those with some are found, and the answer says so', async () => {
      const none = await search('knots lighthouses lamps')
      expect(none).toMatchObject({ matchIs: 'some', completeCount: 0, unknown: [] })
      expect(none.titles).toContain('Lighthouses with lamps (2019)')
    })

    test('a word that no talk has is named, and the others count', async () => {
      expect(await search('crane qwxzzy hemp')).toMatchObject({ count: 3, matchIs: 'some', unknown: ['qwxzzy'] })
      expect(await search('qwxzzy')).toMatchObject({ count: 0, matchIs: 'all', unknown: ['qwxzzy'] })
    })

    test('a filter never widens a search, so that it leads to as many talks as it counts', async () => {
      expect(await search('tarring hemp', { recorded_after: '2021-07-03' })).toMatchObject({ count: 1, matchIs: 'all' })
      expect(await search('tarring hemp', { category: 'shipday-2020' })).toMatchObject({ count: 0, matchIs: 'all' })
      const { count } = await search('tarring hemp hawsers barrels', { category: 'tallship-fair-2021' })
      expect(count).toBe(3)
    })

    test('drafts neither widen a search nor know its words', async () => {
      expect(await search('voyage crane')).toMatchObject({ count: 3, matchIs: 'some', unknown: ['voyage'] })
      expect(await search('voyage crane', {}, 'all')).toMatchObject({ count: 4, matchIs: 'some', unknown: [] })
      expect(await search('secret hawsers crane')).toMatchObject({ count: 3, unknown: ['secret'] })
    })
  })

  describe('Corrected words', () => {
    test('keep their case', async () => {
      expect((await search('Odalys Brightwatre')).corrected).toEqual({ Brightwatre: ['Brightwater'] })
      expect((await search('odalys brightwatre')).corrected).toEqual({ brightwatre: ['brightwater'] })
      expect((await search('BRIGHTWATRE')).corrected).toEqual({ BRIGHTWATRE: ['BRIGHTWATER'] })
    })

    test('are not other forms of a word', async () => {
      expect((await search('nautisches Lotsen')).corrected).toEqual({})
    })
  })

  describe('A suggestion for', () => {
    const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
      ['dave brandt', ['speaker David Brandtzaeg']],
      ['brightwater ferr', ['video Ferry timetables and tides', 'video Ferry timetables']],
      ['ines van der me', ['speaker Ines VanderMeer']],
      ['brightwater', ['speaker Odalys Brightwater']],
      ['helmsman voy', []],
    ]
    for (const [text, found] of cases) test(text, async () => expect(await suggest(text)).toEqual([...found]))
  })

  describe('The names in', () => {
    const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
      ['odalys brightwater', ['speaker Odalys Brightwater 3']],
      ['ODALYS  Brightwater, ferries', ['speaker Odalys Brightwater 3']],
      ['odalys brightwater 2017', ['speaker Odalys Brightwater 3']],
      ['harbourcon 2017 ferry', ['category Harbourcon 2017 1']],
      ['tobias holm harbourcon 2018', ['category Harbourcon 2018 1', 'speaker Tobias Holm 3']],
      ['knots', ['tag knots 1']],
      ['knots 2018', ['tag knots 1']],
      ['why knots hold', []],
      ['brightwater', []],
      ['hidden helmsman', []],
      ['stowaways', []],
      ['secretcon', []],
      ['!!', []],
    ]
    for (const [text, found] of cases) test(text, async () => expect(await findNamed(text)).toEqual([...found]))

    test('drafts, for callers who see them', async () => {
      expect(await findNamed('hidden helmsman', 'all')).toEqual(['speaker Hidden Helmsman 1'])
    })
  })
})
