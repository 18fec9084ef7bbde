import { findingCodes } from '../src/record/quality/finding-codes.ts'
import { openForReading } from '../src/store/sqlite/connection.ts'
import { toGeneratedStore } from './generate.ts'
import { toWord } from './generated/words.ts'
import type { Question } from './harness/question.ts'
import type { PageKind } from './site/page-requests.ts'
import { measureServerTime } from './site/server-time.ts'

const records = 100_000
const pagesPerKind = 20

export const editListsQuestion: Question = {
  name: 'edit-lists',
  asks:
    `What do the work lists of curators cost? ${records.toLocaleString('en-US')} records. Server time in the handlers ` +
    `alone: the median of ${pagesPerKind} pages of each kind, also if a write came just before each. Goal: 20 ms. ` +
    '`BENCH_STORE` names another store.',
  isPinned: true,
  generator: 'none',
  async run(context) {
    const store = process.env.BENCH_STORE ?? (await toGeneratedStore(context.isQuick ? 10_000 : records, context.say))
    const caller = { name: 'ann', role: 'admin', tokenId: 1, expiresMs: null, session: null } as const
    const kinds = toKinds(findLargestEvent(store), context.isQuick ? 3 : pagesPerKind)
    return measureServerTime(context, store, kinds, caller)
  },
}

const lists = [
  ...['state=2&parked=0', 'state=2&parked=1', 'state=2', 'whiteboard=1', 'by=import', 'updated_after=2020-01-01'],
  ...['', 'page_size=100', 'ordering=title', 'ordering=-updated', 'ordering=-duration', 'language=English'],
  ...[
    `q=${toWord(400)}`,
    `q=${toWord(300)}&ordering=title`,
    'host=youtube.com',
    'host=youtube.com&finding=missing_tags',
  ],
  ...['finding=missing_tags,missing_duration', 'finding=same_video&ordering=-updated', 'page=900'],
  ...['finding=missing_tags&ordering=-updated', 'finding=shouting_title&ordering=title', 'whiteboard=1&ordering=title'],
  ...findingCodes.map((code) => `finding=${code}`),
]

function toKinds(event: string, count: number): readonly PageKind[] {
  const ofEvent = [`category=${event}`, `category=${event}&finding=missing_tags&ordering=title`]
  const pages = [
    ['overview', '/edit', ''],
    ['findings by event', '/edit/findings', ''],
    ['findings by event, by one code', '/edit/findings', '?sort=missing_tags'],
    ['duplicates', '/edit/duplicates', ''],
    ...[...lists, ...ofEvent].map((list) => [`list ${list}`, '/edit/list', list === '' ? '' : `?${list}`] as const),
  ] as const
  return pages.map(([name, pattern, query]) => ({
    name,
    requests: Array.from({ length: count }, () => ({ pattern, params: {}, query })),
  }))
}

function findLargestEvent(store: string): string {
  const db = openForReading(store)
  try {
    const largest = db.query<{ slug: string }, []>(
      `SELECT slug FROM category JOIN (SELECT category_id, count(*) AS n FROM listing GROUP BY category_id)
       ON category_id = category.id ORDER BY n DESC LIMIT 1`,
    )
    return largest.get()?.slug ?? ''
  } finally {
    db.close()
  }
}
