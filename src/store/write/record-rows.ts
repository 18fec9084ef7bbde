import type { ChangedName } from '../../record/companion/kinds.ts'
import { toVideoUrl } from '../../record/embed.ts'
import { hasAddresses } from '../../record/link/uses.ts'
import type { NameKind } from '../../record/name.ts'
import { type FindingCode, findingCodes, listAffected, parkedBit } from '../../record/quality/finding-codes.ts'
import { toSlug } from '../../record/text/slug.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { type CompanionRows, createCompanionRows } from '../companion/companion-rows.ts'
import type { Database, Value } from '../database.ts'
import { type ChangedListing, createDerived, type Derived, isIndexed } from '../derive/derived-rows.ts'
import { createIgnoreLink } from '../link/link-rows.ts'
import { createLinkRuns, type RunLinkStep } from '../link/link-runs.ts'
import { createLinkUses } from '../link/link-uses.ts'
import { createFoundLookup, type FoundRow } from '../read/findings.ts'
import { memoize } from '../read/memo.ts'
import { createErasedCheck } from '../read/record.ts'
import { createLookup } from '../read/statements.ts'
import { createScheduleRows, type ScheduleRows } from '../schedules.ts'
import { createSessionRows, type SessionRows } from '../sessions.ts'
import type { StoredRecord } from '../store.ts'
import { createEventLimits, type LimitedCategory } from './access-token-rows.ts'
import { type BatchRows, createBatchRows } from './batch/batch-rows.ts'
import { type CategoryRows, createCategoryRows } from './category-rows.ts'
import { createMergedRows, createPairRows, type MergedRows, type PairRows } from './duplicate-rows.ts'
import { createIdempotencyRows, type IdempotencyRows } from './idempotency-rows.ts'
import {
  createDismissalRows,
  createMerges,
  createNameEntries,
  type DismissalRows,
  type Merges,
  type NameEntries,
} from './names/name-entries.ts'
import { createProfileRows, type ProfileRows } from './names/profile-rows.ts'
import { createFreeSlugs } from './slugs.ts'
import {
  createChecksumCheck,
  createVersionRows,
  lastIdSql,
  lastSeqSql,
  type NewVersion,
  type VersionRows,
  type WritableRecord,
  writableColumns,
} from './version-rows.ts'

/** The writer's prepared statements. Call them only within its transaction. */
export interface RecordRows {
  read(id: number): Promise<WritableRecord | null>
  /** The existing records among up to `maxLookup` ids, in any order. */
  readMany(ids: readonly number[]): Promise<WritableRecord[]>
  /** Whether a record with this id was erased. */
  isErased(id: number): Promise<boolean>
  /** The slug of the title, with a number if it is taken. */
  findFreeSlug(title: string): Promise<string>
  isSlugFree(slug: string): Promise<boolean>
  /** The first record that has this video as its source, without drafts that were set aside; null if none has. */
  findBySourceUrl(url: string): Promise<number | null>
  findNextId(): Promise<number>
  /** Writes the record, its version, everything derived from it, and versions of its companions. */
  store(version: NewVersion): Promise<StoredRecord>
  /** As `store`, for changes of many records; then call `updateTokens` for each of them. */
  storeChanged(versions: readonly NewVersion[]): Promise<void>
  readonly updateTokens: Derived['updateTokens']
  /** As `store`, for many new records. */
  storeNew(versions: readonly NewVersion[]): Promise<void>
  useToken(id: number, at: Timestamp): void
  /** The events that a token is limited to. */
  listEvents(tokenId: number): Promise<readonly LimitedCategory[]>
  readonly versions: Omit<VersionRows, 'save' | 'saveNew' | 'addCompanion'>
  readonly batches: BatchRows
  readonly categories: CategoryRows
  readonly names: { readonly [K in NameKind]: NameEntries }
  readonly profiles: ProfileRows
  readonly categoryMerges: Merges
  readonly dismissals: DismissalRows
  readonly merged: MergedRows
  readonly pairs: PairRows
  readonly accepted: AcceptedRows
  readonly idempotency: IdempotencyRows
  readonly sessions: SessionRows
  readonly schedules: ScheduleRows
  readonly runLinkStep: RunLinkStep
  readonly ignoreLink: ReturnType<typeof createIgnoreLink>
  readonly companions: Pick<CompanionRows, 'find' | 'findAll' | 'listTranscripts'>
  /** Runs in a savepoint, which is rolled back if the result is not to be kept. */
  tryInSavepoint<Result>(work: () => Promise<{ readonly result: Result; readonly isKept: boolean }>): Promise<Result>
  /** Seq of the last change in the store. */
  readLastSeq(): Promise<number>
  /** Call after a rollback: cached slugs may be wrong. */
  forget(): void
}

