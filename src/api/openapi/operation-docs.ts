import { companionTraits } from '../../record/companion/kinds.ts'
import { fieldNames, mediaKinds } from '../../record/fields.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import { troubledStates } from '../../record/link/link.ts'
import { findingCodes, missingKinds } from '../../record/quality/finding-codes.ts'
import { parkedMark } from '../../record/quality/quality.ts'
import { maxCompletionLength } from '../../record/query/completion.ts'
import { defaultPageSize, facetNames, matches, maxPageSize } from '../../record/query/query.ts'
import { origins } from '../../record/transcript/transcript.ts'
import { defaultLines } from '../envelope.ts'

/** Texts for one path of the route table. HEAD needs none: it is GET without a body. */
export interface RouteDocs {
  readonly tag: Tag
  /** The parameters in the path. */
  readonly parameters?: readonly Parameter[]
  readonly methods: { readonly [method: string]: OperationDocs }
}

export interface OperationDocs {
  /** The OpenAPI `operationId`: verb and noun. */
  readonly id: string
  readonly summary: string
  readonly text?: string
  readonly parameters?: readonly Parameter[]
  /** Media type -> request body. */
  readonly body?: { readonly [type: string]: BodyDocs }
  readonly isBodyOptional?: boolean
  readonly answers: { readonly [status: number]: AnswerDocs }
  /** Failures that are not common to all routes: status -> cause. */
  readonly problems?: { readonly [status: number]: string }
  /** Additional headers of failures, by status. */
  readonly problemHeaders?: { readonly [status: number]: readonly HeaderName[] }
}

interface BodyDocs {
  readonly schema: JsonObject
  readonly example: JsonValue
}

export interface AnswerDocs {
  readonly text: string
  /** Media type -> schema of the body; absent without a body. */
  readonly content?: { readonly [type: string]: JsonObject }
  /** Headers in addition to those of every response of the path. */
  readonly headers?: readonly HeaderName[]
  /** Headers that are not always present, for example not after a dry run. */
  readonly maybeHeaders?: readonly HeaderName[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header' | 'path'
  readonly text: string
  readonly schema: JsonObject
  readonly example?: string | number
}

export const tags = {
  Records: 'One record per recorded talk.',
  Links: 'The addresses of records, and whether they still lead to a talk.',
  History: 'Versions, batches, undo, and the change feed.',
  Vocabulary: 'The categories, speakers, tags and languages of the records.',
  Legacy: 'For clients of the original service.',
  Description: 'Machine-readable descriptions of this API.',
  Operations: 'Health checks and metrics.',
} as const
type Tag = keyof typeof tags

/** Response headers, in addition to those of the path. */
export const headerTexts = {
  ETag: 'Identifies this version. Send it as `If-None-Match` when reading and as `If-Match` when writing.',
  'Last-Modified': 'Time of the last change, in whole seconds.',
  'Cache-Control': 'How long caches may keep the response.',
  'Content-Location': 'URL of the resource in the body.',
  'Accept-Patch': 'Media types that PATCH accepts.',
  'Preference-Applied': '`merge` if the change was merged.',
  'WWW-Authenticate': 'Authentication scheme: `Token`.',
  'Retry-After': 'Seconds to wait before retrying.',
  'Content-Encoding': '`br` or `gzip`, if `Accept-Encoding` allows it. Each has an ETag of its own.',
  'Ignored-Parameters': 'Unknown query parameters, percent-encoded, at most 10. They may be typos.',
  'Unknown-Values':
    'Values that fit nothing, as `name=value`, percent-encoded, at most 10: a category or language that you see no record ' +
    'of, or a `page_size` above the limit, which counts as the limit.',
  Location: 'Target of the redirect.',
  'Access-Control-Allow-Methods': 'Methods that pages of other origins may use.',
  'Access-Control-Allow-Headers': 'Request headers that pages of other origins may send.',
} as const
export type HeaderName = keyof typeof headerTexts

export const recordId = toPathNumber('id', 'Id of the record, without leading zeros.')
export const versionNumber = toPathNumber('version', 'Version number, without leading zeros.')

export const format: Parameter = {
  name: 'format',
  in: 'query',
  text: 'Return `application/json`, regardless of `Accept`.',
  schema: { enum: ['json'] },
}

export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  text: 'ETag of your copy. The response is 304 while the copy is current.',
  schema: { type: 'string' },
}

