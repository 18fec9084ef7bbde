import {
  batchRunning,
  erased,
  jsonType,
  listProblems,
  toDescribeDocs,
  toMissingText,
  toPageDocs,
  toReadDocs,
} from './answer-docs.ts'
import { toPageParameters } from './list-parameters.ts'
import type { OperationDocs, RouteDocs } from './operation-docs.ts'
import {
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  ifUnmodifiedSince,
  recordId,
  toPathNumber,
} from './parameter-docs.ts'
import { ref } from './shape.ts'

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
  text: 'Newest first. Publishers see all of them, others their own.',
  parameters: toPageParameters(),
  answer: ['A page of batches.', 'BatchList'],
  missing: 'page',
  problems: listProblems,
})

const getBatch = toReadDocs({
  id: 'getBatch',
  summary: 'Read a change of many records at once',
  text: 'How far it is, while it is running. For its author, and for publishers.',
  answer: ['The batch.', 'Batch'],
  missing: 'batch',
  problems: { 403: "It is somebody else's, and the token's role is below publisher.", 503: listProblems[503] },
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
    'Each field that still has the value which the batch gave it gets back the one it had before, as a batch of its own ' +
    'that can be undone too; `left` names the others. A record that the batch made becomes a draft. For the author of ' +
    'the batch, and for admins. There is no body. Where an undo was stopped, asking again goes on with it.',
  parameters: [dryRun, changeReason, idempotencyKey, format],
  answers: {
    200: {
      text: 'The undo as a batch; after a dry run what would be.',
      content: { [jsonType]: ref('BatchReport') },
      headers: ['Cache-Control'],
      maybeHeaders: ['Content-Location'],
    },
    202: batchRunning,
  },
  problems: {
    ...actionProblems,
    403: "It is somebody else's, and the token's role is below admin.",
    404: toMissingText('batch'),
    409: 'The batch, or another undo of it, is still running.',
  },
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
  '/api/v2/batches/:id': {
    tag: 'History',
    parameters: [batch],
    methods: { GET: getBatch, OPTIONS: toDescribeDocs('Batch') },
  },
  '/api/v2/batches/:id/undo': {
    tag: 'History',
    parameters: [batch],
    methods: { POST: undoBatch, OPTIONS: toDescribeDocs('Undo') },
  },
}
