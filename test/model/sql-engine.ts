import type { Command } from '../../src/record/command.ts'
import { type ListQuery, type Paging, parseListQuery } from '../../src/record/query/query.ts'
import type { VocabularyQuery } from '../../src/record/query/vocabulary.ts'
import { fromBodyText } from '../../src/record/record.ts'
import type { Visibility } from '../../src/record/state.ts'
import type { LogPage } from '../../src/store/change-log.ts'
import type { Database } from '../../src/store/database.ts'
import type { ListPage } from '../../src/store/list-reads.ts'
import { type ChangeLog, createChangeLog } from '../../src/store/read/change-log.ts'
import type { ListDeps } from '../../src/store/read/list/list.ts'
import { createVocabulary } from '../../src/store/read/names/vocabulary.ts'
import { createRecordReader } from '../../src/store/read/record.ts'
import type { Outcome } from '../../src/store/store.ts'
import type { CommandWriterDeps, Writer } from '../../src/store/write/command-writer.ts'
import type { Counts, Engine, FeedLine, Vocabulary } from './engine.ts'
import type { NameKind, NameRow } from './model-names.ts'
import { facetParameters, type ListAnswer, sortValues } from './questions.ts'

export type OpenEngine = Engine & { close(): void }

/** A store to open engines on, one after the other or several at once. */
interface Place {
  open(): OpenEngine
  remove(): Promise<void>
}

/** Places for new stores, each of its own. */
export interface Places {
  create(): Promise<Place>
  remove(): Promise<void>
}

interface Connections {
  /** The one to read through; the writer may have the same. */
  readonly db: Database
  createWriter(deps: Pick<CommandWriterDeps, 'now' | 'onError'>): Writer
  createList(deps: ListDeps): (query: ListQuery) => Promise<ListPage>
  close(): void
}

/** Small, so that a history of some versions already has several. */
const pageSize = 4

/** A real store as these tests ask it, whichever database it lies in. */
export function openEngine({ db, createWriter, createList, close }: Connections): OpenEngine {
  let clockMs = 0
  let changes = 0
  // A command that is meant to fail tells of it too; what it leaves behind is what the tests look at.
  const writer = createWriter({ now: () => clockMs, onError() {} })
  const reader = createRecordReader(db)
  const log = createChangeLog(db, { readStoreId: async () => 'model' })
  const counts = db.query<Counts, []>(
    `SELECT (SELECT count(*) FROM record) AS records, (SELECT count(*) FROM version) AS versions,
       (SELECT count(*) FROM batch) AS batches, (SELECT count(*) FROM category) AS categories`,
  )

  /** Follows every change, like that of a query thread. */
  const list = createList({ db, changesCounter: () => changes })

  async function run(commands: readonly Command[], nowMs: number): Promise<readonly Outcome[]> {
    clockMs = nowMs
    changes++
    const outcomes: Outcome[] = []
    // A slow machine may have time for the first few of them only; the queue sends the rest again, and so do we.
    while (outcomes.length < commands.length) {
      const some = await writer.run(commands.slice(outcomes.length), new Set())
      if (some === 'busy') throw new Error('somebody else holds the store')
      for (const outcome of some) {
        if (outcome.is === 'begun') throw new Error('a run of the model has no batch of more than one transaction')
        outcomes.push(outcome)
      }
    }
    return outcomes
  }

  return {
    run,
    read: async (id) => reader.read(id),
    readVersion: async (id, number) => reader.readVersion(id, number),
    history: async (id) => readPages((paging) => log.readHistory({ id, ...paging })),
    changes: async (drafts) => readChanges(log, drafts),
    batches: async () => readPages((paging) => log.readBatches({ ...paging, by: null, id: null })),
    // A new one each time: its memory is kept right by a counter that only threads have.
    vocabulary: async () =>
      readVocabulary(
        db,
        createVocabulary(db, () => 0),
      ),
    ask: (parameters, drafts) => readList(list, parameters, drafts ? 'all' : 'live'),
    async counts() {
      const found = await counts.get()
      if (found === null) throw new Error('nothing was counted')
      return found
    },
    close,
  }
}

async function readPages<Line>(read: (paging: Paging) => Promise<LogPage<Line>>): Promise<readonly Line[]> {
  const lines: Line[] = []
  for (let page = 1; ; page++) {
    const found = await read({ page, pageSize })
    lines.push(...found.lines)
    if (found.lines.length < pageSize || lines.length === found.count) {
      if (lines.length !== found.count) throw new Error(`${lines.length} lines, but said to be ${found.count}`)
      return lines
    }
  }
}

async function readChanges(log: ChangeLog, drafts: boolean): Promise<readonly FeedLine[]> {
  const changes: FeedLine[] = []
  for (;;) {
    const page = await log.readChanges({
      since: changes.at(-1)?.seq ?? 0,
      limit: pageSize,
      visibility: drafts ? 'all' : 'live',
      by: null,
    })
    changes.push(...page.changes.map(({ isPublic: _, ...line }) => line))
    if (page.changes.length < pageSize) return changes
  }
}

async function readVocabulary(db: Database, read: ReturnType<typeof createVocabulary>): Promise<Vocabulary> {
  const list = async (kind: VocabularyQuery['kind']) =>
    (await read.list({ kind, visibility: 'all', prefix: '', page: 1, pageSize: 1000 })).rows
  const listWords = async (kind: 'speaker' | 'tag') =>
    (await list(kind)).flatMap((row) => ('name' in row ? [{ name: row.name, count: row.count }] : []))
  return {
    categories: (await list('category')).flatMap((row) =>
      'ids' in row ? [{ slug: row.slug, title: row.title, ids: row.ids.toSorted((a, b) => a - b) }] : [],
    ),
    speakers: await listWords('speaker'),
    tags: await listWords('tag'),
    names: { speaker: await listRows(db, 'speaker'), tag: await listRows(db, 'tag') },
  }
}

function listRows(db: Database, kind: NameKind): Promise<NameRow[]> {
  return db.query<NameRow, []>(`SELECT name, merged_into AS "mergedInto" FROM ${kind} ORDER BY id`).all()
}

async function readList(
  list: ReturnType<Connections['createList']>,
  parameters: string,
  visibility: Visibility,
): Promise<ListAnswer> {
  const asked = new URLSearchParams(`${parameters}&ordering=id&page_size=100&facets=${facetParameters}`)
  const parsed = parseListQuery(asked, visibility)
  if (!parsed.ok) throw new Error(`${parameters} is no query: ${parsed.problem}`)
  const { count, records, facets } = await list(parsed.query)
  const shown = Object.entries(facets ?? {}).map(([name, values]) => {
    return [name, sortValues(values.map((each) => ({ value: each.value, count: each.count })))]
  })
  return {
    count,
    ids: (records ?? []).map((text) => fromBodyText(text).id),
    facets: Object.fromEntries(shown),
  }
}
