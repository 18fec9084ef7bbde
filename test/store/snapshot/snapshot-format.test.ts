import { expect, test } from 'bun:test'
import type { VideoRecord } from '../../../src/record/record.ts'
import type { SegmentArrays } from '../../../src/store/search/segment.ts'
import { snapshotFormat } from '../../../src/store/search/snapshot-file.ts'
import { createWordsIndex } from '../../../src/store/search/words-index.ts'

/** Increase the format, and put both here, if the digest is another one: files of an older format are ignored then. */
const known = { format: 7, digest: 'e4d2fcfd5ed6ea19' } as const

const texts = [
  'Introducing C++ and .NET: node.js 3.12 for full-text search, don’t panic',
  'Straße, naïve café, İstanbul ISTANBUL ısı, ½ ﬁne ｗｉｄｅ',
  'Поиск по архиву; Αναζήτηση ΣΊΣΥΦΟΣ; חיפוש בארכיון; البحث في الأرشيف',
  '全文検索 データベース 한국어 검색 การค้นหา हिन्दी में खोज',
  'ASP.NET slideshare.net 3.12.1 Donaudampfschifffahrt 😀 1,000,000 x_y a-b-c e\u0301 soft\u00adhyphen zero\u200djoin',
]

// Whatever words are made of; the other fields do not matter here.
const toRecord = (i: number) =>
  ({
    title: texts[i] ?? '',
    speakers: ['Ada Lovelace', texts[(i + 1) % texts.length] ?? ''],
    tags: ['python', 'c#'],
    category: 'EuroPython 2024',
    recorded: '2024-07-08',
    summary: texts[(i + 2) % texts.length] ?? '',
    description: `${texts.join(' ')} ${texts[i]}`,
  }) as Partial<VideoRecord> as VideoRecord

const toPosting = ({ occurrences, places }: Pick<SegmentArrays, 'occurrences' | 'places'>, at: number) => [
  occurrences[at],
  places[at],
]

test('the format is another one if files are', () => {
  const index = createWordsIndex()
  for (const i of texts.keys()) index.put(i + 1, toRecord(i))
  const lines = index
    .segments()
    .flatMap(({ words, starts, positions, occurrences, places, slots, titleLengths, sizes }) => {
      const postings = Array.from(words).flatMap((word, i) =>
        Array.from(positions.subarray(starts[i], starts[i + 1]), (position, at) =>
          [
            index.dictionary.toWord(word),
            slots[position],
            ...toPosting({ occurrences, places }, (starts[i] ?? 0) + at),
          ].join(' '),
        ),
      )
      return [...postings.sort(), titleLengths.join(), sizes.join()]
    })
  const sections = index
    .segments()
    .map((segment) => Object.entries(segment).map(([name, { BYTES_PER_ELEMENT: size }]) => `${name} ${size}`))
  const digest = new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([lines, sections]))
    .digest('hex')
    .slice(0, 16)
  const found = { format: snapshotFormat, digest }
  if (!Bun.deepEquals(found, known)) throw new Error(`bump the format: ${JSON.stringify(found)}`)
  expect(lines.length).toBeGreaterThan(200)
})
