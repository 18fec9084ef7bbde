import { fields, type WritableName } from '../record/fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../record/json-value.ts'
import { type ParsedFields, parseFields, type VideoRecord } from '../record/record.ts'
import { type Kept, toOriginal } from './kept.ts'
import { toLanguageCode } from './language-code.ts'

/** Media that are files, each with a field of its own; everything else in `videos` is a page to watch. */
const formats = ['mp4', 'webm', 'ogv', 'flv'] as const
type Format = (typeof formats)[number]

interface Media {
  readonly type: string
  readonly url: string
  readonly length: number | null
}

/** A file's keys that are a record's fields under the same name. */
const texts = ['summary', 'description', 'quality_notes', 'copyright_text', 'thumbnail_url'] as const
const lists = ['speakers', 'tags'] as const

/** What a record takes of a file; what it cannot take is left to be kept beside it. `category` is the folder's. */
export function parseFile(file: JsonObject, category: string): ParsedFields {
  const parsed = parseFields(toRecordFields(file, category, asItIs), 'whole', null)
  // Hardly any file has something that does not fit, so that is looked for only then.
  return parsed.ok ? parsed : parseFields(toRecordFields(file, category, fit), 'whole', null)
}

type Fit = (name: WritableName, value: JsonValue) => JsonValue | undefined

const asItIs: Fit = (_name, value) => value

function toRecordFields(file: JsonObject, category: string, fit: Fit): JsonObject {
  const media = toMedia(file.videos)
  const fields: Record<string, JsonValue> = {
    title: file.title ?? null,
    category: typeof file.category === 'string' && file.category.trim() !== '' ? file.category : category,
    language: fit('language', file.language ?? '') ?? '',
  }
  for (const name of texts) fields[name] = fit(name, file[name] ?? '') ?? ''
  for (const name of lists) fields[name] = toNames(file[name])
  fields.duration = fit('duration', file.duration ?? null) ?? null
  fields.recorded = fit('recorded', typeof file.recorded === 'string' ? file.recorded.slice(0, 10) : null) ?? null
  fields.source_url = fit('source_url', toSource(file.source_url, media)) ?? ''
  for (const format of formats) Object.assign(fields, toFormatFields(format, media))
  return fields
}

/** The value as the field takes it; undefined where it does not. A wrong type is an error that the field itself tells. */
function fit(name: WritableName, value: JsonValue): JsonValue | undefined {
  const parsed = fields[name].kind.parse(value)
  if (parsed.ok) return parsed.value
  const isText = typeof value === 'string' || value === null
  return isText || typeof value === 'number' ? undefined : value
}

/** Blank ones are no names. */
function toNames(value: JsonValue | undefined): JsonValue {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) return value
  return value.filter((each) => typeof each !== 'string' || each.trim() !== '')
}

function toMedia(value: JsonValue | undefined): readonly Media[] {
  const entries = Array.isArray(value) ? value.filter(isJsonObject) : []
  return entries.flatMap(({ type, url, length, size }) => {
    if (typeof url !== 'string' || fit('source_url', url) === undefined) return []
    const bytes = length ?? size
    const isSize = typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0
    return [{ type: typeof type === 'string' ? type : '', url, length: isSize ? bytes : null }]
  })
}

function toSource(own: JsonValue | undefined, media: readonly Media[]): string {
  if (typeof own === 'string' && own !== '') return own
  const page = media.find(({ type }) => !formats.some((format) => format === type))
  return (page ?? media[0])?.url ?? ''
}

function toFormatFields(format: Format, media: readonly Media[]): JsonObject {
  const file = media.find(({ type }) => type === format)
  if (file === undefined) return { [`video_${format}_url`]: null, [`video_${format}_length`]: null }
  return { [`video_${format}_url`]: file.url, [`video_${format}_length`]: file.length === 0 ? null : file.length }
}

/** What of a record its source would have: all but what is the store's own. */
export type Fileable = Omit<VideoRecord, 'id' | 'added' | 'updated' | 'state' | 'embed'>

/** The file that a record alone would make. */
export function toFile(record: Fileable): JsonObject {
  return {
    category: record.category,
    copyright_text: record.copyright_text,
    description: record.description,
    duration: record.duration,
    language: toLanguageCode(record.language) ?? record.language,
    quality_notes: record.quality_notes,
    recorded: record.recorded,
    slug: record.slug,
    speakers: record.speakers,
    summary: record.summary,
    tags: record.tags,
    thumbnail_url: record.thumbnail_url,
    title: record.title,
    videos: toVideos(record),
  }
}

function toVideos(record: Fileable): JsonObject[] {
  const { source_url: source } = record
  const page = source === '' ? [] : [{ type: toPageType(source), url: source }]
  const files = formats.flatMap((format): JsonObject[] => {
    const url = record[`video_${format}_url`]
    const length = record[`video_${format}_length`]
    if (url === null || url === '') return []
    return [{ ...(length === null ? {} : { length }), type: format, url }]
  })
  return [...page.filter(({ url }) => !files.some((file) => file.url === url)), ...files]
}

function toPageType(url: string): string {
  const host = new URL(url).hostname.replace(/^(?:www|m)\./, '')
  if (host === 'youtube.com' || host === 'youtu.be') return 'youtube'
  return host === 'vimeo.com' ? 'vimeo' : host
}

/** The file as its source would have it now: with what only the source knows, and with what was changed here. */
export function toSourceFile(record: VideoRecord, kept: Kept | null): JsonObject {
  const produced = toFile(record)
  const file = toOriginal(produced, kept)
  if (kept === null) return file
  const { videos, source_url: source } = kept.values
  const isOwnSource = typeof source === 'string' && source !== ''
  const isNewSource = isOwnSource && (fit('source_url', source) ?? '') !== record.source_url
  return {
    ...file,
    ...(isNewSource ? { source_url: record.source_url } : {}),
    ...(Array.isArray(videos) ? { videos: mergeMedia(videos, toList(kept.basis.said.videos), toVideos(record)) } : {}),
  }
}

const toList = (value: JsonValue | undefined) => (Array.isArray(value) ? value.filter(isJsonObject) : [])

/** Media that the record knows of follow the record; the others stay. */
function mergeMedia(
  original: readonly JsonValue[],
  said: readonly JsonObject[],
  now: readonly JsonObject[],
): JsonValue[] {
  const isSaid = (entry: JsonValue) => isJsonObject(entry) && said.some(({ url }) => url === entry.url)
  const stays = (one: JsonObject) => now.some((other) => isSameJson(one, other))
  const isNew = (one: JsonObject) => !said.some((other) => isSameJson(one, other))
  if (said.every(stays) && !now.some(isNew)) return [...original]
  const kept = original.filter((entry) => {
    return !isSaid(entry) || said.some((one) => isJsonObject(entry) && one.url === entry.url && stays(one))
  })
  return [...now.filter(isNew), ...kept]
}

/** The file of a category. */
export function toCategoryFile(title: string, description: string): JsonObject {
  return { description, title }
}

/** The path of a record that came from nowhere. */
export function toFilePath(record: VideoRecord, categorySlug: string): string {
  return `${categorySlug}/videos/${record.slug}.json`
}

/** Keys in order, two spaces, ASCII, a line end: the same file for the same values. */
export function toFileText(file: JsonObject): string {
  const text = JSON.stringify(sortKeys(file), null, 2)
  return `${text.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
