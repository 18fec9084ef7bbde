import { toKind } from '../../record/companion/kinds.ts'
import { toVideoUrl } from '../../record/embed.ts'
import { isSameJson, type JsonObject } from '../../record/json.ts'
import { fromBody } from '../../record/record.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import type { Transcript } from '../../record/transcript/transcript.ts'
import { type TranscriptName, toTranscriptName } from '../../record/transcript/transcript-kind.ts'
import type { Database } from '../database.ts'
import { toCompanionVersion } from '../write/commands.ts'
import { createRecordRows } from '../write/record-rows.ts'

/** What the name and path of a file tell about its record. */
export interface TranscriptFile {
  /** Its path without the language: `12`, `… [dQw4w9WgXcQ]`, a slug, `event/videos/talk`. */
  readonly stem: string
  readonly language: string
}

type TranscriptOutcome =
  | { readonly is: 'stored' | 'unchanged'; readonly id: number }
  /** Somebody has edited it here. */
  | { readonly is: 'kept'; readonly id: number }
  | { readonly is: 'unmatched' }

export interface TranscriptImporter {
  /** Writes each file in one transaction, so that no writer waits for more than one file. */
  take(file: TranscriptFile, transcript: Transcript): Promise<TranscriptOutcome>
  /** Null before the first change. */
  batch(): number | null
}

interface Options {
  /** The source whose paths name records; any if absent. */
  readonly source?: string
  /** The batch of the import that this is part of; null creates one with the first change. */
  readonly batch?: number | null
  readonly reason: string | null
  readonly isDryRun: boolean
  now(): number
}

export function createTranscriptImporter(db: Database, options: Options): TranscriptImporter {
  const { reason, isDryRun, now } = options
  const rows = createRecordRows(db)
  const findRecord = createRecordFinder(db, options.source ?? null)
  const findMaker = db.query<{ kind: string | null }, [number, number]>(
    'SELECT batch.kind FROM version LEFT JOIN batch ON batch.id = batch WHERE record_id = ? AND number = ?',
  )
  const findImported = db.query<{ number: number }, [number, string]>(
    `SELECT companion.number FROM companion
     JOIN version ON version.record_id = companion.record_id AND version.number = companion.number
     JOIN batch ON batch.id = batch AND batch.kind = 'import'
     WHERE companion.record_id = ? AND name = ? ORDER BY companion.number DESC LIMIT 1`,
  )
  const findOther = db.query<unknown, [number, number]>(
    'SELECT 1 FROM version WHERE record_id = ? AND batch = ? LIMIT 1',
  )
  let batch = options.batch ?? null

  /** Files of other archives do not name an origin, so only the cues are compared. */
  const isSame = (content: JsonObject, transcript: Transcript) =>
    isSameJson(content, transcript) ||
    (options.source !== undefined && isSameJson(content.cues ?? null, transcript.cues))

  /** Whether the source is the same as last time, so that edits made here are no conflict. */
  async function isKnown(id: number, name: TranscriptName, transcript: Transcript): Promise<boolean> {
    const imported = await findImported.get(id, name)
    return imported !== null && isSame((await rows.companions.find(id, name, imported.number)).content, transcript)
  }

  async function store(id: number, language: string, transcript: Transcript): Promise<TranscriptOutcome> {
    const name = toTranscriptName(language)
    const stored = await rows.read(id)
    if (stored === null) return { is: 'unmatched' }
    const current = await rows.companions.find(id, name)
    if (isSame(current.content, transcript)) return { is: 'unchanged', id }
    const maker = current.number === 0 ? 'import' : (await findMaker.get(id, current.number))?.kind
    if (maker !== 'import' && maker !== 'undo')
      return { is: (await isKnown(id, name, transcript)) ? 'unchanged' : 'kept', id }
    if (isDryRun) return { is: 'stored', id }
    const record = fromBody(stored.body)
    const parsed = toKind(name).parse(transcript, record)
    if (!parsed.ok) throw new Error(`a transcript of record ${id} could not be stored`)
    const at = toTimestamp(now())
    const plain = { kind: 'import', undoes: null, state: 'done', total: 0, key: null } as const
    batch ??= await rows.batches.add({ ...plain, at, author: 'import', reason })
    const made = { author: 'import', reason, batch }
    const isCounted = (await findOther.get(id, batch)) !== null
    await rows.store(toCompanionVersion(stored, record, [{ name, content: parsed.content }], made, at))
    if (!isCounted) rows.batches.addRecords(batch, 1)
    return { is: 'stored', id }
  }

  return {
    batch: () => batch,
    take: ({ stem, language }, transcript) =>
      db.transaction(isDryRun ? 'read' : 'write', async (): Promise<TranscriptOutcome> => {
        const id = await findRecord(stem)
        return id === null ? { is: 'unmatched' } : store(id, language, transcript)
      }),
  }
}

/** By number, by the video's id in brackets, by slug, or by the path of its file in the source archive. */
function createRecordFinder(db: Database, source: string | null) {
  const byId = db.query<{ id: number }, [number]>('SELECT id FROM record WHERE id = ?')
  const bySlug = db.query<{ id: number }, [string]>('SELECT id FROM record WHERE slug = ?')
  const bySource = db.query<{ id: number }, [string]>(
    `SELECT id FROM listing WHERE source_url = ? AND source_url <> '' ORDER BY id LIMIT 2`,
  )
  const byPath = db.query<{ id: number }, string[]>(
    `SELECT record_id AS id FROM origin WHERE path = ?${source === null ? '' : ' AND source = ?'} LIMIT 2`,
  )
  const one = (found: readonly { id: number }[]) => (found.length === 1 ? (found[0]?.id ?? null) : null)

  return async (stem: string): Promise<number | null> => {
    const placed = one(await byPath.all(`${stem}.json`, ...(source === null ? [] : [source])))
    if (placed !== null || source !== null) return placed
    const name = stem.slice(stem.lastIndexOf('/') + 1)
    const [, video] = /\[([\w-]{6,20})\]$/.exec(name) ?? []
    if (video !== undefined)
      return (
        one(await bySource.all(toVideoUrl(`https://www.youtube.com/watch?v=${video}`))) ??
        one(await bySource.all(toVideoUrl(`https://vimeo.com/${video}`)))
      )
    if (/^[1-9]\d{0,14}$/.test(name)) return (await byId.get(Number(name)))?.id ?? null
    return (await bySlug.get(name))?.id ?? null
  }
}

/** What a worker needs to transcribe a live talk that has no transcript. */
export async function* listWanted(db: Database): AsyncGenerator<string> {
  const rows = db.query<{ body: Uint8Array }, []>(`
    SELECT body FROM record WHERE state = 1 AND NOT EXISTS (SELECT 1 FROM companion_trait
      WHERE record_id = record.id AND trait >= 'transcript:' AND trait < 'transcript;') ORDER BY id`)
  for await (const { body } of rows.iterate()) {
    const { id, title, language, duration, source_url, ...record } = fromBody(body)
    const files = [record.video_mp4_url, record.video_webm_url, record.video_ogv_url, record.video_flv_url]
    const urls = files.filter((url) => url !== null && url !== '')
    yield JSON.stringify({ id, title, language, duration, source_url, files: urls })
  }
}
