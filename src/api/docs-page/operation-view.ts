import type { DescribedAnswer, DescribedCall, Schemas } from './description.ts'
import { el, toInline, toProse } from './element.ts'
import { showSchema, showType } from './schema-view.ts'
import { createTryForm, type TrySession } from './try-form.ts'

/** One method of one path: a summary line that opens to the details. */
export function showOperation(call: DescribedCall, schemas: Schemas, session: TrySession): HTMLElement {
  const { operationId, summary } = call.operation
  const details = el(
    'details',
    { id: operationId, class: 'operation' },
    el(
      'summary',
      {},
      showMethod(call.method),
      el('code', { class: 'path' }, call.path),
      el('span', { class: 'what' }, summary),
    ),
  )
  const fill = () => {
    if (details.open && details.childElementCount === 1) details.append(showInside(call, schemas, session))
  }
  details.addEventListener('toggle', fill)
  return details
}

export function showMethod(method: string): HTMLElement {
  return el('span', { class: `method ${method.toLowerCase()}` }, method)
}

function showInside(call: DescribedCall, schemas: Schemas, session: TrySession): HTMLElement {
  const { description, requestBody, responses } = call.operation
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  return el(
    'div',
    { class: 'inside' },
    ...toProse(description ?? ''),
    createTryForm(call, session),
    ...(body === undefined
      ? []
      : [el('details', { class: 'more' }, el('summary', {}, 'Body fields'), showSchema(body, schemas))]),
    el('h4', {}, 'Responses'),
    ...showAnswers(Object.entries(responses)),
  )
}

const problemType = 'application/problem+json'

/** Headers that all responses share are listed once, above the table. */
function showAnswers(answers: readonly [string, DescribedAnswer][]): HTMLElement[] {
  const names = answers.map(([, { headers }]) => Object.keys(headers ?? {}))
  const common = (names[0] ?? []).filter((name) => names.every((each) => each.includes(name)))
  const problem = answers
    .map(([, { content }]) => content?.[problemType]?.schema)
    .find((schema) => schema !== undefined)
  const failures =
    problem === undefined ? [] : ['Errors are ', el('code', {}, problemType), ': ', ...showType(problem), '.']
  return [
    el('p', { class: 'help' }, `Headers of every response: ${common.join(', ')}. `, ...failures),
    el(
      'div',
      { class: 'scroll' },
      el('table', { class: 'answers' }, el('tbody', {}, ...answers.map((answer) => showAnswerRow(answer, common)))),
    ),
  ]
}

function showAnswerRow([status, answer]: readonly [string, DescribedAnswer], common: readonly string[]): HTMLElement {
  const kind = status.startsWith('2') || status.startsWith('3') ? 'passed' : 'failed'
  const types = Object.entries(answer.content ?? {}).filter(([type]) => type !== problemType)
  const shown = types.map(([type, { schema }]) => el('div', { class: 'type' }, type, ': ', ...showType(schema)))
  const headers = Object.keys(answer.headers ?? {}).filter((name) => !common.includes(name))
  return el(
    'tr',
    {},
    el('th', { scope: 'row', class: kind }, status === 'default' ? 'other' : status),
    el(
      'td',
      {},
      el('div', {}, ...toInline(answer.description)),
      ...shown,
      headers.length === 0 ? null : el('div', { class: 'type' }, `Headers: ${headers.join(', ')}`),
    ),
  )
}
