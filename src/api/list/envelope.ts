import { json, orNotModified } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { hasRole } from '../../record/command.ts'
import type { ReadStore } from '../../store/store.ts'
import type { BaseUrl } from '../base-url.ts'
import { toPageHash } from './page-text.ts'

/** What handlers that read lists need. */
export interface ReadNeeds {
  readonly store: ReadStore
  readonly baseUrl: BaseUrl
}

/** Which records a caller sees: all, or those that are live. */
export type Visibility = 'all' | 'live'

export function toVisibility(call: Call): Visibility {
  return hasRole(call.caller()?.role ?? null, 'reader') ? 'all' : 'live'
}

/** The URL of a list without its query, with a slash at the end if the request had one. */
export function toListUrl(call: Call, baseUrl: BaseUrl): string {
  const params: { readonly [name: string]: string } = call.params
  const path = call.route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const hasSlash = call.url.split('?', 1)[0]?.endsWith('/') ?? false
  return `${baseUrl(call)}${path}${hasSlash ? '/' : ''}`
}

/** An answer with an ASCII body, in pieces; 304 if the client has it. */
export function toListAnswer(call: Call, pieces: readonly string[], visibility: Visibility): TextAnswer {
  return toHashedAnswer(call, pieces, toPageHash(pieces), visibility)
}

/** The ETag differs by visibility, and shared caches may not store what only some callers see. */
export function toHashedAnswer(
  call: Call,
  pieces: readonly string[],
  hash: string,
  visibility: Visibility,
): TextAnswer {
  const caching = visibility === 'all' ? 'private' : 'revalidate'
  return orNotModified(call, json(call, pieces, caching, { headers: { ETag: `"${hash}.${visibility}"` } }))
}

const maxNames = 10
const maxBytes = 200

/**
 * Names unknown parameters in a header. They are no error, since old clients send many, but a typo should be noticed.
 */
export function nameIgnored(answer: TextAnswer, names: readonly string[]): TextAnswer {
  const named = toIgnoredHeader(names)
  if (named !== '') answer.headers.set('Ignored-Parameters', named)
  return answer
}

/** Percent-encoded names; those that do not fit are left out. */
function toIgnoredHeader(names: readonly string[]): string {
  let header = ''
  let count = 0
  for (const name of names) {
    const next = header === '' ? encodeURIComponent(name) : `${header}, ${encodeURIComponent(name)}`
    if (name === '' || next.length > maxBytes) continue
    header = next
    if (++count === maxNames) break
  }
  return header
}
