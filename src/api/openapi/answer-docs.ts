import type { AnswerDocs, OperationDocs } from './operation-docs.ts'
import { format, ifNoneMatch } from './parameter-docs.ts'
import { ref } from './shape.ts'

export const jsonType = 'application/json'

export const notModified: AnswerDocs = { text: 'Your copy is still right.', headers: ['ETag', 'Cache-Control'] }

export const batchRunning: AnswerDocs = {
  text: 'It takes more than five seconds, and goes on. `Content-Location` is where to see how far it is.',
  content: { [jsonType]: ref('BatchReport') },
  headers: ['Content-Location', 'Cache-Control'],
}

export const erased = 'The record was erased for good; its id is never used again.'

export const listProblems = {
  400: 'A parameter has a wrong value: `errors` names it.',
  503: 'The list took longer than it may, too many are asked for, or the store is down: `detail` says which.',
} as const

/** Of a read: JSON of this shape, with its tag. */
export function toReadAnswer(text: string, schema: string): AnswerDocs {
  return { text, content: { [jsonType]: ref(schema) }, headers: ['ETag', 'Cache-Control'] }
}

interface ReadDocs extends Omit<OperationDocs, 'answers'> {
  /** What the answer is, and the name of its schema. */
  readonly answer: readonly [text: string, schema: string]
  /** What there may be none of. */
  readonly missing: string
}

/** A read that answers with JSON alone, and with nothing where the reader has it already. */
export function toReadDocs({ answer, missing, parameters = [], problems = {}, ...said }: ReadDocs): OperationDocs {
  return {
    ...said,
    parameters: [...parameters, format, ifNoneMatch],
    answers: { 200: toReadAnswer(...answer), 304: notModified },
    problems: { ...problems, 404: toMissingText(missing) },
  }
}

/** The same for a list. */
export function toPageDocs(docs: ReadDocs): OperationDocs {
  return { ...toReadDocs(docs), answers: toListAnswers(...docs.answer) }
}

export function toListAnswers(text: string, schema: string): OperationDocs['answers'] {
  const maybeHeaders = ['Ignored-Parameters'] as const
  return { 200: { ...toReadAnswer(text, schema), maybeHeaders }, 304: { ...notModified, maybeHeaders } }
}

export const toMissingText = (what: string) => `There is no such ${what}, or \`format\` is not \`json\`.`

export function toDescribeDocs(id: string): OperationDocs {
  return {
    id: `describe${id}`,
    summary: 'What can be done here',
    answers: { 200: { text: 'The description.', content: { [jsonType]: ref('Description') } } },
  }
}
