import type { Database } from 'bun:sqlite'
import type { CategoryCommand, ChangeCommand, Command, CreateCommand } from '../../record/command.ts'
import { type Decision, decide, decideCreate } from '../../record/decide.ts'
import { fromBody, toBody } from '../../record/json-body.ts'
import { type Timestamp, toTimestamp } from '../../record/timestamp.ts'
import type { Failure, Outcome, StoredRecord } from '../store.ts'
import { createRows, type Rows } from './rows.ts'

export interface Writer {
  /**
   * Runs the commands as one group: one transaction, one fsync, an outcome for each of those that there was time for,
   * which are the first ones. `busy` when another process holds the file: nothing was done, try again.
   */
  run(commands: readonly Command[], usedTokens: ReadonlySet<number>): readonly Outcome[] | 'busy'
  /** Whether another process has changed the file since the last call. */
  hasForeignChange(): boolean
  close(): void
}

export interface WriterNeeds {
  readonly db: Database
  now(): number
  /** Told of errors that no outcome can carry: bugs, a broken disk. */
  onError(error: unknown): void
}

/** Readers of the group before wait for no longer than this, whatever a group consists of. */
const maxGroupMs = 50

export function createWriter({ db, now, onError }: WriterNeeds): Writer {
  const rows = createRows(db)
  const dataVersion = db.query<{ data_version: number }, []>('PRAGMA data_version')
  const readDataVersion = () => dataVersion.get()?.data_version ?? 0
  let seen = readDataVersion()

  function run(commands: readonly Command[], usedTokens: ReadonlySet<number>): readonly Outcome[] | 'busy' {
    const at = toTimestamp(now())
    try {
      if (!begin(db)) return 'busy'
      const outcomes = runSome(commands, at)
      for (const id of usedTokens) rows.useToken(id, at)
      return commit(db, rows, outcomes, onError)
    } catch (error) {
      onError(error)
      rows.forget()
      if (db.inTransaction) db.run('ROLLBACK')
      return failAll(commands, toFailure(error, 'down'))
    }
  }

  /** As many as the time of a group allows, and at least one. */
  function runSome(commands: readonly Command[], at: Timestamp): Outcome[] {
    const outcomes: Outcome[] = []
    const until = performance.now() + maxGroupMs
    for (const command of commands) {
      if (outcomes.length > 0 && performance.now() > until) break
      outcomes.push(runOne(command, at))
    }
    return outcomes
  }

  function runOne(command: Command, at: Timestamp): Outcome {
    db.run('SAVEPOINT command')
    try {
      const outcome = runCommand(rows, command, at)
      db.run('RELEASE command')
      return outcome
    } catch (error) {
      // SQLite may have given up the whole transaction (disk full); then the group fails, not just this command.
      if (isDriverError(error) || !db.inTransaction) throw error
      onError(error)
      rows.forget()
      db.run('ROLLBACK TO command')
      db.run('RELEASE command')
      return { is: 'failed', failure: 'bug' }
    }
  }

  function hasForeignChange(): boolean {
    const version = readDataVersion()
    const isForeign = version !== seen
    seen = version
    return isForeign
  }

  return { run, hasForeignChange, close: () => closeDatabase(db) }
}

function begin(db: Database): boolean {
  try {
    db.run('BEGIN IMMEDIATE')
    return true
  } catch (error) {
    if (isDriverError(error) && error.code.startsWith('SQLITE_BUSY')) return false
    throw error
  }
}

function commit(
  db: Database,
  rows: Rows,
  outcomes: readonly Outcome[],
  onError: (error: unknown) => void,
): readonly Outcome[] {
  try {
    db.run('COMMIT')
    return outcomes
  } catch (error) {
    onError(error)
    rows.forget()
    if (db.inTransaction) db.run('ROLLBACK')
    return failAll(outcomes, toFailure(error, 'unknown'))
  }
}

const failAll = (group: readonly unknown[], failure: Failure): Outcome[] => group.map(() => ({ is: 'failed', failure }))

function toFailure(error: unknown, otherwise: Failure): Failure {
  return isDriverError(error) && error.code === 'SQLITE_FULL' ? 'full' : otherwise
}

