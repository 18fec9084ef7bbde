import { checkBody } from '../../../record/check-body.ts'
import type { VideoRecord } from '../../../record/record.ts'
import type { Database } from '../../database.ts'
import { createLookup, toChunks } from '../../read/lookup-many.ts'
import type { StoredRecord } from '../../store.ts'
import { type NewestVersion, newestSql, toVersionTag } from '../../write/version-rows.ts'
import { createDerivedCheck } from './derived.ts'
import { createSteps, type Finding, type OnStep } from './finding.ts'

type RecordRow = StoredRecord & { readonly slug: string }

/** Compares the words of records with the search index, which differs between the engines. */
export interface WordCheck {
  /** Adds records whose words must be in the index; yields what can be found so far. */
  expect(records: readonly VideoRecord[]): AsyncIterable<Finding> | Iterable<Finding>
  /** Yields what can be found only after all records. */
  compare(): AsyncIterable<Finding> | Iterable<Finding>
}

/** Checks that each record matches its newest version, and everything derived from it matches its body. */
export async function* checkRecords(db: Database, words: WordCheck, onStep: OnStep): AsyncGenerator<Finding> {
  const rows = db.query<RecordRow, []>(
    'SELECT id, version, mark AS "versionTag", state, slug, updated, body FROM record ORDER BY id',
  )
  const findNewest = createLookup<NewestVersion, number>(db, newestSql)
  const step = createSteps(
    (await db.query<{ n: number }, []>('SELECT count(*) AS n FROM record').get())?.n ?? 0,
    onStep,
  )
  const checkDerived = createDerivedCheck(db)
  for await (const chunk of toChunks(rows.iterate(), ({ body }) => body.length)) {
    const newest = new Map((await findNewest(chunk.map(({ id }) => id))).map((row) => [row.id, row]))
    const records: { readonly record: VideoRecord; readonly author: string }[] = []
    for (const row of chunk) {
      yield* compareNewest(row, newest.get(row.id) ?? null)
      const judged = checkBody(row.body)
      const { record } = judged
      if (!judged.ok) yield { id: row.id, what: judged.problem }
      if (record !== null) yield* compareColumns(row, record)
      if (record !== null) records.push({ record, author: newest.get(row.id)?.author ?? '' })
      step()
    }
    yield* checkDerived(records)
    yield* words.expect(records.map(({ record }) => record))
  }
  yield* words.compare()
}

function* compareNewest(
  { id, version, versionTag, body }: RecordRow,
  newest: NewestVersion | null,
): Generator<Finding> {
  if (newest === null) return yield { id, what: 'it has no version' }
  const { version: number, checksum } = newest
  if (number !== version) yield { id, what: `it says that it is version ${version}; the newest is ${number}` }
  if (versionTag !== toVersionTag(number, checksum)) yield { id, what: `its ETag is not that of version ${number}` }
  if (!Buffer.from(newest.body).equals(body)) yield { id, what: `its bytes are not those of version ${number}` }
}

function* compareColumns(row: RecordRow, record: VideoRecord): Generator<Finding> {
  for (const name of ['id', 'state', 'slug', 'updated'] as const) {
    if (row[name] !== record[name]) yield { id: row.id, what: `its row has another ${name} than its bytes` }
  }
}
