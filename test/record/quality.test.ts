import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isWritableName, writableNames } from '../../src/record/fields.ts'
import {
  besideCodes,
  type FindingCode,
  findingCodes,
  findingFields,
  listAffected,
  missingKinds,
  ownCodes,
  parkedBit,
  toQualityBits,
  whiteboardBit,
} from '../../src/record/quality/finding-codes.ts'
import { type EventDates, findLastDay, isOutsideEvent, toFindings } from '../../src/record/quality/findings.ts'
import { isInsecure, qualityFields, toQuality } from '../../src/record/quality/quality.ts'
import { toDefaults, type VideoRecord } from '../../src/record/record.ts'
import { runs } from '../harness/runs.ts'

const at = '2024-05-01T00:00:00.000'

/** A record in which nothing is to be found. */
const good = {
  ...toDefaults(),
  ...{ id: 1, slug: 'a-talk', added: at, updated: at, state: 1, category: 'Event', title: 'A talk about tests' },
  ...{ language: 'English', recorded: '2024-05-01', duration: 600, speakers: ['Ada Lovelace'], tags: ['testing'] },
  ...{ summary: 'Why tests help.', description: 'Long ago …', copyright_text: 'CC BY', embed: '<video></video>' },
  ...{ thumbnail_url: 'https://example.org/1.jpg', source_url: 'https://example.org/1' },
  ...{ video_mp4_url: 'https://example.org/1.mp4' },
} as VideoRecord // The defaults have the fields that are not named here.

const alone = { event: { startDate: null, endDate: null }, sameVideo: [] }

/** The findings of a record, and those that its bits name. */
function find(changes: Partial<VideoRecord>) {
  const record = { ...good, ...changes }
  const bits = toQuality(record)
  const named = ownCodes.filter((code) => (bits & toQualityBits([code])) !== 0)
  const findings = toFindings(record, alone)
  expect([...new Set(findings.map(({ code }) => code))].sort()).toEqual([...named].sort())
  return findings
}

const findPairs = (changes: Partial<VideoRecord>) =>
  find(changes).map(({ code, field }): [string, string] => [code, field])

test('nothing is found in a complete record', () => {
  expect(find({})).toEqual([])
  expect(toQuality(good)).toBe(0)
})

test('each code has one bit, except those that depend on more than the record', () => {
  const bits = findingCodes.map((code) => toQualityBits([code]))
  expect(bits.filter((bit) => bit === 0)).toHaveLength(2 + besideCodes.length)
  expect(new Set([...bits, whiteboardBit]).size).toBe(ownCodes.length + 2)
  expect(findingCodes.filter((_, i) => bits[i] === 0)).toEqual(['outside_event', 'same_video', ...besideCodes])
})

describe('A record lacks', () => {
  const cases: readonly [what: string, changes: Partial<VideoRecord>, field?: string][] = [
    ['language', { language: '' }],
    ['recorded', { recorded: null }],
    ['duration', { duration: null }],
    ['speakers', { speakers: [] }],
    ['tags', { tags: [] }],
    ['summary', { summary: ' \n' }],
    ['description', { description: '' }],
    ['thumbnail', { thumbnail_url: '' }, 'thumbnail_url'],
    ['source', { source_url: '' }, 'source_url'],
    ['licence', { copyright_text: '' }, 'copyright_text'],
    ['media', { video_mp4_url: '' }, 'video_mp4_url'],
    ['embed', { embed: '', video_mp4_download_only: true }],
  ]
  test.each(cases)('%s', (what, changes, field = what) => {
    expect(findPairs(changes)).toEqual([[`missing_${what}`, field]])
  })

  test('any of twelve, all at once', () => {
    expect(cases.map(([what]) => what)).toEqual(missingKinds)
    const nothing = Object.assign({}, ...cases.map(([, changes]) => changes))
    expect(find(nothing).map(({ code }) => code)).toEqual(missingKinds.map((what): FindingCode => `missing_${what}`))
  })

  test('no media if it has a file of any of four formats', () => {
    for (const kind of ['mp4', 'webm', 'ogv', 'flv']) {
      expect(find({ video_mp4_url: null, [`video_${kind}_url`]: 'https://example.org/1' })).toEqual([])
    }
  })

  test('no player that the site has for its address or its files', () => {
    const none = { embed: '', video_mp4_url: '' }
    const known = [
      ...['https://archive.org/details/a-talk', 'https://media.ccc.de/v/a-talk', 'https://vimeo.com/12'],
      ...['https://youtu.be/dQw4w9WgXcQ', 'https://tube.example.org/w/4pZ6'],
    ]
    const findCodes = (changes: Partial<VideoRecord>) => find({ ...none, ...changes }).map(({ code }) => code)
    for (const source_url of known) expect(findCodes({ source_url })).toEqual(['missing_media'])
    expect(findCodes({})).toEqual(['missing_media', 'missing_embed'])
    for (const kind of ['mp4', 'webm', 'ogv']) {
      const file = { [`video_${kind}_url`]: 'https://example.org/1' }
      expect(findCodes(file)).toEqual([])
      expect(findCodes({ ...file, [`video_${kind}_download_only`]: true })).toEqual(['missing_embed'])
    }
    expect(findCodes({ video_flv_url: 'https://example.org/1.flv' })).toEqual(['missing_embed'])
  })
})

