import { toFormToken } from '../../http/auth/auth.ts'
import { createSecret } from '../../http/auth/session.ts'
import { execute } from '../../http/execute.ts'
import { Refused } from '../../http/problem.ts'
import { type Call, type Caller, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import { toAccessTokenHash, toSessionHash } from '../../record/credentials.ts'
import { openSite, type Site, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import {
  Hidden,
  PostForm,
  renderEditPage,
  requireCaller,
  requireForm,
  respondEditPage,
  seeOther,
} from '../edit-page.tsx'
import { type KeptRequest, readKept, type TypedFields, toKeptName, toNextPath } from './kept-form.ts'

/** `/edit/sign-in`. */
export async function showSignIn(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const next = toNextPath(call.query().get('next'), site.urls.editHome)
  return respondEditPage(call, renderSignIn(site, call.caller(), { next, typed: null }))
}

/** `problem` is why the form is shown again, or in place of another page. */
export function renderSignIn(site: Site, caller: Caller | null, kept: KeptRequest, problem?: string): string {
  const { next, typed } = kept
  const body = (
    <div class="edit-narrow">
      <h1>Sign in</h1>
      {problem !== undefined && (
        <p class="edit-problem" role="alert">
          {problem}
        </p>
      )}
      {typed !== null && <p>Your text is kept and will be sent once you sign in.</p>}
      {caller !== null && (
        <p>
          You are signed in as {caller.name} ({caller.role}).
        </p>
      )}
      <p class="muted">Pages for curators need an access token. Ask the operator of this archive for one.</p>
      <form method="post" action={site.urls.signIn()} enctype="multipart/form-data" class="edit-fields">
        <Hidden fields={[['next', next], ...toRepeated(typed)]} />
        <label for="key">Access token</label>
        <input id="key" type="password" name="key" autocomplete="current-password" required autofocus />
        <button class="button" type="submit">
          Sign in
        </button>
      </form>
    </div>
  )
  return renderEditPage({ site, caller }, 'Sign in', body)
}

/** The form that was sent before the session ended; it is repeated after the sign-in. */
const toRepeated = (typed: TypedFields | null): TypedFields =>
  typed === null ? [] : [['repeats', '1'], ...typed.map(([name, value]) => [toKeptName(name), value] as const)]

const repeatTexts = {
  'signed in': {
    title: 'Signed in again',
    text: (name: string) => `You are signed in as ${name}. What you typed has not been sent yet.`,
  },
  'wrong token': {
    title: 'Not sent',
    text: (name: string) =>
      `This form was opened in another session, so nothing was changed. You are signed in as ${name} now. Send it only if you have just filled it in yourself.`,
  },
} as const

/**
 * The refused form, to be sent again. After a sign-in the script sends it; if its token belongs to another session, the
 * curator has to.
 */
export function renderRepeat(
  site: Site,
  caller: Caller,
  { next, typed }: KeptRequest,
  why: 'signed in' | 'wrong token',
): string {
  const { title, text } = repeatTexts[why]
  const body = (
    <div class="edit-narrow">
      <h1>{title}</h1>
      <p>{text(caller.name)}</p>
      <PostForm caller={caller} action={next} {...(why === 'signed in' ? { class: 'edit-repeat' } : {})}>
        <Hidden fields={typed ?? []} />
        <button class="button" type="submit">
          Send
        </button>
      </PostForm>
      <p>
        <a href={site.urls.editHome}>Discard</a>
      </p>
    </div>
  )
  return renderEditPage({ site, caller }, title, body)
}

/** Opens a session for the owner of a key. The browser gets a new secret, whatever it had before (decision 57). */
export async function signIn(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  const key = (form.get('key') ?? '').trim()
  const owner = await deps.auth.identify(`Token ${key}`)
  if (owner === null) throw new Refused(deps.auth.refuseKey('sign-in refused', call.clientAddress()))
  const before = call.caller()
  const secret = createSecret()
  const opened = await openSession(call, deps, owner, key, secret)
  if (before !== null) await endSession(call, deps, before)
  const site = await openSite(call, deps)
  const kept = readKept(form, site.urls)
  const cookie = { 'Set-Cookie': deps.cookies.toSession(secret) }
  if (kept.typed === null) return seeOther(call, kept.next, cookie)
  return respondEditPage(call, renderRepeat(site, opened, kept, 'signed in'), cookie)
}

/** `/edit/sign-out`. In local mode there is nothing to end. */
export async function signOut(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  await endSession(call, deps, requireCaller(call))
  const { urls } = await openSite(call, deps)
  return seeOther(call, urls.signIn(), { 'Set-Cookie': deps.cookies.toEnded() })
}

const maxAgentLength = 300

async function openSession(call: HttpCall, deps: SiteHttpDeps, owner: Caller, key: string, secret: string) {
  const hash = toSessionHash(secret)
  const agent = (call.request.headers.get('User-Agent') ?? '').slice(0, maxAgentLength)
  const tokenHash = toAccessTokenHash(key)
  await execute(deps, call, { kind: 'open session', author: toAuthor(owner), hash, tokenHash, agent })
  return { ...owner, session: { hash: hash.toString('base64url'), formToken: toFormToken(secret) } }
}

async function endSession(call: HttpCall, deps: SiteHttpDeps, caller: Caller): Promise<void> {
  const hash = caller.session?.hash ?? null
  if (hash === null) return
  await execute(deps, call, {
    kind: 'end session',
    author: toAuthor(caller),
    hash: Buffer.from(hash, 'base64url'),
  })
}