export const ifModifiedSince: Parameter = {
  name: 'If-Modified-Since',
  in: 'header',
  text: '`Last-Modified` of your copy. Ignored if `If-None-Match` is present.',
  schema: { type: 'string' },
}

export const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  text: 'ETag of the version that your change is based on. If it is no longer current, the response is 412 and nothing is written.',
  schema: { type: 'string' },
}

export const ifUnmodifiedSince: Parameter = {
  name: 'If-Unmodified-Since',
  in: 'header',
  text: '`Last-Modified` of the version that your change is based on. Later changes make the response 412.',
  schema: { type: 'string' },
}

export const dryRun: Parameter = {
  name: 'dry_run',
  in: 'query',
  text: '1 = validate and return the result, but store nothing.',
  schema: { type: 'integer', enum: [0, 1] },
}

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  text: 'A key you choose for this request. Repeating the request with the same key within a day returns the first response and creates nothing new.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

export const changeReason: Parameter = {
  name: 'Change-Reason',
  in: 'header',
  text: 'Why you make this change (UTF-8). Stored with every version that the request creates.',
  schema: { type: 'string', maxLength: 500 },
}

export const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  text:
    '`merge; base="<etag>"`, with the ETag of the version that your change is based on: the change is merged with later ' +
    'changes to other fields. If the same fields have changed, the response is 412. Ignored if `If-Match` is present.',
  schema: { type: 'string' },
}

export function toPathNumber(name: string, text: string): Parameter {
  return {
    name,
    in: 'path',
    text,
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    example: 1,
  }
}

type Schema = Parameter['schema']

const text: Schema = { type: 'string' }
const texts: Schema = { anyOf: [text, { type: 'array', items: text }] }
const nameId: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const nameIds: Schema = { anyOf: [nameId, { type: 'array', items: nameId }] }
const day: Schema = { type: 'string', format: 'date' }
const seconds: Schema = { type: 'integer', minimum: 0 }

const timeFormat = 'Days are `YYYY-MM-DD`, times `YYYY-MM-DDThh:mm:ss`, both in UTC.'

