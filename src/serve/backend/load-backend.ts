import type { Engine } from '../../store/engine.ts'
import type { Backend } from './backend.ts'

/** Loads the PostgreSQL client only if it is used. */
export async function loadBackend(kind: Engine['kind']): Promise<Backend> {
  if (kind === 'postgres') return (await import('./postgres.ts')).postgresBackend
  return (await import('./sqlite.ts')).sqliteBackend
}
