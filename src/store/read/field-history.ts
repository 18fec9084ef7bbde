import type { Paging } from '../../record/query/query.ts'
import type { FieldVersionLine, LogPage } from '../change-log.ts'
import type { Database } from '../database.ts'
import type { VersionedKind } from '../write/field-versions.ts'
import { readLogPage } from './change-log.ts'

type Line = FieldVersionLine<string>
type LineRow = Omit<Line, 'changed'> & { readonly changed: string }

/** The versions of the fields of a category or a speaker. */
interface FieldHistory {
  list(id: number, paging: Paging): Promise<LogPage<Line>>
  /** With the body of the version before, which is null for the first. */
  find(id: number, number: number): Promise<{ line: Line; body: string; before: string | null } | null>
}

const lineColumns = 'number AS version, at, author AS "by", reason, changed'

export function createFieldHistory(db: Database, kind: VersionedKind): FieldHistory {
  const count = db.query<{ count: number }, [number]>(
    `SELECT count(*) AS count FROM ${kind}_version WHERE ${kind}_id = ?`,
  )
  const list = db.query<LineRow, [number, number, number]>(
    `SELECT ${lineColumns} FROM ${kind}_version WHERE ${kind}_id = ? ORDER BY number DESC LIMIT ? OFFSET ?`,
  )
  const find = db.query<LineRow & { body: string }, [number, number]>(
    `SELECT ${lineColumns}, body FROM ${kind}_version WHERE ${kind}_id = ? AND number = ?`,
  )
  return {
    list: async (id, paging) =>
      readLogPage(paging, (await count.get(id))?.count ?? 0, async (limit, offset) =>
        (await list.all(id, limit, offset)).map(toLine),
      ),
    async find(id, number) {
      const row = await find.get(id, number)
      if (row === null) return null
      const { body, ...line } = row
      const earlier = number === 1 ? null : await find.get(id, number - 1)
      return { line: toLine(line), body, before: earlier?.body ?? null }
    },
  }
}

const toLine = ({ changed, ...line }: LineRow): Line => ({ ...line, changed: JSON.parse(changed) })
