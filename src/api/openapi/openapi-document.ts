import { type CodedBody, createCodedBody, respondCoded } from '../../http/compression.ts'
import type { BaseUrl } from '../../http/host.ts'
import { contentTypes, toHeaders } from '../../http/respond.ts'
import type { Call, Route } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import type * as OpenApi from './openapi.ts'

export interface DescriptionDeps {
  readonly description: Description
  readonly baseUrl: BaseUrl
}

export function readDescription(call: Call, { description, baseUrl }: DescriptionDeps): Response {
  const { coded, etag } = description.read(baseUrl(call))
  const headers = toHeaders(call.route.headers, contentTypes.json, 'revalidate')
  headers.set('ETag', etag)
  return respondCoded(call, headers, coded)
}

/** The OpenAPI document, built at the first request (decision 7). */
export interface Description {
  read(base: string): Document
}

interface Document {
  readonly base: string
  readonly body: string
  readonly coded: CodedBody
  readonly etag: string
}

const placeholder = 'http://the-address-of-the-service.invalid'

export function createDescription(version: string, routes: () => readonly Route[]): Description {
  /** The text before and after the base URL, which is all that differs between documents. */
  let parts: readonly [string, string] | null = null
  /** Cache of one document: nearly all clients use the same host name. */
  let last: Document | null = null

  function build(): readonly [string, string] {
    // Loaded on the first request: its texts are a quarter of an HTTP thread's code.
    const { toOpenApi } = require('./openapi.ts') as typeof OpenApi // its own types, which `require` cannot carry
    const [before, after, ...more] = toAsciiJson(toOpenApi(routes(), version, placeholder)).split(`"${placeholder}"`)
    if (before === undefined || after === undefined || more.length > 0) throw new Error('one URL is in it, once')
    return [before, after]
  }

  return {
    read(base) {
      parts ??= build()
      if (last?.base !== base) last = toDocument(base, parts.join(toAsciiJson(base)))
      return last
    },
  }
}

function toDocument(base: string, body: string): Document {
  return { base, body, coded: createCodedBody(body), etag: `"${Bun.hash(body).toString(16)}"` }
}
