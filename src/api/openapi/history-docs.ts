import {
  badBody,
  erased,
  jsonType,
  listProblems,
  publishersOnly,
  stale,
  storeFull,
  toBatchAnswers,
  toDescribeDocs,
  toMissingText,
  toPageDocs,
  toReadDocs,
  writeUnavailable,
} from './answer-docs.ts'
import { createBatch } from './bulk-docs.ts'
import { ref } from './field-schema.ts'
import {
  changeReason,
  dryRun,
  format,
  idempotencyKey,
  ifMatch,
  ifUnmodifiedSince,
  type OperationDocs,
  type RouteDocs,
  recordId,
  toPageParameters,
  toPathNumber,
  versionNumber,
} from './operation-docs.ts'

const batch = toPathNumber('id', 'Id of the batch.')

/** Failures of a write without a body. */
const actionProblems = {
  400: '`dry_run` or `Change-Reason` is invalid.',
  429: 'Too many writes with this token.',
  503: writeUnavailable,
  507: storeFull,
}

const listHistory = toPageDocs({
  id: 'listHistory',
  summary: 'List the versions of a record',
  text: 'Newest first. A version never changes, and is removed only when the whole record is erased.',
  parameters: toPageParameters(),
  answer: ['A page of versions.', 'HistoryList'],
  missing: 'record or page',
  problems: { ...listProblems, 410: erased },
})

const getVersion = toReadDocs({
  id: 'getVersion',
  summary: 'Read a version of a record',
  text: 'The whole record as of this version, and what the version changed.',
  answer: ['The version.', 'Version'],
  missing: 'record or version',
  problems: { 410: erased },
})

const restoreVersion: OperationDocs = {
  id: 'restoreVersion',
  summary: 'Restore a version',
  text:
    'Writes the fields of an old version as a new version, so no history is lost. The same rules apply as for a PUT: only ' +
    'publishers change live records and publish drafts. If nothing differs, no version is created. The request has no body.',
  parameters: [dryRun, ifMatch, ifUnmodifiedSince, changeReason, format],
  answers: {
    200: {
      text: 'The record as it is now, or as a dry run would leave it.',
      content: { [jsonType]: ref('VideoRecord') },
      headers: ['Cache-Control'],
      maybeHeaders: ['ETag', 'Content-Location'],
    },
  },
  problems: {
    ...actionProblems,
    403: publishersOnly,
    404: toMissingText('record or version'),
    410: erased,
    412: stale,
  },
}

const listBatches = toPageDocs({
  id: 'listBatches',
  summary: 'List batches',
  text: 'A batch is a change to many records. Newest first. Publishers see all batches, others only their own.',
  parameters: toPageParameters(),
  answer: ['A page of batches.', 'BatchList'],
  missing: 'page',
  problems: listProblems,
})

const getBatch = toReadDocs({
  id: 'getBatch',
  summary: 'Read a batch',
  text: 'Shows progress while the batch is running. For its author and for publishers.',
  answer: ['The batch.', 'Batch'],
  missing: 'batch',
  problems: { 403: 'The batch belongs to someone else, and the role is below publisher.', 503: listProblems[503] },
})

const getExtras = toReadDocs({
  id: 'getExtras',
  summary: 'Read the origin and extras of a record',
  text: 'Where an imported record came from, and the data of its source that fits no field.',
  answer: ['The origin and the extras.', 'Extras'],
  missing: 'record',
  problems: { 410: erased },
})

const undoBatch: OperationDocs = {
  id: 'undoBatch',
  summary: 'Undo a batch',
  text:
    'Resets each field that still has the value set by the batch; `left` lists the fields that do not. Records that the ' +
    'batch created become drafts. The undo is itself a batch and can be undone. Repeat the request to finish an undo ' +
    'that was stopped. For the author of the batch and for admins. The body is optional.',
  parameters: [dryRun, changeReason, idempotencyKey, format],
  body: { [jsonType]: { schema: ref('Undo'), example: { reason: 'The wrong event' } } },
  isBodyOptional: true,
  answers: toBatchAnswers('The undo as a batch, or what a dry run would change.'),
  problems: {
    400: badBody,
    403: 'The batch belongs to someone else, and the role is below admin.',
    404: toMissingText('batch'),
    409: 'The batch or another undo of it is still running.',
  },
}

const stopBatch: OperationDocs = {
  id: 'stopBatch',
  summary: 'Stop a batch',
  text:
    'Stops a running batch. A batch in one transaction is rolled back: nothing is changed. A batch of more than 10,000 ' +
    'records that runs in slices keeps what it has changed, and can be undone. For the author of the batch and for admins.',
  parameters: [dryRun, format],
  answers: {
    200: {
      text: 'The stopped batch; for a dry run, the batch as it is.',
      content: { [jsonType]: ref('Batch') },
      headers: ['Cache-Control', 'Content-Location'],
    },
    202: {
      text: 'The batch takes longer to stop. Follow it at `Content-Location`.',
      content: { [jsonType]: ref('Batch') },
      headers: ['Cache-Control', 'Content-Location'],
    },
  },
  problems: {
    400: '`dry_run` is invalid.',
    403: 'The batch belongs to someone else, and the role is below admin.',
    404: toMissingText('batch'),
    409: 'The batch is done.',
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
    parameters: [recordId, versionNumber],
    methods: { GET: getVersion, OPTIONS: toDescribeDocs('Version') },
  },
  '/api/v2/video/:id/history/:version/restore': {
    tag: 'History',
    parameters: [recordId, versionNumber],
    methods: { POST: restoreVersion, OPTIONS: toDescribeDocs('Restore') },
  },
  '/api/v2/batches': {
    tag: 'History',
    methods: { GET: listBatches, POST: createBatch, OPTIONS: toDescribeDocs('Batches') },
  },
  '/api/v2/batches/:id': {
    tag: 'History',
    parameters: [batch],
    methods: { GET: getBatch, OPTIONS: toDescribeDocs('Batch') },
  },
  '/api/v2/batches/:id/stop': {
    tag: 'History',
    parameters: [batch],
    methods: { POST: stopBatch, OPTIONS: toDescribeDocs('Stop') },
  },
  '/api/v2/batches/:id/undo': {
    tag: 'History',
    parameters: [batch],
    methods: { POST: undoBatch, OPTIONS: toDescribeDocs('Undo') },
  },
}
