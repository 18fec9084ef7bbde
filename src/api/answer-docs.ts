import { ref } from './openapi-shape.ts'
import type { AnswerDocs, OperationDocs } from './operation-docs.ts'

export const jsonType = 'application/json'

export const notModified: AnswerDocs = { text: 'Your copy is still right.', headers: ['ETag', 'Cache-Control'] }

export const erased = 'The record was erased for good; its id is never used again.'

/** Of a read: JSON of this shape, with its tag. */
export function toReadAnswer(text: string, schema: string): AnswerDocs {
  return { text, content: { [jsonType]: ref(schema) }, headers: ['ETag', 'Cache-Control'] }
}

export function toDescribeDocs(id: string): OperationDocs {
  return {
    id: `describe${id}`,
    summary: 'What can be done here',
    answers: { 200: { text: 'The description.', content: { [jsonType]: ref('Description') } } },
  }
}
