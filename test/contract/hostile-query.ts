import fc from 'fast-check'
import { fieldNames } from './every-record.ts'

const nasty = [
  '"',
  '""""',
  "'",
  "' OR 1=1 --",
  '\0',
  'ab\0cd',
  '\0\0\0\0',
  '*',
  'a*',
  '^a',
  'NEAR(a b, 3)',
  'a AND',
  'NOT',
  'OR OR OR',
  '{title} : a',
  'title:a',
  '-',
  '- -',
  '-"',
  '-a -b -c',
  '(((((',
  'a"b"c',
  '\ufffd',
  '\u202e\u2066',
  '\u200d\u200c\u00ad',
  '👩‍👩‍👧‍👦',
  'é'.repeat(199),
  '\u0301'.repeat(150),
  'Å\u0301\u0302',
  '漢'.repeat(100),
  'ｶﾞ',
  '\u{10ffff}',
  '%',
  '_',
  '\\',
  '\r\n',
  '#{x}',
  '__proto__',
  'constructor',
  '1e999',
  '-0',
  '9007199254740993',
  '00',
  'null',
  '[]',
  '2012-02-30',
  '99999999999999999999999999',
]

/** Text that has broken other searches, and text at random. */
export const hostileText = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed()),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(fc.constantFrom(...nasty, 'python', 'ada', ' ', '-', '"', ','), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc.string({ maxLength: 30 }),
)

const encoded = hostileText.map((text) => encodeURIComponent(text.toWellFormed()))
/** Bytes that are no UTF-8, and escapes that are none. */
const rawBytes = fc
  .array(fc.constantFrom('%ff', '%00', '%c3', '%e2%80', '%', '%zz', '+', 'a', '%22', '%ed%a0%80'), { maxLength: 12 })
  .map((parts) => parts.join(''))
const anyValue = fc.oneof({ weight: 4, arbitrary: encoded }, { weight: 1, arbitrary: rawBytes })

const orderNames = ['added', 'updated', 'recorded', 'title', 'duration', 'id']
const ordering = fc
  .array(fc.constantFrom(...orderNames, ...orderNames.map((name) => `-${name}`), 'x', ''), { maxLength: 8 })
  .map((names) => names.join(','))

const cursorValue = fc.oneof(
  fc.constantFrom(null, 0, -1, 1.5, 1e300, '', '2012-03-09', 'a'),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.integer(),
  fc.constant([]),
)
const orderText = fc.oneof(
  fc.constantFrom('-recorded,title,id', 'title,id', '-title,-id', 'id', '-duration,-id', 'recorded,-title,-id', ''),
  ordering,
)
const cursor = fc
  .tuple(orderText, fc.oneof(fc.array(cursorValue, { maxLength: 4 }), fc.integer(), fc.double(), cursorValue))
  .map((content) => Buffer.from(JSON.stringify(content)).toString('base64url'))

const list = (names: readonly string[]) =>
  fc.array(fc.oneof(fc.constantFrom(...names), encoded), { maxLength: 5 }).map((some) => some.join(','))

/** For each parameter what is nearly right; every one of them may be anything at all instead. */
const nearly: Readonly<Record<string, fc.Arbitrary<string>>> = {
  q: anyValue,
  match: fc.constantFrom('all', 'best'),
  highlight: fc.constantFrom('0', '1'),
  category: fc.constantFrom('hostile', 'Hostile'),
  speaker: anyValue,
  tag: anyValue,
  language: fc.constantFrom('en', 'English', 'xx'),
  recorded_after: fc.constantFrom('2012-03-09', '0000-00-00', '9999-12-31'),
  recorded_before: fc.constantFrom('2012-03-09', '2012-3-9'),
  duration_min: fc.integer().map(String),
  duration_max: fc.double().map(String),
  has: list(['mp4', 'embed', 'thumbnail']),
  source_url: anyValue,
  id: fc.array(fc.integer(), { maxLength: 120 }).map((ids) => ids.join(',')),
  state: fc.constantFrom('1', '2', '3'),
  ordering,
  page: fc.oneof(fc.constant('last'), fc.integer().map(String)),
  page_size: fc.integer().map(String),
  cursor,
  fields: list(fieldNames),
  facets: list(['category', 'speaker', 'tag', 'language', 'year']),
  format: fc.constant('json'),
}

const pair = fc
  .constantFrom(...Object.keys(nearly))
  .chain((name) =>
    fc
      .oneof({ weight: 3, arbitrary: nearly[name] ?? anyValue }, { weight: 1, arbitrary: anyValue })
      .map((value) => `${name}=${value}`),
  )
const pairs = fc.array(pair, { minLength: 1, maxLength: 5 }).map((some) => some.join('&'))
const search = fc
  .tuple(anyValue, fc.constantFrom('', '&match=best', '&highlight=1', '&match=best&highlight=1'), pairs)
  .map(([q, how, others]) => `q=${q}${how}&${others}`)
const query = fc.oneof({ weight: 3, arbitrary: pairs }, { weight: 1, arbitrary: search })
const repeated = fc
  .tuple(fc.constantFrom('tag', 'speaker', 'q'), encoded, fc.integer({ min: 1, max: 1200 }))
  .map(([name, value, times]) => `${`${name}=${value}&`.repeat(times)}`.slice(0, 7_000).replace(/%.?$/, ''))

const path = fc.oneof(
  { weight: 12, arbitrary: fc.constant('/api/v2/video') },
  { weight: 3, arbitrary: fc.constantFrom('/api/v2/category', '/api/v2/speaker', '/api/v2/tag', '/api/v2/language') },
  { weight: 1, arbitrary: encoded.map((slug) => `/api/v2/category/${slug.replaceAll('.', '%2e')}x`) },
)

/** A path and a query under the service's limit of length. */
export const hostileTarget = fc
  .tuple(path, fc.oneof({ weight: 60, arbitrary: query }, { weight: 1, arbitrary: repeated }))
  .map(([where, what]) => `${where}?${what}`.slice(0, 8_000))
  .filter((target) => !/\{|\}/.test(target))

export const hostileSource = encoded.map((value) => `/api/1.0/videos/urlforsource?host_url=${value}`)
