import { fromBody } from '../../record/json/body-bytes.ts'
import type { RecordRows } from '../write/record-rows.ts'
import type { ImportedTalk, ImportOptions } from './imported-talk.ts'
import type { OriginRows } from './origin-rows.ts'

export interface Match {
  readonly id: number
  /** Whether the record is known to come from there; else that is new. */
  readonly isKnown: boolean
}

type Wanted = Pick<ImportedTalk, 'path' | 'id' | 'slug' | 'added' | 'changes'>

/** Which stored record a talk is. A record is taken at most once a run: several talks may share one recording. */
export interface Matcher {
  find(talk: Wanted): Promise<Match | null>
  /** The same by its place in the source alone. */
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

  /** One that came from here belongs to its own path, unless that is there no more. */
  async function isOpen(id: number): Promise<boolean> {
    if (taken.has(id)) return false
    return !(await origins.listPaths(id, source)).some(hasPath)
  }

  async function findByPath(path: string): Promise<Match | null> {
    const id = await origins.findId(source, path)
    return id === null || taken.has(id) ? null : { id, isKnown: true }
  }

  /** An id is the source's own, so it tells little of a record that came from elsewhere, unless more is the same. */
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
