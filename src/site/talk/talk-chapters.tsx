import { toClock } from '../../record/text/clock.ts'
import { Folded } from '../part/list-controls.tsx'
import type { Site } from '../site.ts'
import { withParameters } from '../urls.ts'
import type { LinkedChapter, Part } from './talk.ts'

interface ChaptersProps {
  readonly site: Site
  readonly chapters: readonly LinkedChapter[]
  /** Whether times lead to the same page at that time. */
  readonly hasTimes: boolean
}

/** Further chapters are folded. */
const shownChapters = 10

/** The script marks the current one, and seeks instead of following a link. */
export function ChapterList({ site, chapters, hasTimes }: ChaptersProps) {
  if (chapters.length === 0) return null
  return (
    <section class="chapters">
      <h2>Chapters</h2>
      <Folded
        items={chapters}
        shown={shownChapters}
        toList={(some, from) => (
          <ol start={from + 1}>
            {some.map((chapter) => (
              <li key={chapter.start}>
                <ChapterLine site={site} chapter={chapter} hasTimes={hasTimes} />
              </li>
            ))}
          </ol>
        )}
      />
    </section>
  )
}

interface ChapterLineProps extends Pick<ChaptersProps, 'site' | 'hasTimes'> {
  readonly chapter: LinkedChapter
}

function ChapterLine({ site, chapter: { start, title, page }, hasTimes }: ChapterLineProps) {
  const time = <span class="time">{toClock(Math.floor(start))}</span>
  const text = (
    <span class="title" dir="auto">
      {title}
    </span>
  )
  const at = { href: toTimeHref(start), 'data-start': start }
  if (page !== null) {
    const link = <a href={site.urls.video(page)}>{text}</a>
    return (
      <>
        {hasTimes ? <a {...at}>{time}</a> : time}
        {link}
      </>
    )
  }
  return hasTimes ? (
    <a {...at}>
      {time}
      {text}
    </a>
  ) : (
    <>
      {time}
      {text}
    </>
  )
}

/** Relative to the page of the talk. */
const toTimeHref = (start: number) => withParameters('', { t: Math.floor(start) })

interface PartNoteProps {
  readonly site: Site
  readonly part: Part
  /** Whether the page plays the longer recording. */
  readonly isPlayed: boolean
}

/** Where a talk is within a longer recording, and the parts before and after it. */
export function PartNote({ site: { urls }, part: { whole, start, previous, next }, isPlayed }: PartNoteProps) {
  const page = urls.video(whole)
  const neighbours = [['Previous', previous] as const, ['Next', next] as const]
  return (
    <nav class="part-note" aria-label="Longer recording">
      <p>
        {isPlayed ? 'From ' : 'Also from '}
        <a href={withParameters(page, { t: Math.floor(start) })}>{toClock(Math.floor(start))}</a>
        {' of '}
        <a href={page} dir="auto">
          {whole.title}
        </a>
      </p>
      {neighbours.map(([name, chapter]) =>
        chapter === null || chapter.page === null ? null : (
          <p key={name}>
            {`${name}: `}
            <a href={urls.video(chapter.page)} dir="auto">
              {chapter.title}
            </a>
          </p>
        ),
      )}
    </nav>
  )
}
