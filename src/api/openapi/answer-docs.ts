import type { AnswerDocs, OperationDocs } from './operation-docs.ts'
import { format, ifNoneMatch } from './parameter-docs.ts'
import { ref } from './shape.ts'

export const jsonType = 'application/json'

export const notModified: AnswerDocs = { text: 'Your copy is current.', headers: ['ETag', 'Cache-Control'] }

export const batchRunning: AnswerDocs = {
  text: 'The batch has taken more than five seconds and continues. Follow its progress at `Content-Location`.',
  content: { [jsonType]: ref('BatchReport') },
  headers: ['Content-Location', 'Cache-Control'],
}

export const erased = 'The record was permanently erased. Its id is never reused.'

export const stale =
  'The precondition failed; nothing was written. `current`, `fields` and `conflicts` show how the record differs from ' +
  'the version you named.'

export const badBody = 'The body is not strict JSON, or some fields are invalid: `errors` names all of them.'

export const publishersOnly = 'The role does not allow this. Only publishers change live records and publish drafts.'

export const writeUnavailable =
  'The store is busy or unavailable, or the outcome of the write is unknown; see `detail`.'

export const storeFull = 'The store is full; nothing was changed.'

export const listProblems = {
  400: 'A parameter is invalid: `errors` names it.',
  503: 'The list exceeded its time limit, too many lists are queued, or the store is unavailable; see `detail`.',
} as const

/** A successful read: JSON of this schema, with its ETag. */
export function toReadAnswer(text: string, schema: string): AnswerDocs {
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
  const maybeHeaders = ['Ignored-Parameters'] as const
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
