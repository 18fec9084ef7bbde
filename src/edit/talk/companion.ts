import { logChange, type RefusedCommand, requireDone, tryExecute } from '../../http/execute.ts'
import { type Problem, Refused, refuseMissing, requireRead, toStatus } from '../../http/problem.ts'
import { type Call, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import { parseReason } from '../../record/command.ts'
import { type CompanionName, type SingleName, toKind } from '../../record/companion/kinds.ts'
import { findTaggedNumber, mergeCompanion, toCompanionTag } from '../../record/companion/version.ts'
import type { JsonObject, JsonValue } from '../../record/json.ts'
import { openSite, type SiteDeps, type SiteHttpDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'
import { requireCaller, requireForm, respondEditPage, seeOther } from '../edit-page.tsx'
import { readTalkPages } from '../lists/list-place.ts'
import { isOwnSave } from '../save/notices.tsx'
import { makeDrafts } from './chapter-drafts.tsx'
import { type CompanionPage, type EditedCompanion, renderCompanion } from './companion-page.tsx'
import { findEditedTalk } from './talk-version.ts'

const maxEdits = 20

async function read(store: ReadStore, id: number, name: SingleName): Promise<EditedCompanion> {
  const talk = (await findEditedTalk(store, id)) ?? (await refuseMissing(store, id))
  const query = { id, companion: name, page: 1, pageSize: maxEdits } as const
  const { lines, count } = requireRead(await store.listHistory(query))
  const edits: EditedCompanion['edits'][number][] = []
  for (const line of lines) edits.push({ line, content: (await store.readCompanion(id, name, line.version)).content })
  return { talk, now: { ...(await store.readCompanion(id, name)), name }, edits, hasMoreEdits: count > edits.length }
}

/** `/edit/video/<id>/<companion>`. */
export function showCompanion(name: SingleName) {
  return async (call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> => {
    const found = await read(deps.store, Number(call.params.id), name)
    const caller = requireCaller(call)
    const flag = call.query().get('done')
    const last = found.edits[0]?.line
    const isDone =
      (flag === 'saved' || flag === 'merged' || flag === 'restored') && last !== undefined && isOwnSave(last, caller)
    const done = isDone || flag === 'unchanged' ? flag : null
    const site = await openSite(call, deps)
    return respondEditPage(
      call,
      renderCompanion({ ...found, site, caller, pages: readTalkPages(call, site.urls), done }),
    )
  }
}

/** Saves the content, or restores an earlier one. */
export function saveCompanion(name: SingleName) {
  return async (call: HttpCall<'id'>, deps: SiteHttpDeps): Promise<TextAnswer> => {
    const form = requireForm(call)
    const [base, typed, undo] = [form.get('base'), form.get('field.lines'), form.get('undo')]
    const isDrafting = name === 'chapters' && form.get('do') === 'drafts'
    if (base === null || (undo === null && typed === null && !isDrafting)) throw new Refused({ code: 'bad_form' })
    const id = Number(call.params.id)
    const found = await read(deps.store, id, name)
    const site = await openSite(call, deps)
    const pages = readTalkPages(call, site.urls)
    const reasonText = form.get('reason') ?? ''
    const page: CompanionPage = {
      ...found,
      base,
      site,
      caller: requireCaller(call),
      pages,
      reason: reasonText,
      ...toTyped(typed),
    }
    if (isDrafting) return draftChapters(call, deps, page)
    const parsed = undo === null ? toKind(name).parseLines(typed ?? '') : await toEarlier(deps, id, name, undo)
    const reason = parseReason(reasonText)
    if (!parsed.ok || !reason.ok) {
      const problems = [...(parsed.ok ? [] : [...parsed.errors.values()].flat()), ...(reason.ok ? [] : reason.problems)]
      return respond(call, page, 422, { problems })
    }
    const body = parsed.content
    const isMerging = undo === null
    const outcome = await setCompanion(call, deps, { id, name, base, body, reason: reason.value, isMerging })
    if (outcome.is === 'refused') return respondRefused(call, deps, page, { base, body, problem: outcome.problem })
    const isOutdated = base !== toCompanionTag(name, found.now)
    const done = outcome.is !== 'saved' ? outcome.is : !isMerging ? 'restored' : isOutdated ? 'merged' : 'saved'
    return seeOther(call, site.urls.companion(id, name, { done, list: pages.list }))
  }
}

/** Leads to the batch, which can be undone. */
async function draftChapters(call: HttpCall, deps: SiteHttpDeps, page: CompanionPage): Promise<TextAnswer> {
  const { talk, site, pages } = page
  try {
    const batch = await makeDrafts(call, deps, talk)
    return seeOther(call, site.urls.batch(batch, { done: 1, list: pages.list }))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return respond(call, page, toStatus(error.problem), { problem: error.problem })
  }
}

const toTyped = (typed: string | null) => (typed === null ? {} : { typed })

async function toEarlier({ store }: SiteDeps, id: number, name: CompanionName, version: string) {
  const number = Number(version)
  if (!Number.isSafeInteger(number) || number < 0) throw new Refused({ code: 'bad_form' })
  return { ok: true, content: (await store.readCompanion(id, name, number)).content } as const
}

type Sent = { readonly is: 'saved' | 'unchanged'; readonly version: number } | RefusedCommand

interface SentCompanion {
  readonly id: number
  readonly name: CompanionName
  readonly base: string
  readonly body: JsonValue
  readonly reason: string | null
  /** Whether to keep what others have changed in other entries. */
  readonly isMerging?: boolean
}

/** Replaces a companion that still is what `base` names, the tag of its content; or merges the changes since. */
export async function setCompanion(
  call: HttpCall,
  deps: SiteHttpDeps,
  { base, reason, isMerging = false, ...change }: SentCompanion,
): Promise<Sent> {
  const author = toAuthor(requireCaller(call))
  const precondition = isMerging ? { mergeBase: base } : { ifMatch: [base] }
  const said = { ...(reason === null ? {} : { reason }), precondition, checksRecords: isMerging }
  const command = { kind: 'set companion', author, ...change, ...said } as const
  const outcome = await tryExecute(deps, call, command)
  if (outcome.is === 'refused') return outcome
  const { id, name: kind, number: version, wasWritten } = requireDone('companion', command, outcome)
  if (wasWritten) logChange(deps, call, author.name, { kind, id, version })
  return { is: wasWritten ? 'saved' : 'unchanged', version }
}

interface RefusedContent {
  readonly base: string
  readonly body: JsonObject
  readonly problem: Problem
}

/** Shows what both have changed; the text below has the rest merged, and replaces what is stored if it is sent again. */
async function respondRefused(
  call: HttpCall,
  deps: SiteHttpDeps,
  page: CompanionPage,
  { base, body, problem }: RefusedContent,
) {
  if (problem.code === 'bad_fields')
    return respond(call, page, 422, { problems: [...(problem.errors?.values() ?? [])].flat() })
  if (problem.code !== 'stale') return respond(call, page, toStatus(problem), { problem })
  const { name } = page.now
  const { id } = page.talk
  const number = findTaggedNumber(name, base)
  const before = number === null ? null : (await deps.store.readCompanion(id, name, number)).content
  const found = await read(deps.store, id, name)
  const now: CompanionPage = { ...page, ...found, base: toCompanionTag(name, found.now) }
  if (page.typed === undefined || before === null) return respond(call, now, 409, { problem, before })
  const yours = toKind(name).parse(body, found.talk.record)
  const sides = { base: before, theirs: found.now.content, yours: yours.ok ? yours.content : body }
  const { content, conflicts } = mergeCompanion(name, sides) ?? { content: body, conflicts: [] }
  return respond(call, now, 409, { problem, conflicts, typed: toKind(name).toLines(content) })
}

function respond(call: HttpCall, page: CompanionPage, status: number, more: Partial<CompanionPage>): TextAnswer {
  return { ...respondEditPage(call, renderCompanion({ ...page, ...more })), status }
}
