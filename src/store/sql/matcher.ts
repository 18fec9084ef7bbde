import type { ImportedTalk, ImportOptions } from '../import.ts'
import type { Origin, OriginRows } from './origin-rows.ts'
import type { Rows } from './rows.ts'

export interface Match {
  readonly id: number
  /** Null where it is new that the record comes from there. */
  readonly origin: Origin | null
}

/** Which stored record a talk is. A record is taken at most once a run: several talks may share one recording. */
export interface Matcher {
  find(talk: Pick<ImportedTalk, 'path' | 'id' | 'slug' | 'changes'>): Match | null
  take(id: number): void
  isTaken(id: number): boolean
}

export function createMatcher(
  rows: Pick<Rows, 'read'>,
  origins: OriginRows,
  { source, hasPath }: Pick<ImportOptions, 'source' | 'hasPath'>,
): Matcher {
  const taken = new Set<number>()

  /** One that came from here belongs to its own path, unless that is there no more. */
  function isOpen(id: number): boolean {
    if (taken.has(id)) return false
    const origin = origins.findOf(id)
    return origin === null || origin.source !== source || !hasPath(origin.path)
  }

  function find({ path, id, slug, changes }: Pick<ImportedTalk, 'path' | 'id' | 'slug' | 'changes'>): Match | null {
    const origin = origins.find(source, path)
    if (origin !== null && !taken.has(origin.id)) return { id: origin.id, origin }
    const isOwnId = id !== null && !taken.has(id) && rows.read(id) !== null && origins.findOf(id) === null
    if (isOwnId) return { id, origin: null }
    const byUrl = origins.listBySourceUrl(changes.source_url ?? '').find(isOpen)
    if (byUrl !== undefined) return { id: byUrl, origin: null }
    const bySlug = slug === null ? null : origins.findBySlug(slug)
    const isSame = bySlug !== null && bySlug.category === changes.category && isOpen(bySlug.id)
    return isSame ? { id: bySlug.id, origin: null } : null
  }

  return { find, take: (id) => void taken.add(id), isTaken: (id) => taken.has(id) }
}
