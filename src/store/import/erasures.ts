import { toVideoAddress } from '../../record/embed/embed.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import { createErasedOrigins, hasErasedOrigins, type OriginKey } from './erased-origins.ts'
import type { ImportedTalk, ImportOptions } from './imported-talk.ts'
import type { Match } from './matcher.ts'

/** When a talk was erased here, which then stays away; null where it may come in. */
export type FindErasure = (talk: Pick<ImportedTalk, 'path' | 'changes'>, match: Match | null) => Timestamp | null

/** Looks for what was erased, even if it could be taken for another record; unless somebody wants it back. */
export function createErasureFinder(db: Database, options: ImportOptions): () => FindErasure {
  const { source, formerSource, isDryRun } = options
  const erased = createErasedOrigins(db)

  function toWhences({ path, changes }: Pick<ImportedTalk, 'path' | 'changes'>, match: Match | null): OriginKey[] {
    const url = changes.source_url ?? ''
    const urls = match === null ? [...new Set([url, toVideoAddress(url)])].map((each) => ({ url: each })) : []
    return [{ source, path }, ...(formerSource === undefined ? [] : [{ source: formerSource, path }]), ...urls]
  }

  /** A digest that was made with a password in the source's name is not kept once it is known which one it is. */
  function renew(path: string): void {
    const former = { source: formerSource ?? source, path }
    const at = formerSource === undefined || isDryRun ? null : erased.find(former)
    if (at === null) return
    erased.add({ source, path }, at)
    erased.remove(former)
  }

  return () => {
    if (!hasErasedOrigins(db)) return () => null
    return (talk, match) => {
      if (match?.isKnown) return null
      const whences = toWhences(talk, match)
      if (!options.mayBringBack) {
        renew(talk.path)
        return whences.map(erased.find).find((at) => at !== null) ?? null
      }
      if (!isDryRun) whences.forEach(erased.remove)
      return null
    }
  }
}
