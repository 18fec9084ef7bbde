import { type ChangedName, isChangedName, isCompanionName, toKind } from '../../record/companion/kinds.ts'
import type { WritableName } from '../../record/fields.ts'
import { isSameJson, type JsonValue } from '../../record/json.ts'
import type { VideoRecord } from '../../record/record.ts'
import type { FieldHistory } from '../../record/three-way-merge.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import type { Database } from '../database.ts'
import type { RecordRows } from '../write/record-rows.ts'
import type { Extras, ImportedTalk } from './imported-talk.ts'
import type { RecordOrigin } from './origin-rows.ts'

const nothing: Extras = { values: {}, basis: {} }

/** The parts of a talk that identify the record it was exported from. */
type Exported = Pick<ImportedTalk, 'id' | 'slug' | 'updated'>

/** Creates the histories that imports merge with (decision 29). `toHere` maps names of the source to those of this store. */
export function createFieldHistories(
  db: Database,
  rows: Pick<RecordRows, 'versions' | 'companions'>,
  toHere: (name: WritableName, value: JsonValue | undefined) => JsonValue | undefined,
) {
  const authors = createVersionAuthors(db)

  /** `origin`: the record as this source had it last time. `kept`: the extras of then. */
  return (record: VideoRecord, origin: RecordOrigin | null, talk: Exported, kept: Extras | null): FieldHistory => {
    let known: readonly LoggedVersion[] | undefined
    let exported: VideoRecord | null | undefined
    const listVersions = async () => {
      known ??= await authors.list(record.id)
      return known
    }

    const read = async ({ number }: LoggedVersion, name: ChangedName) =>
      isCompanionName(name)
        ? (await rows.companions.find(record.id, name, number)).content
        : toHere(name, (await rows.versions.find(record.id, number))?.[name])
    const readNow = async (name: ChangedName) =>
      isCompanionName(name) ? (await rows.companions.find(record.id, name)).content : record[name]

    /** The version that an edited export is based on, unless the source was imported again since. */
    async function findExported(): Promise<VideoRecord | null> {
      const { id, slug, updated } = talk
      if (updated === null || id !== record.id || slug !== record.slug) return null
      const number = await authors.findAt(record.id, updated)
      return number !== null && number >= (origin?.version ?? 0) ? await rows.versions.find(record.id, number) : null
    }

    /** Versions that set the field, newest first; without undone imports and their undos. */
    async function listSetters(name: ChangedName): Promise<readonly LoggedVersion[]> {
      let undone = 0
      return (await listVersions()).filter(({ by, changed }) => {
        if (!changed.includes(name)) return false
        if (by === 'undone import') undone++
        else if (by !== 'import' || undone === 0) return true
        else undone--
        return false
      })
    }

    return {
      async lastImported(name) {
        if (isCompanionName(name)) return toKind(name).fromSource(kept ?? nothing)
        if (exported === undefined) exported = await findExported()
        return toHere(name, exported === null ? origin?.imported[name] : exported[name])
      },
      async undoneImport(name) {
        const versions = await listVersions()
        const index = versions.findIndex(({ changed }) => changed.includes(name))
        const isTouched = versions.slice(0, index).some(({ by }) => by === 'people')
        if (isTouched || versions[index]?.by !== 'undone import') return undefined
        const undone = versions.slice(index).find(({ by, changed }) => by === 'import' && changed.includes(name))
        return undone === undefined ? undefined : await read(undone, name)
      },
      async setBy(name) {
        const [last, ...before] = await listSetters(name)
        if (last?.by === 'import') return 'import'
        const given = before.find(({ by }) => by === 'import')
        if (given === undefined) return null
        // Somebody may have edited the field and reverted the edit.
        return isSameJson((await read(given, name)) ?? null, await readNow(name)) ? 'import' : 'people'
      },
    }
  }
}

/** One version of a record, and the kind of change that made it. */
interface LoggedVersion {
  readonly number: number
  readonly changed: readonly ChangedName[]
  /** `undone import`: the version undid an import. `people`: anything else. */
  readonly by: 'import' | 'undone import' | 'people'
}

/** The versions of a record, and the kind of change that made each. */
interface VersionAuthors {
  /** Newest first. */
  list(id: number): Promise<readonly LoggedVersion[]>
  /** The version with this time; null if there is none. */
  findAt(id: number, at: Timestamp): Promise<number | null>
}

interface Row {
  readonly number: number
  readonly changed: string
  readonly kind: string | null
  readonly undone: string | null
}

function createVersionAuthors(db: Database): VersionAuthors {
  const list = db.query<Row, [number]>(
    `SELECT number, changed, batch.kind, undone.kind AS undone FROM version
     LEFT JOIN batch ON batch.id = version.batch LEFT JOIN batch AS undone ON undone.id = batch.undoes
     WHERE record_id = ? ORDER BY number DESC`,
  )
  const findAt = db.query<{ number: number | null }, [number, string]>(
    'SELECT max(number) AS number FROM version WHERE record_id = ? AND at = ?',
  )
  const listFirst = db.query<{ name: string }, [number]>(
    'SELECT name FROM companion WHERE record_id = ? AND number = 1',
  )
  return {
    async list(id) {
      // They came with the record.
      const first = (await listFirst.all(id)).map(({ name }) => name).filter(isCompanionName)
      return (await list.all(id)).map(({ number, changed, ...row }) => ({
        ...{ number, by: toBy(row) },
        changed: number === 1 ? [...parse(changed), ...first] : parse(changed),
      }))
    },
    findAt: async (id, at) => (await findAt.get(id, at))?.number ?? null,
  }
}

function toBy({ kind, undone }: Pick<Row, 'kind' | 'undone'>): LoggedVersion['by'] {
  if (kind === 'import') return 'import'
  return kind === 'undo' && undone === 'import' ? 'undone import' : 'people'
}

/** The column is a JSON array of field names. */
const parse = (changed: string) => (JSON.parse(changed) as string[]).filter(isChangedName)