function isDriverError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
}

function runCommand(rows: Rows, command: Command, at: Timestamp): Outcome {
  switch (command.kind) {
    case 'create':
      return create(rows, command, at)
    case 'category':
      return changeCategory(rows, command, at)
    default:
      return change(rows, command, at)
  }
}

function create(rows: Rows, command: CreateCommand, at: Timestamp): Outcome {
  const { idempotencyKey: key, author, changes, isRehearsal = false } = command
  const wish = key === undefined ? null : { author: author.name, key, request: toHash(changes) }
  const earlier = wish === null || isRehearsal ? null : rows.idempotency.find(wish, at)
  if (earlier === 'other') return { is: 'refused', refusal: { code: 'key_reused' } }
  if (earlier !== null) return { is: 'repeated', stored: earlier }
  const slug = rows.toSlug(changes.title ?? '')
  const decision = decideCreate(command, { id: isRehearsal ? 0 : rows.nextId(), slug }, at)
  const outcome = write(rows, null, decision, command, at)
  if (wish !== null && outcome.is === 'stored') rows.idempotency.remember(wish, outcome.stored.id, at)
  return outcome
}

const toHash = (value: unknown) => new Bun.CryptoHasher('sha256').update(JSON.stringify(value)).digest()

function change(rows: Rows, command: ChangeCommand, at: Timestamp): Outcome {
  const stored = rows.read(command.id)
  const current = stored === null ? null : { record: fromBody(stored.body), mark: stored.mark }
  return write(rows, stored, decide(current, command, at), command, at)
}

type RecordCommand = CreateCommand | ChangeCommand

function write(
  rows: Rows,
  before: StoredRecord | null,
  decision: Decision,
  command: RecordCommand,
  at: Timestamp,
  batch: number | null = null,
): Outcome {
  if (decision.is === 'refused') return decision
  if (decision.is === 'accepted') {
    const { record, changed } = decision
    if (command.isRehearsal) return { is: 'rehearsed', body: toBody(record) }
    const version = (before?.version ?? 0) + 1
    const stored = rows.store({ record, version, changed, author: command.author.name, batch, at })
    return { is: 'stored', stored, changed }
  }
  if (before === null) throw new Error('only what exists can stay unchanged')
  return command.isRehearsal ? { is: 'rehearsed', body: before.body } : { is: 'unchanged', stored: before }
}

/** Every record of a renamed category gets a version that says so, all of them or none. */
function changeCategory(rows: Rows, command: CategoryCommand, at: Timestamp): Outcome {
  const { slug, changes, author } = command
  const category = rows.categories.find(slug)
  if (category === null) return { is: 'refused', refusal: { code: 'no_such_category' } }
  const { title = category.title } = changes
  const isRenamed = title !== category.title
  if (isRenamed && rows.categories.isTitleTaken(title)) return { is: 'refused', refusal: { code: 'title_taken' } }
  rows.categories.update(category.id, changes)
  if (!isRenamed) return { is: 'batch', batch: null, ids: [] }
  const ids = rows.categories.listRecords(category.id)
  const batch = rows.addBatch({ kind: 'rename category', at, author: author.name, records: ids.length })
  for (const id of ids) rename(rows, id, command, title, batch, at)
  return { is: 'batch', batch, ids }
}

function rename(
  rows: Rows,
  id: number,
  { author }: CategoryCommand,
  category: string,
  batch: number,
  at: Timestamp,
): void {
  const stored = rows.read(id)
  if (stored === null) throw new Error(`record ${id} is in the lists, but is not there`)
  const command: ChangeCommand = { kind: 'merge', id, author, precondition: {}, changes: { category } }
  const decision = decide({ record: fromBody(stored.body), mark: stored.mark }, command, at)
  const outcome = write(rows, stored, decision, command, at, batch)
  if (outcome.is !== 'stored') throw new Error(`record ${id} could not be renamed: ${outcome.is}`)
}

/** Brings the log into the file, so that a copied file is whole; fails while others read, which does no harm. */
function closeDatabase(db: Database): void {
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
