import type { VideoRecord } from '../../../record/record.ts'
import { RecordDiff } from '../diff/record-diff.tsx'
import { videoTexts } from './video-texts.ts'

interface ReviewProps {
  /** The talk as it is stored now. */
  readonly before: VideoRecord
  /** The talk as it would be stored. */
  readonly after: VideoRecord
  /** Answers the form with a page that has this part. A script asks for it while somebody types. */
  readonly address: string
}

/** What a save would change. */
export function Review({ before, after, address }: ReviewProps) {
  return (
    <section class="review" aria-labelledby="review-title">
      <h2 id="review-title">{videoTexts.review.title}</h2>
      <p class="muted">{videoTexts.review.text}</p>
      <div id="review" data-preview={address}>
        <RecordDiff before={before} after={after} />
      </div>
    </section>
  )
}
