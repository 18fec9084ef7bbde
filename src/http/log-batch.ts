import type { Outcome } from '../store/store.ts'
import type { Logger } from './logger.ts'
import type { Call } from './route.ts'

type Batch = NonNullable<Extract<Outcome, { is: 'batch' }>['batch']>

/** Logs a batch that was requested through the API or by a form. */
export function logBatch(log: Logger, call: Call, { kind, id, undoes, state, changed, by }: Batch): void {
  log.info('write', { kind, batch: id, undoes, state, by, records: changed, requestId: call.requestId() })
}
