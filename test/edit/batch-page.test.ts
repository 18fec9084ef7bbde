import { expect, test } from 'bun:test'
import { respondBatch } from '../../src/edit/changes/batch.tsx'
import type { Call, Caller } from '../../src/http/route.ts'
import type { Site } from '../../src/site/site.ts'
import { createUrls } from '../../src/site/urls.ts'
import type { BatchLine } from '../../src/store/batch-reads.ts'
import { parsePage } from '../site/page-tree.ts'

const caller: Caller = {
  ...{ name: 'ann', role: 'publisher', tokenId: 1, expiresMs: null },
  session: { hash: null, formToken: 'a-token' },
}

const done: BatchLine = {
  ...{ id: 12, at: '2026-11-17T04:30:00.000', by: 'ann', reason: null, kind: 'rename tag', state: 'done' },
  ...{ total: 3_000, done: 3_000, changed: 3_000, unchanged: 0, records: 3_000, undoes: null, undone_by: null },
  ...{ refused: [], refused_count: 0, left: [], left_count: 0, others: [] },
}

const content = {
  kind: 'rename tag',
  pairs: [{ from: 'a', to: 'b' }],
  morePairs: 0,
  patch: null,
  fields: [],
  created: null,
  undone: null,
} as const

/** The page of a batch, and the header by which it loads itself again. */
function show(batch: Partial<BatchLine>, by = 'ann') {
  const view = { batch: { ...done, ...batch, by }, content, talks: [], erased: 0, after: 0, next: null }
  // True: a page needs no more of the site than this.
  const site = { urls: createUrls('/talks'), assets: {}, settings: { name: 'Talks' } } as unknown as Site
  // True: an answer needs no more of the call than this.
  const call = { route: { headers: new Headers() } } as unknown as Call
  const props = { site, caller, list: null, isJustDone: false, drafts: [] }
  const { headers, pieces } = respondBatch(call, { ...props, view: { ...view, titles: new Map() } })
  const html = Buffer.from(pieces.join(''), 'latin1').toString()
  return {
    text: parsePage(html).one('main').text,
    refresh: headers.get('Refresh'),
    canUndo: html.includes('value="undo"'),
    canStop: html.includes('value="stop"'),
  }
}

test('a running batch shows its progress, refreshes itself, and can be stopped by its author, not undone', () => {
  const { text, refresh, canUndo, canStop } = show({ state: 'running', done: 1_200, changed: 1_100 })
  expect(text).toContain('Running: 1,200 of 3,000 talks.')
  expect([refresh, canUndo, canStop]).toEqual(['3', false, true])
  expect(show({ state: 'running' }, 'ben').canStop).toBe(false)
  expect(show({ state: 'stopped' }).canStop).toBe(false)
})

test('a stopped batch says what can be done about it, and can be undone', () => {
  const { text, refresh, canUndo } = show({ state: 'stopped', done: 1_200, changed: 1_100 })
  expect(text).toContain('Stopped after 1,200 of 3,000 talks.')
  expect(text).toContain('Undo it, or send the same change again to finish it.')
  expect([refresh, canUndo]).toEqual([null, true])
})

test('a batch that is done does not refresh; only its author may undo it', () => {
  expect(show({})).toMatchObject({ refresh: null, canUndo: true })
  expect(show({}, 'ben')).toMatchObject({ refresh: null, canUndo: false })
})

test('what was refused and left is named with its reason, the first hundred', () => {
  const refused = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, problem: 'publisher_required' }))
  const left = [{ id: 7, fields: ['title', 'video_mp4_url'], why: 'changed_since' as const }]
  const { text } = show({ refused, refused_count: 450, left, left_count: 1 })
  expect(text).toContain('Talk 100: Only publishers may change a live talk or publish one.')
  expect(text).toContain('… and 350 more.')
  expect(text).toContain('Talk 7: Title, MP4: Address: changed again since')
})
