import { type Problem, toSentence, toStatus } from '../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../http/route.ts'
import type { FieldErrors } from '../../record/record.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import { renderEditPage, requireCaller, respondEditPage, seeOther } from '../edit-page.tsx'
import { toUntickedHref } from '../lists/list-address.ts'
import { renderBulkForm } from './bulk-form.tsx'
import { type BulkInput, readInput } from './bulk-input.ts'
import { bulkTexts } from './bulk-texts.ts'
import { type ParsedChoice, parseChosen } from './chosen-talks.ts'
import { findFirst } from './listed-talks.ts'

/** `/edit/bulk?id=1&id=2` and `/edit/bulk?list=…`: the form of a bulk change. */
export async function showBulk(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const page = { call, deps, site: await openSite(call, deps), caller: requireCaller(call) }
  const choice = parseChosen(call.query())
  if (choice.is !== 'chosen') return respondNoTalks(page, choice)
  return respondForm({ ...page, input: readInput(call.query(), choice.chosen) })
}

export interface PageContext {
  readonly call: Call
  readonly deps: Pick<SiteDeps, 'store'>
  readonly site: Site
  readonly caller: Caller
}

export interface FormContext extends PageContext {
  readonly input: BulkInput
}

interface Shown {
  readonly errors?: FieldErrors
  readonly problem?: Problem
}

/** The form with everything that was filled in. */
export async function respondForm(context: FormContext, { errors, problem }: Shown = {}): Promise<TextAnswer> {
  const { call, deps, site, caller, input } = context
  const first = await findFirst(deps, input.chosen)
  const isSent = call.method === 'POST'
  const wrong = errors === undefined ? {} : { errors }
  const failed = problem === undefined ? {} : { problem: toProblemText(problem) }
  const answer = respondEditPage(call, renderBulkForm({ site, caller, input, first, isSent, ...wrong, ...failed }))
  const status = problem !== undefined ? toStatus(problem) : errors !== undefined ? 400 : 200
  return { ...answer, status }
}

/** What the store could not do now may work in a moment. */
function toProblemText(problem: Problem): string {
  const text = toSentence(problem)
  return toStatus(problem) >= 500 ? `${text} ${bulkTexts.notices.failed}` : text
}

/** Without talks there is no form. Who has ticked nothing stays in the work list. */
export function respondNoTalks(
  { call, site, caller }: PageContext,
  choice: Exclude<ParsedChoice, { is: 'chosen' }>,
): TextAnswer {
  if (choice.is === 'unticked') return seeOther(call, toUntickedHref(site.urls, choice.list))
  const isNone = choice.is === 'none'
  const title = isNone ? bulkTexts.none.title : bulkTexts.badSelection
  const body = (
    <div class="bulk-page">
      <h1>{title}</h1>
      {(isNone ? [bulkTexts.none.text] : choice.problems).map((text, i) => (
        <p key={i}>{text}</p>
      ))}
      <p>
        <a href={site.urls.editHome}>{bulkTexts.toLists}</a>
      </p>
    </div>
  )
  const answer = respondEditPage(call, renderEditPage({ site, caller, section: 'lists' }, title, body))
  return { ...answer, status: isNone ? 200 : 400 }
}
