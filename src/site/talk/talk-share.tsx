import { toClock } from '../../record/text/clock.ts'
import { CopyLine } from '../part/copy-line.tsx'
import { type Site, toAbsolute } from '../site.ts'
import type { Talk } from './talk.ts'

interface TalkShareProps {
  readonly site: Site
  readonly talk: Talk
  /** In seconds. */
  readonly start: number
  /** Of the recording; null if it is not known. */
  readonly length: number | null
}

/**
 * A menu with links to the talk, from its beginning and from a time. Without a script, a form leads to the page at that
 * time. The script fills in the time of the player, copies, and opens the share sheet of phones.
 */
export function TalkShare({ site, talk: { record }, start, length }: TalkShareProps) {
  const page = site.urls.video(record)
  const problem = length !== null && start >= length ? toLateText(length) : ''
  return (
    <details class="menu-button share" data-share={length ?? ''} open={problem !== ''}>
      <summary>Share</summary>
      <div class="panel">
        <p id="share-link">Link to this talk</p>
        <CopyLine id="share-url" labelledBy="share-link" value={toAbsolute(site, page)} />
        <form action={page} method="get" data-late={length === null ? undefined : toLateText(length)}>
          <label for="share-time">Link starting at</label>
          <div class="copy-line">
            <input
              id="share-time"
              name="t"
              type="text"
              value={start > 0 ? toClock(start) : ''}
              placeholder="12:34"
              title="Minutes and seconds, such as 12:34"
              maxlength="12"
              autocomplete="off"
              aria-describedby="share-problem"
              required
            />
            <button type="submit" data-done="Copied" data-failed="Could not copy">
              Open
            </button>
          </div>
          <p id="share-problem" class="error" role="alert">
            {problem}
          </p>
        </form>
        <button type="button" class="wide-button" data-share-sheet data-title={record.title} hidden>
          Share with an app …
        </button>
      </div>
    </details>
  )
}

/** About a time after the end of the talk. */
const toLateText = (length: number) => `This talk is ${toClock(length)} long. Enter an earlier time.`
