import type { StopCommand } from '../record/command.ts'
import type { Author } from '../record/role.ts'
import type { Store } from '../store/store.ts'
import { attempt, type Batch, type WriteDeps } from './execute.ts'
import { Refused, requireRead, toWriteFailure } from './problem.ts'
import type { HttpCall } from './route.ts'

/** The answer to a stop that takes longer has the batch as it is. */
const answerAfterMs = 4_000

interface StopDeps extends WriteDeps {
  readonly store: Pick<Store, 'execute' | 'listBatches'>
}

/** Whether a batch may be stopped by this author. */
export const mayStop = ({ name, role }: Author, { by }: { readonly by: string }) => role === 'admin' || name === by

/**
 * Stops a batch (decision 74). Checked here, because the port asks the running transaction to stop before the writer
 * reads the command. Resolves with the batch, which may still be running if stopping takes too long.
 */
export async function stopBatch(
  deps: StopDeps,
  call: HttpCall,
  { id, author, isDryRun = false }: { readonly id: number; readonly author: Author; readonly isDryRun?: boolean },
): Promise<Batch> {
  const found = await readBatch(deps, call, id)
  if (!mayStop(author, found)) throw new Refused({ code: 'not_your_batch', detail: notYours })
  if (found.state === 'done') throw new Refused({ code: 'batch_done' })
  if (found.state === 'stopped' || isDryRun) return found
  const outcome = await Promise.race([
    attempt(deps, call, { kind: 'stop batch', batch: id, author } satisfies StopCommand),
    Bun.sleep(answerAfterMs),
  ])
  if (outcome?.is === 'batch' && outcome.batch !== null) return outcome.batch
  if (outcome?.is === 'refused') throw new Refused(outcome.refusal)
  // Another node may hold the lock that the writer waits for.
  if (outcome?.is === 'failed' && outcome.failure !== 'busy') throw new Refused(toWriteFailure(outcome.failure))
  return readBatch(deps, call, id)
}

const notYours = 'Only the author of a batch or an admin may stop it.'

async function readBatch({ store }: StopDeps, call: HttpCall, id: number): Promise<Batch> {
  const { lines } = requireRead(await store.listBatches({ page: 1, pageSize: 1, by: null, id }, call.signal))
  const [batch] = lines
  if (batch === undefined) throw new Refused({ code: 'no_such_batch' })
  return batch
}
