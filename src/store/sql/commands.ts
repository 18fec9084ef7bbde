import type { CategoryCommand, Command, CreateCommand, Refusal, RestoreCommand } from '../../record/command.ts'
import { decideCreate, isStale } from '../../record/decide.ts'
import { toChanges } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Outcome } from '../store.ts'
import { change, write } from './change.ts'
import { createCategory, toTitleTaken } from './create-category.ts'
import { toRequestHash } from './idempotency-rows.ts'
import type { Rows } from './rows.ts'
import { undo } from './undo.ts'

/** What a command does, within the writer's transaction. */
export function runCommand(rows: Rows, command: Command, at: Timestamp): Outcome {
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

function create(rows: Rows, command: CreateCommand, at: Timestamp): Outcome {
  const { idempotencyKey: key, author, changes, isRehearsal = false } = command
  const wish = key === undefined ? null : { author: author.name, key, request: toRequestHash(changes) }
  const earlier = wish === null || isRehearsal ? null : rows.idempotency.find(wish, at)
  if (earlier === 'other') return refuse({ code: 'key_reused' })
  if (earlier !== null) return { is: 'repeated', stored: earlier }
  const slug = rows.toSlug(changes.title ?? '')
  const decision = decideCreate(command, { id: isRehearsal ? 0 : rows.nextId(), slug }, at)
  const outcome = write(rows, null, decision, command, null)
  if (wish !== null && outcome.is === 'stored') rows.idempotency.remember(wish, outcome.stored.id, at)
  return outcome
}

const refuse = (refusal: Refusal): Outcome => ({ is: 'refused', refusal })

/** Judged like a PUT of what the record was. */
function restore(rows: Rows, { kind: _, number, ...command }: RestoreCommand, at: Timestamp): Outcome {
  const earlier = rows.versions.find(command.id, number)
  if (earlier === null) return refuse({ code: rows.isErased(command.id) ? 'gone' : 'no_such_record_version' })
  return change(rows, { ...command, kind: 'replace', changes: toChanges(earlier) }, at)
}

/** Every record of a renamed category gets a version that says so, all of them or none. */
function changeCategory(rows: Rows, command: CategoryCommand, at: Timestamp): Outcome {
  const { slug, changes, author, reason } = command
  const category = rows.categories.find(slug)
  if (category === null) return refuse({ code: 'no_such_category' })
  if (isStale(command.precondition ?? {}, category)) return refuse({ code: 'stale' })
  const { title: before } = category.fields
  const { title = before } = changes
  const isRenamed = title !== before
  const taken = isRenamed ? rows.categories.findSlug(title) : null
  if (taken !== null) return refuse(toTitleTaken(taken))
  const rehearsed = { ...category, fields: { ...category.fields, ...changes } }
  if (command.isRehearsal) return { is: 'batch', batch: null, ids: [], category: rehearsed }
  const changed = rows.categories.update(category.id, changes, { at, author: author.name, reason: reason ?? null })
  if (!isRenamed) return { is: 'batch', batch: null, ids: [], category: changed }
  const ids = rows.categories.listRecords(category.id)
  const batch = rows.batches.add({
    kind: 'rename category',
    at,
    author: author.name,
    reason: reason ?? null,
    records: ids.length,
    undoes: null,
    rename: { categoryId: category.id, from: before, to: title },
  })
  for (const id of ids) {
    const wish = reason === undefined ? { author } : { author, reason }
    const outcome = change(
      rows,
      { kind: 'merge', id, precondition: {}, changes: { category: title }, ...wish },
      at,
      batch,
    )
    if (outcome.is !== 'stored') throw new Error(`record ${id} could not be renamed: ${outcome.is}`)
  }
  return { is: 'batch', batch, ids, category: changed }
}
