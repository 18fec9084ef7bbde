import { isJsonObject, type JsonObject, parseJsonText } from '../../record/json.ts'
import { live } from '../../record/state.ts'
import type { Database } from '../database.ts'
import type { PageRef } from '../site-reads.ts'
import type { SlowReads } from '../store.ts'

/** Keeps index entries small; longer paths are not stored. */
const maxLength = 500

/** The path under which another site had a record, from the extras of its import (decision 47). Null if it has none. */
export function toAlias({ alias }: JsonObject): string | null {
  return typeof alias === 'string' ? toAliasPath(alias) : null
}

/** A path without slashes at its ends; null if no record can have it. */
export function toAliasPath(path: string): string | null {
  let [from, to] = [0, path.length]
  while (path[from] === '/') from++
  while (to > from && path[to - 1] === '/') to--
  const alias = path.slice(from, to)
  const isStorable = alias.isWellFormed() && !alias.includes('\0')
  return alias === '' || alias.length > maxLength || !isStorable ? null : alias
}

/** The alias in stored extras, which may be damaged. */
export function parseAlias(body: Uint8Array): string | null {
  const text = Buffer.from(body).toString()
  if (!text.includes('"alias"')) return null
  const values = parseJsonText(text)
  return isJsonObject(values) ? toAlias(values) : null
}

const chunkSize = 500

/** Extras whose alias is not the one in their body. */
export async function* listWrongAliases(
  db: Database,
): AsyncGenerator<{ readonly id: number; readonly alias: string | null }> {
  const listAfter = db.query<{ id: number; body: Uint8Array; alias: string | null }, [number, number]>(
    'SELECT record_id AS id, body, alias FROM extras WHERE record_id > ? ORDER BY record_id LIMIT ?',
  )
  let last: number | undefined = 0
  while (last !== undefined) {
    const rows = await listAfter.all(last, chunkSize)
    for (const { id, body, alias } of rows) {
      const right = parseAlias(body)
      if (right !== alias) yield { id, alias: right }
    }
    last = rows.at(-1)?.id
  }
}

/** Rewrites every alias. Call within a transaction. */
export async function rebuildAliases(db: Database): Promise<void> {
  const update = db.query<null, [string | null, number]>('UPDATE extras SET alias = ? WHERE record_id = ?')
  for await (const { id, alias } of listWrongAliases(db)) update.send(alias, id)
}

/** Finds live records by paths that they, or records that were merged into them, had on another site. */
export function createAliasFinder(db: Database): SlowReads['findAlias'] {
  const find = db.query<PageRef, [string]>(
    `SELECT id, slug FROM extras JOIN record ON id = record_id WHERE alias = ? AND state = 1 ORDER BY record_id LIMIT 1`,
  )
  const findDraft = db.query<{ id: number }, [string]>(
    `SELECT extras.record_id AS id FROM extras JOIN merged_record ON merged_record.record_id = extras.record_id
     WHERE alias = ? ORDER BY extras.record_id LIMIT 1`,
  )
  const findMerged = createMergedFinder(db)
  return async (path) => {
    const alias = toAliasPath(path)
    const found = alias === null ? null : await find.get(alias)
    if (alias === null || found !== null) return found
    const merged = await findDraft.get(alias)
    return merged === null ? null : findMerged(merged.id)
  }
}

/** Finds where the page of a merged draft leads: through further drafts to the first live record (decision 86). */
export function createMergedFinder(db: Database): SlowReads['findMerged'] {
  const findNext = db.query<PageRef & { readonly state: number }, [number]>(
    `SELECT target.id, target.slug, target.state FROM merged_record JOIN record ON record.id = record_id
     JOIN record AS target ON target.id = into_id WHERE record_id = ? AND record.state <> 1`,
  )
  return async (id) => {
    const seen = new Set([id])
    for (let next = await findNext.get(id); next !== null && !seen.has(next.id); next = await findNext.get(next.id)) {
      if (next.state === live) return { id: next.id, slug: next.slug }
      seen.add(next.id)
    }
    return null
  }
}
