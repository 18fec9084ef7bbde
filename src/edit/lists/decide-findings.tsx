import { execute, executeAs, logChange } from '../../http/execute.ts'
import { Refused } from '../../http/problem.ts'
import { type Caller, type Form, type HttpCall, type TextAnswer, toAuthor } from '../../http/route.ts'
import type { AcceptCommand } from '../../record/command.ts'
import { type FindingCode, isFindingCode } from '../../record/quality/finding-codes.ts'
import { parseRecordId } from '../../record/record.ts'
import type { Timestamp } from '../../record/timestamp.ts'
import { openSite, type Site, type SiteHttpDeps } from '../../site/site.ts'
import { parseSelectedTalks } from '../bulk/selected-talks.tsx'
import { PostForm, requireCaller, requireForm, seeOther } from '../edit-page.tsx'
import { toListHref, toListName, toUntickedHref } from './list-query.ts'

export const fineLabel = 'Fine as it is'

/**
 * `/edit/findings`: calls a finding of the ticked talks fine as it is, or of one talk (`fine`), or shows it again
 * (`again`, or `undo` with the time of the acceptance). Returns to the list, or with `back=talk` to the editor.
 */
export async function decideFindings(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const form = requireForm(call)
  const code = requireCode(form)
  const list = toListName(new URLSearchParams(form.get('list') ?? ''))
  const select = readSelection(form)
  if (select === 'unticked') return seeOther(call, toUntickedHref(urls, list))
  const isAccepted = !form.has('again') && !form.has('undo')
  const author = toAuthor(requireCaller(call))
  const { at, changed, refused } = await executeAs('acceptance', deps, call, {
    ...{ kind: 'accept findings', code, select, isAccepted, author },
    ...{ expect: null, asOf: isAccepted ? parseNumber(form.get('as_of')) : null },
  })
  logChange(deps, call, author.name, { kind: 'finding', code, isAccepted, records: changed })
  const done = { done: isAccepted ? 'fine' : 'again', count: String(changed), code }
  const left = refused.length === 0 ? null : String(refused.length)
  const back = form.get('back') === 'talk' ? parseRecordId(form.get('fine') ?? form.get('again') ?? '') : null
  if (back !== null) return seeOther(call, urls.edit(back, { list: list === '' ? null : list, ...done, left }))
  const undo = isAccepted && changed > 0 ? at : null
  return seeOther(call, toListHref(urls, new URLSearchParams(list), { ...done, left, at: undo }))
}

/** `/edit/findings/hidden`: hides a list for all, or shows it again. */
export async function hideList(call: HttpCall, deps: SiteHttpDeps): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const form = requireForm(call)
  const code = requireCode(form)
  const isHidden = form.get('do') === 'hide'
  const author = toAuthor(requireCaller(call))
  await execute(deps, call, { kind: 'hide findings', code, isHidden, author })
  logChange(deps, call, author.name, { kind: 'finding', code, isHidden })
  return seeOther(call, `${urls.editHome}?${isHidden ? 'hidden' : 'shown'}=${code}`)
}

function requireCode(form: Form): FindingCode {
  const code = form.get('code') ?? ''
  if (!isFindingCode(code)) throw new Refused({ code: 'bad_form' })
  return code
}

function readSelection(form: Form): AcceptCommand['select'] | 'unticked' {
  const [one, at] = [form.get('fine') ?? form.get('again'), form.get('undo')]
  if (at !== null) return { is: 'made', at: requireTime(at) }
  if (one !== null) {
    const id = parseRecordId(one)
    if (id === null) throw new Refused({ code: 'bad_form' })
    return { is: 'ids', ids: [id] }
  }
  const parsed = parseSelectedTalks(form)
  if (parsed.is === 'unticked') return 'unticked'
  if (parsed.is !== 'chosen') throw new Refused({ code: 'bad_form' })
  const { chosen } = parsed
  return chosen.is === 'ids' ? { is: 'ids', ids: chosen.ids } : { is: 'query', filters: chosen.filters }
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

function requireTime(text: string): Timestamp {
  if (!timePattern.test(text)) throw new Refused({ code: 'bad_form' })
  return text
}

/** The time of an acceptance in the URL; null for anything else. */
export const readAcceptedAt = (parameters: URLSearchParams): Timestamp | null => {
  const at = parameters.get('at') ?? ''
  return timePattern.test(at) ? at : null
}

const parseNumber = (text: string | null) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : null)

interface UndoProps {
  readonly site: Site
  readonly caller: Caller
  readonly code: FindingCode
  readonly at: Timestamp
  readonly list: string
}

/** Shows again what was accepted at this time. */
export function UndoAcceptance({ site, caller, code, at, list }: UndoProps) {
  return (
    <PostForm caller={caller} action={site.urls.acceptFindings} hidden={{ code, list }}>
      <button type="submit" name="undo" value={at} class="button quiet" data-key="u">
        Undo
      </button>
    </PostForm>
  )
}

interface DecideProps {
  readonly site: Site
  readonly caller: Caller
  readonly code: FindingCode
  readonly id: number
  readonly list: string
  readonly asOf: number
  readonly isAccepted: boolean
  /** Whether the button takes back what was just done. */
  readonly isUndo?: boolean
}

/** Beside a finding in the editor. */
export function DecideButton({ site, caller, code, id, list, asOf, isAccepted, isUndo = false }: DecideProps) {
  const label = isAccepted ? 'Show again' : fineLabel
  return (
    <PostForm
      caller={caller}
      action={site.urls.acceptFindings}
      class="decide"
      hidden={{ code, list, as_of: String(asOf), back: 'talk' }}
    >
      <button
        type="submit"
        name={isAccepted ? 'again' : 'fine'}
        value={String(id)}
        class={isUndo ? 'button quiet' : 'button quiet small'}
        data-key={isUndo ? 'u' : undefined}
      >
        {isUndo ? 'Undo' : label}
      </button>
    </PostForm>
  )
}
