import type { Route } from '../../http/route.ts'
import type { JsonObject } from '../../record/json.ts'
import type { Role } from '../../record/role.ts'
import { ref } from './field-schema.ts'
import {
  type AnswerDocs,
  format,
  type HeaderName,
  headerTexts,
  ifNoneMatch,
  type OperationDocs,
} from './operation-docs.ts'

export const jsonType = 'application/json'

export const notModified: AnswerDocs = { text: 'Your copy is current.', headers: ['ETag', 'Cache-Control'] }

export const batchRunning: AnswerDocs = {
  text: 'The batch has taken more than five seconds and continues. Follow its progress at `Content-Location`.',
  content: { [jsonType]: ref('BatchReport') },
  headers: ['Content-Location', 'Cache-Control'],
}

/** Of a merge or an undo, which makes a batch. `text`: of the answer at once. */
export const toBatchAnswers = (text: string): { readonly [status: number]: AnswerDocs } => ({
  200: {
    text,
    content: { [jsonType]: ref('BatchReport') },
    headers: ['Cache-Control'],
    maybeHeaders: ['Content-Location'],
  },
  202: batchRunning,
})

export const erased = 'The record was permanently erased. Its id is never reused.'

export const stale =
  'The precondition failed; nothing was written. `current`, `fields` and `conflicts` show how the record differs from ' +
  'the version you named.'

export const badBody = 'The body is not strict JSON, or some fields are invalid: `errors` names all of them.'

export const publishersOnly = 'The role does not allow this. Only publishers change live records and publish drafts.'

export const writeUnavailable =
  'The store is busy, unavailable or upgraded by a newer version, or the outcome of the write is unknown; see `detail`.'

export const storeFull = 'The store is full; nothing was changed.'

export const listProblems = {
  400: 'A parameter is invalid: `errors` names it.',
  503: 'The list exceeded its time limit, too many lists are queued, or the store is unavailable; see `detail`.',
} as const

/** A successful read: JSON of this schema, with its ETag. */
function toReadAnswer(text: string, schema: string): AnswerDocs {
  return { text, content: { [jsonType]: ref(schema) }, headers: ['ETag', 'Cache-Control'] }
}

interface ReadDocs extends Omit<OperationDocs, 'answers'> {
  /** The description of the response and the name of its schema. */
  readonly answer: readonly [text: string, schema: string]
  /** What a 404 says is missing. */
  readonly missing: string
}

/** A read that returns JSON only, or 304. */
export function toReadDocs({ answer, missing, parameters = [], problems = {}, ...rest }: ReadDocs): OperationDocs {
  return {
    ...rest,
    parameters: [...parameters, format, ifNoneMatch],
    answers: { 200: toReadAnswer(...answer), 304: notModified },
    problems: { ...problems, 404: toMissingText(missing) },
  }
}

/** A read of a page of a list. */
export function toPageDocs(docs: ReadDocs): OperationDocs {
  return { ...toReadDocs(docs), answers: toListAnswers(...docs.answer) }
}

export function toListAnswers(text: string, schema: string): OperationDocs['answers'] {
  return toCodedAnswers(text, schema, ['Ignored-Parameters', 'Unknown-Values'])
}

/** A read whose body is compressed if the client accepts that. */
export function toCodedAnswers(
  text: string,
  schema: string,
  more: readonly HeaderName[] = [],
): OperationDocs['answers'] {
  const maybeHeaders = ['Content-Encoding', ...more] as const
  return { 200: { ...toReadAnswer(text, schema), maybeHeaders }, 304: { ...notModified, maybeHeaders } }
}

export const toMissingText = (what: string) => `No such ${what}, or \`format\` is not \`json\`.`

export function toDescribeDocs(id: string): OperationDocs {
  return {
    id: `describe${id}`,
    summary: 'Describe this resource',
    answers: { 200: { text: 'Media types and fields.', content: { [jsonType]: ref('Description') } } },
  }
}

/** All responses of one method: those of its docs, then the failures that every route of its kind has. */
export function toAnswers(route: Route, method: string, operation: OperationDocs, role: Role | null): JsonObject {
  const own = Object.entries(operation.answers).map(([status, answer]) => [status, toAnswer(route, answer)] as const)
  const preflight = method === 'OPTIONS' ? [['204', toAnswer(route, preflightAnswer)] as const] : []
  const common = toCommonProblems(route, operation, role)
  const problems: { readonly [status: string]: string } = { ...common, ...operation.problems, default: otherFailure }
  const failed = Object.entries(problems).map(([status, text]) => {
    return [status, toProblem(route, method, status, text, operation)] as const
  })
  return Object.fromEntries([...own, ...preflight, ...failed])
}

const otherFailure = 'Any other error.'

const preflightAnswer: AnswerDocs = {
  text: 'The response to a CORS preflight request.',
  headers: ['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers'],
}

function toCommonProblems(route: Route, { body }: OperationDocs, role: Role | null): { [status: string]: string } {
  return {
    401: role === null ? 'The token is invalid.' : 'The token is missing or invalid.',
    ...(role === null ? {} : { 403: 'The role of the token does not allow this.' }),
    ...(route.path.includes(':') ? { 404: 'Nothing exists at this path.' } : {}),
    ...(route.negotiates ? { 406: '`Accept` allows neither `application/json` nor `text/html`.' } : {}),
    ...(body === undefined ? {} : writeProblems),
  }
}

const writeProblems = {
  413: 'The body is too large.',
  415: 'The media type, charset or content coding of the body is not supported here.',
  429: 'Too many writes with this token, or too many invalid tokens from this IP address.',
  503: writeUnavailable,
  507: storeFull,
}

function toAnswer(route: Route, { text, content = {}, headers = [], maybeHeaders = [] }: AnswerDocs): JsonObject {
  const bodies = Object.entries(content).map(([type, schema]) => [type, { schema }])
  return {
    description: text,
    headers: {
      ...toPathHeaders(route, maybeHeaders.includes('Content-Encoding')),
      ...toHeaders(headers, true),
      ...toHeaders(maybeHeaders, false),
    },
    ...(bodies.length === 0 ? {} : { content: Object.fromEntries(bodies) }),
  }
}

/** Responses to HEAD have no body, errors included. */
function toProblem(route: Route, method: string, status: string, text: string, operation: OperationDocs): JsonObject {
  const content = method === 'HEAD' ? {} : { content: { 'application/problem+json': ref('Problem') } }
  const headers = [...(problemHeaders[status] ?? []), ...(operation.problemHeaders?.[Number(status)] ?? [])]
  return toAnswer(route, { text, ...content, headers })
}

const problemHeaders: { readonly [status: string]: readonly HeaderName[] } = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Headers that every response of the path has, errors included, with the exact value from the route. */
function toPathHeaders({ headers }: Route, isCoded: boolean): JsonObject {
  const named = ['Allow', 'Vary', 'Content-Security-Policy'].flatMap((name) => {
    const value = headers.get(name)
    if (value === null) return []
    const exact = isCoded && name === 'Vary' ? `${value}, Accept-Encoding` : value
    return [[name, { required: true, schema: { const: exact } }] as const]
  })
  return Object.fromEntries(named)
}

function toHeaders(names: readonly HeaderName[], required: boolean): JsonObject {
  const described = names.map((name) => {
    return [name, { description: headerTexts[name], required, schema: { type: 'string' } }] as const
  })
  return Object.fromEntries(described)
}
