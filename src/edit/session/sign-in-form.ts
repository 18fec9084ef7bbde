import { toFormToken } from '../../http/auth.ts'
import { execute } from '../../http/execute.ts'
import { Refused } from '../../http/problem.ts'
import type { Caller, HttpCall, TextAnswer } from '../../http/route.ts'
import { createSecret } from '../../http/session.ts'
import { toAccessTokenHash } from '../../record/command.ts'
import { toSessionHash } from '../../record/session.ts'
import { openSite, type SiteHttpDeps } from '../../site/site.ts'
import { requireCaller, requireForm, toAuthor } from '../require-caller.ts'
import { respondEditPage, seeOther } from '../respond-edit.ts'
import { readKept } from './kept-form.ts'
import { renderRepeat } from './sign-in.tsx'

const maxAgentLength = 300

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
