import type { Engine } from '../../store/engine.ts'
import type { ServingEngine } from './serving-engine.ts'

/** Loads the client of PostgreSQL only where it is used. */
export async function loadServingEngine(kind: Engine['kind']): Promise<ServingEngine> {
  if (kind === 'postgres') return (await import('./postgres.ts')).postgresServing
  return (await import('./sqlite.ts')).sqliteServing
}
