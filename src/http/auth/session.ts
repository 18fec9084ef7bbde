import { andThen, type MaybePromise } from '../../promises.ts'
import { maxAgeMs } from '../../record/credentials.ts'
import { type FormLimits, maxFields, maxFormBytes, maxUploadBytes, readForm } from '../body.ts'
import type { IncomingCall } from '../call.ts'
import type { Quota, QuotaLimits } from '../limits.ts'
import { type Problem, Refused } from '../problem.ts'
import { toAddressKey } from '../respond.ts'
import type { Action, Head } from '../route.ts'
import { type Auth, isFormToken, toFormToken } from './auth.ts'

interface SessionCheckDeps {
  /** Memory of forms without a session, while they are read. */
  readonly forms: Quota
  readonly auth: Pick<Auth, 'identifySession'>
  readonly cookies: SessionCookies
  /** The configured base URL. */
  readonly configuredUrl: string | null
}

const formRetrySeconds = 5

/** Identifies the caller of a page under `/edit`, and checks a form that is sent to one. */
export type SessionCheck = (call: IncomingCall) => MaybePromise<void>

/** Limit of a form that is sent without a session cookie; our own pages never send one. */
const strangerFormBytes = 64 * 1024
/**
 * Smaller forms are not counted, since request headers take as much. So a flood of forms cannot keep curators from
 * signing in.
 */
const smallFormBytes = 4 * 1024
/**
 * Limit of escaped characters in a form that the sign-in form repeats. Four million quotation marks would make a page
 * of 25 MB and block the HTTP thread for a third of a second.
 */
const maxEscaped = 100_000
/** The sign-in form repeats the fields of another form and adds a few. */
const signIn = { bytes: 64 * 1024, fields: 10 }
const noMore = { bytes: 0, fields: 0 }

/** Over all threads and for one address; the smallest amount is `strangerFormBytes`, so it also bounds their number. */
export const formLimits: QuotaLimits = { max: 64 * 1024 * 1024, maxPerKey: 16 * 1024 * 1024 }

/** Origin, form, session, token of the form; the pipeline checks the role (decision 57). */
export function createSessionCheck({ forms, auth, cookies, configuredUrl }: SessionCheckDeps): SessionCheck {
  const origin = configuredUrl === null ? null : new URL(configuredUrl).origin

  function identify(call: IncomingCall): MaybePromise<void> {
    const header = call.request.headers.get('Cookie')
    const secret = cookies.findSession(header)
    return andThen(secret === null ? null : auth.identifySession(secret), (caller) => {
      call.keyCaller = caller
      call.sessionSecret = caller === null ? null : secret
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

  /** Whether the session is valid; false if the store cannot say. */
  async function hasSession(call: IncomingCall): Promise<boolean> {
    try {
      await identify(call)
      return call.caller() !== null
    } catch {
      return false
    }
  }

  /**
   * Reads less from a caller without a valid session: just enough to keep the work of a curator whose session has
   * ended.
   */
  async function readBoundedForm(call: IncomingCall, { role, takesUploads }: Action): ReturnType<typeof readForm> {
    const more = role === null ? signIn : noMore
    const toLimits = (bytes: number, escaped: number): FormLimits => ({
      ...{ bytes: bytes + more.bytes, fields: maxFields + more.fields, escaped, takesUploads },
    })
    const ownBytes = takesUploads ? maxUploadBytes : maxFormBytes
    if (await hasSession(call)) return readForm(call, toLimits(ownBytes, ownBytes))
    const isKnown = cookies.findSession(call.request.headers.get('Cookie')) !== null
    const limits = toLimits(isKnown ? maxFormBytes : strangerFormBytes, maxEscaped)
    const announced = Number(call.head.contentLength ?? limits.bytes)
    if (announced <= smallFormBytes) return readForm(call, limits)
    const amount = Math.min(Math.max(announced, strangerFormBytes), limits.bytes)
    const taken = forms.take(amount, [toAddressKey(call)])
    if (typeof taken === 'string') throw new Refused({ code: 'too_many_forms', retryAfterSeconds: formRetrySeconds })
    return readForm(call, limits).finally(taken)
  }

  /** Reads the form before it checks the session, so that the answer keeps what was typed even if the store fails. */
  async function checkForm(call: IncomingCall, action: Action): Promise<void> {
    const { role } = action
    const { form, files } = await readBoundedForm(call, action)
    call.form = form
    call.files = files
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

/**
 * Whether a request comes from our own pages. Browsers send Origin with every POST. `configured` is the origin of
 * `--base-url`; without it, the host of the Origin has to be the Host, since a proxy may terminate TLS without a header
 * that says so.
 */
export function isOwnOrigin({ origin, host }: Head, configured: string | null): boolean {
  if (origin === undefined) return false
  if (configured !== null) return origin.toLowerCase() === configured
  const [, named] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  return named !== undefined && host !== undefined && named.toLowerCase() === host.toLowerCase()
}

/** Reads and writes the cookies of pages under `/edit` (decision 57). */
export interface SessionCookies {
  /** The secret of the session in a Cookie header; null without one. */
  findSession(header: string | null): string | null
  /** In local mode, the secret that forms are bound to. */
  findLocal(header: string | null): string | null
  toSession(secret: string): string
  /** Removes the cookie. */
  toEnded(): string
  toLocal(secret: string): string
}

/** `baseUrl` is the configured one: only that says whether browsers always use TLS. */
export function createSessionCookies(baseUrl: string | null): SessionCookies {
  const { protocol, pathname } = new URL(baseUrl ?? 'http://localhost')
  const isSecure = protocol === 'https:'
  const name = isSecure ? '__Secure-rostrum_session' : 'rostrum_session'
  const attributes = `Path=${pathname.replace(/\/$/, '')}/edit; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    findSession: (header) => findSecret(header, name),
    findLocal: (header) => findSecret(header, 'rostrum_local'),
    toSession: (secret) => `${name}=${secret}; Max-Age=${maxAgeMs / 1_000}; ${attributes}`,
    toEnded: () => `${name}=; Max-Age=0; ${attributes}`,
    toLocal: (secret) => `rostrum_local=${secret}; ${attributes}`,
  }
}

/** 256 random bits. */
export function createSecret(): string {
  return crypto.getRandomValues(Buffer.alloc(32)).toString('base64url')
}

/**
 * Null if there are several cookies of this name: another host of the domain has set one of them, and we cannot tell
 * which.
 */
function findSecret(header: string | null, name: string): string | null {
  const found = (header ?? '').split(';').flatMap((pair) => {
    const offset = pair.indexOf('=')
    return offset >= 0 && pair.slice(0, offset).trim() === name ? [pair.slice(offset + 1).trim()] : []
  })
  const [secret] = found
  return found.length === 1 && secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null
}
