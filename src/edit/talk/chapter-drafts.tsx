import { executeBatch, logBatch } from '../../http/execute.ts'
import { Refused } from '../../http/problem.ts'
import { type Caller, type HttpCall, toAuthor } from '../../http/route.ts'
import type { Chapter, Chapters } from '../../record/companion/chapters.ts'
import { findTaggedNumber, toCompanionTag } from '../../record/companion/version.ts'
import { toPlayerSource } from '../../record/player/player-source.ts'
import { splitSpeaker } from '../../record/quality/several-speakers.ts'
import type { VideoRecord } from '../../record/record.ts'
import { toCellText } from '../../record/table/cells.ts'
import type { TableRow } from '../../record/table/table-rows.ts'
import { toClock } from '../../record/text/clock.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { Site, SiteHttpDeps } from '../../site/site.ts'
import type { TalkPages } from '../../site/urls.ts'
import type { StoredCompanion } from '../../store/store.ts'
import { PostForm, requireCaller, requireForm } from '../edit-page.tsx'
import type { TalkVersion } from './talk-version.ts'

/** What a chapter says about its talk. */
interface ChapterDraft {
  readonly title: string
  readonly speakers: readonly string[]
  /** In seconds; null if the chapter has no end of its own. */
  readonly duration: number | null
}

/** Chapters that do not have their own talk yet. */
// The contents of chapters have the shape that their kind gives them.
const listOpen = (content: StoredCompanion['content']) =>
  (content as Chapters).chapters.filter(({ video }) => video === undefined)

/** “Title – Speakers”: the words after the last dash are names. */
function toDraft({ title, start, end }: Chapter): ChapterDraft {
  const names =
    title
      .split(/ [–—-] /)
      .slice(1)
      .at(-1) ?? ''
  const isNamed = names !== ''
  return {
    title: isNamed ? title.slice(0, -names.length - ' – '.length) : title,
    speakers: isNamed ? splitSpeaker(names) : [],
    duration: end === undefined ? null : Math.round(end - start),
  }
}

/** As a table would have it: a draft of the same event, day and language. */
function toRow({ title, speakers, duration }: ChapterDraft, record: VideoRecord, row: number): TableRow {
  const { category, language, recorded } = record
  const values = { title, category, speakers, language, recorded, duration }
  const cells = Object.entries(values).map(([name, value]) => {
    // These are fields.
    const field = name as keyof typeof values
    return [field, toCellText(field, value)] as const
  })
  return { row, id: null, updated: null, cells, problems: new Map() }
}

/** Creates the drafts and notes them in the chapters, as one batch; returns its number. */
export async function makeDrafts(
  call: HttpCall,
  deps: SiteHttpDeps,
  { id, record }: Pick<TalkVersion, 'id' | 'record'>,
): Promise<number> {
  const form = requireForm(call)
  const [base, key] = [form.get('base') ?? '', form.get('key') ?? '']
  const number = findTaggedNumber('chapters', base)
  if (number === null || !/^[\w-]{1,100}$/.test(key)) throw new Refused({ code: 'bad_form' })
  // Of the chapters that the page has shown: a form that is sent twice asks for the same.
  const { content } = await deps.store.readCompanion(id, 'chapters', number)
  const rows = listOpen(content).map((chapter, i) => toRow(toDraft(chapter), record, i + 1))
  const request = { rows, asOf: null, isPartial: false, mayRepeatVideos: false, shown: null, chaptersOf: { id, base } }
  const author = toAuthor(requireCaller(call))
  const { batch } = await executeBatch(deps, call, { kind: 'table', author, request, idempotencyKey: key })
  if (batch.id === null) throw new Refused({ code: 'stale' })
  logBatch(deps.log, call, batch)
  return batch.id
}

interface ChapterDraftsProps {
  readonly caller: Caller
  readonly pages: TalkPages
  readonly record: VideoRecord
  readonly now: StoredCompanion
}

interface ChapterPlayerProps {
  readonly site: Site
  readonly record: VideoRecord
  /** The control that has the chapters. */
  readonly linesId: string
}

/** The file of the talk, with a button that needs a script: it writes the position of the player as a new line. */
export function ChapterPlayer({ site, record, linesId }: ChapterPlayerProps) {
  const { files } = toPlayerSource(record, { ...site.settings, isSecure: site.base.startsWith('https:') })
  if (files.length === 0) return null
  return (
    <details class="chapter-player" open>
      <summary>Player</summary>
      {/* biome-ignore lint/a11y/useMediaCaption: it finds times, and nobody follows the talk here */}
      <video controls playsinline preload="none" aria-label={record.title}>
        {files.map(({ url, type }) => (
          <source key={url} src={url} type={type} />
        ))}
      </video>
      <p>
        <button type="button" class="button quiet" data-time-into={linesId} hidden>
          Add a chapter at this time
        </button>
      </p>
    </details>
  )
}

/** For recordings of several talks, such as lightning talks. */
export function ChapterDrafts({ caller, pages, record, now }: ChapterDraftsProps) {
  const drafts = listOpen(now.content).map(toDraft)
  if (drafts.length === 0) return null
  return (
    <section class="link-edits" aria-labelledby="chapter-drafts">
      <h2 id="chapter-drafts">Several talks in one recording?</h2>
      <p>
        Each chapter without a number can become a draft at <bdi>{record.category}</bdi>, with the same day and
        language. The words after the last “ – ” are its speakers.
      </p>
      <details>
        <summary>{toCounted(drafts.length, 'draft')}</summary>
        <ol>
          {drafts.map(({ title, speakers, duration }, i) => (
            <li key={i}>
              <bdi>{title}</bdi>
              <span class="muted">
                {speakers.map((name) => (
                  <>
                    {' · '}
                    <bdi>{name}</bdi>
                  </>
                ))}
                {duration !== null && ` · ${toClock(duration)}`}
              </span>
            </li>
          ))}
        </ol>
      </details>
      <PostForm
        caller={caller}
        action={pages.companion('chapters')}
        hidden={{ base: toCompanionTag('chapters', now), key: crypto.randomUUID() }}
      >
        <button type="submit" name="do" value="drafts" class="button quiet">
          {drafts.length === 1 ? 'Make a draft of this chapter' : 'Make drafts of these chapters'}
        </button>
      </PostForm>
    </section>
  )
}
