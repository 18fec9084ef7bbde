import type { ArchivedFields } from '../record/category.ts'
import { type Chapters, keepParts } from '../record/companion/chapters.ts'
import type { CompanionSource } from '../record/companion/companion.ts'
import { type CompanionName, toKind } from '../record/companion/kinds.ts'
import { fields } from '../record/fields.ts'
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../record/json.ts'
import type { ProfileFields } from '../record/profile.ts'
import type { VideoRecord } from '../record/record.ts'
import { toIsoCode } from '../record/text/language.ts'
import { type Fitted, fitFields } from './fit.ts'
import { type Residue, toOriginal } from './round-trip.ts'

/** Media files, each with its own field. Any other entry of `videos` is a web page that plays the talk. */
const formats = ['mp4', 'webm', 'ogv', 'flv'] as const
type Format = (typeof formats)[number]

interface Media {
  readonly type: string
  readonly url: string
  readonly length: number | null
}

/** Keys that files and records share. */
const texts = ['summary', 'description', 'quality_notes', 'copyright_text', 'thumbnail_url'] as const
const lists = ['speakers', 'tags'] as const

/** Maps a file to the fields of a record. `category` is the title of its folder. */
export function parseFile(file: JsonObject, category: string): Fitted {
  const { media, problems } = toMedia(file.videos)
  const fitted = fitFields(toRecordFields(file, category, media), category)
  if (!fitted.ok || problems.length === 0) return fitted
  const unfit = { field: 'videos', reason: problems.slice(0, maxMediaProblems).join(' ') }
  return { ...fitted, unfit: [...fitted.unfit, unfit] }
}

const maxMediaProblems = 10

function toRecordFields(file: JsonObject, category: string, media: readonly Media[]): JsonObject {
  const isWithout = file.category === undefined || isBlank(file.category)
  const fields: Record<string, JsonValue> = {
    title: file.title ?? null,
    category: isWithout ? category : (file.category ?? category),
    language: file.language ?? '',
  }
  for (const name of texts) fields[name] = file[name] ?? ''
  for (const name of lists) fields[name] = toNames(file[name])
  fields.duration = file.duration ?? null
  fields.recorded = typeof file.recorded === 'string' ? file.recorded.slice(0, 10) : (file.recorded ?? null)
  fields.source_url = toSource(file.source_url, media)
  for (const format of formats) Object.assign(fields, toFormatFields(format, media))
  return fields
}

const isBlank = (value: JsonValue) => value === null || (typeof value === 'string' && value.trim() === '')

/** Without blank names. */
function toNames(value: JsonValue | undefined): JsonValue {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) return value
  return value.filter((each) => !isBlank(each))
}

function isAddress(value: JsonValue): value is string {
  return typeof value === 'string' && value !== '' && fields.source_url.kind.parse(value).ok
}

function toMedia(value: JsonValue | undefined): { readonly media: readonly Media[]; readonly problems: string[] } {
  if (value === undefined || value === null) return { media: [], problems: [] }
  if (!Array.isArray(value)) return { media: [], problems: ['Must be an array.'] }
  const problems: string[] = []
  const media = value.flatMap((entry: JsonValue, i) => {
    if (!isJsonObject(entry) || !isAddress(entry.url ?? null)) {
      problems.push(`Entry ${i + 1}: no valid url.`)
      return []
    }
    const { type, url, length, size } = entry
    const bytes = length ?? size ?? null
    const isSize = bytes === null || (typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0)
    if (!isSize) problems.push(`Entry ${i + 1}: its size is not a number of bytes.`)
    const known = isSize && typeof bytes === 'number' ? bytes : null
    return [{ type: typeof type === 'string' ? type : '', url: String(url), length: known }]
  })
  return { media, problems }
}

function toSource(own: JsonValue | undefined, media: readonly Media[]): JsonValue {
  if (own !== undefined && own !== null && own !== '') return own
  const page = media.find(({ type }) => !formats.some((format) => format === type))
  return (page ?? media[0])?.url ?? ''
}

function toFormatFields(format: Format, media: readonly Media[]): JsonObject {
  const file = media.find(({ type }) => type === format)
  if (file === undefined) return { [`video_${format}_url`]: null, [`video_${format}_length`]: null }
  return { [`video_${format}_url`]: file.url, [`video_${format}_length`]: file.length === 0 ? null : file.length }
}

/** The fields that a file can have: all but those that the store sets. */
export type Fileable = Omit<VideoRecord, 'id' | 'added' | 'updated' | 'state' | 'embed'>

/** The file of a record, without the values that were kept from its source. */
export function toFile(record: Fileable): JsonObject {
  return {
    category: record.category,
    copyright_text: record.copyright_text,
    description: record.description,
    duration: record.duration,
    language: toIsoCode(record.language) ?? record.language,
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

/** The file as its source would have it now: the source's own values, with the changes made here. */
export function toSourceFile(record: VideoRecord, kept: Residue | null): JsonObject {
  const produced = toFile(record)
  const file = toOriginal(produced, kept)
  if (kept === null) return file
  const { videos, source_url: source } = kept.values
  const isOwnSource = typeof source === 'string' && source !== ''
  const isNewSource = isOwnSource && (isAddress(source) ? source : '') !== record.source_url
  return {
    ...file,
    ...(isNewSource ? { source_url: record.source_url } : {}),
    ...(Array.isArray(videos) ? { videos: mergeMedia(videos, toList(kept.basis.said.videos), toVideos(record)) } : {}),
  }
}

/** The file with the companions of the record, in the source's own words where nobody has changed them. */
export function withCompanions(
  file: JsonObject,
  source: CompanionSource | null,
  companions: readonly { readonly name: CompanionName; readonly content: JsonObject }[],
  drafts: ReadonlySet<number>,
): JsonObject {
  let known = file
  for (const { name, content: stored } of companions) {
    const { fromSource, toSource } = toKind(name)
    // Contents of chapters have the shape that their kind gives them.
    const content = name === 'chapters' ? keepParts(stored as Chapters, (id) => !drafts.has(id)) : stored
    const isUnchanged = isSameJson(content, fromSource(source ?? { values: {}, basis: {} }))
    if (!isUnchanged) known = { ...known, ...toSource(content, source, known) }
  }
  return known
}

const toList = (value: JsonValue | undefined) => (Array.isArray(value) ? value.filter(isJsonObject) : [])

/** Entries that the record has follow the record; the others are kept. */
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

/** The file of a category; most archives have no more than a title and a description. */
export function toCategoryFile(title: string, { description, ...others }: Partial<ArchivedFields>): JsonObject {
  const given = Object.entries(others).filter(([, value]) => value !== '' && value !== null)
  return { description: description ?? '', title, ...Object.fromEntries(given) }
}

interface SpeakerEntry {
  readonly name: string
  readonly profile: ProfileFields
}

/** Profiles of speakers, without empty fields. */
export function toSpeakersFile(speakers: readonly SpeakerEntry[]): JsonObject {
  return {
    speakers: speakers.map(({ name, profile: { note, links } }) => ({
      ...{ name, ...(note === '' ? {} : { note }), ...(links.length === 0 ? {} : { links }) },
    })),
  }
}

/** The path of a record that was not imported. */
export function toFilePath(record: VideoRecord, categorySlug: string): string {
  return `${categorySlug}/videos/${record.slug}.json`
}

/** Sorted keys, two spaces, ASCII, a final newline: the same file for the same values. */
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
