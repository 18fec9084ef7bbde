import type { VideoRecord } from '../../../record/record.ts'
import { texts } from '../../texts.ts'
import { toFullLabel } from '../form/field-hints.ts'
import { type DiffBudget, takeDiff } from './diff-budget.ts'
import { RecordDiff, toDifferingNames } from './record-diff.tsx'

interface ShortDiffProps {
  readonly before: VideoRecord
  readonly after: VideoRecord
  /** Shared by all diffs of the page. */
  readonly budget: DiffBudget
  /** Where the whole difference is. */
  readonly href: string
}

/** One of many diffs on a page: names the fields and leads to the difference if the texts are too long for that. */
export function ShortDiff({ budget, href, ...records }: ShortDiffProps) {
  const [before, after] = [{ ...records.before }, { ...records.after }]
  if (takeDiff(budget, before, after)) return <RecordDiff before={before} after={after} budget={budget} />
  return (
    <p class="muted">
      {toDifferingNames(before, after).map(toFullLabel).join(', ')}: {texts.diff.tooLong}{' '}
      <a href={href}>{texts.diff.show}</a>
    </p>
  )
}
