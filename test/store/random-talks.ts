import type { Random } from '../../bench/generated/random.ts'
import type { Command } from '../../src/record/command.ts'
import { findingCodes, missingKinds } from '../../src/record/quality/finding-codes.ts'
import type { Changes } from '../../src/record/record.ts'

/** Random talks, commands and lists for the tests of columns. */
export const author = { name: 'test', role: 'admin' } as const
const toAuthor = (random: Random) => ({ name: pickOne(random, ['test', 'ann', 'ben']), role: 'admin' }) as const
const categories = ['Alpha', 'Beta', 'Gamma', 'Delta'] as const
const speakers = ['Ann Äppel', 'Ben', 'Anna', 'Zoë', '\u{1f600}', '\uff5a'] as const
const tags = ['one', 'two', 'onto', 'twofold'] as const
const words = ['needle', 'hay', 'stack', 'haystack'] as const
const days = [null, '1970-01-01', '1969-12-31', '2020-02-29', '2020-03-01', '0001-02-03'] as const
const sources = [
  '',
  'https://example.org/1',
  'https://youtu.be/abcdefghijk',
  'http://www.youtube.com/watch?v=abcdefghijk',
  'https://www.youtube.com/playlist?list=PL1',
] as const
/** Two weeks after some of these are the days above. */
const eventDays = ['start_date', 'end_date'] as const
const starts = [
  null,
  '1969-12-17',
  '1969-12-31',
  '2020-02-16',
  '2020-02-29',
  '0001-01-20',
  '0000-12-31',
  '9999-12-30',
] as const
function pickOne<T>(random: Random, all: readonly T[]): T {
  const picked = all[random.below(all.length)]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
const pickSome = <T>(random: Random, all: readonly T[]): T[] => all.filter(() => random.percent(40))

export function toChanges(random: Random): Changes {
  return {
    title: `${pickOne(random, words)} ${pickOne(random, words)}`,
    summary: pickSome(random, words).join(' '),
    category: pickOne(random, categories),
    state: random.percent(30) ? 2 : 1,
    language: pickOne(random, ['', 'English', 'Welsh', 'German']),
    speakers: pickSome(random, speakers),
    tags: pickSome(random, tags),
    recorded: pickOne(random, days),
    duration: pickOne(random, [null, 0, 60, 599, 600, 1799, 1800, 3599, 3600]),
    source_url: random.percent(25) ? pickOne(random, sources) : `https://www.example.org/${random.below(200)}`,
    video_mp4_url: pickOne(random, ['', 'https://example.org/1.mp4']),
    video_flv_url: pickOne(random, [null, '', 'https://example.org/1.flv']),
    whiteboard: random.percent(20) ? pickOne(random, ['look at this', '[parked]', '[Parked] twice']) : '',
    description: pickOne(random, ['', 'TBD', 'A long text.']),
    copyright_text: pickOne(random, ['', 'CC BY']),
    thumbnail_url: pickOne(random, ['', 'https://example.org/1.jpg']),
  }
}

function toPart(random: Random): Changes {
  const all = Object.entries(toChanges(random))
  return Object.fromEntries(all.filter(() => random.percent(30)))
}

export function toCommand(random: Random, last: number): Command {
  const id = 1 + random.below(last + 1)
  const author = toAuthor(random)
  const kind = random.below(100)
  if (kind < 15) return { kind: 'create', author, changes: toChanges(random) }
  if (kind < 60) return { kind: 'merge', id, author, precondition: {}, changes: toPart(random) }
  if (kind < 75) return { kind: 'merge', id, author, precondition: {}, changes: { state: pickOne(random, [1, 2]) } }
  if (kind < 85) return { kind: 'restore', id, number: 1 + random.below(3), author, precondition: {} }
  if (kind < 90) return { kind: 'undo', batch: 1 + random.below(8), author }
  const slug = pickOne(random, categories).toLowerCase()
  if (kind < 96)
    return { kind: 'category', slug, author, changes: { [pickOne(random, eventDays)]: pickOne(random, starts) } }
  const title = `${pickOne(random, categories)}${random.percent(50) ? ' again' : ''}`
  return { kind: 'category', slug, author, changes: { title } }
}

/** Some filters, as a client sends them. */
export function toAsk(random: Random): string {
  const work = [...toWorkFilters(random), ['state', pickOne(random, ['1', '2'])] as const]
  const filters = [
    ...work,
    ['category', pickOne(random, ['alpha', 'Beta', 'Gamma again', 'gamma', 'none'])],
    ['speaker', pickOne(random, ['ann', 'a', 'zoe', 'nobody', '\u{1f600}'])],
    ['speaker', pickOne(random, ['n', 'e', 'ppel'])],
    ['tag', pickOne(random, ['o', 'on', 'two', 'twofold'])],
    ['speaker_id', pickOne(random, ['1', '2', '3', '4', '99', '9007199254740991'])],
    ['speaker_id', pickOne(random, ['1', '5', '6'])],
    ['tag_id', pickOne(random, ['1', '2', '3'])],
    ['language', pickOne(random, ['English', 'Welsh', 'French'])],
    ['recorded_after', pickOne(random, ['1969-12-31', '1970-01-01', '2020-03-01'])],
    ['recorded_before', pickOne(random, ['1970-01-01', '2020-02-29', '0001-02-03'])],
    ['duration_min', pickOne(random, ['0', '60'])],
    ['duration_max', pickOne(random, ['0', '60', '9999999999'])],
    ['has', pickOne(random, ['mp4', 'thumbnail', 'mp4,thumbnail', 'embed'])],
    ['has_any', pickOne(random, ['mp4', 'mp4,webm', 'thumbnail,mp4', 'embed,flv'])],
    ['source_url', pickOne(random, ['https://example.org/1', 'https://www.youtube.com/watch?v=abcdefghijk'])],
    ['id', pickOne(random, ['1,2,3', '5', '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20'])],
    ['q', pickOne(random, ['needle', 'hay', 'needle hay', '-hay', 'stack -needle', '"hay stack"', '!!'])],
  ] as const
  // Lists of what needs work alone have running counts.
  const chosen = random.percent(33) ? work : filters
  const some = chosen.filter(() => random.percent(15)).map(([name, value]): [string, string] => [name, value])
  return new URLSearchParams(some).toString()
}

/** The filters of work lists. */
function toWorkFilters(random: Random): readonly (readonly [string, string])[] {
  const moment = () =>
    pickOne(random, [
      ...(['2020-01-01', '2099-01-01'] as const),
      new Date(Date.now() - random.below(2_000)).toISOString().slice(0, 23),
    ])
  return [
    ['missing', pickOne(random, missingKinds)],
    ['missing', pickOne(random, ['language,tags', 'summary,description,media', 'recorded', 'source'])],
    ['finding', pickOne(random, findingCodes)],
    ['finding', pickOne(random, ['outside_event', 'same_video', 'outside_event,same_video', 'placeholder_text'])],
    ['finding', 'same_video'],
    ['whiteboard', pickOne(random, ['0', '1'])],
    ['parked', pickOne(random, ['0', '1'])],
    ['host', pickOne(random, ['example.org', 'www.example.org', 'youtu.be', 'youtube.com', 'nowhere.example'])],
    ['by', pickOne(random, ['test', 'ann', 'ben', 'nobody'])],
    ['added_after', moment()],
    ['added_before', moment()],
    ['updated_after', moment()],
    ['updated_before', moment()],
  ]
}
