import { execute, logWrite } from '../../http/execute.ts'
import { Refused } from '../../http/problem.ts'
import { type Caller, type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import { isParked, parkedMark, toParked, toUnparked } from '../../record/quality/quality.ts'
import { fromBody, parseFields, parseRecordId, type VideoRecord } from '../../record/record.ts'
import { hasRole } from '../../record/role.ts'
import { draft } from '../../record/state.ts'
import { openSite, type Site, type SiteHttpDeps } from '../../site/site.ts'
import type { StoredRecord } from '../../store/store.ts'
import { listIdTexts } from '../bulk/selected-talks.tsx'
import { PostForm, requireCaller, requireForm, seeOther } from '../edit-page.tsx'
import { toListHref, toListName } from './list-query.ts'

/** Each talk is a separate write. */
export const maxParked = 100

/**
 * `/edit/park`: puts the mark of parked drafts on the whiteboard of the ticked drafts, or removes it (decision 60).
 * Returns to the list, or with `back=talk` to the editor of the talk.
 */
export async function parkDrafts(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const form = requireForm(call)
  const ids = readTicked(form)
  const list = new URLSearchParams(toListName(new URLSearchParams(form.get('list') ?? '')))
  // Parking makes a version of each talk, so it does not take whole lists.
  if (ids.length === 0 || form.getAll('scope').includes('all'))
    return seeOther(call, toListHref(urls, list, { done: 'none' }))
  const isParking = form.get('do') !== 'unpark'
  const results = await Promise.all(ids.map((id) => setMark(call, deps, id, isParking)))
  const left = results.filter((result) => result === 'left').length
  const done = isParking ? 'parked' : 'unparked'
  const [first = 0] = ids
  if (form.get('back') === 'talk') {
    return seeOther(call, urls.edit(first, { list: list.toString(), left: left === 0 ? null : done }))
  }
  const counts = { count: String(ids.length - left), left: left === 0 ? null : String(left) }
  return seeOther(call, toListHref(urls, list, { done, ...counts }))
}

interface ButtonProps {
  readonly site: Site
  readonly caller: Caller
  readonly record: Pick<VideoRecord, 'id' | 'state' | 'whiteboard'>
  /** The list to stay in. */
  readonly list: string
}

/** Sets a draft aside, or moves it back, from its own page (decision 60). */
export function ParkButton({ site, caller, record, list }: ButtonProps) {
  if (record.state !== draft || !hasRole(caller.role, 'editor')) return null
  const wasParked = isParked(record.whiteboard)
  return (
    <PostForm caller={caller} action={site.urls.park} hidden={{ id: String(record.id), list, back: 'talk' }}>
      <button type="submit" class="button quiet small" name="do" value={wasParked ? 'unpark' : 'park'}>
        {toParkLabel(wasParked)}
      </button>
    </PostForm>
  )
}

/** Why the button did nothing; null if it was not pressed, or has done its work. */
export function ParkNotice({ parameters }: { readonly parameters: URLSearchParams }) {
  const left = parameters.get('left')
  if (left !== 'parked' && left !== 'unparked') return null
  return (
    <p class="notice" role="status">
      This talk was not changed: {toLeftReason(left)}
    </p>
  )
}

/** Why talks were not set aside, or not moved back. */
export function toLeftReason(done: string | null): string {
  if (done === 'fine' || done === 'again') return 'somebody has changed them since, or you may not change them.'
  if (done === 'unparked')
    return 'only drafts that were set aside can be moved back. A merged one is back once its merge is undone.'
  return `only drafts can be set aside, and their notes must have room for “${parkedMark}”.`
}

export const toParkLabel = (isParked: boolean) => (isParked ? 'Move back to drafts' : 'Set aside')

/** `left`: not changed, because it is not a draft or the mark does not fit. */
type MarkResult = 'done' | 'left'

function readTicked(form: Form): number[] {
  const ids = listIdTexts(form).map(parseRecordId)
  if (ids.includes(null) || ids.length > maxParked) throw new Refused({ code: 'bad_form' })
  return [...new Set(ids.filter((id) => id !== null))]
}

async function setMark(call: HttpCall, deps: SiteHttpDeps, id: number, isParking: boolean): Promise<MarkResult> {
  const stored = await deps.store.read(id)
  const changes = stored === null || stored.state !== draft ? null : toMarked(stored, isParking)
  if (stored === null || changes === null) return 'left'
  const precondition = { mergeBase: stored.versionTag }
  const command = { kind: 'merge', id, author: toAuthor(requireCaller(call)), precondition, changes } as const
  try {
    const outcome = await execute(deps, call, command)
    if (outcome.is === 'stored') logWrite(deps.log, call, command, outcome)
    return 'done'
  } catch (error) {
    // Published or changed in the meantime. The error page reports failures of the store.
    if (error instanceof Refused && isRefusal(error)) return 'left'
    throw error
  }
}

/** Null if the mark does not fit, or there is none to remove. */
function toMarked({ body }: StoredRecord, isParking: boolean) {
  const { whiteboard } = fromBody(body)
  if (!isParking && !isParked(whiteboard)) return null
  const marked = isParking ? toParked(whiteboard) : toUnparked(whiteboard)
  const parsed = parseFields({ whiteboard: marked }, 'part', null)
  return parsed.ok ? parsed.changes : null
}

const refusals: readonly string[] = ['stale', 'not_found', 'gone', 'publisher_required']

const isRefusal = ({ problem }: Refused) => refusals.includes(problem.code)
