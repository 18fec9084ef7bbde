import { Database } from 'bun:sqlite'
import type { LinkState } from '../../src/record/link/link.ts'
import { runStatement } from './fresh-store.ts'

const since = '2026-02-03T04:05:06.789'

/**
 * Gives addresses of records a state, as if a host had answered so. Change a record afterwards: servers do not notice
 * a statement of another process at once.
 */
export async function setLinkState(
  db: string,
  state: LinkState,
  urls: readonly string[],
  target: string | null = null,
): Promise<void> {
  const told = target === null ? 'NULL' : quote(target)
  const statement = `UPDATE link SET state = '${state}', since = '${since}', checked = '${since}', target = ${told}
    WHERE url IN (${urls.map(quote).join(', ')})`
  await run(db, statement)
}

/** What a host has answered about an address. */
export const setLinkEvidence = (db: string, url: string, evidence: string) =>
  run(db, `UPDATE link SET evidence = ${quote(evidence)} WHERE url = ${quote(url)}`)

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

async function run(db: string, statement: string): Promise<void> {
  if (db.startsWith('postgres')) return runStatement(db, statement)
  const file = new Database(db, { strict: true })
  file.run('PRAGMA busy_timeout = 10000')
  file.run(statement)
  file.close()
}
