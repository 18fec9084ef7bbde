import type { Caller } from '../../http/route.ts'
import { listLines } from '../../record/companion/kinds.ts'
import { toCompanionTag } from '../../record/companion/version.ts'
import type { JsonObject } from '../../record/json.ts'
import { toClock } from '../../record/text/clock.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import { parseLanguageName } from '../../record/text/language.ts'
import type { Forgiven } from '../../record/transcript/read-transcript.ts'
import type { Transcript } from '../../record/transcript/transcript.ts'
import { type TranscriptName, toTranscriptLanguage } from '../../record/transcript/transcript-kind.ts'
import { toPlainText } from '../../record/transcript/write-transcript.ts'
import type { StoredCompanion } from '../../store/store.ts'
import { ListDiff } from '../diff.tsx'
import { PostForm } from '../edit-page.tsx'

/** A file that was read, and is not stored yet. */
export interface Upload {
  readonly name: TranscriptName
  readonly transcript: Transcript
  /** What was there when this was shown. */
  readonly now: StoredCompanion
  readonly packed: string
  readonly format: string
  readonly forgiven: Forgiven | null
  readonly reason: string
  /** What was there when it was shown before, if others have changed it since. */
  readonly before?: JsonObject
}

// Transcripts have the shape that their kind gives them.
export const toTranscript = ({ content }: StoredCompanion) => content as Transcript

export const originLabels = {
  human: 'Written by a person',
  machine: 'Transcribed by a machine',
  reviewed: 'By a machine, corrected by a person',
  translated: 'Translated',
} as const

/** `German (de)` */
export const toLanguageText = (tag: string) => {
  const name = parseLanguageName(tag.split('-')[0] ?? '')
  return name === null ? tag : `${name} (${tag})`
}

export const toSummary = ({ origin, tool, cues }: Transcript) =>
  [
    originLabels[origin],
    ...(tool === undefined ? [] : [tool]),
    toCounted(cues.length, 'cue'),
    `until ${toClock(Math.round((cues.at(-1)?.end ?? 0) / 1000))}`,
  ].join(', ')

/** What each count of `Forgiven` is called. */
const forgivenTexts: { readonly [What in keyof Forgiven]: string } = {
  blocks: 'Comments, styles and other blocks that were skipped',
  unsorted: 'Cues that were not in order',
  ends: 'Cues that did not end after their start',
  markup: 'Cues with tags or entities, now plain text',
  rolling: 'Cues that repeated lines of the one before, as rolling captions do',
  empty: 'Cues without text',
}

const maxExcerpt = 1200

interface PreviewProps {
  readonly caller: Caller
  /** Of the page. */
  readonly action: string
  readonly upload: Upload
}

/** What a file says and what was forgiven, with a form that saves it. */
export function TranscriptPreview({ caller, action, upload }: PreviewProps) {
  const { name, transcript, now, packed, format, forgiven, reason, before } = upload
  const language = toTranscriptLanguage(name)
  const text = toPlainText(transcript.cues.slice(0, 200))
  const isThere = toTranscript(now).cues.length > 0
  return (
    <section class="transcript-preview" aria-labelledby="preview">
      {before !== undefined && (
        <div class="notice is-bad" role="alert">
          <p>Nothing is saved yet: somebody else has changed this transcript. Saving now replaces it with your file.</p>
          <h2>What they changed</h2>
          <ListDiff before={listLines(name, before)} after={listLines(name, now.content)} hasLines />
        </div>
      )}
      <h2 id="preview">
        {format}: {toLanguageText(language)}
      </h2>
      <p>
        <bdi>{toSummary(transcript)}</bdi>.
      </p>
      {forgiven !== null && <ForgivenList forgiven={forgiven} />}
      <p dir="auto" lang={language} class="excerpt">
        {text.length > maxExcerpt ? `${text.slice(0, maxExcerpt).toWellFormed()}…` : text}
      </p>
      {isThere && (
        <p class="notice">
          This replaces: <bdi>{toSummary(toTranscript(now))}</bdi>.
        </p>
      )}
      <PostForm
        class="edit-form"
        caller={caller}
        action={action}
        hidden={{ packed, language, base: toCompanionTag(name, now) }}
      >
        <div class="field">
          <label for="reason">Reason</label>
          <input type="text" id="reason" name="reason" value={reason} maxlength={255} />
        </div>
        <p>
          <button type="submit" name="do" value="save" class="button">
            Save
          </button>{' '}
          <a href={action}>Discard</a>
        </p>
      </PostForm>
    </section>
  )
}

function ForgivenList({ forgiven }: { readonly forgiven: Forgiven }) {
  const all = Object.entries(forgivenTexts).flatMap(([what, words]) => {
    const count = forgiven[what as keyof Forgiven]
    return count === 0 ? [] : [`${words}: ${toNumber(count)}`]
  })
  if (all.length === 0) return null
  return (
    <ul>
      {all.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
