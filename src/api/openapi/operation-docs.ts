import type { JsonObject, JsonValue } from '../../record/json.ts'

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

export interface BodyDocs {
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
  History: 'Versions, batches, undo, and the change feed.',
  Vocabulary: 'The categories, speakers, tags and languages of the records.',
  Legacy: 'For clients of the original service.',
  Description: 'Machine-readable descriptions of this API.',
  Operations: 'Health checks and metrics.',
} as const
export type Tag = keyof typeof tags

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
  'Ignored-Parameters': 'Unknown query parameters, percent-encoded, at most 10. They may be typos.',
  Location: 'Target of the redirect.',
  'Access-Control-Allow-Methods': 'Methods that pages of other origins may use.',
  'Access-Control-Allow-Headers': 'Request headers that pages of other origins may send.',
} as const
export type HeaderName = keyof typeof headerTexts