test.each([
  [0, true],
  [59, true],
  [60, false],
  [28_800, false],
  [28_801, true],
  [3_060_780, true],
])('a length of %d seconds is odd: %p', (duration, isOdd) => {
  expect(findPairs({ duration })).toEqual(isOdd ? [['odd_duration', 'duration']] : [])
})

test('the whiteboard has a bit, and is no finding', () => {
  expect(toQuality({ ...good, whiteboard: 'x' })).toBe(whiteboardBit)
  expect(toQuality({ ...good, whiteboard: 'not [parked]' })).toBe(whiteboardBit)
  for (const whiteboard of ['[parked]', '[PARKED] lost', ' [parked]x']) {
    expect(toQuality({ ...good, whiteboard })).toBe(whiteboardBit | parkedBit)
  }
  expect(find({ whiteboard: 'x' })).toEqual([])
})

test('an address is insecure if it begins with http:', () => {
  const fields = ['source_url', 'video_mp4_url', 'video_webm_url', 'video_ogv_url', 'video_flv_url', 'thumbnail_url']
  for (const field of fields) {
    expect(findPairs({ [field]: 'http://example.org/' })).toEqual([['insecure_address', field]])
    expect(findPairs({ [field]: 'HTTP://example.org/' })).toEqual([['insecure_address', field]])
    expect(find({ [field]: 'https://example.org/?http://' })).toEqual([])
  }
  expect(isInsecure('')).toBe(false)
})

test('a playlist is found in the address of the source', () => {
  const source_url = 'https://www.youtube.com/playlist?list=PL1'
  expect(findPairs({ source_url })).toEqual([['playlist_address', 'source_url']])
})

describe('A placeholder', () => {
  const texts = [
    'TBD',
    'tba',
    '  ToDo. ',
    'To be announced!',
    '(no description)',
    'N/A',
    '-',
    '???',
    'Lorem ipsum dolor',
  ]
  test.each(texts)('%p is one in summary and description', (text) => {
    expect(findPairs({ summary: text })).toEqual([['placeholder_text', 'summary']])
    expect(findPairs({ description: text })).toEqual([['placeholder_text', 'description']])
  })
  test.each(['TBD', 'Untitled', 'todo'])('%p is one as a title', (title) => {
    expect(findPairs({ title })).toContainEqual(['placeholder_text', 'title'])
  })
  test.each(['TBA', 'n/a', 'Unknown speaker'])('%p is one among names', (name) => {
    expect(findPairs({ speakers: ['Ada', name] })).toEqual([['placeholder_text', 'speakers']])
    expect(findPairs({ tags: ['a', name] })).toEqual([['placeholder_text', 'tags']])
  })
  test('is a text that only repeats the title', () => {
    expect(findPairs({ summary: 'A talk about tests.' })).toEqual([['placeholder_text', 'summary']])
    expect(findPairs({ description: '  “A TALK  about tests” ' })).toEqual([['placeholder_text', 'description']])
  })
  const real = ['Todo lists in ten lines', 'A talk about tests and more', 'None of the above', 'Keynote (10:15)', '型']
  test.each(real)('%p is none', (text) => {
    expect(find({ summary: text, description: text })).toEqual([])
    expect(find({ title: text, speakers: [text], tags: ['x'] })).toEqual([])
  })
  test.each(['None', 'N/A', 'Missing', 'Unknown'])('%p may be a title', (title) => expect(find({ title })).toEqual([]))
  test('is not searched for in long texts', () => {
    expect(find({ description: `${'x'.repeat(99_000)} TBD` })).toEqual([])
  })
})

