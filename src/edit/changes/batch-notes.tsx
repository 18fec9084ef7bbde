import type { Child } from '#jsx/jsx-runtime'
import type { Site } from '../../site/site.ts'
import type { BatchLine, BatchOther } from '../../store/change-log.ts'
import { toFullLabel } from '../form/field-hints.ts'
import { type BatchView, maxNotes } from './batch-view.ts'
import { changesTexts } from './changes-texts.ts'

const { batch: texts } = changesTexts

interface BatchNotesProps {
  readonly site: Site
  readonly view: Pick<BatchView, 'batch' | 'titles'>
}

/** What a batch changed besides fields of talks, what it did not change, or not wholly, and why. */
export function BatchNotes({ site, view: { batch, titles } }: BatchNotesProps) {
  const title = batch.undoes === null ? texts.left : texts.leftUndone
  const done = batch.others.filter(({ left }) => left === null)
  return (
    <>
      <NoteList title={texts.refused} count={batch.refused_count}>
        {batch.refused.slice(0, maxNotes).map(({ id, problem }) => (
          <li key={id}>
            <TalkLink site={site} id={id} title={titles.get(id)} />: {texts.refusal(problem)}
          </li>
        ))}
      </NoteList>
      <LeftList {...{ site, title, titles }} {...batch} />
      <NoteList title={texts.others} count={done.length}>
        <OtherItems site={site} others={done} />
      </NoteList>
    </>
  )
}

/** Fields, names and events that stay as they are. */
export type NotUndone = Pick<BatchLine, 'left' | 'left_count' | 'others'> & Pick<BatchView, 'titles'>

export function LeftList({
  site,
  title,
  left,
  left_count,
  others,
  titles,
}: NotUndone & { readonly site: Site; readonly title: string }) {
  const kept = others.filter((other) => other.left !== null)
  return (
    <NoteList title={title} count={left_count + kept.length}>
      {left.slice(0, maxNotes).map(({ id, fields, why }, i) => (
        <li key={i}>
          <TalkLink site={site} id={id} title={titles.get(id)} />:{' '}
          {fields.length > 0 && `${fields.map(toOtherLabel).join(', ')}: `}
          {texts.why(why)}
        </li>
      ))}
      <OtherItems site={site} others={kept} />
    </NoteList>
  )
}

const toOtherLabel = (field: string) => texts.otherField(field) ?? toFullLabel(field)

/** Names are not kept with a batch, so that erased ones are nowhere: their pages have them. */
function OtherItems({ site, others }: { readonly site: Site; readonly others: readonly BatchOther[] }) {
  return (
    <>
      {others.slice(0, maxNotes).map((other, i) => (
        <li key={i}>
          <a href={toOtherHref(site, other)}>
            {texts.otherKinds[other.kind]} {other.id}
          </a>
          : {other.fields.map(toOtherLabel).join(', ')}
          {other.left !== null && `: ${texts.otherWhy(other)}`}
        </li>
      ))}
    </>
  )
}

const toOtherHref = ({ urls }: Site, { kind, id }: BatchOther) =>
  kind === 'related' ? urls.edit(Number(id)) : urls.editName(kind, String(id))

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
    <a href={site.urls.edit(id)} dir="auto">
      {title}
    </a>
  )
}
