import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import type { Auth } from '../auth.ts'
import type { IncomingCall } from '../call.ts'
import { Refused } from '../problem/problem.ts'
import type { Problem } from '../problem/problem-codes.ts'
import type { Action } from '../route.ts'
import { createSecret, type SessionCookies } from './cookies.ts'
import { maxFormBytes, readForm } from './form.ts'
import { isFormToken, isOwnOrigin, toFormToken } from './form-token.ts'

export interface SessionCheckNeeds {
  readonly auth: Pick<Auth, 'identifySession'>
  readonly cookies: SessionCookies
  /** The configured base URL. */
  readonly configuredUrl: string | null
}

/** Identifies the caller of a page under `/edit`, and checks a form that is sent to one. */
export type SessionCheck = (call: IncomingCall) => MaybePromise<void>

/** The sign-in form has what was typed into another one, and some fields of its own. */
const signInBytes = 64 * 1024

/** Origin, form, session, token of the form; the pipeline checks the role (ADR 57). */
export function createSessionCheck({ auth, cookies, configuredUrl }: SessionCheckNeeds): SessionCheck {
  const origin = configuredUrl === null ? null : new URL(configuredUrl).origin

  function identify(call: IncomingCall): MaybePromise<void> {
    const header = call.request.headers.get('Cookie')
    const secret = cookies.findSession(header)
    return andThen(secret === null ? null : auth.identifySession(secret), (caller) => {
      call.keyCaller = caller
      if (call.caller() !== null && caller === null) bindLocal(call, header)
    })
  }

  /** Local mode has no sessions, so forms are bound to a random cookie. */
  function bindLocal(call: IncomingCall, header: string | null): void {
    const known = cookies.findLocal(header)
    const secret = known ?? createSecret()
    if (known === null) call.cookie = cookies.toLocal(secret)
    call.localSession = { hash: null, formToken: toFormToken(secret) }
  }

  /** The form comes first: if the store cannot find the session, the answer still has what was typed. */
  async function checkForm(call: IncomingCall, { role }: Action): Promise<void> {
    const form = await readForm(call, maxFormBytes + (role === null ? signInBytes : 0))
    call.form = form
    await identify(call)
    if (role === null) return
    const session = call.caller()?.session ?? null
    if (session === null) throw new Refused({ code: 'session_needed' })
    if (!isFormToken(form.get('csrf'), session.formToken)) throw new Refused({ code: 'wrong_form_token' })
  }

  return (call) => {
    const { method, head, route } = call
    const action = route.actions[method]
    if (action === undefined || method !== 'POST') return identify(call)
    if (!isOwnOrigin(head, origin)) throw new Refused(toForeign(configuredUrl))
    return checkForm(call, action)
  }
}

function toForeign(configuredUrl: string | null): Problem {
  if (configuredUrl === null) return { code: 'foreign_origin' }
  const detail = `This form was not sent by a page of this site. Open the site at ${configuredUrl} and try again.`
  return { code: 'foreign_origin', detail }
}
