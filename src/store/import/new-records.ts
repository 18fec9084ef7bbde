import { isSlug, toSlug } from '../../record/text/slug.ts'
import type { Database } from '../database.ts'
import type { RecordRows } from '../write/record-rows.ts'
import { createFreeSlugs } from '../write/slugs.ts'
import { lastSeqSql, type NewVersion } from '../write/version-rows.ts'
import type { Extras, ImportedRecord, ImportedTalk } from './imported-talk.ts'
import type { OriginRows, RecordOrigin } from './origin-rows.ts'

/** New ids follow the largest one, so a huge id from a source would use them up. */
const maxKeptId = 1_000_000_000

interface NewRecord {
  readonly version: NewVersion
  readonly origin: RecordOrigin
  readonly extras: Extras | null
}

/** The records that an import creates. Those of a group are written together at its end. */
export interface NewRecords {
  /** Starts a group: the server may have written since the last one. */
  begin(): Promise<void>
  /** Whether this run created everything in the store, so that no talk can match an older record. */
  isAlone(): boolean
  /** The talk's id in its source, or a new one and the reason. */
  claimId(own: number | null): Promise<Pick<ImportedRecord, 'id' | 'renumbered'>>
  /** The talk's slug if it is free, so that links to it stay valid; otherwise a new one. */
  claimSlug(talk: ImportedTalk): Promise<string>
  add(record: NewRecord): void
  write(): Promise<void>
}

export function createNewRecords(
  db: Database,
  { rows, origins, isTaken }: { rows: RecordRows; origins: OriginRows; isTaken(id: number): boolean },
): NewRecords {
  const findLastSeq = db.query<{ seq: number | null }, []>(lastSeqSql)
  const readLastSeq = async () => (await findLastSeq.get())?.seq ?? 0
  /** Seq of this run's last change; null once somebody else has changed the store. */
  let ownSeq: number | null = 0
  let lastId = 0
  let made: NewRecord[] = []
  const slugs = new Set<string>()
  const isSlugTaken = async (slug: string) => slugs.has(slug) || !(await rows.isSlugFree(slug))
  const slugNumbers = createFreeSlugs(isSlugTaken)

  async function findIdConflict(id: number): Promise<ImportedRecord['renumbered']> {
    if (id > maxKeptId) return 'too large'
    if (isTaken(id)) return 'taken'
    if (ownSeq !== null) return null
    if (await rows.isErased(id)) return 'erased'
    return (await rows.read(id)) === null ? null : 'taken'
  }

  return {
    async begin() {
      if (ownSeq !== null && (await readLastSeq()) !== ownSeq) ownSeq = null
      lastId = Math.max(lastId, (await rows.findNextId()) - 1)
      made = []
      slugs.clear()
      slugNumbers.forget()
    },
    isAlone: () => ownSeq !== null,
    async claimId(own) {
      const renumbered = own === null ? null : await findIdConflict(own)
      const id = own !== null && renumbered === null ? own : lastId + 1
      lastId = Math.max(lastId, id)
      return { id, renumbered }
    },
    async claimSlug({ slug, changes }) {
      const isGood = slug !== null && slug.length <= 60 && isSlug(slug) && !(await isSlugTaken(slug))
      const free = isGood ? slug : await slugNumbers.findFree(toSlug(changes.title ?? ''))
      slugs.add(free)
      return free
    },
    add: (record) => void made.push(record),
    async write() {
      await rows.storeNew(made.map(({ version }) => version))
      for (const { origin } of made) origins.save(origin)
      for (const { origin, extras } of made) if (extras !== null) origins.addExtras(origin.id, extras)
      if (ownSeq !== null) ownSeq = await readLastSeq()
    },
  }
}
