import { type BulkChange, type BulkPreview, toBulkBody } from './bulk.ts'
import { type Results, wait, walkPages } from './pages.ts'
import type { components } from './schema.ts'
import {
  type CallOptions,
  type Failure,
  type KeyedWriteOptions,
  type Result,
  type Transport,
  toCallOptions,
  toFailure,
} from './transport.ts'

type Schemas = components['schemas']

/** A change to many records. */
export type Batch = Schemas['Batch']
/** The result of a batch; `id` is null if nothing was changed, and for a dry run. */
export type BatchReport = Schemas['BatchReport']

export interface WaitOptions extends CallOptions {
  /** Called with the state of the batch at least once a second while it is running. */
  readonly onProgress?: (batch: BatchReport) => void
}

/** The call waits until the batch is done, unless `wait` is false. */
export interface BatchOptions extends KeyedWriteOptions, WaitOptions {
  readonly wait?: boolean
}

export interface Batches {
  /** Batches, newest first: all of them for publishers, else your own. */
  list(options?: CallOptions): Results<Batch>
  get(id: number, options?: CallOptions): Promise<Result<Batch>>
  /** What a change of many records would do. It stores nothing. `after` is `next` of the page before. */
  preview(change: BulkChange, options?: CallOptions & { readonly after?: number | null }): Promise<Result<BulkPreview>>
  /** Changes up to 10,000 records, all of them or none. If some are refused, `problem.refused` names every one. */
  create(change: BulkChange, options?: Omit<BatchOptions, 'dryRun'>): Promise<Result<BatchReport>>
  /** Waits until a batch is no longer running. */
  wait(id: number, options?: WaitOptions): Promise<Result<BatchReport>>
  /** Stops a running batch: one transaction is rolled back, finished slices stay. 409 if the batch is done. */
  stop(id: number, options?: CallOptions): Promise<Result<Batch>>
  /** Resets each field that still has the value set by the batch; `left` lists the fields that do not. */
  undo(id: number, options?: BatchOptions): Promise<Result<BatchReport>>
}

const path = '/api/v2/batches'
/** The first wait between two polls; each is twice as long as the one before, up to the longest. */
const firstPollMs = 100
const longestPollMs = 1000
/** A batch continues while the service cannot be reached, so a failed poll does not mean that the batch failed. */
const maxFailedPolls = 5

export function createBatches(send: Transport): Batches {
  const get = (id: number, options?: CallOptions) => send<Batch>('GET', `${path}/${id}`, options)
  return {
    list: (options) => walkPages(send, path, '', options),
    get,
    preview: (change, options) =>
      send('POST', toPreviewPath(options?.after), { ...toCallOptions(options), body: toBulkBody(change) }),
    create: (change, options) => sendBatch(send, 'POST', path, options, toBulkBody(change)),
    wait: async (id, options) => {
      const batch = await get(id, toCallOptions(options))
      return batch.ok ? await waitForBatch(send, batch.value, options) : batch
    },
    stop: (id, options) => send('POST', `${path}/${id}/stop`, toCallOptions(options)),
    undo: (id, options) => sendBatch(send, 'POST', `${path}/${id}/undo`, options),
  }
}

const toPreviewPath = (after: number | null = null) => `${path}?dry_run=1${after === null ? '' : `&after=${after}`}`

/** Sends a request that makes a batch and, unless told otherwise, waits for the batch. */
export async function sendBatch(
  send: Transport,
  method: string,
  target: string,
  options: BatchOptions = {},
  body?: object,
): Promise<Result<BatchReport>> {
  const { wait: waits = true, onProgress, ...sent } = options
  const made = await send<BatchReport>(method, target, body === undefined ? sent : { ...sent, body })
  return made.ok && waits ? await waitForBatch(send, made.value, options) : made
}

/** The batch when it is no longer running. Fails if it cannot be read several times in a row. */
export async function waitForBatch(
  send: Transport,
  first: BatchReport,
  options: WaitOptions = {},
): Promise<Result<BatchReport>> {
  const call = toCallOptions(options)
  let last: Result<BatchReport> = { ok: true, value: first, etag: null }
  let pollMs = firstPollMs
  for (let failed = 0; failed < maxFailedPolls; failed = last.ok ? 0 : failed + 1) {
    if (last.ok ? last.value.state !== 'running' : isFinal(last, options)) return last
    if (last.ok) options.onProgress?.(last.value)
    await wait(pollMs)
    pollMs = Math.min(pollMs * 2, longestPollMs)
    last = await send<Batch>('GET', `${path}/${first.id}`, call)
  }
  return last
}

/** Whether another poll cannot succeed. */
function isFinal({ problem: { status } }: Failure, { signal }: CallOptions): boolean {
  return signal?.aborted === true || (status !== 0 && status !== 429 && status < 500)
}

export interface EntryOptions extends KeyedWriteOptions, WaitOptions {
  /** The ETag of what you change: the service refuses (412) if it has changed since. */
  readonly etag?: string | null
}

const stopped = 'The batch was stopped before all records were changed. Repeat the call to finish it.'

/** Changes a name or category. If that makes a large batch, waits for it and reads the entry again. */
export async function patchEntry<T extends { readonly slug: string }>(
  send: Transport,
  target: string,
  body: object,
  { onProgress, ...sent }: EntryOptions = {},
): Promise<Result<T>> {
  const changed = await send<T | BatchReport>('PATCH', target, { ...sent, body })
  if (!changed.ok) return changed
  const { value } = changed
  if ('slug' in value) return { ...changed, value }
  const made = await waitForBatch(send, value, onProgress === undefined ? sent : { ...sent, onProgress })
  if (!made.ok) return made
  return made.value.state === 'stopped'
    ? toFailure('Stopped', stopped)
    : await send<T>('GET', target, toCallOptions(sent))
}
