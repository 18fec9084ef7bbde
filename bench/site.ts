import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { toGeneratedStore } from './generate.ts'
import type { Context, Question } from './harness/question.ts'
import { measureHits } from './site/cache-hits.ts'
import { readPageKinds } from './site/page-requests.ts'
import { measureServerTime } from './site/server-time.ts'
import { measureSizes } from './site/sizes.ts'

const records = 100_000
const pagesPerKind = 200

export const siteQuestion: Question = {
  name: 'site',
  asks:
    `What do pages cost? ${records.toLocaleString('en-US')} records. Server time of pages that are not cached, in the ` +
    `handlers alone: the median of ${pagesPerKind} pages of each kind; also if a write came just before each. Goal: ` +
    '5 ms for a talk, event, speaker or tag, 20 ms for home and search, 300 ms for statistics. Sizes as transferred, ' +
    'without pictures. Goal: a talk 60 KB, style sheet and script 30 KB together. Cached pages compared with GET of a hot ' +
    'record: 16 connections, one HTTP thread. Goal: half the rate, also during one write a second. `BENCH_STORE` ' +
    'names another store.',
  isPinned: true,
  generator: 'both',
  async run(context) {
    const store = process.env.BENCH_STORE ?? (await toGeneratedStore(context.isQuick ? 10_000 : records, context.say))
    const kinds = readPageKinds(store, context.isQuick ? 20 : pagesPerKind)
    const times = await measureServerTime(context, store, kinds)
    const server = await startOn(store, context)
    const sizes = await measureSizes(server.port, kinds)
    return [...times, ...sizes, ...(await measureHits(context, server, kinds))]
  },
}

function startOn(store: string, context: Context) {
  copyFileSync(store, join(context.folder, 'site.db'))
  return context.startRostrum({ threads: 1, store: 'site', hasSample: true })
}
