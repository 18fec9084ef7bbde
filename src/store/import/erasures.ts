import { toVideoAddress } from '../../record/embed/embed.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { createErasedOrigins, hasErasedOrigins, type OriginKey } from './erased-origins.ts'
import type { ImportedTalk, ImportOptions } from './imported-talk.ts'
import type { Match } from './matcher.ts'

/** When a talk was erased here, which then stays away; null where it may come in. */
export type FindErasure = (
  talk: Pick<ImportedTalk, 'path' | 'changes'>,
  match: Match | null,
) => Promise<Timestamp | null>

/** Looks for what was erased, even if it could be taken for another record; unless somebody wants it back. */
export function createErasureFinder(db: Database, options: ImportOptions): () => Promise<FindErasure> {
  const { source, formerSource, isDryRun } = options
  const erased = createErasedOrigins(db)

  function toOriginKeys({ path, changes }: Pick<ImportedTalk, 'path' | 'changes'>, match: Match | null): OriginKey[] {
    const url = changes.source_url ?? ''
    const urls = match === null ? [...new Set([url, toVideoAddress(url)])].map((each) => ({ url: each })) : []
    return [{ source, path }, ...(formerSource === undefined ? [] : [{ source: formerSource, path }]), ...urls]
  }

  /** A digest that was made with a password in the source's name is not kept once it is known which one it is. */
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
