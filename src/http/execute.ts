import type { Command, Refusal, StopCommand } from '../record/command.ts'
import { type Author, mayStop } from '../record/role.ts'
import type { Failure, Outcome, Store } from '../store/store.ts'
import type { LogFields, Logger } from './logger.ts'
import { type Problem, Refused, requireRead, toWriteFailure } from './problem.ts'
import type { Call, HttpCall } from './route.ts'

export interface WriteDeps {
  readonly store: Pick<Store, 'execute'>
  readonly log: Logger
}

type Done = Exclude<Outcome, { is: 'refused' | 'failed' }>

const reported: readonly Failure[] = ['down', 'full', 'newer_schema', 'unconfirmed']

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/**
 * Sends a command to the writer, unless the client has disconnected. Bun calls the handler before it parses the bytes
 * after the body. By the next turn it has; if they are not a request, it has answered 400 and closed the connection
 * (decision 35).
 */
async function attempt({ store, log }: WriteDeps, call: HttpCall, command: Command): Promise<Outcome> {
  await nextTurn()
  if (call.signal.aborted) throw new Refused({ code: 'cut_off' })
  const outcome = await store.execute(command)
  // The thread that noticed one of those has reported it; nothing was changed.
  if (outcome.is === 'failed' && !reported.includes(outcome.failure)) {
    const { failure } = outcome
    log.warn('write failed', { kind: command.kind, by: command.author.name, failure, requestId: call.requestId() })
  }
  return outcome
}

/** A command that the store refused, or failed to carry out. */
export interface RefusedCommand {
  readonly is: 'refused'
  readonly problem: Problem
}

/** The same, with one kind of refusal: for pages that keep what was typed. */
export async function tryExecute(deps: WriteDeps, call: HttpCall, command: Command): Promise<Done | RefusedCommand> {
  const outcome = await attempt(deps, call, command)
  if (outcome.is === 'refused') return { is: 'refused', problem: outcome.refusal }
  return outcome.is === 'failed' ? { is: 'refused', problem: toWriteFailure(outcome.failure) } : outcome
}

type Explain = (refusal: Refusal) => Promise<Problem>

/** The same, for a command that has to succeed: refuses the request if the store refuses the command or fails. */
export async function execute(
  deps: WriteDeps,
  call: HttpCall,
  command: Command,
  explain: Explain = async (refusal) => refusal,
): Promise<Done> {
  const outcome = await attempt(deps, call, command)
  if (outcome.is === 'refused') throw new Refused(await explain(outcome.refusal))
  if (outcome.is === 'failed') throw new Refused(toWriteFailure(outcome.failure))
  return outcome
}

type DoneAs<Is extends Done['is']> = Extract<Done, { is: Is }>

/** The same, for a command that can only be done in one way. */
export async function executeAs<Is extends Done['is']>(
  is: Is,
  deps: WriteDeps,
  call: HttpCall,
  command: Command,
  explain?: Explain,
): Promise<DoneAs<Is>> {
  return requireDone(is, command, await execute(deps, call, command, explain))
}

/** The writer answers a command of each kind in its own way. Anything else is a bug. */
export function requireDone<Is extends Done['is']>(is: Is, { kind }: Command, done: Done): DoneAs<Is> {
  if (done.is !== is) throw new Error(`the command ${kind} had the outcome ${done.is}`)
  // Compared above.
  return done as DoneAs<Is>
}

/** The same, for a command that makes a batch. */
export async function executeBatch(deps: WriteDeps, call: HttpCall, command: Command, explain?: Explain) {
  const { batch, ...more } = await executeAs('batch', deps, call, command, explain)
  if (batch === null) throw new Error(`the command ${command.kind} made no batch`)
  return { ...more, batch }
}

type Stored = DoneAs<'stored'>

/** Logs a change to one record. */
export function logWrite(log: Logger, call: Call, command: Command, { stored, changed }: Stored): void {
  const { kind, author } = command
  const fields = kind === 'create' ? undefined : changed
  const { id, version } = stored
  log.info('write', { kind, id, version, by: author.name, fields, requestId: call.requestId() })
}

/** Logs a batch that was requested through the API or by a form. */
export function logBatch(log: Logger, call: Call, { kind, id, undoes, state, changed, by }: Batch): void {
  log.info('write', { kind, batch: id, undoes, state, by, records: changed, requestId: call.requestId() })
}

/** Logs any other change. */
export function logChange({ log }: Pick<WriteDeps, 'log'>, call: Call, by: string, change: LogFields): void {
  log.info('write', { ...change, by, requestId: call.requestId() })
}

type Batch = NonNullable<Extract<Outcome, { is: 'batch' }>['batch']>

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
