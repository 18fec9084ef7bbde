import type { CompanionSource } from '../../record/companion/companion.ts'
import {
  type CompanionChange,
  type CompanionName,
  companionNames,
  type ListedTrait,
  type SingleName,
  toKind,
} from '../../record/companion/kinds.ts'
import { isSameJson, type JsonObject } from '../../record/json.ts'
import { origins } from '../../record/transcript/transcript.ts'
import { isTranscriptName, type TranscriptLine, type TranscriptName } from '../../record/transcript/transcript-kind.ts'
import type { Database } from '../database.ts'
import type { Condition } from '../read/statements.ts'
import { createInsertAll } from '../write/insert-many.ts'
import { DamagedRecord, isChecksum } from '../write/version-rows.ts'

/** A content, and the version of the record that it came with; 0 if nobody has given any. */
export interface CompanionContent {
  readonly number: number
  readonly content: JsonObject
}

/** The contents of companions. Call them only within the writer's transaction; `RecordRows` writes their versions. */
export interface CompanionRows {
  /** The content that counted in a version of the record; without a number, now. */
  find(id: number, name: CompanionName, number?: number): Promise<CompanionContent>
  /** The current contents of all companions except transcripts, which can be as long as a hundred records. */
  findAll(id: number): Promise<{ readonly [Name in SingleName]: JsonObject }>
  /** The transcripts that it has now. */
  listTranscripts(id: number): Promise<readonly TranscriptName[]>
  /** `isAlone`: whether the version is about this companion and not about the record. */
  save(id: number, number: number, isAlone: boolean, change: CompanionChange): void
  /** For new records: their first versions. */
  saveFirst(records: readonly FirstCompanions[]): void
}

export interface FirstCompanions {
  readonly id: number
  readonly companions: readonly CompanionChange[]
}

export type CompanionRow = { readonly number: number; readonly checksum: Uint8Array; readonly body: Uint8Array }

/** The content that counted in a version. */
export const companionSql = `SELECT number, checksum, body FROM companion
  WHERE record_id = ? AND name = ? AND number <= ? ORDER BY number DESC LIMIT 1`

/** Parsed JSON that was written by us, or checked by the import of a dump. */
export function toCompanionContent(name: CompanionName, id: number, row: CompanionRow | null): CompanionContent {
  if (row === null) return { number: 0, content: toKind(name).empty }
  const { number, checksum, body } = row
  if (!isChecksum(checksum, body)) throw new DamagedRecord(`${name} of record ${id} does not match its checksum`)
  return { number, content: JSON.parse(Buffer.from(body).toString()) }
}

export interface RecordCompanionRow extends CompanionRow {
  readonly id: number
  readonly name: string
}

/** The current contents of companions. */
export const currentSql = (ids: string) => `
  SELECT record_id AS id, name, number, checksum, body FROM companion AS newest WHERE record_id IN ${ids}
    AND number = (SELECT max(number) FROM companion WHERE record_id = newest.record_id AND name = newest.name)`

/** The same without transcripts. */
export const currentSingleSql = (ids: string) =>
  `${currentSql(ids)} AND name IN (${companionNames.map((name) => `'${name}'`).join(', ')})`

/** Later than any version. */
export const anyVersion = Number.MAX_SAFE_INTEGER

export const toCompanionBody = (content: JsonObject) => Buffer.from(JSON.stringify(content))
export const toCompanionChecksum = (body: Uint8Array) => new Bun.CryptoHasher('sha256').update(body).digest()

/** The companions that a source has. */
export function listImported(source: CompanionSource | null): CompanionChange[] {
  if (source === null) return []
  return companionNames
    .map((name) => ({ name, content: toKind(name).fromSource(source) }))
    .filter((change) => !isSameJson(change.content, toKind(change.name).empty))
}

const columns = ['record_id', 'name', 'number', 'alone', 'checksum', 'body'] as const
const traitColumns = ['trait', 'record_id', 'name'] as const

export function toCompanionValues(id: number, number: number, isAlone: boolean, { name, content }: CompanionChange) {
  const body = toCompanionBody(content)
  return [id, name, number, isAlone ? 1 : 0, toCompanionChecksum(body), body] as const
}

export const toTraitRows = (id: number, { name, content }: CompanionChange) =>
  toKind(name)
    .listTraits(content)
    .map((trait) => [trait, id, name] as const)

const traitSql = 'SELECT record_id AS id FROM companion_trait WHERE'

/** The records that lists find by a trait. Those of transcripts end with a language; `en` finds `en-GB`, too. */
export function toTraitSql(trait: ListedTrait): Condition {
  if (trait === 'transcript' || trait.startsWith('transcript:'))
    return { sql: `${traitSql} trait >= ? AND trait < ?`, values: [`${trait}:`, `${trait};`] }
  if (!trait.startsWith('transcript_language:')) return { sql: `${traitSql} trait = ?`, values: [trait] }
  const sql = `${traitSql} trait = ? OR (trait >= ? AND trait < ?)`
  return { sql, values: [trait, `${trait}-`, `${trait}.`] }
}

export function createCompanionRows(db: Database): CompanionRows {
  const find = db.query<CompanionRow, [number, string, number]>(companionSql)
  const listTranscripts = createTranscriptList(db)
  const findAll = db.query<RecordCompanionRow, [number]>(currentSingleSql('(?)'))
  const insert = createInsertAll(db, 'companion', columns)
  const insertTraits = createInsertAll(db, 'companion_trait', traitColumns)
  const dropTraits = db.query<null, [number, string]>('DELETE FROM companion_trait WHERE record_id = ? AND name = ?')
  return {
    find: async (id, name, number = anyVersion) => toCompanionContent(name, id, await find.get(id, name, number)),
    async findAll(id) {
      const rows = await findAll.all(id)
      const contents = companionNames.map((name) => {
        const row = rows.find((each) => each.name === name) ?? null
        return [name, toCompanionContent(name, id, row).content]
      })
      // Every name has its content.
      return Object.fromEntries(contents) as { readonly [Name in SingleName]: JsonObject }
    },
    listTranscripts: async (id) =>
      (await listTranscripts({ id })).filter(({ origin }) => origin !== null).map(({ name }) => name),
    save(id, number, isAlone, change) {
      insert([change], (each) => toCompanionValues(id, number, isAlone, each))
      dropTraits.send(id, change.name)
      insertTraits(toTraitRows(id, change), (row) => row)
    },
    saveFirst(records) {
      const all = records.flatMap(({ id, companions }) => companions.map((change) => ({ id, change })))
      insert(all, ({ id, change }) => toCompanionValues(id, 1, false, change))
      insertTraits(
        all.flatMap(({ id, change }) => toTraitRows(id, change)),
        (row) => row,
      )
    },
  }
}

/** Answers `listTranscripts`. The traits of a deleted one are gone. */
export function createTranscriptList(db: Database) {
  const list = db.query<{ name: string; number: number; trait: string | null }, [number]>(`
    SELECT name, max(number) AS number, (SELECT trait FROM companion_trait
      WHERE record_id = companion.record_id AND name = companion.name AND trait LIKE 'transcript:%') AS trait
    FROM companion WHERE record_id = ? AND name LIKE 'transcripts/%' GROUP BY companion.record_id, name ORDER BY name`)
  return async ({ id }: { readonly id: number }): Promise<readonly TranscriptLine[]> =>
    (await list.all(id)).flatMap(({ name, number, trait }) => {
      const origin = origins.find((each) => each === trait?.split(':')[1]) ?? null
      return isTranscriptName(name) ? [{ name, number, origin }] : []
    })
}
