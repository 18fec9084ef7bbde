import { isPostgresAddress } from '../../store/postgres/address.ts'
import type { ServingEngine } from './serving-engine.ts'

/** Loads the client of PostgreSQL only where it is used. */
export async function loadServingEngine(path: string): Promise<ServingEngine> {
  if (isPostgresAddress(path)) return (await import('./postgres.ts')).postgresServing
  return (await import('./sqlite.ts')).sqliteServing
}
