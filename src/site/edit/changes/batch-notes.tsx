import type { Child } from '#jsx/jsx-runtime'
import type { BatchLine } from '../../../store/change-log.ts'
import type { Site } from '../../site.ts'
import { toFullLabel } from '../form/field-hints.ts'
import { type BatchView, maxNotes } from './batch-view.ts'
import { changesTexts } from './changes-texts.ts'

const { batch: texts } = changesTexts

interface BatchNotesProps {
  readonly site: Site
  readonly view: Pick<BatchView, 'batch' | 'titles'>
}

/** The talks that a batch did not change, or not wholly, and why. */
export function BatchNotes({ site, view: { batch, titles } }: BatchNotesProps) {
  const title = batch.undoes === null ? texts.left : texts.leftUndone
  return (
    <>
      <NoteList title={texts.refused} count={batch.refused_count}>
        {batch.refused.slice(0, maxNotes).map(({ id, problem }) => (
          <li key={id}>
            <TalkLink site={site} id={id} title={titles.get(id)} />: {texts.refusal(problem)}
          </li>
        ))}
      </NoteList>
      <LeftList site={site} title={title} left={batch.left} left_count={batch.left_count} titles={titles} />
    </>
  )
}

/** Fields that keep their values. */
export type NotUndone = Pick<BatchLine, 'left' | 'left_count'> & Pick<BatchView, 'titles'>

export function LeftList({
  site,
  title,
  left,
  left_count,
  titles,
}: NotUndone & { readonly site: Site; readonly title: string }) {
  return (
    <NoteList title={title} count={left_count}>
      {left.slice(0, maxNotes).map(({ id, fields, why }, i) => (
        <li key={i}>
          <TalkLink site={site} id={id} title={titles.get(id)} />:{' '}
          {fields.length > 0 && `${fields.map(toFullLabel).join(', ')}: `}
          {texts.why(why)}
        </li>
      ))}
    </NoteList>
  )
}

function NoteList({
  title,
  count,
  children,
}: {
  readonly title: string
  readonly count: number
  readonly children: Child
}) {
  if (count === 0) return null
  return (
    <section class="batch-notes">
      <h2>{title}</h2>
      <ul>{children}</ul>
      {count > maxNotes && <p class="muted">{texts.more(count - maxNotes)}</p>}
    </section>
  )
}

interface TalkLinkProps {
  readonly site: Site
  readonly id: number
  /** Absent if the talk does not exist any more. */
  readonly title: string | undefined
}

function TalkLink({ site, id, title }: TalkLinkProps) {
  if (title === undefined) return <span>{texts.talk(id)}</span>
  return (
    <a href={site.at.edit(id)} dir="auto">
      {title}
    </a>
  )
}
