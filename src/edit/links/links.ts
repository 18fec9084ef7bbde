import { attempt, logWrite } from '../../http/execute.ts'
import { type Problem, Refused, refuseMissing, toStatus, toWriteFailure } from '../../http/problem.ts'
import type { Call, HttpCall, TextAnswer } from '../../http/route.ts'
import { type LinksCommand, parseReason } from '../../record/command.ts'
import type { JsonValue } from '../../record/json.ts'
import { type LinksLog, linksKey, parseLinks } from '../../record/links.ts'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import { requireCaller, requireForm, toAuthor } from '../require-caller.ts'
import { respondEditPage, seeOther } from '../respond-edit.ts'
import { isOwnSave } from '../save/notices.tsx'
import { readTalkPages } from '../talk-pages.ts'
import { findEditedTalk, type TalkVersion } from '../video/talk-version.ts'
import { type LinksPage, renderLinks } from './links-page.tsx'

interface TalkLinks {
  readonly talk: TalkVersion
  readonly links: JsonValue | undefined
  readonly log: LinksLog | null
}

async function readLinks(store: ReadStore, id: number): Promise<TalkLinks> {
  const talk = (await findEditedTalk(store, id)) ?? (await refuseMissing(store, id))
  const { extras, links: log } = await store.readExtras(id)
  return { talk, links: extras[linksKey], log }
}

/** `/edit/video/<id>/links`. */
export async function showLinks(call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> {
  const found = await readLinks(deps.store, Number(call.params.id))
  const flag = call.query().get('done')
  const caller = requireCaller(call)
  const last = found.log?.edits[0]
  const isSaved = flag === 'saved' && last !== undefined && isOwnSave(last, caller)
  const done = isSaved ? ('saved' as const) : flag === 'unchanged' ? ('unchanged' as const) : null
  const site = await openSite(call, deps)
  const page = { ...found, site, caller, pages: readTalkPages(call, site.urls), done }
  return respondEditPage(call, renderLinks(page))
}

/** Saves the links, or goes back to earlier ones. Both are edits, with a version of the talk that tells of them. */
export async function saveLinks(call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> {
  const form = requireForm(call)
  const base = form.get('base')
  if (base === null || !(form.has('undo') || form.has('field.links'))) throw new Refused({ code: 'bad_form' })
  const id = Number(call.params.id)
  const found = await readLinks(deps.store, id)
  const given = form.get('reason') ?? ''
  const site = await openSite(call, deps)
  const pages = readTalkPages(call, site.urls)
  const page = { ...found, site, caller: requireCaller(call), pages, reason: given }
  const typed = form.get('field.links')
  const parsed = form.has('undo') ? toEarlier(found.log, form.get('undo')) : parseLinks(typed ?? '', found.links)
  const reason = parseReason(given)
  if (!parsed.ok || !reason.ok) {
    const problems = [...(parsed.ok ? [] : parsed.problems), ...(reason.ok ? [] : reason.problems)]
    return respond(call, withTyped(page, typed), 422, { problems })
  }
  const outcome = await send(call, deps, { id, base, links: parsed.value, reason: reason.value })
  if (outcome.is === 'refused') return respondRefused(call, deps, withTyped(page, typed), outcome.problem)
  return seeOther(call, site.urls.links(id, { done: outcome.is, list: pages.list }))
}

const withTyped = (page: LinksPage, typed: string | null) => (typed === null ? page : { ...page, typed })

/** The links before an edit, or as they were imported. */
function toEarlier(log: LinksLog | null, name: string | null) {
  const value = name === 'imported' ? log?.imported : log?.edits[Number(name)]?.before
  if (value === undefined) throw new Refused({ code: 'bad_form' })
  return { ok: true, value: Array.isArray(value) ? value : [] } as const
}

type Sent = { readonly is: 'saved' | 'unchanged' } | { readonly is: 'refused'; readonly problem: Problem }
type Wanted = Pick<LinksCommand, 'id' | 'base' | 'links'> & { readonly reason: string | null }

async function send(call: HttpCall, deps: SiteHttpDeps, { reason, ...wanted }: Wanted): Promise<Sent> {
  const author = toAuthor(requireCaller(call))
  const command = { kind: 'set links', author, ...wanted, ...(reason === null ? {} : { reason }) } as const
  const outcome = await attempt(deps, call, command)
  switch (outcome.is) {
    case 'stored':
      logWrite(deps.log, call, command, outcome)
      return { is: 'saved' }
    case 'unchanged':
      return { is: 'unchanged' }
    case 'refused':
      return { is: 'refused', problem: outcome.refusal }
    case 'failed':
      return { is: 'refused', problem: toWriteFailure(outcome.failure) }
    default:
      throw new Error(`a change of links had the outcome of another command: ${outcome.is}`)
  }
}

/** With the links as they are now: what was typed replaces them only if it is sent again. */
async function respondRefused(call: HttpCall, deps: SiteHttpDeps, page: LinksPage, problem: Problem) {
  if (problem.code !== 'stale') return respond(call, page, toStatus(problem), { problem })
  return respond(call, { ...page, ...(await readLinks(deps.store, page.talk.id)) }, 409, { problem })
}

function respond(call: HttpCall, page: LinksPage, status: number, more: Partial<LinksPage>): TextAnswer {
  return { ...respondEditPage(call, renderLinks({ ...page, ...more })), status }
}