/** Parameters of the list, the most useful first. */
export const listParameters: readonly Parameter[] = [
  toQuery(
    'q',
    'Full-text search. Unless `match` is `best`, every word must match a word or the start of one. `"a phrase"` matches words in this order, `-word` excludes. At most 200 characters and 16 words, those of phrases included. Best match first.',
    text,
  ),
  toQuery(
    'match',
    '`all`: every word of `q` must match. `best`: the same with other forms and corrected spellings, and if few records have all words, those with some of them (`match_is`).',
    { enum: matches, default: 'all' },
  ),
  toQuery('highlight', '1 = each result is `{"record", "highlight"}` and shows where `q` matches.', {
    type: 'integer',
    enum: [0, 1],
    default: 0,
  }),
  toQuery('category', 'Slug or exact title of a category.', text),
  toQuery('speaker', 'Part of a speaker’s name; ignores case and accents. Can be repeated up to four times.', texts),
  toQuery('tag', 'Part of a tag; ignores case and accents. Can be repeated up to four times.', texts),
  toQuery('speaker_id', 'Id of a speaker. Can be repeated up to four times: records that have all of them.', nameIds),
  toQuery('tag_id', 'Id of a tag. Can be repeated up to four times: records that have all of them.', nameIds),
  toQuery('language', 'English name or code of the language.', text),
  toQuery('recorded_after', 'Recorded on or after this day.', day),
  toQuery('recorded_before', 'Recorded on or before this day.', day),
  toQuery('duration_min', 'Minimum duration in seconds.', seconds),
  toQuery('duration_max', 'Maximum duration in seconds.', seconds),
  toQuery(
    'has',
    `Comma-separated media, and what its companions have: ${toCodes([...mediaKinds, ...companionTraits])}.`,
    text,
  ),
  toQuery('has_any', `Comma-separated media of which the record must have at least one: ${toCodes(mediaKinds)}.`, text),
  toQuery('transcript', '0 = without a transcript, 1 = with one; or with one of this origin.', {
    enum: ['0', '1', ...origins],
  }),
  toQuery(
    'transcript_language',
    'Language tag of a transcript; `en` also finds `en-GB`. A search in transcripts searches only these.',
    text,
  ),
  toQuery(
    'source_url',
    'URL of the original video. Any YouTube or Vimeo URL form of the same video and start time matches; other URLs must be equal.',
    text,
  ),
  toQuery('id', 'Comma-separated record ids, at most 100.', { type: 'string', pattern: '^[0-9]+(,[0-9]+)*$' }),
  toQuery(
    'missing',
    `Comma-separated fields and parts of companions of which the record must lack each: ${toCodes([...missingKinds, ...companionTraits])}.`,
    text,
  ),
  toQuery('finding', `Comma-separated findings of which the record must have each: ${toCodes(findingCodes)}.`, text),
  toQuery('link', 'State of an address that the record must have: a source, a file, a related link, … Needs a token.', {
    enum: troubledStates,
  }),
  toQuery('watchable', '1 = only records with a recording that is not known to be gone or private, 0 = only others.', {
    type: 'integer',
    enum: [0, 1],
  }),
  toQuery('scheduled', '1 = only drafts that become live at a set time, or have failed to. Needs a token.', {
    type: 'integer',
    enum: [1],
  }),
  toQuery('whiteboard', '1 = only records with a whiteboard, 0 = only records without.', {
    type: 'integer',
    enum: [0, 1],
  }),
  toQuery(
    'parked',
    `1 = only records whose whiteboard begins with \`${parkedMark}\`, and merged drafts, 0 = only others. Curators park drafts that nobody will finish.`,
    { type: 'integer', enum: [0, 1] },
  ),
  toQuery(
    'host',
    'Host of `source_url`, with or without `www.`, such as `youtube.com`. Other names of it differ.',
    text,
  ),
  toQuery('by', 'Name of the token that made the newest version. Needs a token.', text),
  toQuery('added_after', `Added on or after this day, or at or after this time. ${timeFormat}`, text),
  toQuery('added_before', `Added on or before this day, or at or before this time. ${timeFormat}`, text),
  toQuery('updated_after', `Last changed on or after this day, or at or after this time. ${timeFormat}`, text),
  toQuery('updated_before', `Last changed on or before this day, or at or before this time. ${timeFormat}`, text),
  toQuery('state', '1 = live, 2 = draft. Drafts need a token.', { type: 'integer', enum: [1, 2] }),
  toQuery(
    'ordering',
    'Comma-separated sort keys: `added`, `updated`, `recorded`, `title`, `duration`, `id`. `-` reverses the order.',
    text,
  ),
  ...toPageParameters(defaultPageSize),
  toQuery(
    'cursor',
    'Cursor pagination, which costs the same at any depth. Empty for the first page; then follow `next`.',
    text,
  ),
  toQuery('fields', `Comma-separated fields to return, such as ${toCodes(firstFields())}.`, text),
  toQuery('facets', `Comma-separated facets to count over all matching records: ${toCodes(facetNames)}.`, text),
]

export const suggestText = toQuery('q', `What has been typed so far, at most ${maxCompletionLength} characters.`, {
  type: 'string',
  maxLength: maxCompletionLength,
})

export function toPageParameters(pageSize = defaultLines): readonly Parameter[] {
  const page: Schema = { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'last' }], default: 1 }
  return [
    toQuery('page', 'Page number, starting at 1, or `last`. A page past the end is 404.', page),
    toQuery('page_size', `Results per page. Values above ${maxPageSize} count as ${maxPageSize}.`, {
      type: 'integer',
      minimum: 1,
      default: pageSize,
    }),
  ]
}

export function toQuery(name: string, words: string, schema: Schema): Parameter {
  return { name, in: 'query', text: words, schema }
}

function toCodes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function firstFields(): readonly string[] {
  return fieldNames.filter((name) => name === 'id' || name === 'title')
}
