import type { Database } from '../database.ts'
import type { StoreRisk } from '../engine.ts'

/** Server settings without which a crash damages or loses commits; no session can change them. */
const neededSettings = ['fsync', 'full_page_writes']
/** A page of the site takes about eight round trips, and has two seconds. */
export const maxRoundTripMs = 20
const roundTrips = 3

/** Risks that an operator should know before relying on this database. */
export async function findRisks(db: Database): Promise<readonly StoreRisk[]> {
  return [...(await findUnsafe(db)), ...(await findSlow(db))]
}

async function findUnsafe(db: Database): Promise<readonly StoreRisk[]> {
  const sql = `SELECT name FROM pg_settings WHERE setting = 'off' AND name IN ('${neededSettings.join("', '")}') ORDER BY name`
  const rows = await db.query<{ name: string }, []>(sql).all()
  return rows.map(({ name }) => ({
    event: 'unsafe database',
    why: `PostgreSQL has ${name} = off: a crash of its machine may damage the store. Set it to on in postgresql.conf.`,
  }))
}

/** The fastest of a few round trips, because any of them may have waited for a busy machine. */
async function findSlow(db: Database): Promise<readonly StoreRisk[]> {
  const takenMs: number[] = []
  for (let i = 0; i < roundTrips; i++) {
    const sinceMs = performance.now()
    await db.query('SELECT 1').get()
    takenMs.push(performance.now() - sinceMs)
  }
  const ms = Math.round(Math.min(...takenMs))
  if (ms <= maxRoundTripMs) return []
  const why = `A round trip to PostgreSQL takes ${ms} ms; above ${maxRoundTripMs} ms, writes and lists are slow. Run nodes close to their database.`
  return [{ event: 'slow database', why }]
}
