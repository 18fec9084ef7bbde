import type { Child } from '#jsx/jsx-runtime'
import { toNumber } from '../../record/text/counted.ts'
import type { Site } from '../../site/site.ts'
import type { BatchLine, BatchOther, UnchangedFields } from '../../store/batch-reads.ts'
import { createDiffBudget, type DiffBudget, ShortDiff } from '../diff.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { type BatchView, type ChangedTalk, maxNotes } from './batch-view.ts'

interface BatchNotesProps {
  readonly site: Site
  readonly view: Pick<BatchView, 'batch' | 'titles'>
}

/** What a batch changed besides fields of talks, what it did not change, and why. */
export function BatchNotes({ site, view: { batch, titles } }: BatchNotesProps) {
  const title = batch.undoes === null ? 'Unchanged' : 'Not undone'
  const changed = batch.others.filter(({ left }) => left === null)
  return (
    <>
      <NoteList title="Could not be changed" count={batch.refused_count}>
        {batch.refused.slice(0, maxNotes).map(({ id, problem }) => (
          <li key={id}>
            <TalkLink site={site} id={id} title={titles.get(id)} />: {refusalTexts[problem] ?? problem}
          </li>
        ))}
      </NoteList>
      <LeftList {...{ site, title, titles }} {...batch} />
      <NoteList title="Names, events and links that changed" count={changed.length}>
        <OtherEntries site={site} others={changed} />
      </NoteList>
    </>
  )
}

/** Why a batch did not change a talk. */
export const refusalTexts: { readonly [code: string]: string } = {
  publisher_required: 'Only publishers may change a live talk or publish one.',
  outside_event: 'Your token is limited to other events.',
  changed_since: 'Somebody has changed this talk since the preview.',
  bad_fields: 'The result would not be valid, such as a value that is empty or too long.',
  not_found: 'This talk does not exist.',
  gone: 'This talk was permanently erased.',
}

/** Why an undo did not change fields of a talk back. */
const unchangedReasons: { readonly [why in UnchangedFields['why']]: string } = {
  changed_since: 'changed again since',
  already_restored: 'already has its earlier value',
  already_draft: 'already a draft',
  erased: 'erased',
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
          {unchangedReasons[why]}
        </li>
      ))}
      <OtherEntries site={site} others={kept} />
    </NoteList>
  )
}

/** Labels of changes that are not fields of a talk or event. */
const otherFieldLabels: { readonly [field: string]: string } = {
  related: 'Related links',
  name: 'Name',
  merged_into: 'Merge',
  listed: 'Shown to viewers',
}

export const toOtherLabel = (field: string) => otherFieldLabels[field] ?? toFullLabel(field)

/** By number: a batch keeps no names, so that erased names are gone. */
function OtherEntries({ site, others }: { readonly site: Site; readonly others: readonly BatchOther[] }) {
  return (
    <>
      {others.slice(0, maxNotes).map((other, i) => (
        <li key={i}>
          <a href={toOtherHref(site, other)}>
            {otherKindLabels[other.kind]} {other.id}
          </a>
          : {other.fields.map(toOtherLabel).join(', ')}
          {other.left !== null && `: ${toOtherReason(other)}`}
        </li>
      ))}
    </>
  )
}

const otherKindLabels: { readonly [kind in BatchOther['kind']]: string } = {
  video: 'Talk',
  speaker: 'Speaker',
  tag: 'Tag',
  category: 'Event',
}

/** Why a batch did not change a name or an event. */
const otherReasons: { readonly [left in NonNullable<BatchOther['left']>]: string } = {
  changed_since: 'changed since',
  in_use: 'talks still use it',
  name_taken: 'the old name is taken now',
  publisher_required: 'only publishers may change it',
}

const toOtherReason = ({ left, by }: BatchOther) =>
  left === null ? '' : `${otherReasons[left]}${by === null ? '' : ` by ${by}`}`

const toOtherHref = ({ urls }: Site, { kind, id }: BatchOther) =>
  kind === 'video' ? urls.edit(Number(id)) : urls.editName(kind, String(id))

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
      {count > maxNotes && <p class="muted">… and {toNumber(count - maxNotes)} more.</p>}
    </section>
  )
}

interface TalkLinkProps {
  readonly site: Site
  readonly id: number
  /** Absent if the talk was erased. */
  readonly title: string | undefined
}

function TalkLink({ site, id, title }: TalkLinkProps) {
  if (title === undefined) return <span>Talk {id}</span>
  return (
    <a href={site.urls.edit(id)} dir="auto">
      {title}
    </a>
  )
}

interface BatchTalksProps {
  readonly site: Site
  readonly view: Pick<BatchView, 'batch' | 'talks' | 'after' | 'next'>
}

/** The talks of a batch with what changed in each, a page at a time. */
export function BatchTalks({ site, view: { batch, talks, after, next } }: BatchTalksProps) {
  if (talks.length === 0 && after === 0) return null
  const budget = createDiffBudget()
  return (
    <section class="batch-talks">
      <h2>What changed</h2>
      {talks.map((talk) => (
        <TalkChange key={talk.id} {...{ site, talk, budget }} />
      ))}
      <p class="steps">
        {after > 0 && <a href={site.urls.batch(batch.id)}>From the beginning</a>}
        {next !== null && <a href={site.urls.batch(batch.id, { after: next })}>More talks</a>}
      </p>
    </section>
  )
}

interface TalkChangeProps {
  readonly site: Site
  readonly talk: ChangedTalk
  readonly budget: DiffBudget
}

function TalkChange({ site, talk, budget }: TalkChangeProps) {
  const { id, first, last, before, after } = talk
  return (
    <article class="talk-change">
      <h3 dir="auto">
        <a href={site.urls.edit(id)}>{after.title}</a>
      </h3>
      {before === null ? (
        <p class="muted">New talk</p>
      ) : (
        <ShortDiff {...{ before, after, budget }} href={site.urls.compare(id, { from: first - 1, to: last })} />
      )}
    </article>
  )
}
