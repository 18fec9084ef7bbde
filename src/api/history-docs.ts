import { erased, jsonType, listProblems, toDescribeDocs, toMissingText, toPageDocs, toReadDocs } from './answer-docs.ts'
import { toPageParameters } from './list-parameters.ts'
import { ref } from './openapi-shape.ts'
import type { OperationDocs, RouteDocs } from './operation-docs.ts'
import { changeReason, dryRun, format, ifMatch, ifUnmodifiedSince, recordId, toPathNumber } from './parameter-docs.ts'

const version = toPathNumber('version', 'Number of the version: decimal digits without leading zeros.')
const batch = toPathNumber('id', 'Number of the batch.')

/** Of a write that takes no body. */
const actionProblems = {
  400: '`dry_run` or `Change-Reason` has a wrong value.',
  429: 'Too many writes with this token.',
  503: 'The store is busy or down, or the outcome of the write is unknown: `detail` says which.',
  507: 'The store is full; nothing was changed.',
}

const listHistory = toPageDocs({
  id: 'listHistory',
  summary: 'List the versions of a record',
  text: 'Newest first. Versions are never changed, and never removed but with the whole record, when that is erased for good.',
  parameters: toPageParameters(),
  answer: ['A page of versions.', 'HistoryList'],
  missing: 'record or page',
  problems: { ...listProblems, 410: erased },
})

const getVersion = toReadDocs({
  id: 'getVersion',
  summary: 'Read a record as it was',
  text: 'The whole record of this version, with what the version changed.',
  answer: ['The version.', 'Version'],
  missing: 'record or version',
  problems: { 410: erased },
})

const restoreVersion: OperationDocs = {
  id: 'restoreVersion',
  summary: 'Make an old version current again',
  text:
    'As a new version, so that nothing is lost. It is judged like a PUT of that version: live records and publishing ' +
    'are for publishers. Where the record is like that already, there is no new version. There is no body.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, changeReason, format],
  answers: {
    200: {
      text: 'The record as it is now; after a dry run as it would be.',
      content: { [jsonType]: ref('VideoRecord') },
      headers: ['Cache-Control'],
      maybeHeaders: ['ETag', 'Content-Location'],
    },
  },
  problems: {
    ...actionProblems,
    403: 'The role does not allow this; live records and publishing are for publishers.',
    404: toMissingText('record or version'),
    410: erased,
    412: 'The precondition does not hold, and nothing was written. `fields` tells what became of the record since.',
  },
}

const listBatches = toPageDocs({
  id: 'listBatches',
  summary: 'List changes of many records at once',
  text: 'Newest first.',
  parameters: toPageParameters(),
  answer: ['A page of batches.', 'BatchList'],
  missing: 'page',
  problems: listProblems,
})

const getExtras = toReadDocs({
  id: 'getExtras',
  summary: 'What came with a record',
  text: 'Where an imported record came from, and what its source says that no field has a place for.',
  answer: ['The origin and the extras.', 'Extras'],
  missing: 'record',
  problems: { 410: erased },
})

const undoBatch: OperationDocs = {
  id: 'undoBatch',
  summary: 'Undo a batch',
  text:
    'Puts back every record of the batch that is still as the batch left it, as a batch of its own that can be undone too. ' +
    'There is no body.',
  parameters: [dryRun, changeReason, format],
  answers: {
    200: {
      text: 'What was put back and what was left; after a dry run what would be.',
      content: { [jsonType]: ref('UndoReport') },
      headers: ['Cache-Control'],
    },
  },
  problems: { ...actionProblems, 404: toMissingText('batch') },
}

export const historyDocs: { readonly [path: string]: RouteDocs } = {
  '/api/v2/video/:id/extras': {
    tag: 'Records',
    parameters: [recordId],
    methods: { GET: getExtras, OPTIONS: toDescribeDocs('Extras') },
  },
  '/api/v2/video/:id/history': {
    tag: 'History',
    parameters: [recordId],
    methods: { GET: listHistory, OPTIONS: toDescribeDocs('History') },
  },
  '/api/v2/video/:id/history/:version': {
    tag: 'History',
    parameters: [recordId, version],
    methods: { GET: getVersion, OPTIONS: toDescribeDocs('Version') },
  },
  '/api/v2/video/:id/history/:version/restore': {
    tag: 'History',
    parameters: [recordId, version],
    methods: { POST: restoreVersion, OPTIONS: toDescribeDocs('Restore') },
  },
  '/api/v2/batches': { tag: 'History', methods: { GET: listBatches, OPTIONS: toDescribeDocs('Batches') } },
  '/api/v2/batches/:id/undo': {
    tag: 'History',
    parameters: [batch],
    methods: { POST: undoBatch, OPTIONS: toDescribeDocs('Undo') },
  },
}
