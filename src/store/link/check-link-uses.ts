import { fromBody } from '../../record/record.ts'
import type { Database } from '../database.ts'
import type { StoreProblem } from '../maintain/check/problem.ts'
import { parseStoredBody } from '../maintain/erase.ts'
import { createLookup, maxLookup, toChunks } from '../read/statements.ts'
import { isUnusedSql } from './link-sql.ts'
import { createCompanionLookup, createUseInsert, createUseLookup, listUses, toUseKey } from './link-uses.ts'

/** Records in chunks, with their companions. */
async function* readRecords(db: Database) {
  const list = db.query<{ id: number; bytes: number }, []>('SELECT id, length(body) AS bytes FROM record ORDER BY id')
  const lookUp = createLookup<{ id: number; body: Uint8Array }, number>(
    db,
    (ids) => `SELECT id, body FROM record WHERE id IN ${ids}`,
  )
  const readCompanions = createCompanionLookup(db)
  for await (const chunk of toChunks(await list.all(), ({ bytes }) => bytes)) {
    const ids = chunk.map(({ id }) => id)
    const companions = await readCompanions(ids)
    yield { ids, rows: await lookUp(ids), companions }
  }
}

/** Rebuilds the uses of all records. Addresses that a record still has keep their state. */
export async function rebuildLinkUses(db: Database): Promise<void> {
  await db.script('DELETE FROM link_use')
  const insert = createUseInsert(db)
  for await (const { rows, companions } of readRecords(db))
    await insert(rows.flatMap(({ id, body }) => listUses(fromBody(body), companions.get(id))))
  await db.script(`DELETE FROM link WHERE ${isUnusedSql}`)
}

/** Checks that the rows match the addresses of the records. */
export async function* checkLinkUses(db: Database): AsyncGenerator<StoreProblem> {
  const readUses = createUseLookup(db)
  for await (const { ids, rows, companions } of readRecords(db)) {
    const uses = Map.groupBy(await readUses(ids), ({ id }) => id)
    for (const { id, body } of rows) {
      const record = parseStoredBody(body)
      if (record === null) continue
      const wanted = listUses(record, companions.get(id)).map(toUseKey).sort()
      const found = (uses.get(id) ?? []).map(toUseKey).sort()
      if (!Bun.deepEquals(wanted, found)) yield { id, what: 'the list of its addresses is wrong' }
    }
  }
  const unused = db.query<{ url: string }, []>(
    `SELECT url FROM link WHERE ${isUnusedSql} ORDER BY id LIMIT ${maxLookup}`,
  )
  for (const { url } of await unused.all()) yield { id: null, what: `no record has the address ${JSON.stringify(url)}` }
}
