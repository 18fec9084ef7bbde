import { toTarget } from '../../http/call.ts'
import type { Form, HttpCall } from '../../http/route.ts'
import type { Urls } from '../../site/urls.ts'

/** A request without a session, as the sign-in form keeps it. */
export interface KeptRequest {
  /** Where to go after signing in. */
  readonly next: string
  /** What was typed into a form, without the token of its session; null for a request without a form. */
  readonly typed: TypedFields | null
}

export type TypedFields = readonly (readonly [name: string, value: string])[]

/** Names of kept fields begin with this, so that they differ from those of the sign-in form. */
const prefix = 'typed:'

export const toKeptName = (name: string) => `${prefix}${name}`

/** Keeps a request that was refused because of its session. */
export function keepRequest(call: HttpCall, urls: Urls): KeptRequest {
  const next = toNextPath(urls.path(toTarget(call.url)), urls.editHome)
  // A sign-out is not repeated after a sign-in.
  const isKept = next !== urls.editHome || call.route.path === '/edit'
  if (call.form === null || !isKept) return { next, typed: null }
  return { next, typed: [...call.form].filter(([name]) => name !== 'csrf') }
}

/** What a sign-in form that was sent has kept. */
export function readKept(form: Form, urls: Urls): KeptRequest {
  const next = toNextPath(form.get('next'), urls.editHome)
  const typed = [...form].filter(([name]) => name.startsWith(prefix))
  const fields = typed.map(([name, value]) => [name.slice(prefix.length), value] as const)
  return { next, typed: form.has('repeats') ? fields : null }
}

/** A placeholder: a path that resolves to another origin is not ours. */
const origin = 'http://rostrum.invalid'
const maxLength = 2_000

/**
 * Where to go after signing in: a path of the pages for curators with its query; `editHome` for everything else, so
 * that the sign-in is not an open redirect. A query that is too long is left out: a form that was sent there still
 * finds its page.
 */
export function toNextPath(path: string | null, editHome: string): string {
  if (path === null || !path.startsWith('/')) return editHome
  const url = URL.parse(path, origin)
  if (url === null || url.origin !== origin) return editHome
  const { pathname, search } = url
  const isOurs = pathname === editHome || pathname.startsWith(`${editHome}/`)
  if (!isOurs || pathname.startsWith(`${editHome}/sign-`) || pathname.length > maxLength) return editHome
  return pathname.length + search.length > maxLength ? pathname : `${pathname}${search}`
}
