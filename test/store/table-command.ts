import type { TableCommand } from '../../src/record/command.ts'
import type { Author } from '../../src/record/role.ts'
import { toColumns } from '../../src/record/table/columns.ts'
import { parseCells } from '../../src/record/table/csv.ts'
import { type TableRequest, toTableRows } from '../../src/record/table/table-rows.ts'
import type { Outcome } from '../../src/store/store.ts'
import { ann, fail } from './bulk-store.ts'

/** The command of a table whose rows are separated by line breaks, and cells by `|`. */
export function table(text: string, more: Partial<TableRequest> = {}, author: Author = ann): TableCommand {
  const cells = parseCells(text.replaceAll('|', '\t'))
  const [first, ...rest] = cells.ok ? cells.rows : fail(cells)
  const parsed = toTableRows(rest, toColumns(first?.cells ?? []), 'Chosen')
  const { rows } = parsed.ok ? parsed : fail(parsed)
  const request = { rows, asOf: null, isPartial: false, mayRepeatVideos: false, shown: { from: 0, count: 50 }, ...more }
  return { kind: 'table', author, request }
}

export const toPreview = (outcome: Outcome) =>
  outcome.is === 'batch' && outcome.table !== undefined ? outcome.table : fail(outcome)