test('a speaker among the tags is found in any case and without accents', () => {
  const [finding] = find({ speakers: ['Zoë Ångström', 'Ada'], tags: ['python', 'zoe angstrom', 'Adams'] })
  expect(finding).toMatchObject({ code: 'speaker_in_tags', field: 'tags' })
  expect(finding?.detail).toContain('zoe angstrom')
  expect(find({ speakers: ['Ada'], tags: ['ada lovelace'] })).toEqual([])
})

const titles: readonly [title: string, shouts: boolean][] = [
  ['SOMOS LO PEOR', true],
  ['ÜBER ALLE BERGE', true],
  ['WHAT IS NEW IN 3.12?', false],
  ['DATABASES AND YOU', true],
  ['SQL VS NOSQL', false],
  ['HTML5 & CSS3', false],
  ['KEYNOTE', false],
  ['Databases AND YOU', false],
  ['作って学ぶ', false],
  ['SW 의무교육 시대에서 살아남기', false],
  ['1234567890 1234567890', false],
]
test.each(titles)('%s shouts: %p', (title, shouts) => {
  expect(findPairs({ title })).toEqual(shouts ? [['shouting_title', 'title']] : [])
})

describe('A talk is outside its event', () => {
  const days: readonly [recorded: string | null, start: string | null, end: string | null, isOutside: boolean][] = [
    ['2024-04-30', '2024-05-01', null, true],
    ['2024-05-01', '2024-05-01', null, false],
    ['2024-05-15', '2024-05-01', null, false],
    ['2024-05-16', '2024-05-01', null, true],
    ['2024-03-01', '2024-02-16', null, false],
    ['2024-03-02', '2024-02-16', null, true],
    ['9999-12-31', '9999-12-25', null, false],
    ['0001-01-08', '0000-12-25', null, false],
    ['0001-01-09', '0000-12-25', null, true],
    [null, '2024-05-01', null, false],
    ['2024-05-01', null, null, false],
    ['2024-05-04', '2024-05-01', '2024-05-03', true],
    ['2024-05-03', '2024-05-01', '2024-05-03', false],
    ['2024-06-01', '2024-05-01', '2024-06-01', false],
    ['2024-05-01', '2024-05-02', '2024-06-01', true],
    ['2024-05-04', null, '2024-05-03', true],
    ['2020-05-03', null, '2024-05-03', false],
  ]
  test.each(days)('recorded %p, started %p, ended %p: %p', (recorded, startDate, endDate, isOutside) => {
    const event = { startDate, endDate }
    expect(isOutsideEvent(recorded, event)).toBe(isOutside)
    const found = toFindings({ ...good, recorded: recorded ?? '2024-05-01' }, { event, sameVideo: [] })
    if (recorded !== null) expect(found.map(({ code }) => code)).toEqual(isOutside ? ['outside_event'] : [])
  })
  test('says until when', () => {
    const event: EventDates = { startDate: '2024-02-20', endDate: null }
    expect(findLastDay(event)).toBe('2024-03-05')
    const findDetail = (dates: Partial<EventDates>) =>
      toFindings({ ...good, recorded: '2024-03-06' }, { event: { ...event, ...dates }, sameVideo: [] })[0]?.detail
    expect(findDetail({})).toContain('until 2024-03-05;')
    expect(findDetail({ endDate: '2024-02-21' })).toContain('from 2024-02-20 to 2024-02-21;')
    expect(findDetail({ startDate: null, endDate: '2024-02-21' })).toContain('ended on 2024-02-21;')
  })
})

test('other records with the same video are named', () => {
  const findOthers = (...sameVideo: number[]) => toFindings(good, { ...alone, sameVideo })
  expect(findOthers(7)).toMatchObject([
    { code: 'same_video', field: 'source_url', detail: expect.stringMatching(/^Record 7 has/) },
  ])
  expect(findOthers(7, 9)[0]?.detail).toStartWith('Records 7, 9 have')
  expect(findOthers(1, 2, 3, 4, 5, 6)[0]?.detail).toStartWith('Records 1, 2, 3, 4, 5 and more have')
})

