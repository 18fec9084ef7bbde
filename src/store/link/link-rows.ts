import type { IgnoreLinkCommand } from '../../record/command.ts'
import { isAcceptable, type MovedAddress } from '../../record/link/moved.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { Outcome } from '../store.ts'
import { toLinkKey } from './link-uses.ts'

/**
 * Marks an address as fine: it is `ok` at once, and is not checked until then, so no read depends on the clock. When a
 * curator undoes that, it is unknown and checked next.
 */
export function createIgnoreLink(db: Database) {
  const ignore = db.query<null, [string, Timestamp, string, Timestamp, Uint8Array]>(
    `UPDATE link SET ignored_until = ?, state = 'ok', since = ?, evidence = ?, last_ok = coalesce(last_ok, ?), failures = 0,
       first_failure = NULL, target = NULL, pending = NULL WHERE key = ?`,
  )
  const ask = db.query<null, [Uint8Array]>(
    `UPDATE link SET ignored_until = NULL, state = 'unknown', since = NULL, evidence = '', checked = NULL
     WHERE key = ? AND ignored_until IS NOT NULL`,
  )
  const find = db.query<{ id: number }, [Uint8Array]>('SELECT id FROM link WHERE key = ?')
  return async ({ url, until, author, isDryRun = false }: IgnoreLinkCommand, at: Timestamp): Promise<Outcome> => {
    const key = toLinkKey(url)
    if ((await find.get(key)) === null) return { is: 'refused', refusal: { code: 'no_such_link' } }
    if (isDryRun) return { is: 'link', url, until, wasWritten: false }
    const evidence = [...`${author.name} says that it is fine`].slice(0, 200).join('')
    const { changes } = await (until === null ? ask.run(key) : ignore.run(until, at, evidence, at, key))
    return { is: 'link', url, until, wasWritten: changes > 0 }
  }
}

/** Moved addresses whose targets are acceptable, by record; only `urls`, if given. */
export function createMovedList(db: Database) {
  const list = db.query<MovedAddress & { id: number }, []>(
    `SELECT record_id AS id, url, target FROM link_use JOIN link ON link.id = link_id
     WHERE state = 'moved' AND state NOT IN ('ok', 'unknown') AND target IS NOT NULL ORDER BY record_id, url`,
  )
  return async (urls: readonly string[] | null): Promise<ReadonlyMap<number, readonly MovedAddress[]>> => {
    const wanted = urls && new Set(urls)
    const found = (await list.all()).filter((each) => isAcceptable(each) && (wanted === null || wanted.has(each.url)))
    return Map.groupBy(found, ({ id }) => id)
  }
}
