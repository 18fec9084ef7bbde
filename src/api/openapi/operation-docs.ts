import type { JsonObject, JsonValue } from '../../record/json/json-value.ts'

/** Texts for one path of the route table. HEAD needs none: it is GET without a body. */
export interface RouteDocs {
  readonly tag: Tag
  /** What stands in the path's place for a parameter. */
  readonly parameters?: readonly Parameter[]
  readonly methods: { readonly [method: string]: OperationDocs }
}

export interface OperationDocs {
  /** A name for programs: verb and noun. */
  readonly id: string
  readonly summary: string
  readonly text?: string
  readonly parameters?: readonly Parameter[]
  /** Media type -> what may be sent. */
  readonly body?: { readonly [type: string]: BodyDocs }
  readonly answers: { readonly [status: number]: AnswerDocs }
  /** Statuses of failures that are not common to all: status -> when it comes. */
  readonly problems?: { readonly [status: number]: string }
  /** Headers that a failure has besides the common ones, by status. */
  readonly problemHeaders?: { readonly [status: number]: readonly HeaderName[] }
}

export interface BodyDocs {
  readonly schema: JsonObject
  readonly example: JsonValue
}

export interface AnswerDocs {
  readonly text: string
  /** Media type -> schema of the body; none where there is no body. */
  readonly content?: { readonly [type: string]: JsonObject }
  /** Headers besides those that every answer of the path has. */
  readonly headers?: readonly HeaderName[]
  /** Headers that it may have: not after a dry run, or only where there is something to say. */
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
  Records: 'The recorded talks.',
  History: 'Every version of a record, changes of many at once, and the way back from both.',
  Vocabulary: 'Categories, speakers, tags and languages that the records name.',
  'First generation': 'What programs of the service before this one still ask for.',
  Description: 'What this service can do, for programs and for people.',
  Operation: 'For operators and their programs.',
} as const
export type Tag = keyof typeof tags

/** Headers that an answer may promise, besides those of its path. */
export const headerTexts = {
  ETag: 'Names exactly these bytes; send it back as `If-None-Match` to read, as `If-Match` to write.',
  'Last-Modified': 'When the record was last changed, in whole seconds.',
  'Cache-Control': 'How long the answer may be kept, and by whom.',
  'Content-Location': 'The address of what is in the body.',
  'Accept-Patch': 'The media types that PATCH takes.',
  'Preference-Applied': '`merge`, where that was preferred and done.',
  'WWW-Authenticate': 'How to say who you are: `Token`.',
  'Retry-After': 'Seconds to wait before the next try.',
  'Ignored-Parameters': 'Parameters that mean nothing here, in percent-encoding: a typo, perhaps. At most 10 names.',
  Location: 'Where to go.',
  'Access-Control-Allow-Methods': 'The methods that a page of another site may use.',
  'Access-Control-Allow-Headers': 'The headers that a page of another site may send.',
} as const
export type HeaderName = keyof typeof headerTexts