test('every detail is a sentence or two', () => {
  const all = find({
    ...toDefaults(),
    title: 'SOMOS LO PEOR',
    speakers: ['Ada', 'TBA'],
    tags: ['ada'],
    source_url: 'http://vimeo.com/album/1',
  })
  for (const { detail } of all) expect(detail).toMatch(/^[A-Z].{10,200}\.$/)
  expect(all.length).toBeGreaterThan(10)
})

test('the fields that matter are declared', () => {
  const other: { readonly [name: string]: unknown } = {
    ...{
      title: 'TBD',
      language: '',
      speakers: [],
      tags: [],
      recorded: null,
      duration: null,
      whiteboard: 'x',
      embed: '',
    },
    ...{ summary: 'TBD', description: 'TBD', quality_notes: 'TBD', copyright_text: '', state: 2, category: 'TBD' },
  }
  const bare = { ...good, video_mp4_url: '', embed: '' }
  const played = ['mp4', 'webm', 'ogv'].map((kind) => ({ ...bare, [`video_${kind}_url`]: 'https://example.org/1' }))
  const matter = writableNames.filter((name) => {
    const value = name.endsWith('_url') ? 'http://example.org/' : name in other ? other[name] : 5
    // Each value fits its field well enough. A file can stand for the player markup.
    const isOther = (record: VideoRecord) =>
      toQuality({ ...record, [name]: value } as VideoRecord) !== toQuality(record)
    return [good, { ...good, video_mp4_url: '' }, ...played].some(isOther)
  })
  expect<readonly string[]>(matter.sort()).toEqual([...qualityFields].sort())
})

describe('A finding depends on', () => {
  /** Two values of each field that findings look at; in one of them something is to be found. */
  const values: { readonly [name: string]: readonly unknown[] } = {
    title: ['A talk about tests', 'LOOK AT THIS TALK'],
    category: ['Event', 'Other'],
    language: ['', 'English'],
    recorded: [null, '2024-05-01'],
    duration: [null, 5, 600],
    speakers: [[], ['Ada Lovelace'], ['Ana Lopez & Ben Kim'], ['testing']],
    tags: [[], ['testing'], ['Ada Lovelace']],
    summary: ['', 'TBD', 'A talk about tests'],
    description: ['', 'TBD'],
    thumbnail_url: ['', 'http://example.org/1.jpg'],
    source_url: [
      '',
      'http://example.org/1',
      'https://www.youtube.com/playlist?list=PL1',
      'https://youtu.be/abcdefghijk',
    ],
    copyright_text: ['', 'CC BY'],
    embed: ['', '<video></video>'],
    video_mp4_url: [null, '', 'http://example.org/1.mp4'],
    video_webm_url: [null, 'https://example.org/1.webm'],
    video_ogv_url: [null, 'https://example.org/1.ogv'],
    video_flv_url: [null, 'http://example.org/1.flv'],
    video_mp4_download_only: [false, true],
    video_webm_download_only: [false, true],
    video_ogv_download_only: [false, true],
    whiteboard: ['', 'look'],
    state: [1, 2],
  }
  const record = fc
    .record(Object.fromEntries(Object.entries(values).map(([name, all]) => [name, fc.constantFrom(...all)])))
    .map((fields) => ({ ...good, ...fields }) as VideoRecord) // each value is one of its field

  test('no other field than those that end its acceptance', () => {
    const isFound = (of: VideoRecord, code: FindingCode) => toFindings(of, alone).some((each) => each.code === code)
    const own = fc.constantFrom(...ownCodes)
    fc.assert(
      fc.property(record, record, own, (one, other, code) => {
        const same = Object.fromEntries(findingFields[code].filter(isWritableName).map((name) => [name, one[name]]))
        expect(isFound({ ...other, ...same }, code)).toBe(isFound(one, code))
      }),
      { numRuns: runs(20_000) },
    )
  })

  test('the fields by which it is listed as affected', () => {
    expect(listAffected(['quality_notes', 'state', 'whiteboard'])).toEqual([])
    expect(listAffected(['duration'])).toEqual(['missing_duration', 'odd_duration', 'transcript_length'])
    expect(listAffected(['recorded'])).toEqual(['missing_recorded', 'outside_event'])
    expect(listAffected(['transcripts/pt-BR'])).toEqual(['transcript_repeats', 'transcript_length'])
    expect(listAffected([...writableNames, 'related', 'transcripts/en'])).toEqual([...findingCodes])
  })
})
