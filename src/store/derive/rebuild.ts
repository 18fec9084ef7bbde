import { checkBody } from '../../record/check-body.ts'
import { rebuildTraits } from '../companion/check-companions.ts'
import type { Database } from '../database.ts'
import { rebuildLinkUses } from '../link/check-link-uses.ts'
import { createSteps, type OnStep } from '../maintain/check/problem.ts'
import { queueAllSql } from '../moment/moment-rows.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createCategoryRows, rebuildCategories } from '../write/category-rows.ts'
import { createBulkInsert } from '../write/insert-many.ts'
import { isChecksum, type NewestVersion, newestSql, toVersionTag } from '../write/version-rows.ts'
import { createDerived, type Listed } from './derived-rows.ts'
import { rebuildAliases } from './former-paths.ts'
import { createNameRows } from './name-rows.ts'

/**
 * Rebuilds, in one transaction, everything that is derived from versions. `clear` deletes what is derived from records
 * except names, which keep their ids.
 */
export async function rebuildDerived(db: Database, clear: () => Promise<void>, onStep: OnStep): Promise<void> {
  const count = db.query<{ n: number }, []>('SELECT count(DISTINCT record_id) AS n FROM version')
  await db.transaction('write', async () => {
    await clear()
    await rebuildCategories(db)
    await recountBatches(db)
    await rebuildAliases(db)
    await rebuildTraits(db)
    for (const table of ['speaker', 'tag'] as const) await createNameRows(db, table).reindex()
    await insertRecords(db, createSteps((await count.get())?.n ?? 0, onStep))
  })
}

async function recountBatches(db: Database): Promise<void> {
  await db.script('UPDATE batch SET records = (SELECT count(DISTINCT record_id) FROM version WHERE batch = batch.id)')
}

/** The author of missing categories that a rebuild creates. */
const rebuildAuthor = { author: 'rebuild', reason: null }

/** The bytes of a record cannot be parsed, so nothing can be derived from them. */
export class UnreadableRecord extends Error {}

/**
 * Writes every record's row from its newest version, and all rows that are derived from it, which must not exist yet;
 * companions must.
 * Returns the number of records.
 */
export async function insertRecords(db: Database, onRecord: () => void): Promise<number> {
  const derived = createDerived(db)
  const categories = createCategoryRows(db)
  const rows = createRecordBulk(db)
  const ids = await db
    .query<{ id: number; bytes: number }, []>(
      'SELECT record_id AS id, max(length(body)) AS bytes FROM version GROUP BY record_id ORDER BY record_id',
    )
    .all()
  for await (const chunk of toChunks(ids, ({ bytes }) => bytes)) {
    const records = await rows.put(chunk.map(({ id }) => id))
    const categoryIds = new Map<string, number>()
    for (const {
      record: { category, updated },
    } of records) {
      if (!categoryIds.has(category))
        categoryIds.set(category, await categories.ensureCategory(category, { at: updated, ...rebuildAuthor }))
    }
    await derived.insert(
      records.map(({ record, author }) => ({ record, author, categoryId: categoryIds.get(record.category) ?? 0 })),
    )
    for (const _ of records) onRecord()
  }
  await rows.flush()
  await rebuildLinkUses(db)
  await db.script(queueAllSql)
  return ids.length
}

/** A record with the author of its newest version. */
type AuthoredRecord = Omit<Listed, 'categoryId'>

/** Rewrites a record's row from its newest version. Keeps the body of the row if the version does not match its checksum. */
function createRecordBulk(db: Database): {
  put(ids: readonly number[]): Promise<AuthoredRecord[]>
  flush(): Promise<void>
} {
  const columns = ['version', 'mark', 'state', 'slug', 'updated', 'body']
  const renewed = columns.map((name) => `${name} = excluded.${name}`).join(', ')
  const bulk = createBulkInsert(db, 'record', ['id', ...columns], `ON CONFLICT (id) DO UPDATE SET ${renewed}`)
  const listNewest = createLookup<NewestVersion, number>(db, newestSql)
  const findRow = db.query<{ body: Uint8Array }, [number]>('SELECT body FROM record WHERE id = ?')

  async function putOne({ id, version, checksum, author, body: newest }: NewestVersion): Promise<AuthoredRecord> {
    const body = isChecksum(checksum, newest) ? newest : ((await findRow.get(id))?.body ?? newest)
    const judged = checkBody(body)
    const { record } = judged
    if (record === null) throw new UnreadableRecord(`record ${id}: ${judged.ok ? '' : judged.problem}`)
    await bulk.add([id, version, toVersionTag(version, checksum), record.state, record.slug, record.updated, body])
    return { record, author }
  }

  return {
    flush: bulk.flush,
    async put(ids) {
      const records: AuthoredRecord[] = []
      for (const newest of await listNewest(ids)) records.push(await putOne(newest))
      return records
    },
  }
}
