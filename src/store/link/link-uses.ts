import { isCompanionName } from '../../record/companion/kinds.ts'
import type { JsonObject } from '../../record/json.ts'
import { type LinkCompanions, type LinkUse, listLinkUses } from '../../record/link/uses.ts'
import type { VideoRecord } from '../../record/record.ts'
import {
  currentSql,
  type FirstCompanions,
  type RecordCompanionRow,
  toCompanionContent,
} from '../companion/companion-rows.ts'
import type { Database } from '../database.ts'
import { createLookup, toChunks } from '../read/statements.ts'
import { createInsertAll } from '../write/insert-many.ts'

/**
 * Which records have which addresses. Call within the writer's transaction. An address has a row in `link` as long as a
 * record has it. That row keeps its state, so nothing here rewrites it.
 */
interface LinkUses {
  /** For new records, with the companions that came with them. */
  insert(records: readonly NewUses[]): Promise<void>
  /** For records of which an address may have changed, after the change of their companions. */
  update(records: readonly VideoRecord[]): Promise<void>
}

interface NewUses extends Pick<FirstCompanions, 'companions'> {
  readonly record: VideoRecord
}

interface RecordUse extends LinkUse {
  readonly id: number
}

interface StoredUse extends RecordUse {
  readonly link: number
}

const none: LinkCompanions = { recordings: {}, related: {} }

export function createLinkUses(db: Database): LinkUses {
  const insert = createUseInsert(db)
  const readUses = createUseLookup(db)
  const readCompanions = createCompanionLookup(db)
  const drop = db.query<null, [number, number, string]>(
    'DELETE FROM link_use WHERE link_id = ? AND record_id = ? AND role = ?',
  )
  const forget = db.query<null, [number]>(
    'DELETE FROM link WHERE id = ? AND NOT EXISTS (SELECT 1 FROM link_use WHERE link_id = link.id)',
  )

  async function update(records: readonly VideoRecord[]): Promise<void> {
    const ids = records.map(({ id }) => id)
    const [before, companions] = [await readUses(ids), await readCompanions(ids)]
    const after = records.flatMap((record) => listUses(record, companions.get(record.id)))
    const [known, wanted] = [new Set(before.map(toUseKey)), new Set(after.map(toUseKey))]
    const dropped = before.filter((use) => !wanted.has(toUseKey(use)))
    for (const { link, id, role } of dropped) drop.send(link, id, role)
    await insert(after.filter((use) => !known.has(toUseKey(use))))
    for (const { link } of dropped) forget.send(link)
  }

  return {
    insert: (records) =>
      insert(
        records.flatMap(({ record, companions }) =>
          listUses(record, Object.fromEntries(companions.map(({ name, content }) => [name, content]))),
        ),
      ),
    async update(records) {
      for await (const chunk of toChunks(records)) await update(chunk)
    },
  }
}

export const listUses = (record: VideoRecord, companions: Partial<LinkCompanions> = none): RecordUse[] =>
  listLinkUses(record, { ...none, ...companions }).map((use) => ({ id: record.id, ...use }))

export const toUseKey = ({ id, role, url }: RecordUse) => `${id} ${role} ${url}`

export const toLinkKey = (url: string) => new Bun.CryptoHasher('sha256').update(url).digest()

/** Inserts new uses, and addresses that no record had before. */
export function createUseInsert(db: Database) {
  const findIds = createLookup<{ id: number; url: string }, Uint8Array>(
    db,
    (keys) => `SELECT id, url FROM link WHERE key IN ${keys}`,
  )
  const findLast = db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM link')
  const insertLinks = createInsertAll(db, 'link', ['id', 'key', 'url', 'host'])
  const insertUses = createInsertAll(db, 'link_use', ['link_id', 'record_id', 'role'])

  async function ensureLinks(urls: readonly string[]): Promise<Map<string, number>> {
    const keys = new Map(urls.map((url) => [url, toLinkKey(url)]))
    const ids = new Map<string, number>()
    for await (const chunk of toChunks(keys.values())) for (const { id, url } of await findIds(chunk)) ids.set(url, id)
    const added = [...keys].filter(([url]) => !ids.has(url))
    if (added.length === 0) return ids
    // Only one transaction writes at a time, so nobody else takes these ids.
    let last = (await findLast.get())?.id ?? 0
    insertLinks(added, ([url, key]) => {
      ids.set(url, ++last)
      return [last, key, url, URL.parse(url)?.hostname ?? '']
    })
    return ids
  }

  return async (uses: readonly RecordUse[]): Promise<void> => {
    if (uses.length === 0) return
    const links = await ensureLinks(uses.map(({ url }) => url))
    insertUses(uses, ({ url, id, role }) => [links.get(url) ?? 0, id, role])
  }
}

export const createUseLookup = (db: Database) =>
  createLookup<StoredUse, number>(
    db,
    (ids) => `SELECT link.id AS link, record_id AS id, role, url FROM link_use JOIN link ON link.id = link_id
      WHERE record_id IN ${ids}`,
  )

/** The companions of up to `maxLookup` records now. */
export function createCompanionLookup(db: Database) {
  const lookUp = createLookup<RecordCompanionRow, number>(
    db,
    (ids) => `${currentSql(ids)} AND name IN ('recordings', 'related')`,
  )
  return async (ids: readonly number[]): Promise<Map<number, Partial<LinkCompanions>>> => {
    const found = new Map<number, Record<string, JsonObject>>()
    for (const row of await lookUp(ids)) {
      if (!isCompanionName(row.name)) continue
      const { content } = toCompanionContent(row.name, row.id, row)
      found.set(row.id, { ...found.get(row.id), [row.name]: content })
    }
    return found
  }
}
