import { toSlug } from '../../record/text/slug.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { createDerived, type NewListing } from '../derive/derived.ts'
import { createErasedCheck, readerSql } from '../read/item.ts'
import { memoize } from '../read/memo.ts'
import { createChecksumCheck } from '../read/record-check.ts'
import type { StoredRecord } from '../store.ts'
import { type BatchRows, createBatchRows } from './batch/batch-rows.ts'
import { type CategoryRows, createCategoryRows } from './category-rows.ts'
import { createFreeSlugs } from './free-slug.ts'
import { createIdempotencyRows, type IdempotencyRows } from './idempotency-rows.ts'
import { lastIdSql } from './sequence-sql.ts'
import { createVersionRows, type NewVersion, type VersionRows } from './version-rows.ts'

/** The writer's prepared statements. Call them only within its transaction. */
export interface RecordRows {
  read(id: number): Promise<StoredRecord | null>
  /** Whether a record with this id was erased. */
  isErased(id: number): Promise<boolean>
  /** The slug of the title, with a number if it is taken. */
  findFreeSlug(title: string): Promise<string>
  isSlugFree(slug: string): Promise<boolean>
  findNextId(): Promise<number>
  /** Writes the record, its version, and everything derived from it. */
  store(version: NewVersion): Promise<StoredRecord>
  /** As `store`, for many new records at once. */
  storeNew(versions: readonly NewVersion[]): Promise<void>
  useToken(id: number, at: Timestamp): void
  readonly versions: Pick<VersionRows, 'find' | 'findStep' | 'listChangedSince'>
  readonly batches: BatchRows
  readonly categories: CategoryRows
  readonly idempotency: IdempotencyRows
  /** Call after a rollback: cached slugs may be wrong. */
  forget(): void
}

export function createRecordRows(db: Database): RecordRows {
  const findRecord = db.query<StoredRecord, [number]>(readerSql.record)
  const check = createChecksumCheck()
  // Otherwise a change would give damaged bytes a new version with a valid checksum (ADR 36).
  const read = async (id: number) => check(await findRecord.get(id))
  const findSlug = db.query<{ id: number }, [string]>('SELECT id FROM record WHERE slug = ?')
  const findLastId = db.query<{ id: number | null }, []>(lastIdSql)
  const useToken = db.query<null, [Timestamp, number]>('UPDATE token SET last_used = ? WHERE id = ?')
  const slugs = createFreeSlugs(async (slug) => (await findSlug.get(slug)) !== null)
  const categories = createCategoryRows(db)
  const versions = createVersionRows(db)
  const derived = createDerived(db)

  return {
    read,
    isErased: createErasedCheck(db),
    findFreeSlug: (title) => slugs.findFree(toSlug(title)),
    isSlugFree: async (slug) => (await findSlug.get(slug)) === null,
    forget() {
      slugs.forget()
      categories.forget()
    },
    findNextId: async () => ((await findLastId.get())?.id ?? 0) + 1,
    useToken: (id, at) => useToken.send(at, id),
    versions,
    batches: createBatchRows(db),
    categories,
    idempotency: createIdempotencyRows(db, read),
    async store(next) {
      const categoryId = await categories.ensureCategory(next.record.category, toAuthorship(next))
      const stored = versions.save(next)
      if (next.before === null) await derived.insert([{ record: next.record, categoryId }])
      else await derived.update(next.record, categoryId, next.changed)
      return stored
    },
    async storeNew(all) {
      const [first] = all
      if (first === undefined) return
      const ensureCategoryId = memoize((title: string) => categories.ensureCategory(title, toAuthorship(first)))
      const lines: NewListing[] = []
      for (const { record } of all) lines.push({ record, categoryId: await ensureCategoryId(record.category) })
      await versions.saveNew(all)
      await derived.insert(lines)
    },
  }
}

const toAuthorship = ({ record, author, reason }: NewVersion) => ({ at: record.updated, author, reason })
