import type { StopCommand } from '../record/command.ts'
import { type Author, mayStop } from '../record/role.ts'
import type { Store } from '../store/store.ts'
import { attempt, type Batch, type WriteDeps } from './execute.ts'
import { Refused, requireRead, toWriteFailure } from './problem.ts'
import type { HttpCall } from './route.ts'

/** If stopping takes longer, the answer is the batch as it is then. */
const answerAfterMs = 4_000

interface StopDeps extends WriteDeps {
  readonly store: Pick<Store, 'execute' | 'listBatches'>
}

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
  if (!mayStop(author, found.by)) throw new Refused({ code: 'not_your_batch' })
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

async function readBatch({ store }: StopDeps, call: HttpCall, id: number): Promise<Batch> {
  const { lines } = requireRead(await store.listBatches({ page: 1, pageSize: 1, by: null, id }, call.signal))
  const [batch] = lines
  if (batch === undefined) throw new Refused({ code: 'no_such_batch' })
  return batch
}
