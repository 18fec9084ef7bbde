import { isPostgresAddress } from '../../store/postgres/address.ts'
import type { Engine } from './engine.ts'

/** Loads the client of PostgreSQL only where it is used. */
export async function loadEngine(path: string): Promise<Engine> {
  if (isPostgresAddress(path)) return (await import('./postgres.ts')).postgresEngine
  return (await import('./sqlite.ts')).sqliteEngine
}
