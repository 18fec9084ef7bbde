import { fields } from '../../record/fields.ts'
import type { JsonObject } from '../../record/json.ts'
import { type FieldTable, toFullLabel } from '../form/field-hints.ts'
import { formTexts } from '../form/form-texts.ts'
import { type DiffBudget, takeDiff } from './diff-budget.ts'
import { RecordDiff, toDifferingNames } from './record-diff.tsx'

interface ShortDiffProps {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly table?: FieldTable
  /** Shared by all diffs of the page. */
  readonly budget: DiffBudget
  /** Where the whole difference is; null if it is on no page. */
  readonly href: string | null
}

/** One of many diffs on a page: names the fields and leads to the difference if the texts are too long for that. */
export function ShortDiff({ budget, href, before, after, table = fields }: ShortDiffProps) {
  if (takeDiff(budget, before, after, table)) return <RecordDiff {...{ before, after, table, budget }} />
  return (
    <p class="muted">
      {toDifferingNames(before, after, table).map(toFullLabel).join(', ')}: {formTexts.diff.tooLong}{' '}
      {href !== null && <a href={href}>{formTexts.diff.show}</a>}
    </p>
  )
}
