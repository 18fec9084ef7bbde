import { type Problem, toStatus } from '../../../http/problem/problem-codes.ts'
import type { TextAnswer } from '../../../http/route.ts'
import { fields } from '../../../record/fields.ts'
import { toYoursName } from '../conflict/parse-conflict.ts'
import { renderEditPage } from '../edit-layout.tsx'
import { type FieldTable, toFullLabel, toWritable } from '../form/field-hints.ts'
import { toLf } from '../form/line-ends.ts'
import { toControlName } from '../form/parse-form.ts'
import { respondEditPage } from '../respond-edit.ts'
import type { Submission } from './submission.ts'
import { videoTexts } from './video-texts.ts'

const { lost: texts } = videoTexts
const table: FieldTable = fields

/** The talk was erased while somebody typed: nothing can be saved, but everything can be copied. */
export async function respondLost(submission: Submission): Promise<TextAnswer> {
  const { call, needs, site, caller, form, id } = submission
  const problem: Problem = { code: (await needs.store.isErased(id)) ? 'gone' : 'not_found' }
  const typed = toWritable(table).flatMap(([name]) => {
    const text = form.getAll(toControlName(name)).at(-1) ?? form.get(toYoursName(name)) ?? ''
    return text === '' ? [] : [{ name, text: toLf(text) }]
  })
  const body = (
    <div class="edit-page">
      <h1>{texts.title}</h1>
      <p>{texts.text}</p>
      <h2>{texts.fields}</h2>
      <dl class="record-values">
        {typed.map(({ name, text }) => (
          <div key={name}>
            <dt>{toFullLabel(name)}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
  const html = renderEditPage({ site, caller, section: 'lists' }, texts.title, body)
  return { ...respondEditPage(call, html), status: toStatus(problem) }
}
