import { type Problem, toStatus } from '../../../http/problem/problem-codes.ts'
import type { TextAnswer } from '../../../http/route.ts'
import { texts as siteTexts } from '../../texts.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { toFullLabel } from '../form/field-hints.ts'
import { toLf } from '../form/line-ends.ts'
import { parseForm, toBlankRecord, toControlName } from '../form/parse-form.ts'
import { toListTitle, toToday } from '../lists/known-lists.ts'
import { toListHref } from '../lists/list-address.ts'
import { respondEditPage } from '../respond-edit.ts'
import { toPlainForm } from './answer-form.ts'
import { toDraftKey } from './draft-keys.ts'
import { type ListPlace, tryNext } from './list-place.ts'
import { editedFields } from './locks.ts'
import type { Submission } from './submission.ts'
import { videoTexts } from './video-texts.ts'

const { lost: texts } = videoTexts

/** The talk was erased while somebody typed: nothing can be saved, but everything can be copied. */
export async function respondLost(submission: Submission): Promise<TextAnswer> {
  const { call, needs, site, caller, place, id } = submission
  const problem: Problem = { code: (await needs.store.isErased(id)) ? 'gone' : 'not_found' }
  // The talk has no place in the list any more; the one before it has.
  const next = place === null ? null : await tryNext(needs, caller, place.list, place.from ?? id)
  const body = (
    <div class="edit-page">
      {place !== null && <ListLinks {...submission} place={place} next={next?.next ?? null} />}
      <h1>{texts.title}</h1>
      <p>{texts.text}</p>
      <h2>{texts.fields}</h2>
      <TypedTexts {...submission} />
    </div>
  )
  const html = renderEditPage({ site, caller, section: 'lists' }, texts.title, body)
  return { ...respondEditPage(call, html), status: toStatus(problem) }
}

interface ListLinksProps extends Pick<Submission, 'site' | 'caller'> {
  readonly place: ListPlace
  readonly next: number | null
}

function ListLinks({ site: { at }, caller, place: { list, from }, next }: ListLinksProps) {
  const filters = new URLSearchParams(list)
  return (
    <nav class="place" aria-label={videoTexts.list.label}>
      <a href={toListHref(at, filters)}>{toListTitle(filters, caller.name, toToday(Date.now()))}</a>
      {next !== null && (
        <a href={at.edit(next, { list, from })} rel="next" data-key="n">
          {videoTexts.list.next}
        </a>
      )}
    </nav>
  )
}

/**
 * What the form had, without what an empty form has, too. Nobody knows here how the talk was: its versions are erased. A
 * script leaves the fields that the browser's draft has.
 */
function TypedTexts({ form, reason, id }: Submission) {
  const { typed } = parseForm(toPlainForm(form), toBlankRecord(), { table: editedFields })
  const rows = [...typed].map(([name, text]) => ({ control: toControlName(name), label: toFullLabel(name), text }))
  if (reason !== '') rows.push({ control: 'reason', label: siteTexts.form.reason, text: reason })
  return (
    <dl class="record-values" data-typed={toDraftKey(id)}>
      {rows.map(({ control, label, text }) => (
        <div key={control} data-control={control}>
          <dt>{label}</dt>
          <dd dir="auto">{toLf(text)}</dd>
        </div>
      ))}
    </dl>
  )
}
