import { toQuality } from '../../record/quality/quality.ts'
import { fromBody } from '../../record/record.ts'
import { adoptExtras } from '../companion/adopt-extras.ts'
import type { Database } from '../database.ts'
import { rebuildLinkUses } from '../link/check-link-uses.ts'
import { createLookup, toChunks } from '../read/statements.ts'

/** What SQL alone cannot do after the migrations of an older store. Call within their transaction. */
export async function upgradeDerived(db: Database, from: number): Promise<void> {
  // Schemas 2 and 3 have other rules of quality (decision 53).
  if (from < 3) await rewriteQuality(db)
  if (from < 4) await adoptExtras(db)
  if (from < 5) await rebuildLinkUses(db)
}

async function rewriteQuality(db: Database): Promise<void> {
  const list = db.query<{ id: number; bytes: number }, []>('SELECT id, length(body) AS bytes FROM record ORDER BY id')
  const lookUp = createLookup<{ id: number; body: Uint8Array }, number>(
    db,
    (ids) => `SELECT id, body FROM record WHERE id IN ${ids}`,
  )
  const update = db.query<null, [number, number]>('UPDATE listing SET quality = ? WHERE id = ?')
  for await (const chunk of toChunks(await list.all(), ({ bytes }) => bytes)) {
    for (const { id, body } of await lookUp(chunk.map((row) => row.id))) update.send(toQuality(fromBody(body)), id)
  }
}
