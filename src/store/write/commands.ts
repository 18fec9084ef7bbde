import type { Command, CreateCommand, RestoreCommand, StopCommand } from '../../record/command.ts'
import { decideCreate } from '../../record/decide.ts'
import { toChanges } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Outcome } from '../store.ts'
import { type BatchCommand, refuse } from './batch/plan.ts'
import { change, write } from './change.ts'
import { toRequestHash } from './idempotency-rows.ts'
import { createCategory } from './names/categories.ts'
import { dismissVariants } from './names/dismiss-variants.ts'
import type { RecordRows } from './record-rows.ts'
import { setLinks } from './set-links.ts'

/** A command that makes no batch. */
export type PlainCommand = Exclude<Command, BatchCommand>

/** Runs a command within the writer's transaction. */
export function runCommand(rows: RecordRows, command: PlainCommand, at: Timestamp): Promise<Outcome> {
  switch (command.kind) {
    case 'create':
      return create(rows, command, at)
    case 'create category':
      return createCategory(rows, command, at)
    case 'restore':
      return restore(rows, command, at)
    case 'dismiss variants':
      return dismissVariants(rows, command, at)
    case 'stop batch':
      return stopBatch(rows, command)
    case 'open session':
    case 'end session':
    case 'end other sessions':
      return rows.sessions.run(command, at)
    case 'set links':
      return setLinks(rows, command, at)
    default:
      return change(rows, command, at)
  }
}

async function create(rows: RecordRows, command: CreateCommand, at: Timestamp): Promise<Outcome> {
  const { idempotencyKey: key, author, changes, isDryRun = false } = command
  const request = key === undefined ? null : { author: author.name, key, request: toRequestHash(changes) }
  const earlier = request === null || isDryRun ? null : await rows.idempotency.find(request, at)
  const asBatch =
    request === null ? null : await rows.batches.findByKey(request.author, { key: request.key, request: '' }, at)
  if (earlier === 'other' || asBatch !== null) return refuse({ code: 'key_reused' })
  if (earlier !== null) return { is: 'repeated', stored: earlier }
  const slug = await rows.findFreeSlug(changes.title ?? '')
  const decision = decideCreate(command, { id: isDryRun ? 0 : await rows.findNextId(), slug }, at)
  const outcome = await write(rows, null, decision, command, null)
  if (request !== null && outcome.is === 'stored') rows.idempotency.remember(request, outcome.stored.id, at)
  return outcome
}

/** Decided like a PUT of the earlier version. */
async function restore(
  rows: RecordRows,
  { kind: _, number, ...command }: RestoreCommand,
  at: Timestamp,
): Promise<Outcome> {
  const earlier = await rows.versions.find(command.id, number)
  if (earlier === null) return refuse({ code: (await rows.isErased(command.id)) ? 'gone' : 'no_such_record_version' })
  return change(rows, { ...command, kind: 'replace', changes: toChanges(earlier) }, at)
}

/**
 * For a batch that waits, or goes in slices on another node: its writer finds it stopped. The transaction of a running one
 * has ended by now, because it was asked to (`Counters.askToStop`).
 */
async function stopBatch(rows: RecordRows, { batch: id, author }: StopCommand): Promise<Outcome> {
  const batch = await rows.batches.find(id)
  if (batch === null) return refuse({ code: 'no_such_batch' })
  if (author.role !== 'admin' && author.name !== batch.author) return refuse({ code: 'not_your_batch' })
  if (batch.state === 'done') return refuse({ code: 'batch_done' })
  rows.batches.stop(id, null)
  return { is: 'batch', batch: await rows.batches.read(id), ids: [] }
}
