import { toTarget } from '../../http/call.ts'
import type { Form, HttpCall } from '../../http/route.ts'
import type { Urls } from '../../site/urls.ts'
import { toNextPath } from './next-path.ts'

/** What the sign-in form keeps of the request that came without a session. */
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

/** Of a request that was refused because of its session. */
export function keepRequest(call: HttpCall, urls: Urls): KeptRequest {
  const next = toNextPath(urls.path(toTarget(call.url)), urls.editHome)
  // Nobody wants to sign in in order to sign out.
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
