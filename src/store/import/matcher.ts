import { fromBody } from '../../record/json/body-bytes.ts'
import type { RecordRows } from '../write/record-rows.ts'
import type { ImportedTalk, ImportOptions } from './imported-talk.ts'
import type { OriginRows } from './origin-rows.ts'

export interface Match {
  readonly id: number
  /** Whether the path is already known as an origin of the record. */
  readonly isKnown: boolean
}

type Wanted = Pick<ImportedTalk, 'path' | 'id' | 'slug' | 'added' | 'changes'>

/** Finds the stored record of a talk. A record matches at most once per run: several talks may share one recording. */
export interface Matcher {
  find(talk: Wanted): Promise<Match | null>
  /** As `find`, by the path in the source alone. */
  findByPath(path: string): Promise<Match | null>
  take(id: number): void
  isTaken(id: number): boolean
}

export function createMatcher(
  rows: Pick<RecordRows, 'read'>,
  origins: OriginRows,
  { source, hasPath }: Pick<ImportOptions, 'source' | 'hasPath'>,
): Matcher {
  const taken = new Set<number>()

  /** A record of this source belongs to its own path, unless that file is gone. */
  async function isOpen(id: number): Promise<boolean> {
    if (taken.has(id)) return false
    return !(await origins.listPaths(id, source)).some(hasPath)
  }

  async function findByPath(path: string): Promise<Match | null> {
    const id = await origins.findId(source, path)
    return id === null || taken.has(id) ? null : { id, isKnown: true }
  }

  /** Ids of different sources are unrelated: for a record of another source, slug or time of creation must match too. */
  async function isOwnId({ id, slug, added }: Wanted): Promise<boolean> {
    const stored = id === null || taken.has(id) ? null : await rows.read(id)
    if (id === null || stored === null) return false
    if ((await origins.listOf(id)).length === 0) return true
    const record = fromBody(stored.body)
    return (record.slug === slug || record.added === added) && (await isOpen(id))
  }

  async function find(talk: Wanted): Promise<Match | null> {
    const { path, id, slug, changes } = talk
    const known = await findByPath(path)
    if (known !== null) return known
    if (id !== null && (await isOwnId(talk))) return { id, isKnown: false }
    for (const byUrl of await origins.listBySourceUrl(changes.source_url ?? '')) {
      if (await isOpen(byUrl)) return { id: byUrl, isKnown: false }
    }
    const bySlug = slug === null ? null : await origins.findBySlug(slug)
    const isSame = bySlug !== null && bySlug.category === changes.category && (await isOpen(bySlug.id))
    return isSame ? { id: bySlug.id, isKnown: false } : null
  }

  return { find, findByPath, take: (id) => void taken.add(id), isTaken: (id) => taken.has(id) }
}
