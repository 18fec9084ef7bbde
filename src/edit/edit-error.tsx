import { maxFormBytes } from '../http/body.ts'
import { type Problem, toSentence, toStatus } from '../http/problem.ts'
import { contentTypes, toHeaders, toProblemAnswer, toUtf8Body } from '../http/respond.ts'
import type { Caller, HttpCall, TextAnswer, ToErrorAnswer } from '../http/route.ts'
import { explainProblem, isForPrograms } from '../site/page/error.tsx'
import { type FrameDeps, openSite, type Site } from '../site/site.ts'
import { refusalTexts } from './changes/batch-notes.tsx'
import { Hidden, PostForm, renderEditPage } from './edit-page.tsx'
import { FindForm } from './lists/overview.tsx'
import { type KeptRequest, keepRequest, readKept } from './session/kept-form.ts'
import { renderRepeat, renderSignIn } from './session/sign-in.tsx'

const signInPath = '/edit/sign-in'

/**
 * Refused requests for pages of curators. Without a session, a GET redirects to the sign-in form; a form that was sent
 * is kept in that page, so that no input is lost (decision 57).
 */
export function toEditErrorAnswer(deps: FrameDeps): ToErrorAnswer {
  return async (problem, call) => {
    const plain = toProblemAnswer(problem, call.route.headers, call.requestId())
    if (isForPrograms(problem, call)) return plain
    const site = await openSite(call, deps)
    const isRead = call.method === 'GET' || call.method === 'HEAD'
    if (problem.code === 'session_needed' && isRead) return toSignIn(call, site)
    const headers = toHeaders(plain.headers, contentTypes.html, 'private')
    return { status: plain.status, headers, ...toUtf8Body(renderRefusal(call, site, problem)) }
  }
}

function toSignIn(call: HttpCall, { urls }: Site): TextAnswer {
  const { next } = keepRequest(call, urls)
  const headers = toHeaders(call.route.headers, null, 'private')
  headers.set('Location', urls.signIn(next === urls.editHome ? null : next))
  return { status: 303, headers, pieces: [] }
}

function renderRefusal(call: HttpCall, site: Site, problem: Problem): string {
  const { code, retryAfterSeconds = 0 } = problem
  const again = (text: string, kept: KeptRequest) => renderSignIn(site, call.caller(), kept, text)
  const sent = () => readKept(call.form ?? new URLSearchParams(), site.urls)
  switch (code) {
    case 'session_needed':
      return again('Your session has ended. Sign in to continue.', keepRequest(call, site.urls))
    case 'wrong_form_token':
      return renderWrongToken(call, site, problem)
    case 'wrong_token':
      return again('This access token is not valid. It may be mistyped, revoked or expired.', sent())
    case 'too_many_wrong_tokens':
      return again(`Too many wrong access tokens. Try again in ${retryAfterSeconds} seconds.`, sent())
    default:
      if (call.route.path === signInPath && canRepeat(problem)) return again(toRefusalText(problem, null).text, sent())
      return renderProblem(call, site, problem)
  }
}

/** After a new sign-in in another tab, the form still has the token of the old session. */
function renderWrongToken(call: HttpCall, site: Site, problem: Problem): string {
  const caller = call.caller()
  const kept = keepRequest(call, site.urls)
  if (caller === null || kept.typed === null) return renderProblem(call, site, problem)
  return renderRepeat(site, caller, kept, 'wrong token')
}

function renderProblem(call: HttpCall, site: Site, problem: Problem): string {
  const caller = call.caller()
  const { title, text } = toRefusalText(problem, caller?.role ?? null)
  const body = (
    <div class="error-page">
      <p class="status">{toStatus(problem)}</p>
      <h1>{title}</h1>
      <p>{text}</p>
      {problem.code === 'role_too_low' && <OtherToken call={call} site={site} />}
      {problem.code === 'body_too_large' && caller === null && (
        <p>
          <a href={site.urls.signIn()}>Sign in</a>
        </p>
      )}
      {canRepeat(problem) && <Repeat kept={keepRequest(call, site.urls)} session={findSession(call)} />}
      {caller !== null && toStatus(problem) === 404 && <FindForm site={site} caller={caller} />}
      <p>
        <a href={site.urls.editHome}>Back to the work lists</a>
      </p>
    </div>
  )
  return renderEditPage({ site, caller }, title, body)
}

