import type { CategoryCommand, Command, CreateCommand, Refusal, RestoreCommand } from '../../record/command.ts'
import { decideCreate, isStale } from '../../record/decide.ts'
import { toChanges } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Outcome } from '../store.ts'
import type { CategoryRename } from './batch/batch-rows.ts'
import { renameCategory } from './batch/rename-category.ts'
import { type Begun, toRunning, undo } from './batch/undo.ts'
import { change, write } from './change.ts'
import { createCategory, toTitleTaken } from './create-category.ts'
import { toRequestHash } from './idempotency-rows.ts'
import type { RecordRows } from './record-rows.ts'

/** What a command does, within the writer's transaction. */
export function runCommand(rows: RecordRows, command: Command, at: Timestamp): Outcome | Begun {
  switch (command.kind) {
    case 'create':
      return create(rows, command, at)
    case 'create category':
      return createCategory(rows, command, at)
    case 'category':
      return changeCategory(rows, command, at)
    case 'restore':
      return restore(rows, command, at)
    case 'undo':
      return undo(rows, command, at)
    default:
      return change(rows, command, at)
  }
}

function create(rows: RecordRows, command: CreateCommand, at: Timestamp): Outcome {
  const { idempotencyKey: key, author, changes, isDryRun = false } = command
  const wish = key === undefined ? null : { author: author.name, key, request: toRequestHash(changes) }
  const earlier = wish === null || isDryRun ? null : rows.idempotency.find(wish, at)
  const asBatch = wish === null ? null : rows.batches.findByKey(wish.author, { key: wish.key, request: '' }, at)
  if (earlier === 'other' || asBatch !== null) return refuse({ code: 'key_reused' })
  if (earlier !== null) return { is: 'repeated', stored: earlier }
  const slug = rows.toSlug(changes.title ?? '')
  const decision = decideCreate(command, { id: isDryRun ? 0 : rows.nextId(), slug }, at)
  const outcome = write(rows, null, decision, command, null)
  if (wish !== null && outcome.is === 'stored') rows.idempotency.remember(wish, outcome.stored.id, at)
  return outcome
}

const refuse = (refusal: Refusal): Outcome => ({ is: 'refused', refusal })

/** Judged like a PUT of what the record was. */
function restore(rows: RecordRows, { kind: _, number, ...command }: RestoreCommand, at: Timestamp): Outcome {
  const earlier = rows.versions.find(command.id, number)
  if (earlier === null) return refuse({ code: rows.isErased(command.id) ? 'gone' : 'no_such_record_version' })
  return change(rows, { ...command, kind: 'replace', changes: toChanges(earlier) }, at)
}

function changeCategory(rows: RecordRows, command: CategoryCommand, at: Timestamp): Outcome | Begun {
  const { slug, changes } = command
  const category = rows.categories.find(slug)
  if (category === null) return refuse({ code: 'no_such_category' })
  if (isStale(command.precondition ?? {}, category)) return refuse({ code: 'stale' })
  const { title: before } = category.fields
  const { title = before } = changes
  const isRenamed = title !== before
  const running = rows.batches.findRunningRename(category.id, before)
  if (running !== null && (isRenamed || running.to === before)) return refuse(toRunning(running.id))
  const rename = { categoryId: category.id, from: before, to: title }
  const taken = isRenamed ? findTaken(rows, rename) : null
  if (taken !== null) return refuse(toTitleTaken(taken))
  const dryRun = { ...category, fields: { ...category.fields, ...changes } }
  if (command.isDryRun) return { is: 'batch', batch: null, ids: [], category: dryRun }
  if (isRenamed) return renameCategory(rows, command, rename, at)
  const deed = { at, author: command.author.name, reason: command.reason ?? null }
  return { is: 'batch', batch: null, ids: [], category: rows.categories.update(category.id, changes, deed) }
}

/** A category that a stopped rename has made for its own title, and nobody wrote to, does not stand in its way. */
function findTaken(rows: RecordRows, rename: CategoryRename): string | null {
  const slug = rows.categories.findSlug(rename.to)
  const making = rows.categories.findMaking(rename.to)
  const isItsOwn = making !== null && rows.batches.hasMade(rename, making)
  return isItsOwn && rows.batches.findStoppedRename(rename) !== null ? null : slug
}