export function createRecordRows(db: Database): RecordRows {
  const findRecord = db.query<WritableRecord, [number]>(`SELECT ${writableColumns} FROM record WHERE id = ?`)
  const check = createChecksumCheck()
  // Otherwise a change would give damaged bytes a new version with a valid checksum (decision 36).
  const read = async (id: number) => check(await findRecord.get(id))
  const findMany = createLookup<WritableRecord, number>(
    db,
    (ids) => `SELECT ${writableColumns} FROM record WHERE id IN ${ids}`,
  )
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const findSlug = db.query<{ id: number }, [string]>('SELECT id FROM record WHERE slug = ?')
  const findLastId = db.query<{ id: number | null }, []>(lastIdSql)
  const useToken = db.query<null, [Timestamp, number]>('UPDATE token SET last_used = ? WHERE id = ?')
  const findVideo = db.query<{ id: number | null }, [string]>(
    `SELECT min(id) AS id FROM listing WHERE source_url = ? AND source_url <> ''
     AND NOT (state = 2 AND (quality & ${parkedBit}) <> 0)`,
  )
  const slugs = createFreeSlugs(async (slug) => (await findSlug.get(slug)) !== null)
  const categories = createCategoryRows(db)
  const versions = createVersionRows(db)
  const derived = createDerived(db)
  const accepted = createAcceptedRows(db)
  const schedules = createScheduleRows(db)
  const companions = createCompanionRows(db)
  const links = createLinkUses(db)

  /** A version of the record, if it changes, and one of each companion that does. */
  function saveVersions(next: NewVersion): StoredRecord {
    const { before, companions: changes = [] } = next
    let last = before === null || isOwnVersion(next) ? versions.save(next) : before
    // Those of a new record came with it.
    if (before === null) companions.saveFirst([{ id: last.id, companions: changes }])
    else
      for (const change of changes) {
        last = versions.addCompanion(last, change.name, next.record.updated, next)
        companions.save(last.id, last.versions, true, change)
      }
    const { versions: _, ...stored } = last
    return stored
  }

  /** Looks each category up once. */
  async function ensureCategories(all: readonly NewVersion[]): Promise<ChangedListing[]> {
    const [first] = all
    if (first === undefined) return []
    const ensureCategoryId = memoize((title: string) => categories.ensureCategory(title, toAuthorship(first)))
    const listed: ChangedListing[] = []
    for (const { record, author, changed } of all)
      listed.push({ record, author, changed, categoryId: await ensureCategoryId(record.category) })
    return listed
  }

  function endAccepted({ record, changed, companions: changes = [] }: NewVersion): void {
    accepted.end(record.id, [...changed, ...changes.map(({ name }) => name)])
  }

  /** A change of the state takes a schedule back. */
  function endSchedule({ record, before }: NewVersion): void {
    if (before !== null && before.state !== record.state) schedules.remove(record.id)
  }

  /** After `saveVersions`: reads the companions. */
  async function updateLinks(all: readonly NewVersion[]): Promise<void> {
    const moved = all.filter(
      ({ changed, companions: changes = [] }) =>
        changed.some(hasAddresses) || changes.some(({ name }) => hasAddresses(name)),
    )
    if (moved.length > 0) await links.update(moved.map(({ record }) => record))
  }

  return {
    read,
    async readMany(ids) {
      const found = await findMany(ids)
      for (const record of found) check(record)
      return found
    },
    isErased: createErasedCheck(db),
    tryInSavepoint: (work) => tryInSavepoint(db, work),
    readLastSeq: async () => (await findLastSeq.get())?.seq ?? 0,
    findFreeSlug: (title) => slugs.findFree(toSlug(title)),
    findBySourceUrl: async (url) => (await findVideo.get(toVideoUrl(url)))?.id ?? null,
    isSlugFree: async (slug) => (await findSlug.get(slug)) === null,
    forget() {
      slugs.forget()
      categories.forget()
    },
    findNextId: async () => ((await findLastId.get())?.id ?? 0) + 1,
    useToken: (id, at) => useToken.send(at, id),
    listEvents: createEventLimits(db),
    versions,
    batches: createBatchRows(db),
    categories,
    names: { speaker: createNameEntries(db, 'speaker'), tag: createNameEntries(db, 'tag') },
    profiles: createProfileRows(db),
    categoryMerges: createMerges(db, 'category'),
    dismissals: createDismissalRows(db),
    merged: createMergedRows(db),
    pairs: createPairRows(db),
    accepted,
    idempotency: createIdempotencyRows(db, read),
    sessions: createSessionRows(db),
    schedules,
    runLinkStep: createLinkRuns(db),
    companions,
    ignoreLink: createIgnoreLink(db),
    async store(next) {
      if (!isOwnVersion(next)) {
        const last = saveVersions(next)
        endAccepted(next)
        await updateLinks([next])
        return last
      }
      // The other columns of the listing do not depend on the category, and texts change most often.
      const isListed = next.before === null || next.changed.some(isIndexed)
      const categoryId = isListed ? await categories.ensureCategory(next.record.category, toAuthorship(next)) : 0
      const stored = saveVersions(next)
      endSchedule(next)
      const listed = { record: next.record, categoryId, author: next.author, changed: next.changed }
      if (next.before === null) {
        await derived.insert([listed])
        await links.insert([toNewUses(next)])
      } else {
        endAccepted(next)
        await derived.update(listed)
        await updateLinks([next])
      }
      return stored
    },
    async storeChanged(all) {
      const own = all.filter(isOwnVersion)
      const listed = await ensureCategories(own)
      for (const next of all) saveVersions(next)
      for (const next of own) endSchedule(next)
      for (const next of all) endAccepted(next)
      await derived.updateLists(listed)
      await updateLinks(all)
    },
    updateTokens: derived.updateTokens,
    async storeNew(all) {
      const listed = await ensureCategories(all)
      await versions.saveNew(all)
      companions.saveFirst(all.map(({ record, companions: changes = [] }) => ({ id: record.id, companions: changes })))
      await derived.insert(listed)
      await links.insert(all.map(toNewUses))
    },
  }
}

