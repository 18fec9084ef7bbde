import type { Timestamp } from '../../../record/timestamp.ts'
import type { Database } from '../../database.ts'
import { createDismissalList } from '../../read/names/dismissals.ts'
import type { NameKind } from './name-entries.ts'

/** Groups of names that are hidden from the variants. */
export interface DismissalRows {
  list(kind: NameKind): Promise<readonly (readonly number[])[]>
  insert(kind: NameKind, ids: readonly number[], author: string, at: Timestamp): void
  remove(kind: NameKind, ids: readonly number[]): void
}

export function createDismissalRows(db: Database): DismissalRows {
  const insert = db.query('INSERT INTO dismissed_variant (kind, ids, at, author) VALUES ($kind, $ids, $at, $author)')
  const remove = db.query<null, [string, string]>('DELETE FROM dismissed_variant WHERE kind = ? AND ids = ?')
  return {
    list: createDismissalList(db),
    insert: (kind, ids, author, at) => insert.send({ kind, ids: JSON.stringify(ids), author, at }),
    remove: (kind, ids) => remove.send(kind, JSON.stringify(ids)),
  }
}
