import {
  badBody,
  batchRunning,
  jsonType,
  listProblems,
  toDescribeDocs,
  toMissingText,
  toReadDocs,
} from './answer-docs.ts'
import { ref } from './field-schema.ts'
import type { AnswerDocs, OperationDocs, RouteDocs } from './operation-docs.ts'
import { changeReason, dryRun, format, idempotencyKey, ifMatch, toPathNumber } from './parameter-docs.ts'

export const merged: AnswerDocs = {
  text: 'It was merged into another: `Location` is the URL of that.',
  headers: ['Location', 'Cache-Control'],
}

export const mergedCategory: AnswerDocs = {
  ...merged,
  text: `${merged.text} Without a token, only if it was public when it was merged.`,
}

function toReadNameDocs(id: string, what: string): OperationDocs {
  const docs = toReadDocs({
    id: `get${id}`,
    summary: `Read a ${what}`,
    text:
      `With the number of live records, and of drafts if you send a token. To list them, use \`${what}_id\`. With a ` +
      'token also `aliases`: its former names, and those that were merged into it.',
    answer: [`The ${what}.`, 'Name'],
    missing: what,
    problems: { 503: listProblems[503] },
  })
  return { ...docs, answers: { ...docs.answers, 301: merged } }
}

function toRenameDocs(id: string, what: string): OperationDocs {
  const body = { schema: ref('NameChange'), example: { name: 'Ada Lovelace' } }
  return {
    id: `rename${id}`,
    summary: `Rename a ${what}`,
    text:
      'Writes the new name to all records that have the old one, as one batch, which can be undone. The id stays, the slug ' +
      'is new, and the old name becomes an alias: its address leads here, and imports use the new name instead.',
    parameters: [dryRun, ifMatch, idempotencyKey, changeReason, format],
    body: { [jsonType]: body, 'application/merge-patch+json': body },
    answers: {
      200: {
        text: `The ${what} as it is now, or as a dry run would leave it.`,
        content: { [jsonType]: ref('Name') },
        headers: ['Cache-Control'],
        maybeHeaders: ['ETag'],
      },
      202: batchRunning,
    },
    problems: {
      400: `${badBody} Or the key was used with a different request.`,
      404: toMissingText(what),
      409: `Another ${what} has this name, or had it, or this one was merged: \`id\` is the current one. Or a batch with the same name is running.`,
      412: 'The precondition failed; nothing was written.',
    },
  }
}

/** `key`: what identifies the entries. */
export function toMergeDocs(id: string, what: string, key: 'id' | 'slug', example: string | number): OperationDocs {
  return {
    id: `merge${id}`,
    summary: `Merge a ${what} into another`,
    text:
      `All its records get the other ${what}, as one batch, which can be undone. Its old address leads to the other, as ` +
      'do all that were merged into it. Repeat the request to finish a merge that was stopped.',
    parameters: [dryRun, ifMatch, idempotencyKey, changeReason, format],
    body: { [jsonType]: { schema: ref(key === 'id' ? 'NameMerge' : 'CategoryMerge'), example: { into: example } } },
    answers: {
      200: {
        text: 'The merge as a batch, or what a dry run would change.',
        content: { [jsonType]: ref('BatchReport') },
        headers: ['Cache-Control'],
        maybeHeaders: ['Content-Location'],
      },
      202: batchRunning,
    },
    problems: {
      400: `${badBody} Or the key was used with a different request.`,
      404: toMissingText(what),
      409: `Both are the same, or one of them was merged already: \`${key}\` is the current one. Or a batch with one of them is running.`,
      412: 'The precondition failed; nothing was written.',
    },
  }
}

export function toNameDocs(id: string, what: string): { readonly [path: string]: RouteDocs } {
  const parameters = [toPathNumber('id', `Id of the ${what}, without leading zeros.`)]
  const methods = { GET: toReadNameDocs(id, what), PATCH: toRenameDocs(id, what), OPTIONS: toDescribeDocs(id) }
  const merge = { POST: toMergeDocs(id, what, 'id', 17), OPTIONS: toDescribeDocs(`${id}Merge`) }
  return {
    [`/api/v2/${what}/:id`]: { tag: 'Vocabulary', parameters, methods },
    [`/api/v2/${what}/:id/merge`]: { tag: 'Vocabulary', parameters, methods: merge },
  }
}
