import type { VideoRecord } from '../../../record/record.ts'
import type { Site } from '../../site.ts'
import { createSingleBudget } from '../diff/diff-budget.ts'
import { RecordDiff } from '../diff/record-diff.tsx'
import { NewNameList } from '../pick/new-name-list.tsx'
import type { NewName } from '../pick/new-names.ts'
import { videoTexts } from './video-texts.ts'

/** What a person wants to look at before a save. */
export interface Reviewed {
  /** The talk as it is stored now. */
  readonly before: VideoRecord
  /** The talk as it would be stored. */
  readonly after: VideoRecord
  /** Speakers, tags and the event that the archive does not have, as far as that is known. */
  readonly newNames?: readonly NewName[]
}

interface ReviewProps extends Reviewed {
  readonly site: Site
  /** Answers the form with a page that has this part. A script asks for it while somebody types. */
  readonly address: string
}

/** What a save would change. */
export function Review({ site, before, after, newNames = [], address }: ReviewProps) {
  return (
    <section class="review" aria-labelledby="review-title">
      <h2 id="review-title">{videoTexts.review.title}</h2>
      <p class="muted">{videoTexts.review.text}</p>
      <div id="review" data-preview={address}>
        <NewNameList site={site} names={newNames} />
        <RecordDiff before={before} after={after} budget={createSingleBudget()} />
      </div>
    </section>
  )
}
