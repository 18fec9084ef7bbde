import { toVideoUrl } from '../../record/embed.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { RecordRows } from '../write/record-rows.ts'
import type { ImportedTalk, ImportOptions } from './imported-talk.ts'
import type { OriginRows } from './origin-rows.ts'

export interface MatchedRecord {
  readonly id: number
  /** Whether the path is already known as an origin of the record. */
  readonly isKnown: boolean
}

type Wanted = Pick<ImportedTalk, 'path' | 'id' | 'slug' | 'added' | 'changes'>

/** Finds the stored record of a talk. A record matches at most once per run: several talks may share one recording. */
export interface Matcher {
  find(talk: Wanted): Promise<MatchedRecord | null>
  /** As `find`, by the path in the source alone. */
  findByPath(path: string): Promise<MatchedRecord | null>
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

  async function findByPath(path: string): Promise<MatchedRecord | null> {
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

  async function find(talk: Wanted): Promise<MatchedRecord | null> {
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

/** Where a talk comes from: a path in a source, or the URL of its recording. */
type OriginKey = { readonly source: string; readonly path: string } | { readonly url: string }

/** Digests of the origins of erased records: enough to recognise a talk, without revealing it (decision 19). */
interface ErasedOrigins {
  /** When a record from there was erased; null if none was. */
  find(key: OriginKey): Promise<Timestamp | null>
  add(key: OriginKey, at: Timestamp): void
  /** For talks that an operator imports again on purpose. */
  remove(key: OriginKey): void
}

function createErasedOrigins(db: Database): ErasedOrigins {
  const find = db.query<{ at: Timestamp }, [Uint8Array]>('SELECT at FROM erased_origin WHERE digest = ?')
  const add = db.query<null, [Uint8Array, Timestamp]>(
    'INSERT INTO erased_origin (digest, at) VALUES (?, ?) ON CONFLICT (digest) DO UPDATE SET at = excluded.at',
  )
  const remove = db.query<null, [Uint8Array]>('DELETE FROM erased_origin WHERE digest = ?')
  return {
    find: async (key) => (await find.get(toDigest(key)))?.at ?? null,
    add: (key, at) => add.send(toDigest(key), at),
    remove: (key) => remove.send(toDigest(key)),
  }
}

/** Whether any record was ever erased. */
async function hasErasedOrigins(db: Database): Promise<boolean> {
  return (await db.query('SELECT 1 FROM erased_origin LIMIT 1').get()) !== null
}

/** Stores the origins of a record that is about to be erased. Call before its rows are deleted. */
export async function rememberErased(
  db: Database,
  id: number,
  versions: readonly VideoRecord[],
  at: Timestamp,
): Promise<void> {
  const erased = createErasedOrigins(db)
  const origins = db.query<{ source: string; path: string }, [number, number]>(
    `SELECT source, path FROM origin WHERE record_id = ?
     UNION ALL SELECT source, path FROM origin_alias WHERE record_id = ?`,
  )
  for (const origin of await origins.all(id, id)) erased.add(origin, at)
  // Several talks may share one recording; those that are not erased may still be imported.
  const findOther = db.query<{ id: number }, [string, number]>(
    'SELECT id FROM listing WHERE source_url = ? AND id <> ?',
  )
  const urls = new Set(versions.map((record) => toVideoUrl(record.source_url)).filter((url) => url !== ''))
  for (const url of urls) if ((await findOther.get(url, id)) === null) erased.add({ url }, at)
}

function toDigest(key: OriginKey): Uint8Array {
  const text = 'url' in key ? ['url', key.url] : ['origin', key.source, key.path]
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(text)).digest()
}

/** When the talk was erased, so that it must not be imported; null if it may be. */
export type FindErasure = (
  talk: Pick<ImportedTalk, 'path' | 'changes'>,
  match: MatchedRecord | null,
) => Promise<Timestamp | null>

/** Looks for erased talks, even among those that match another record; with `mayBringBack` none counts as erased. */
export function createErasureFinder(db: Database, options: ImportOptions): () => Promise<FindErasure> {
  const { source, formerSource, isDryRun } = options
  const erased = createErasedOrigins(db)

  function toOriginKeys(
    { path, changes }: Pick<ImportedTalk, 'path' | 'changes'>,
    match: MatchedRecord | null,
  ): OriginKey[] {
    const url = changes.source_url ?? ''
    const urls = match === null ? [...new Set([url, toVideoUrl(url)])].map((each) => ({ url: each })) : []
    return [{ source, path }, ...(formerSource === undefined ? [] : [{ source: formerSource, path }]), ...urls]
  }

  /** Replaces a digest of the source's former name, which contained a password. */
  async function renew(path: string): Promise<void> {
    const former = { source: formerSource ?? source, path }
    const at = formerSource === undefined || isDryRun ? null : await erased.find(former)
    if (at === null) return
    erased.add({ source, path }, at)
    erased.remove(former)
  }

  return async () => {
    if (!(await hasErasedOrigins(db))) return async () => null
    return async (talk, match) => {
      if (match?.isKnown) return null
      const keys = toOriginKeys(talk, match)
      if (!options.mayBringBack) {
        await renew(talk.path)
        for (const key of keys) {
          const at = await erased.find(key)
          if (at !== null) return at
        }
        return null
      }
      if (!isDryRun) keys.forEach(erased.remove)
      return null
    }
  }
}
