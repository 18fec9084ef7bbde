import { checkBody } from '../../../record/check-body.ts'
import { type CompanionName, isCompanionName } from '../../../record/companion/kinds.ts'
import { toChangeKind } from '../../../record/decide.ts'
import type { JsonObject, JsonValue } from '../../../record/json.ts'
import type { VideoRecord } from '../../../record/record.ts'
import { withoutUserInfo } from '../../../record/text/address.ts'
import { isCompanionContent } from '../../companion/check-companions.ts'
import { toCompanionChecksum } from '../../companion/companion-rows.ts'
import type { Database } from '../../database.ts'
import { endOfTime } from './dump-lines.ts'

/** Checks lines of a dump against earlier ones. Each method returns what is wrong, or null. */
interface DumpOrder {
  /** `body`: the exact bytes in the line. */
  judgeVersion(row: JsonObject, body: Uint8Array): string | null
  judgeCompanion(row: JsonObject): string | null
  judgeOrigin(row: JsonObject): string | null
  /** Whether a record with this id is in the dump. */
  judgeMember(id: JsonValue | undefined): string | null
  judgeTombstone(row: JsonObject): Promise<string | null>
  versions(): number
}

interface Last {
  readonly number: number
  readonly state: VideoRecord['state']
  readonly slug: string
}

export function createDumpOrder(db: Database): DumpOrder {
  /** The newest version of each record so far. */
  const last = new Map<number, Last>()
  let lastSeq = 0
  let versions = 0
  const findSeq = db.query<{ seq: number }, [number]>('SELECT seq FROM version WHERE seq = ?')

  return {
    versions: () => versions,
    judgeVersion(row, body) {
      const judged = checkBody(body)
      if (!judged.ok) return `of the record ${judged.problem}`
      const { record } = judged
      const before = last.get(record.id) ?? null
      const problem = findDifference(row, record) ?? findBreak(row, record, before)
      if (problem !== null) return problem
      if (Number(row.seq) <= lastSeq) return `seq ${row.seq} must be greater than ${lastSeq}`
      lastSeq = Number(row.seq)
      last.set(record.id, { number: Number(row.number), state: record.state, slug: record.slug })
      versions++
      return null
    },
    judgeCompanion({ record_id: id, name, number, checksum, body }) {
      const newest = last.get(Number(id))
      if (newest === undefined) return `there is no record ${id}`
      if (Number(number) > newest.number) return `version ${number} of record ${id} is missing`
      if (toCompanionChecksum(Buffer.from(String(body))).toString('hex') !== checksum)
        return 'it does not match its checksum'
      const isGood =
        isCompanionName(String(name)) && isCompanionContent(name as CompanionName, JSON.parse(String(body)))
      return isGood ? null : `the body of the companion must be one of ${name}`
    },
    judgeOrigin({ id, source, path, imported, body, basis }) {
      if (!last.has(Number(id))) return `there is no record ${id}`
      const isOneOf = [source, path, imported].every((each) => (each === null) === (source === null))
      const isPair = (body === null) === (basis === null)
      return isOneOf && isPair ? null : 'an origin has source, path and imported, and extras have body and basis'
    },
    judgeMember: (id) => (last.has(Number(id)) ? null : `there is no record ${id}`),
    async judgeTombstone({ record_id: id, seq }) {
      if (last.has(Number(id))) return `record ${id} was erased, but is in the dump`
      return (await findSeq.get(Number(seq))) === null ? null : `seq ${seq} already belongs to a version`
    },
  }
}

/** The columns of a version must agree with its body. */
function findDifference(row: JsonObject, record: VideoRecord): string | null {
  if (row.record_id !== record.id) return `the record has id ${record.id}, its version says ${row.record_id}`
  if (record.updated >= endOfTime)
    return `the record was updated at ${record.updated}, which leaves no room for later changes`
  if (row.state !== record.state) return `the record has state ${record.state}, its version says ${row.state}`
  return null
}

/** Versions must have no gaps, and the slug must never change. */
function findBreak(row: JsonObject, record: VideoRecord, before: Last | null): string | null {
  const wanted = (before?.number ?? 0) + 1
  if (row.number !== wanted) return `version ${wanted} of record ${record.id} is missing`
  if (before !== null && before.slug !== record.slug) return `the slug of record ${record.id} was ${before.slug} before`
  const kind = toChangeKind(before?.state ?? null, record.state)
  return row.kind === kind ? null : `kind of the version must be ${kind}`
}

type OriginTable = 'origin' | 'origin_alias' | 'category_origin'
type Row = { readonly [column: string]: string | number | null | Uint8Array }

/**
 * Removes passwords from the names of sources in dumps of older versions. If several rows then have the same source and
 * path, a name without a password wins, then the first in the alphabet. Other records get their id appended to the
 * path; other aliases and categories are dropped. Returns the row to insert, or null.
 */
export function createOriginCleaner(db: Database): (table: OriginTable, row: Row) => Promise<Row | null> {
  /** Source names with a password, by table and place of the inserted row. */
  const formerNames = new Map<string, string>()

  async function isTaken(table: OriginTable, { source, path }: Place): Promise<boolean> {
    return (await db.query(`SELECT 1 FROM ${table} WHERE source = ? AND path = ?`).get(source, path)) !== null
  }

  /** Renames or deletes the row with this source and path. */
  function vacate(table: OriginTable, { source, path }: Place): void {
    const renumber = `UPDATE origin SET path = path || ' (record ' || record_id || ')'`
    const sql = table === 'origin' ? renumber : `DELETE FROM ${table}`
    db.query(`${sql} WHERE source = ? AND path = ?`).send(source, path)
  }

  return async (table, row) => {
    const name = String(row.source)
    const place = { source: withoutUserInfo(name), path: String(row.path) }
    const clean = { ...row, ...place }
    const key = JSON.stringify([table, place.source, place.path])
    const former = formerNames.get(key)
    const isClean = name === place.source
    // Two rows with the same name and path violate the table's constraint, which reports the error.
    if (former === name || (former === undefined && (isClean || !(await isTaken(table, place))))) {
      if (!isClean) formerNames.set(key, name)
      return clean
    }
    const goesFirst = former !== undefined && (isClean || name < former)
    if (!goesFirst) return table === 'origin' ? { ...clean, path: `${place.path} (record ${row.record_id})` } : null
    vacate(table, place)
    if (isClean) formerNames.delete(key)
    else formerNames.set(key, name)
    return clean
  }
}

interface Place {
  readonly source: string
  readonly path: string
}
