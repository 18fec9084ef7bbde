import { badBody, batchRunning, jsonType } from './answer-docs.ts'
import { ref } from './field-schema.ts'
import type { OperationDocs } from './operation-docs.ts'
import { changeReason, dryRun, format, idempotencyKey } from './parameter-docs.ts'

const example = {
  select: { query: 'category=pycon-us-2014&tag=keynote' },
  patch: { language: 'English', tags: { add: ['plenary'], remove: ['misc'] } },
  expect: 12,
  reason: 'All keynotes were in English',
}

export const createBatch: OperationDocs = {
  id: 'createBatch',
  summary: 'Change many records',
  text:
    'Changes up to 10,000 records in one transaction: all of them, or none. Each gets a version of the same batch, which ' +
    'its author can undo. Send it with `dry_run=1` first: the response has the number of records for `expect`, every ' +
    'refusal, the first 50 differences, and `as_of`. Publishers change any record; editors only records that are drafts ' +
    'and stay drafts.',
  parameters: [dryRun, changeReason, idempotencyKey, format],
  body: { [jsonType]: { schema: ref('BulkChange'), example } },
  answers: {
    200: {
      text: 'Nothing had to change, so there is no batch; or what a dry run would change.',
      content: { [jsonType]: { anyOf: [ref('BatchReport'), ref('BulkDryRun')] } },
      headers: ['Cache-Control'],
    },
    201: {
      text: 'The batch.',
      content: { [jsonType]: ref('BatchReport') },
      headers: ['Cache-Control', 'Content-Location'],
    },
    202: batchRunning,
  },
  problems: {
    400: `${badBody} Or the selection has more than 10,000 records, or the key had another request.`,
    403: 'The role does not allow this, or not for the records in `refused`. Nothing was changed.',
    404: '`format` is not `json`.',
    409:
      'Some records refuse the change: `refused` has each with the code of its problem. Or the selection has `count` ' +
      'records and not `expect`. Nothing was changed.',
  },
}
