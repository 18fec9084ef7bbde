import { parseNewCategory } from '../../record/category.ts'
import { anyRecord } from '../../record/companion/companion.ts'
import {
  type CompanionChange,
  type CompanionName,
  companionNames,
  type SingleName,
  toKind,
} from '../../record/companion/kinds.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import { parseFields } from '../../record/record.ts'
import { toTimestamp } from '../../record/timestamp.ts'
import { toTranscriptName } from '../../record/transcript/transcript-kind.ts'
import { clipFolder, findClip } from '../../site/asset/sample-clips.ts'
import { createCompanionRows } from '../../store/companion/companion-rows.ts'
import type { Database } from '../../store/database.ts'
import { rebuildLinkUses } from '../../store/link/check-link-uses.ts'
import { type PlainCommand, runCommand } from '../../store/write/commands.ts'
import { createRecordRows, type RecordRows } from '../../store/write/record-rows.ts'
import { lastIdSql } from '../../store/write/version-rows.ts'
import events from './events.json'
import records from './records.json'
import transcripts from './transcripts.json'

/**
 * Fills an empty store with our own examples, in one transaction; a store that has ever had a record is left alone.
 * Some talks play clips that this server serves below its base URL.
 */
export async function addSample(db: Database, baseUrl: string): Promise<void> {
  await db.transaction('write', async () => {
    if ((await db.query<{ id: number | null }, []>(lastIdSql).get())?.id !== null) return
    const rows = createRecordRows(db)
    const companions = createCompanionRows(db)
    for (const event of events) await run(rows, toEventCommand(event))
    for (const talk of records) {
      const { related, recordings, chapters, ...record }: JsonObject = talk
      const id = await run(rows, toTalkCommand(record, baseUrl))
      const said = transcripts.filter(({ video }) => video === id).map(toTranscript)
      companions.saveFirst([{ id, companions: [...toCompanions({ related, recordings, chapters }), ...said] }])
    }
    // Companions have addresses, too.
    await rebuildLinkUses(db)
  })
}

type Companions = { readonly [Name in SingleName]: JsonValue | undefined }

function toCompanions(given: Companions): CompanionChange[] {
  return companionNames.flatMap((name) => {
    const body = given[name]
    return body === undefined ? [] : [toCompanion(name, body)]
  })
}

const toTranscript = ({ video: _, language, ...content }: (typeof transcripts)[number]) =>
  toCompanion(toTranscriptName(language), content)

function toCompanion(name: CompanionName, body: JsonValue): CompanionChange {
  const parsed = toKind(name).parse(body, anyRecord)
  if (!parsed.ok) throw new Error(`a part of the sample is wrong: ${JSON.stringify([...parsed.errors])}`)
  return { name, content: parsed.content }
}

/** The id of the record or category that the command creates. */
async function run(rows: RecordRows, command: PlainCommand): Promise<number> {
  const outcome = await runCommand(rows, command, toTimestamp(Date.now()))
  if (outcome.is === 'stored') return outcome.stored.id
  if (outcome.is === 'category') return outcome.category.id
  throw new Error(`a part of the sample was not stored: ${JSON.stringify({ command, outcome })}`)
}

const author = { name: 'sample', role: 'publisher' } as const

function toEventCommand(event: JsonObject): PlainCommand {
  return { kind: 'create category', author, changes: accept(parseNewCategory(event)) }
}

function toTalkCommand(record: JsonObject, baseUrl: string): PlainCommand {
  return { kind: 'create', author, changes: accept(parseFields(toFields(record, baseUrl), 'whole', null)) }
}

/** Adds the addresses and lengths of the clip and the picture that a record names. */
function toFields({ clip, picture, ...fields }: JsonObject, baseUrl: string): JsonObject {
  const [mp4, webm, webp] = [
    toFile(clip, 'mp4', baseUrl),
    toFile(clip, 'webm', baseUrl),
    toFile(picture, 'webp', baseUrl),
  ]
  return {
    ...fields,
    ...(webp && { thumbnail_url: webp.url }),
    ...(mp4 && { video_mp4_url: mp4.url, video_mp4_length: mp4.length }),
    ...(webm && { video_webm_url: webm.url, video_webm_length: webm.length }),
  }
}

function toFile(name: JsonValue | undefined, type: string, baseUrl: string) {
  const file = findClip(`${name}.${type}`)
  return file === null ? null : { url: `${baseUrl}${clipFolder}/${name}.${type}`, length: file.bytes.length }
}

type Parsed<T> =
  | { readonly ok: true; readonly changes: T }
  | { readonly ok: false; readonly errors: ReadonlyMap<string, readonly string[]> }

function accept<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(`a part of the sample is wrong: ${JSON.stringify([...parsed.errors])}`)
  return parsed.changes
}
