import {
  type BatchCommand,
  type ChangeCommand,
  type Command,
  type CompanionCommand,
  type CreateCommand,
  type DismissCommand,
  type FindingCommand,
  type LinkCommand,
  outsideEvent,
  publisherRequired,
  type Refusal,
  type RestoreCommand,
  type StopCommand,
} from '../../record/command.ts'
import type { ParsedCompanion } from '../../record/companion/companion.ts'
import { type CompanionChange, type CompanionName, toKind } from '../../record/companion/kinds.ts'
import { findTaggedNumber, isStaleCompanion, mergeCompanion, toCompanionTag } from '../../record/companion/version.ts'
import { type Decision, decide, decideCreate, toUpdated } from '../../record/decide.ts'
import { isSameJson, type JsonObject } from '../../record/json.ts'
import { fromBody, toBody, toChanges, type VideoRecord } from '../../record/record.ts'
import { hasRole, isOutside, mayStop } from '../../record/role.ts'
import { live } from '../../record/state.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { createDismissedTest } from '../../record/variants/variant.ts'
import type { CompanionContent } from '../companion/companion-rows.ts'
import { toChunks } from '../read/statements.ts'
import type { Outcome } from '../store.ts'
import { findEarlier, rememberNoBatch, toBatchKey } from './batch/batch-keys.ts'
import { refuseCommand } from './batch/plan.ts'
import { toRequestHash } from './idempotency-rows.ts'
import { addCategory } from './names/categories.ts'
import { publishDue, schedulePublish } from './publish-later.ts'
import type { RecordRows } from './record-rows.ts'
import type { NewVersion, WritableRecord } from './version-rows.ts'

/** A command that makes no batch. */
export type PlainCommand = Exclude<Command, BatchCommand | FindingCommand>

