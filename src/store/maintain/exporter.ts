import { type ArchivedFields, archivedNames, toArchivedFields } from '../../record/category.ts'
import { type CompanionChange, isCompanionName, toKind } from '../../record/companion/kinds.ts'
import type { ProfileFields } from '../../record/profile.ts'
import { fromBody, type VideoRecord } from '../../record/record.ts'
import { draft, type Visibility } from '../../record/state.ts'
import type { Transcript } from '../../record/transcript/transcript.ts'
import { toTranscriptLanguage } from '../../record/transcript/transcript-kind.ts'
import {
  anyVersion,
  type CompanionRow,
  companionSql,
  createTranscriptList,
  currentSingleSql,
  type RecordCompanionRow,
  toCompanionContent,
} from '../companion/companion-rows.ts'
import type { Database } from '../database.ts'
import type { Extras } from '../import/imported-talk.ts'
import { createLookup, toChunks } from '../read/statements.ts'

export interface ExportedRecord {
  readonly record: VideoRecord
  readonly body: Uint8Array
  readonly path: string | null
  readonly categorySlug: string
  readonly extras: Extras | null
  /** Those that have or had a content, without transcripts. */
  readonly companions: readonly CompanionChange[]
  /** Records that the companions name, and that are left out because they are drafts. */
  readonly drafts: ReadonlySet<number>
}

export interface ExportedCategory {
  /** The path of its file; null if it was not imported. */
  readonly path: string | null
  readonly title: string
  readonly slug: string
  readonly fields: ArchivedFields
  readonly extras: Extras | null
}

export type ExportedTranscript = Transcript & { readonly language: string }

/** A speaker with a profile. */
export interface ExportedSpeaker {
  readonly name: string
  readonly profile: ProfileFields
}

/** Reads the store record by record, so that memory stays flat. Runs in one read transaction of the caller. */
export interface Exporter {
  count(visibility: Visibility): Promise<number>
  records(visibility: Visibility): AsyncIterable<ExportedRecord>
  transcripts(id: number): AsyncIterable<ExportedTranscript>
  categories(): AsyncIterable<ExportedCategory>
  speakers(visibility: Visibility): Promise<readonly ExportedSpeaker[]>
}

interface Row {
  readonly body: Uint8Array
  readonly path: string | null
  readonly slug: string
  readonly values: Uint8Array | null
  readonly basis: Uint8Array | null
}

type RecordRow = Row & { readonly id: number }

const noDrafts: ReadonlySet<number> = new Set()

export function createExporter(db: Database): Exporter {
  const lookUp = createLookup<RecordCompanionRow, number>(db, currentSingleSql)
  const lookUpDrafts = createLookup<{ id: number }, number>(
    db,
    (ids) => `SELECT id FROM record WHERE state = ${draft} AND id IN ${ids}`,
  )
  const listTranscripts = createTranscriptList(db)
  const findTranscript = db.query<CompanionRow, [number, string, number]>(companionSql)

  async function listCompanions(ids: readonly number[]): Promise<ReadonlyMap<number, readonly CompanionChange[]>> {
    const found = new Map<number, CompanionChange[]>()
    for (const { id, name, ...row } of await lookUp(ids)) {
      if (!isCompanionName(name)) continue
      const { content } = toCompanionContent(name, id, row)
      found.set(id, [...(found.get(id) ?? []), { name, content }])
    }
    return found
  }

  async function findDrafts(companions: Iterable<readonly CompanionChange[]>): Promise<ReadonlySet<number>> {
    const named = [...companions].flatMap((all) =>
      all.flatMap(({ name, content }) => toKind(name).listRecords(content)),
    )
    const drafts = new Set<number>()
    for await (const ids of toChunks(new Set(named))) for (const { id } of await lookUpDrafts(ids)) drafts.add(id)
    return drafts
  }

  const visible = (visibility: Visibility) => (visibility === 'all' ? '' : 'WHERE record.state = 1')
  return {
    async count(visibility) {
      const sql = `SELECT count(*) AS count FROM record ${visible(visibility)}`
      return (await db.query<{ count: number }, []>(sql).get())?.count ?? 0
    },
    async *records(visibility) {
      const sql = `
        SELECT record.id, record.body, origin.path, category.slug, extras.body AS "values", extras.basis
        FROM record JOIN listing USING (id) JOIN category ON category.id = category_id
        LEFT JOIN origin ON origin.record_id = record.id LEFT JOIN extras ON extras.record_id = record.id
        ${visible(visibility)} ORDER BY record.id`
      const toSize = ({ body, values }: Row) => body.length + (values?.length ?? 0)
      for await (const chunk of toChunks(db.query<RecordRow, []>(sql).iterate(), toSize)) {
        const companions = await listCompanions(chunk.map(({ id }) => id))
        const drafts = visibility === 'all' ? noDrafts : await findDrafts(companions.values())
        for (const { id, body, path, slug, values, basis } of chunk) {
          const known = { extras: toExtras(values, basis), companions: companions.get(id) ?? [], drafts }
          yield { record: fromBody(body), body, path, categorySlug: slug, ...known }
        }
      }
    },
    async *transcripts(id) {
      for (const { name, origin } of await listTranscripts({ id })) {
        const row = origin === null ? null : await findTranscript.get(id, name, anyVersion)
        // Transcripts have the shape that their kind gives them.
        const transcript = toCompanionContent(name, id, row).content as Transcript
        if (transcript.cues.length > 0) yield { language: toTranscriptLanguage(name), ...transcript }
      }
    },
    async *categories() {
      const sql = `
        SELECT path, title, slug, ${archivedNames.join(', ')}, body AS "values", basis
        FROM category LEFT JOIN category_origin ON category_origin.category_id = category.id ORDER BY category.id`
      type CategoryRow = Row & ExportedCategory & ArchivedFields
      for await (const { values, basis, path, title, slug, ...row } of db.query<CategoryRow, []>(sql).iterate()) {
        yield { path, title, slug, fields: toArchivedFields(row), extras: toExtras(values, basis) }
      }
    },
    async speakers(visibility) {
      const rows = await db.query<{ name: string; body: string }, []>(toProfilesSql(visibility)).all()
      // The column was written by us, or checked by the import of a dump.
      const all = rows.map(({ name, body }) => ({ name, profile: JSON.parse(body) as ProfileFields }))
      return all.filter(({ profile: { note, links } }) => note !== '' || links.length > 0)
    },
  }
}

/** The current profile of each speaker with a record that is exported. */
const toProfilesSql = (visibility: Visibility) => `
  SELECT name, body FROM speaker JOIN speaker_version AS said ON said.speaker_id = speaker.id
  WHERE number = (SELECT max(number) FROM speaker_version WHERE speaker_id = speaker.id)
    AND EXISTS (SELECT 1 FROM record_speaker JOIN record ON record.id = record_id
      WHERE record_speaker.speaker_id = speaker.id ${visibility === 'all' ? '' : 'AND record.state = 1'})
  ORDER BY speaker.id`

function toExtras(values: Uint8Array | null, basis: Uint8Array | null): Extras | null {
  if (values === null || basis === null) return null
  return { values: parse(values), basis: parse(basis) }
}

const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())