async function tryInSavepoint<Result>(
  db: Database,
  work: () => Promise<{ readonly result: Result; readonly isKept: boolean }>,
): Promise<Result> {
  const outcome: { tried: Awaited<ReturnType<typeof work>> | null } = { tried: null }
  try {
    await db.savepoint(async () => {
      outcome.tried = await work()
      if (!outcome.tried.isKept) throw new NotKept()
    })
  } catch (error) {
    if (!(error instanceof NotKept)) throw error
  }
  if (outcome.tried === null) throw new Error('a savepoint ended without a result')
  return outcome.tried.result
}

class NotKept extends Error {}

/** Otherwise only companions of the record change. */
const isOwnVersion = ({ before, changed }: NewVersion) => before === null || changed.length > 0

const toNewUses = ({ record, companions = [] }: NewVersion) => ({ record, companions })

const toAuthorship = ({ record, author, reason }: NewVersion) => ({ at: record.updated, author, reason })

/** Findings that somebody has called fine as they are, and those that are hidden for all (decision 88). */
interface AcceptedRows {
  /** What is found in the existing records among up to `maxLookup` ids, accepted or not. */
  lookUp(ids: readonly number[]): Promise<readonly FoundRow[]>
  /** Ids of the records, ascending. */
  listMade(code: FindingCode, author: string, at: Timestamp): Promise<readonly number[]>
  insert(id: number, code: FindingCode, author: string, at: Timestamp): void
  remove(id: number, code: FindingCode): void
  /** Ends acceptances that depend on a field or companion that has changed. */
  end(id: number, changed: readonly ChangedName[]): void
  hide(code: FindingCode, author: string, at: Timestamp): Promise<boolean>
  /** Whether it was hidden. */
  show(code: FindingCode): Promise<boolean>
}

function createAcceptedRows(db: Database): AcceptedRows {
  const listMade = db.query<{ id: number }, [string, string, Timestamp]>(
    'SELECT record_id AS id FROM accepted_finding WHERE code = ? AND author = ? AND at = ? ORDER BY record_id',
  )
  const insert = db.query<null, [number, string, string, Timestamp]>(
    'INSERT INTO accepted_finding (record_id, code, author, at) VALUES (?, ?, ?, ?)',
  )
  const remove = db.query<null, [number, string]>('DELETE FROM accepted_finding WHERE record_id = ? AND code = ?')
  // One statement for any number of codes: every change of a record comes through here.
  const removeSome = db.query<null, Value[]>(
    `DELETE FROM accepted_finding WHERE record_id = ? AND code IN (${findingCodes.map(() => '?').join(', ')})`,
  )
  const hide = db.query<null, [string, string, Timestamp]>(
    'INSERT INTO hidden_finding (code, author, at) VALUES (?, ?, ?) ON CONFLICT (code) DO NOTHING',
  )
  const show = db.query<null, [string]>('DELETE FROM hidden_finding WHERE code = ?')
  return {
    lookUp: createFoundLookup(db),
    listMade: async (code, author, at) => (await listMade.all(code, author, at)).map(({ id }) => id),
    insert: (id, code, author, at) => insert.send(id, code, author, at),
    remove: (id, code) => remove.send(id, code),
    end(id, changed) {
      const codes: readonly string[] = listAffected(changed)
      if (codes.length > 0) removeSome.send(id, ...findingCodes.map((_, i) => codes[i] ?? ''))
    },
    hide: async (code, author, at) => (await hide.run(code, author, at)).changes > 0,
    show: async (code) => (await show.run(code)).changes > 0,
  }
}