/** Runs a command within the writer's transaction. */
export function runCommand(rows: RecordRows, command: PlainCommand, at: Timestamp): Promise<Outcome> {
  switch (command.kind) {
    case 'create':
      return create(rows, command, at)
    case 'create category':
      return addCategory(rows, command, at)
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
    case 'set companion':
      return setCompanion(rows, command, at)
    case 'ignore link':
      return rows.ignoreLink(command, at)
    case 'schedule publish':
      return schedulePublish(rows, command, at)
    case 'check links':
      return runLinkStep(rows, command, at)
    case 'publish due':
      return publishDue(rows, at, change)
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
  if (earlier === 'other' || asBatch !== null) return refuseCommand({ code: 'key_reused' })
  if (earlier !== null) return { is: 'repeated', stored: earlier }
  const slug = await rows.findFreeSlug(changes.title ?? '')
  const decision = decideCreate(command, { id: isDryRun ? 0 : await rows.findNextId(), slug }, at)
  const outcome = await write(rows, null, decision, command)
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
  if (earlier === null)
    return refuseCommand({ code: (await rows.isErased(command.id)) ? 'gone' : 'no_such_record_version' })
  return change(rows, { ...command, kind: 'replace', changes: toChanges(earlier) }, at)
}

/**
 * For a batch that waits, or runs in slices on another node: its writer finds it stopped. A running transaction has
 * ended by now, because `Counters.askToStop` was called.
 */
async function stopBatch(rows: RecordRows, { batch: id, author }: StopCommand): Promise<Outcome> {
  const batch = await rows.batches.find(id)
  if (batch === null) return refuseCommand({ code: 'no_such_batch' })
  if (!mayStop(author, batch.author)) return refuseCommand({ code: 'not_your_batch' })
  if (batch.state === 'done') return refuseCommand({ code: 'batch_done' })
  rows.batches.stop(id, null)
  return { is: 'batch', batch: await rows.batches.read(id), ids: [] }
}

/** Changes one record. */
async function change(rows: RecordRows, command: ChangeCommand, at: Timestamp): Promise<Outcome> {
  const stored = await rows.read(command.id)
  if (stored === null)
    return { is: 'refused', refusal: { code: (await rows.isErased(command.id)) ? 'gone' : 'not_found' } }
  const { mergeBase } = command.precondition
  const changedSinceBase = mergeBase === undefined ? null : await rows.versions.listChangedSince(stored.id, mergeBase)
  const current = { record: fromBody(stored.body), versionTag: stored.versionTag, changedSinceBase }
  return write(rows, stored, decide(current, command, at), command)
}

/** Stores an accepted change, unless it is a dry run. `before` is null for a new record. */
async function write(
  rows: RecordRows,
  before: WritableRecord | null,
  decision: Decision,
  command: CreateCommand | ChangeCommand,
): Promise<Outcome> {
  if (decision.is === 'refused') return decision
  if (decision.is === 'accepted') {
    const { record, changed } = decision
    if (command.isDryRun) return { is: 'dry run', body: toBody(record) }
    const { author, reason = null } = command
    return {
      is: 'stored',
      stored: await rows.store({ record, before, changed, author: author.name, reason, batch: null }),
      changed,
    }
  }
  if (before === null) throw new Error('a new record cannot be unchanged')
  const { versions: _, ...stored } = before
  return command.isDryRun ? { is: 'dry run', body: before.body } : { is: 'unchanged', stored }
}

/** Replaces a companion. A precondition is about the companion, not about its record. */
async function setCompanion(rows: RecordRows, command: CompanionCommand, at: Timestamp): Promise<Outcome> {
  const { id, name, author, precondition, reason = null } = command
  const stored = await rows.read(id)
  if (stored === null) return refuseCommand({ code: (await rows.isErased(id)) ? 'gone' : 'not_found' })
  const record = fromBody(stored.body)
  if (stored.state === live && !hasRole(author.role, 'publisher')) return refuseCommand(publisherRequired.toChangeLive)
  if (isOutside(author, record.category)) return refuseCommand(outsideEvent)
  const now = await rows.companions.find(id, name)
  if (isStaleCompanion(precondition, name, now)) return refuseCommand({ code: 'stale' })
  const parsed = await parseCompanion(rows, command, record, now)
  if (parsed === 'stale') return refuseCommand({ code: 'stale' })
  if (!parsed.ok) return refuseCommand({ code: 'bad_fields', errors: parsed.errors })
  const { content } = parsed
  const unknown = command.checksRecords ? await listUnknownRecords(rows, name, content, now.content) : []
  if (unknown.length > 0) return refuseCommand({ code: 'bad_fields', errors: new Map([[name, unknown]]) })
  const isSame = isSameJson(content, now.content)
  if (isSame || command.isDryRun) return { is: 'companion', id, name, ...now, content, wasWritten: false }
  await rows.store(
    toCompanionVersion(stored, record, [{ name, content }], { author: author.name, reason, batch: null }, at),
  )
  return { is: 'companion', id, name, number: stored.versions + 1, content, wasWritten: true }
}

/** Problems of records that a companion begins to name, and that do not exist. One may have been erased since. */
async function listUnknownRecords(rows: RecordRows, name: CompanionName, content: JsonObject, before: JsonObject) {
  const { listRecords } = toKind(name)
  const known = new Set(listRecords(before))
  const problems: string[] = []
  for await (const ids of toChunks(listRecords(content).filter((id) => !known.has(id)))) {
    for (const { id } of await rows.readMany(ids)) known.add(id)
    for (const id of ids) if (!known.has(id)) problems.push(`There is no record with the id ${id}.`)
  }
  return problems
}

/** The content that a command asks for, together with what others have changed since its `mergeBase`. */
async function parseCompanion(
  rows: RecordRows,
  { id, name, body, precondition: { mergeBase } }: CompanionCommand,
  record: VideoRecord,
  now: CompanionContent,
): Promise<ParsedCompanion<JsonObject> | 'stale'> {
  const { parse } = toKind(name)
  if (mergeBase === undefined || mergeBase === toCompanionTag(name, now)) return parse(body, record)
  const number = findTaggedNumber(name, mergeBase)
  const base = number === null ? null : await rows.companions.find(id, name, number)
  if (base === null || toCompanionTag(name, base) !== mergeBase) return 'stale'
  const yours = parse(body, record)
  if (!yours.ok) return yours
  const sides = { base: base.content, theirs: now.content, yours: yours.content }
  const merged = mergeCompanion(name, sides)
  return merged === null || merged.conflicts.length > 0 ? 'stale' : parse(merged.content, record)
}

/** A version of companions alone. */
export function toCompanionVersion(
  before: WritableRecord,
  record: VideoRecord,
  companions: readonly CompanionChange[],
  made: Pick<NewVersion, 'author' | 'reason' | 'batch'>,
  at: Timestamp,
): NewVersion {
  // For its time; the record itself is not written.
  return { before, changed: [], record: toUpdated(record, at), companions, ...made }
}

const runLinkStep = async (rows: RecordRows, { step }: LinkCommand, at: Timestamp): Promise<Outcome> => ({
  is: 'links',
  reply: await rows.runLinkStep(step, at),
})

/** Hides a group of names from the variants, or of records from the duplicates, or shows it again (decisions 54, 86). */
async function dismissVariants(rows: RecordRows, command: DismissCommand, at: Timestamp): Promise<Outcome> {
  const { of, ids, isDismissed, author, isDryRun = false } = command
  const dismissal = { ids, isDismissed }
  const key = toBatchKey(command, ['dismiss variants', of, ids, isDismissed])
  const earlier = key === null ? null : await findEarlier(rows, author.name, key, at)
  if (earlier === 'no batch') return { is: 'dismissal', dismissal, wasWritten: false }
  if (earlier !== null) return refuseCommand({ code: 'key_reused' })
  const unknown = await findUnknown(rows, command)
  if (unknown !== null) return refuseCommand(unknown)
  const wasWritten = !isDryRun && (isDismissed ? await dismiss(rows, command, at) : await showAgain(rows, command))
  rememberNoBatch(rows, author.name, key, at)
  return { is: 'dismissal', dismissal, wasWritten }
}

async function findUnknown(rows: RecordRows, { of, ids }: DismissCommand): Promise<Refusal | null> {
  for (const id of ids) {
    if ((await (of === 'video' ? rows.read(id) : rows.names[of].find(id))) !== null) continue
    const what = of === 'video' ? 'record' : of
    return { code: 'bad_fields', errors: new Map([['ids', [`There is no ${what} with the id ${id}.`]]]) }
  }
  return null
}

/** Whether there was anything to do. */
async function dismiss(rows: RecordRows, { of, ids, author }: DismissCommand, at: Timestamp): Promise<boolean> {
  if (of === 'video') {
    if (await rows.pairs.areDistinct(ids)) return false
    rows.pairs.insert(ids, author.name, at)
    return true
  }
  if (createDismissedTest(await rows.dismissals.list(of))(ids)) return false
  rows.dismissals.insert(of, ids, author.name, at)
  return true
}

/** Removes every dismissal that hides these names: the group may have been larger then. */
async function showAgain(rows: RecordRows, { of, ids }: DismissCommand): Promise<boolean> {
  if (of === 'video') return rows.pairs.remove(ids)
  const hiding = (await rows.dismissals.list(of)).filter((dismissed) => createDismissedTest([dismissed])(ids))
  for (const dismissed of hiding) rows.dismissals.remove(of, dismissed)
  return hiding.length > 0
}
