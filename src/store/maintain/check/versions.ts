import type { Database } from '../../database.ts'
import { isChecksum } from '../../write/version-rows.ts'
import { createSteps, type Finding, type OnStep } from './finding.ts'

interface VersionRow {
  readonly id: number
  readonly number: number
  readonly checksum: Uint8Array
  readonly body: Uint8Array
}

/** Checks that versions have no gaps and match their checksums. */
export async function* checkVersions(db: Database, onStep: OnStep): AsyncGenerator<Finding> {
  const rows = db.query<VersionRow, []>(
    'SELECT record_id AS id, number, checksum, body FROM version ORDER BY record_id, number',
  )
  const step = createSteps(
    (await db.query<{ n: number }, []>('SELECT count(*) AS n FROM version').get())?.n ?? 0,
    onStep,
  )
  let last = { id: 0, number: 0 }
  for await (const { id, number, checksum, body } of rows.iterate()) {
    const wanted = id === last.id ? last.number + 1 : 1
    if (number !== wanted) yield { id, what: `version ${wanted} is missing` }
    if (!isChecksum(checksum, body)) yield { id, what: `version ${number} is not what its checksum says` }
    last = { id, number }
    step()
  }
}

/** Checks that each record has the body of its current version. */
export async function* checkBodies(db: Database): AsyncGenerator<Finding> {
  const rows = db.query<{ id: number; version: number }, []>(
    `SELECT id, record.version FROM record LEFT JOIN version ON record_id = id AND number = record.version
     WHERE version.body IS NULL OR record.body <> version.body ORDER BY id`,
  )
  for await (const { id, version } of rows.iterate())
    yield { id, what: `its bytes are not those of version ${version}` }
}
