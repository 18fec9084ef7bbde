import { isWritableName, type WritableName } from '../../record/fields.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'

/** One version of a record, and what kind of batch made it. */
export interface LoggedVersion {
  readonly number: number
  readonly changed: readonly WritableName[]
  /** `undone import`: it took an import back. `people`: anything else. */
  readonly by: 'import' | 'undone import' | 'people'
}

/** Who made which version of a record. */
export interface VersionAuthors {
  /** Newest first. */
  list(id: number): Promise<readonly LoggedVersion[]>
  /** The version of that time; null where there is none. */
  findAt(id: number, at: Timestamp): Promise<number | null>
}

interface Row {
  readonly number: number
  readonly changed: string
  readonly kind: string | null
  readonly undone: string | null
}

export function createVersionAuthors(db: Database): VersionAuthors {
  const list = db.query<Row, [number]>(
    `SELECT number, changed, batch.kind, undone.kind AS undone FROM version
     LEFT JOIN batch ON batch.id = version.batch LEFT JOIN batch AS undone ON undone.id = batch.undoes
     WHERE record_id = ? ORDER BY number DESC`,
  )
  const findAt = db.query<{ number: number | null }, [number, string]>(
    'SELECT max(number) AS number FROM version WHERE record_id = ? AND at = ?',
  )
  return {
    list: async (id) =>
      (await list.all(id)).map(({ number, changed, ...row }) => ({ number, changed: parse(changed), by: toBy(row) })),
    findAt: async (id, at) => (await findAt.get(id, at))?.number ?? null,
  }
}

function toBy({ kind, undone }: Pick<Row, 'kind' | 'undone'>): LoggedVersion['by'] {
  if (kind === 'import') return 'import'
  return kind === 'undo' && undone === 'import' ? 'undone import' : 'people'
}

/** The store writes it as JSON of names. */
const parse = (changed: string) => (JSON.parse(changed) as string[]).filter(isWritableName)
