import { showAnswer } from './answer-view.ts'
import type { DescribedCall, DescribedParameter } from './description.ts'
import { el, toInline } from './element.ts'
import { showMark, showType } from './schema-view.ts'

/** Base URL and access token of the requests. The token is kept in memory only. */
export interface TrySession {
  readonly root: string
  key(): string
}

/** A form with an input for each parameter and a button that sends the request. */
export function createTryForm(call: DescribedCall, session: TrySession): HTMLElement {
  const fields = call.parameters.map((parameter) => ({ parameter, input: createInput(call, parameter) }))
  const body = call.operation.requestBody === undefined ? null : createBodyFields(call.operation.requestBody.content)
  const accept = createAcceptField(call)
  const output = el('div', { class: 'answer', 'aria-live': 'polite' })
  const toPlan = (): Plan => ({
    ...toTarget(call, session, fields),
    method: call.method,
    body: body === null ? null : { type: body.type.value, text: body.text.value },
    accept: accept?.value ?? null,
  })
  const send = async (event: Event) => {
    event.preventDefault()
    await run(toPlan(), session, output)
  }
  const showCurl = () => {
    const line = toCurl(toPlan(), session.key() !== '')
    output.replaceChildren(el('pre', { tabindex: '0', class: 'wrapped' }, line))
    // Only pages on https and on this machine may write to the clipboard.
    void navigator.clipboard?.writeText(line).catch(() => undefined)
  }
  return el(
    'form',
    { class: 'try', submit: (event) => void send(event) },
    fields.length === 0 ? null : el('h4', {}, 'Parameters'),
    ...fields.map(({ parameter, input }) => showParameter(parameter, input)),
    body === null ? null : el('h4', {}, 'Body'),
    ...(body === null ? [] : [toLabel('Media type', body.type), toLabel('Content', body.text)]),
    accept === null ? null : toLabel('Accept', accept),
    el(
      'div',
      { class: 'buttons' },
      el('button', { type: 'submit' }, 'Send'),
      el('button', { type: 'button', class: 'quiet', click: showCurl }, 'Copy as curl'),
      call.method === 'GET' || call.method === 'OPTIONS'
        ? null
        : el('span', { class: 'hint' }, 'Changes real data unless dry_run is 1.'),
    ),
    output,
  )
}

type Input = HTMLInputElement | HTMLSelectElement

interface Plan {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: { readonly type: string; readonly text: string } | null
  readonly accept: string | null
}

function createInput(call: DescribedCall, { name, in: place, schema, example, required }: DescribedParameter): Input {
  const id = `${call.operation.operationId}-${name}`
  if (schema.enum !== undefined) {
    const choices = ['', ...schema.enum.map(String)].map((value) => el('option', { value }, value))
    const select = el('select', { id }, ...choices)
    // Store nothing by default.
    if (name === 'dry_run') select.value = '1'
    return select
  }
  const isNumber = schema.type === 'integer'
  const placeholder = schema.default === undefined ? '' : String(schema.default)
  const value = place === 'path' && example !== undefined ? String(example) : ''
  const inputmode = isNumber ? 'numeric' : 'text'
  return el('input', { id, value, placeholder, inputmode, required: required === true, autocomplete: 'off' })
}

function createBodyFields(content: NonNullable<DescribedCall['operation']['requestBody']>['content']) {
  const toText = (type: string) => JSON.stringify(content[type]?.example ?? {}, null, 2)
  const types = Object.keys(content)
  const text = el('textarea', { rows: '8', spellcheck: 'false' })
  text.value = toText(types[0] ?? '')
  const change = () => {
    text.value = toText(type.value)
  }
  const type = el('select', { change }, ...types.map((value) => el('option', { value }, value)))
  return { type, text }
}

/** Null without a choice. JSON comes first, because programs use it. */
function createAcceptField({ operation }: DescribedCall): HTMLSelectElement | null {
  const types = Object.keys(operation.responses['200']?.content ?? {}).sort()
  return types.length < 2 ? null : el('select', {}, ...types.map((value) => el('option', { value }, value)))
}

function showParameter(
  { name, in: place, description, required, schema }: DescribedParameter,
  input: Input,
): HTMLElement {
  return el(
    'div',
    { class: 'parameter' },
    el(
      'label',
      { for: input.id },
      el('code', {}, name),
      ' ',
      showMark(place),
      required === true ? showMark('required') : null,
    ),
    input,
    el('div', { class: 'help' }, ...toInline(description), ...showPlainly(schema)),
  )
}

/** The type after the text, unless it is any string or one of the choices that the input shows anyway. */
function showPlainly(schema: DescribedParameter['schema']): (Node | string)[] {
  const isObvious = schema.enum !== undefined || (Object.keys(schema).length === 1 && schema.type === 'string')
  return isObvious ? [] : [' (', ...showType(schema), ')']
}

function toLabel(text: string, input: HTMLElement): HTMLElement {
  return el('label', { class: 'wide' }, el('span', {}, text), input)
}

interface Filled {
  readonly parameter: DescribedParameter
  readonly input: Input
}

function toTarget(
  { path }: DescribedCall,
  { root }: TrySession,
  fields: readonly Filled[],
): Pick<Plan, 'url' | 'headers'> {
  const filled = fields.map(({ parameter, input }) => ({ ...parameter, value: input.value.trim() }))
  const given = filled.filter(({ value }) => value !== '')
  const query = given.filter((each) => each.in === 'query').map(({ name, value }) => [name, value])
  const target = path.replace(/\{(\w+)\}/g, (_, name) => {
    return encodeURIComponent(given.find((each) => each.in === 'path' && each.name === name)?.value ?? '')
  })
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
  const headers = given.filter((each) => each.in === 'header').map(({ name, value }) => [name, value] as const)
  return { url: `${root}${target}${search}`, headers }
}

function toHeaders({ headers, body, accept }: Plan): (readonly [string, string])[] {
  const type = body === null ? [] : [['Content-Type', body.type] as const]
  return [...headers, ...type, ...(accept === null ? [] : [['Accept', accept] as const])]
}

async function run(plan: Plan, session: TrySession, output: HTMLElement): Promise<void> {
  const headers = new Headers(toHeaders(plan).map(([name, value]) => [name, value]))
  const key = session.key()
  if (key !== '') headers.set('Authorization', `Token ${key}`)
  const body = plan.body === null ? {} : { body: plan.body.text }
  output.replaceChildren(el('p', { class: 'hint' }, 'Sending …'))
  const started = performance.now()
  try {
    const options: RequestInit = { method: plan.method, headers, cache: 'no-store', credentials: 'omit', ...body }
    const response = await fetch(plan.url, options)
    const text = await response.text()
    output.replaceChildren(...showAnswer(response, text, performance.now() - started))
  } catch (error) {
    output.replaceChildren(
      el('p', { class: 'failed' }, `No response: ${error instanceof Error ? error.message : error}`),
    )
  }
}

/** A shell command, without the token itself. */
function toCurl(plan: Plan, hasKey: boolean): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const method = plan.method === 'GET' ? [] : ['-X', plan.method]
  const headers = toHeaders(plan).flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)])
  const data = plan.body === null ? [] : ['--data', quote(plan.body.text)]
  const token = hasKey ? ['-H', '"Authorization: Token $TOKEN"'] : []
  return ['curl', ...method, quote(plan.url), ...token, ...headers, ...data].join(' ')
}