const otherTokenText = 'Sign in with another access token'

/** A form that was sent stays on this page; the sign-in opens in another tab, so that the form can be sent again. */
function OtherToken({ call, site: { urls } }: { readonly call: HttpCall; readonly site: Site }) {
  const { next, typed } = keepRequest(call, urls)
  return (
    <p>
      {typed === null ? (
        <a href={urls.signIn(next)}>{otherTokenText}</a>
      ) : (
        <a href={urls.signIn()} target="_blank" rel="noopener">
          {otherTokenText}
        </a>
      )}
    </p>
  )
}

/** Whether the same form may be accepted later, or from somebody with another role. */
function canRepeat(problem: Problem): boolean {
  const { code } = problem
  const status = toStatus(problem)
  // An overloaded server could not send a page that holds the form either.
  return code !== 'overloaded' && (code === 'role_too_low' || status === 429 || status >= 500)
}

/** If the store cannot identify the caller, the form keeps its token. */
function findSession(call: HttpCall): Caller['session'] {
  const formToken = call.form?.get('csrf') ?? null
  return call.caller()?.session ?? (formToken === null ? null : { hash: null, formToken })
}

interface RepeatProps {
  readonly kept: KeptRequest
  readonly session: Caller['session']
}

/** Sends the same input again. */
function Repeat({ kept: { next, typed }, session }: RepeatProps) {
  if (typed === null || typed.length === 0) return null
  return (
    <PostForm caller={{ session }} action={next}>
      <p>Your text is kept on this page. Send it again in a moment.</p>
      <Hidden fields={typed} />
      <button type="submit" class="button">
        Send again
      </button>
    </PostForm>
  )
}

const tooLargeToKeep = {
  title: 'Too much text to keep',
  text: 'You are not signed in, and this form is too large to keep while you sign in. Sign in, then go back to its page, which offers your unsaved text, and send it again.',
} as const
const tooLarge = {
  title: 'Too much text',
  text: `A form may have at most ${maxFormBytes >> 20} MB. Go back, shorten it, and send it again.`,
} as const
const erased = {
  title: 'This talk was erased',
  text: 'It was permanently removed with its history. Its number is never reused.',
} as const
const unreadable = {
  title: 'The archive cannot be read',
  text: 'The database does not respond. Try again in a moment.',
} as const

function toRefusalText(problem: Problem, role: string | null): { readonly title: string; readonly text: string } {
  if (problem.code === 'body_too_large') return role === null ? tooLargeToKeep : tooLarge
  if (problem.code === 'gone') return erased
  if (problem.code === 'unreadable') return unreadable
  if (problem.code === 'too_many_writes') return { title: 'Too many changes at once', text: toSentence(problem) }
  if (problem.code === 'role_too_low' && role !== null)
    return { title: 'This is not allowed', text: `Your role (${role}) does not allow this.` }
  if (toStatus(problem) === 403)
    return { title: 'This is not allowed', text: refusalTexts[problem.code] ?? toSentence(problem) }
  const missing = missingTexts[problem.code]
  if (missing !== undefined) return { title: 'Not found', text: problem.detail ?? missing }
  if (problem.code === 'bad_form' || problem.code === 'wrong_body_type')
    return { title: 'This form was not accepted', text: toSentence(problem) }
  return explainProblem({ ...problem, detail: toSentence(problem) })
}

/** Curators learn what is missing, in the words of the pages; to viewers that would reveal too much. */
const missingTexts: { readonly [code: string]: string } = {
  not_found: 'There is no talk with this number.',
  no_such_record_version: 'The talk has no such version.',
  no_such_batch: 'There is no bulk change with this number.',
  no_such_category: 'There is no such event.',
  no_such_path: 'There is no such page for curators.',
  no_such_page: 'The list has no such page.',
}
