import { execute, logWrite } from '../../../http/execute.ts'
import { Refused } from '../../../http/problem.ts'
import type { Form, HttpCall, TextAnswer } from '../../../http/route.ts'
import { toParked, toUnparked } from '../../../record/quality/quality.ts'
import { fromBody, parseFields, parseRecordId } from '../../../record/record.ts'
import { draft } from '../../../record/state.ts'
import { openSite, type SiteHttpDeps } from '../../../site/site.ts'
import type { StoredRecord } from '../../../store/store.ts'
import { listGivenIds } from '../../bulk/chosen-talks.ts'
import { requireCaller, requireForm, seeOther, toAuthor } from '../../edit-page.tsx'
import { toListHref } from '../list-address.ts'
import { toListName } from '../work-list.ts'

/** Each is a write of its own. */
export const maxParked = 100

/** Whether a record had the mark set or cleared; `left` as it was: not a draft, or no room for the mark. */
type Parked = 'done' | 'left'

/**
 * `/edit/park`: puts the mark of parked drafts on the whiteboard of the ticked drafts, or takes it off (decision 60). Returns to
 * the list, or with `back=talk` to the editor of the talk.
 */
export async function parkDrafts(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const form = requireForm(call)
  const ids = readTicked(form)
  const list = new URLSearchParams(toListName(new URLSearchParams(form.get('list') ?? '')))
  // Parking is a version for each talk, so it does not take whole lists.
  if (ids.length === 0 || form.getAll('scope').includes('all'))
    return seeOther(call, toListHref(urls, list, { done: 'none' }))
  const isParking = form.get('do') !== 'unpark'
  const results = await Promise.all(ids.map((id) => setMark(call, deps, id, isParking)))
  const left = results.filter((result) => result === 'left').length
  const done = isParking ? 'parked' : 'unparked'
  const [first = 0] = ids
  if (form.get('back') === 'talk') {
    return seeOther(call, urls.edit(first, { list: list.toString() }))
  }
  const counts = { count: String(ids.length - left), left: left === 0 ? null : String(left) }
  return seeOther(call, toListHref(urls, list, { done, ...counts }))
}

function readTicked(form: Form): number[] {
  const ids = listGivenIds(form).map(parseRecordId)
  if (ids.includes(null) || ids.length > maxParked) throw new Refused({ code: 'bad_form' })
  return [...new Set(ids.filter((id) => id !== null))]
}

async function setMark(call: HttpCall, deps: SiteHttpDeps, id: number, isParking: boolean): Promise<Parked> {
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
    // Published or changed meanwhile. Failures of the store are for the error page.
    if (error instanceof Refused && isRefusal(error)) return 'left'
    throw error
  }
}

/** Null if the mark does not fit. */
function toMarked({ body }: StoredRecord, isParking: boolean) {
  const { whiteboard } = fromBody(body)
  const marked = isParking ? toParked(whiteboard) : toUnparked(whiteboard)
  const parsed = parseFields({ whiteboard: marked }, 'part', null)
  return parsed.ok ? parsed.changes : null
}

const refusals: readonly string[] = ['stale', 'not_found', 'gone', 'publisher_required']
const isRefusal = ({ problem }: Refused) => refusals.includes(problem.code)
