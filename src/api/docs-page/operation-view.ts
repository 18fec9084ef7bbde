import type { Answer, Call, Schemas } from './description.ts'
import { el, toInline, toProse } from './element.ts'
import { showSchema, showType } from './schema-view.ts'
import { createTryForm, type Session } from './try-form.ts'

/** One method of one path: a line, and everything else once it is opened. */
export function showOperation(call: Call, schemas: Schemas, session: Session): HTMLElement {
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

function showInside(call: Call, schemas: Schemas, session: Session): HTMLElement {
  const { description, requestBody, responses } = call.operation
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  return el(
    'div',
    { class: 'inside' },
    ...toProse(description ?? ''),
    createTryForm(call, session),
    ...(body === undefined
      ? []
      : [el('details', { class: 'more' }, el('summary', {}, 'Fields of the body'), showSchema(body, schemas))]),
    el('h4', {}, 'Answers'),
    el(
      'div',
      { class: 'scroll' },
      el('table', { class: 'answers' }, el('tbody', {}, ...Object.entries(responses).map(showAnswerRow))),
    ),
  )
}

function showAnswerRow([status, answer]: [string, Answer]): HTMLElement {
  const kind = status.startsWith('2') || status.startsWith('3') ? 'passed' : 'failed'
  const types = Object.entries(answer.content ?? {}).map(([type, { schema }]) =>
    el('div', { class: 'type' }, type, ': ', ...showType(schema)),
  )
  const headers = Object.keys(answer.headers ?? {})
  return el(
    'tr',
    {},
    el('th', { scope: 'row', class: kind }, status === 'default' ? 'else' : status),
    el(
      'td',
      {},
      el('div', {}, ...toInline(answer.description)),
      ...types,
      headers.length === 0 ? null : el('div', { class: 'type' }, `Headers: ${headers.join(', ')}`),
    ),
  )
}
