import type { Database } from 'bun:sqlite'
import type { VideoRecord } from '../../../record/record.ts'
import { parseBody } from '../../sql/parse-body.ts'
import { toMark } from '../../sql/version-rows.ts'
import type { StoredRecord } from '../../store.ts'
import { createDerivedCheck } from './derived.ts'
import { createSteps, type Finding, type OnStep } from './finding.ts'
import { createWordCheck } from './words.ts'

type RecordRow = StoredRecord & { readonly slug: string }

interface NewestVersion {
  readonly number: number
  readonly at: string
  readonly state: number
  readonly checksum: Uint8Array
  readonly body: Uint8Array
}

/** Each record is its newest version, and everything that is derived from its bytes is what they say. */
export function* checkRecords(db: Database, onStep: OnStep): Generator<Finding> {
  const rows = db.query<RecordRow, []>('SELECT id, version, mark, state, slug, updated, body FROM record ORDER BY id')
  const findNewest = db.query<NewestVersion, [number]>(
    'SELECT number, at, state, checksum, body FROM version WHERE record_id = ? ORDER BY number DESC LIMIT 1',
  )
  const step = createSteps(db.query<{ n: number }, []>('SELECT count(*) AS n FROM record').get()?.n ?? 0, onStep)
  const checkDerived = createDerivedCheck(db)
  const words = createWordCheck(db)
  for (const row of rows.iterate()) {
    yield* compareNewest(row, findNewest.get(row.id))
    const record = parseBody(row.body)
    if (record === null) yield { id: row.id, what: 'its bytes are not a record' }
    else {
      yield* compareColumns(row, record)
      yield* checkDerived(record)
      words.expect(record)
    }
    step()
  }
  yield* words.compare()
}

function* compareNewest({ id, version, mark, body }: RecordRow, newest: NewestVersion | null): Generator<Finding> {
  if (newest === null) return yield { id, what: 'it has no version' }
  const { number, checksum } = newest
  if (number !== version) yield { id, what: `it says that it is version ${version}; the newest is ${number}` }
  if (mark !== toMark(number, checksum)) yield { id, what: `its tag is not that of version ${number}` }
  if (!Buffer.from(newest.body).equals(body)) yield { id, what: `its bytes are not those of version ${number}` }
}

function* compareColumns(row: RecordRow, record: VideoRecord): Generator<Finding> {
  for (const name of ['id', 'state', 'slug', 'updated'] as const) {
    if (row[name] !== record[name]) yield { id: row.id, what: `its row has another ${name} than its bytes` }
  }
}
