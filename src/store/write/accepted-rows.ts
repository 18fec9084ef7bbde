import type { ChangedName } from '../../record/companion/kinds.ts'
import { type FindingCode, findingCodes, listAffected } from '../../record/quality/finding-codes.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database, Value } from '../database.ts'
import { createFoundLookup, type FoundRow } from '../read/findings.ts'

/** Findings that somebody has called fine as they are, and those that are hidden for all (decision 88). */
export interface AcceptedRows {
  /** What is found in the existing records among up to `maxLookup` ids, accepted or not. */
  lookUp(ids: readonly number[]): Promise<readonly FoundRow[]>
  /** Ids of the records, ascending. */
  listMade(code: FindingCode, author: string, at: Timestamp): Promise<readonly number[]>
  insert(id: number, code: FindingCode, author: string, at: Timestamp): void
  remove(id: number, code: FindingCode): void
  /** Ends acceptances that depend on a field or companion that has changed. */
  end(id: number, changed: readonly ChangedName[]): void
  hide(code: FindingCode, author: string, at: Timestamp): Promise<boolean>
  /** Whether it was hidden. */
  show(code: FindingCode): Promise<boolean>
}

export function createAcceptedRows(db: Database): AcceptedRows {
  const listMade = db.query<{ id: number }, [string, string, Timestamp]>(
    'SELECT record_id AS id FROM accepted_finding WHERE code = ? AND author = ? AND at = ? ORDER BY record_id',
  )
  const insert = db.query<null, [number, string, string, Timestamp]>(
    'INSERT INTO accepted_finding (record_id, code, author, at) VALUES (?, ?, ?, ?)',
  )
  const remove = db.query<null, [number, string]>('DELETE FROM accepted_finding WHERE record_id = ? AND code = ?')
  // One statement for any number of codes: every change of a record comes through here.
  const removeSome = db.query<null, Value[]>(
    `DELETE FROM accepted_finding WHERE record_id = ? AND code IN (${findingCodes.map(() => '?').join(', ')})`,
  )
  const hide = db.query<null, [string, string, Timestamp]>(
    'INSERT INTO hidden_finding (code, author, at) VALUES (?, ?, ?) ON CONFLICT (code) DO NOTHING',
  )
  const show = db.query<null, [string]>('DELETE FROM hidden_finding WHERE code = ?')
  return {
    lookUp: createFoundLookup(db),
    listMade: async (code, author, at) => (await listMade.all(code, author, at)).map(({ id }) => id),
    insert: (id, code, author, at) => insert.send(id, code, author, at),
    remove: (id, code) => remove.send(id, code),
    end(id, changed) {
      const codes: readonly string[] = listAffected(changed)
      if (codes.length > 0) removeSome.send(id, ...findingCodes.map((_, i) => codes[i] ?? ''))
    },
    hide: async (code, author, at) => (await hide.run(code, author, at)).changes > 0,
    show: async (code) => (await show.run(code)).changes > 0,
  }
}
