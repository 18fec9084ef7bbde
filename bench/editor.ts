import { toGeneratedStore } from './generate.ts'
import type { Question } from './harness/question.ts'
import { type PageKind, readPageKinds } from './site/page-requests.ts'
import { measureServerTime } from './site/server-time.ts'

const records = 100_000
const pagesPerKind = 200

export const editorQuestion: Question = {
  name: 'editor',
  asks:
    `What does it cost to open the editor? ${records.toLocaleString('en-US')} records. Server time of the page in its ` +
    `handler: the median of ${pagesPerKind} talks, alone and as part of a work list; also if a write came just before ` +
    'each. Goal: 10 ms. `BENCH_STORE` names another store.',
  isPinned: false,
  generator: 'none',
  async run(context) {
    const store = process.env.BENCH_STORE ?? (await toGeneratedStore(context.isQuick ? 10_000 : records, context.say))
    const caller = {
      ...({ name: 'ann', role: 'publisher', tokenId: 1, expiresMs: null } as const),
      session: { hash: null, formToken: 'a-token' },
    }
    return measureServerTime(context, store, toKinds(store, context.isQuick ? 20 : pagesPerKind), caller)
  },
}

/** The talks that viewers request. */
function toKinds(store: string, count: number): readonly PageKind[] {
  const talks = readPageKinds(store, count).find(({ name }) => name === 'talk')?.requests ?? []
  const ids = talks.map(({ params }) => ({ id: params.id ?? '' }))
  const toKind = (name: string, query: string): PageKind => ({
    name,
    requests: ids.map((params) => ({ pattern: '/edit/video/:id', params, query })),
  })
  return [
    toKind('editor', ''),
    toKind('editor in a work list', `?list=${encodeURIComponent('finding=missing_duration')}`),
  ]
}
