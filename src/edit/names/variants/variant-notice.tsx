import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../../http/problem.ts'
import type { Call, Caller } from '../../../http/route.ts'
import { isIdText } from '../../../record/query/parameter.ts'
import { mayUndo } from '../../../record/role.ts'
import { toCounted } from '../../../record/text/counted.ts'
import { openSite, type Site, type SiteDeps } from '../../../site/site.ts'
import type { UrlParameters } from '../../../site/urls.ts'
import { Hidden, PostForm, requireCaller } from '../../edit-page.tsx'
import { findCurated } from '../curated-name.ts'
import type { PageMessages } from '../names-layout.tsx'

/** In a URL; more than the names of a page. */
const maxIds = 250

/** `3,14` as numbers; empty for anything else. */
function parseIdList(text: string | null): readonly number[] {
  const ids = (text ?? '').split(',').slice(0, maxIds)
  return ids.every(isIdText) ? ids.map(Number) : []
}

/** What was done last, with its undo. The URL has numbers only; the texts come from the store. */
export async function findVariantMessages(
  call: Call,
  deps: SiteDeps,
  kind: 'speaker' | 'tag',
  view: UrlParameters,
): Promise<PageMessages> {
  const query = call.query()
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const form = { site, caller, action: site.urls.variants(kind, view) }
  const merged = await findMergeMessages(call, deps, kind, form)
  if (merged !== null) return merged
  const dismissed = parseIdList(query.get('hidden'))
  if (dismissed.length > 1) {
    const undo = <UndoDismissalForm {...form} what="show" field="id" ids={dismissed} />
    return { notice: <DoneLine text="Marked as different, and hidden from the possible duplicates." undo={undo} /> }
  }
  return query.has('shown') ? { notice: 'The group is among the possible duplicates again.' } : {}
}

/** What a merge or its undo did; null if the URL names none. */
export async function findMergeMessages(
  call: Call,
  deps: SiteDeps,
  kind: 'speaker' | 'tag',
  form: FormProps,
): Promise<PageMessages | null> {
  const query = call.query()
  const merged = query.get('merged') ?? ''
  if (isIdText(merged)) return findMerged(deps, kind, form, Number(merged), query.get('into'))
  const undone = query.get('undone')
  if (undone === 'all') return { notice: 'Undone.' }
  return undone === 'some' ? { notice: 'Undone, except for fields that somebody has changed since.' } : null
}

interface FormProps {
  readonly site: Site
  readonly caller: Caller
  readonly action: string
}

interface UndoFormProps extends FormProps {
  readonly what: 'undo' | 'show'
  readonly field: 'batch' | 'id'
  readonly ids: readonly number[]
}

export function UndoDismissalForm({ caller, action, what, field, ids }: UndoFormProps) {
  return (
    <PostForm caller={caller} action={action} hidden={{ key: crypto.randomUUID() }}>
      <Hidden fields={ids.map((id) => [field, String(id)])} />
      <button class="button quiet" type="submit" name="do" value={what} data-key="u">
        Undo
      </button>
    </PostForm>
  )
}

async function findMerged(
  { store, ...deps }: SiteDeps,
  kind: 'speaker' | 'tag',
  form: FormProps,
  id: number,
  into: string | null,
): Promise<PageMessages> {
  const { lines } = requireRead(await store.listBatches({ id, by: null, page: 1, pageSize: 1 }))
  const [batch] = lines
  if (batch?.kind !== `merge ${kind}`) return {}
  const target = await findCurated({ store, ...deps }, kind, into ?? '')
  const names = batch.others.filter(({ left, fields }) => left === null && fields.includes('merged_into')).length
  const changed = `${toCounted(batch.changed, 'talk')} changed.`
  const done =
    target === null ? `${toCounted(names, 'name')} merged: ${changed}` : `Merged into “${target.name}”: ${changed}`
  const mayGoBack = mayUndo(form.caller, batch.by) && batch.undone_by === null
  const undo = mayGoBack ? <UndoDismissalForm {...form} what="undo" field="batch" ids={[id]} /> : null
  const text = batch.state === 'running' ? 'The merge is still running.' : done
  return { notice: <DoneLine text={text} undo={undo} more={<a href={form.site.urls.batch(id)}>Details</a>} /> }
}

interface DoneLineProps {
  readonly text: string
  readonly undo: Child
  readonly more?: Child
}

function DoneLine({ text, undo, more }: DoneLineProps) {
  return (
    <div class="done-line">
      <p dir="auto">{text}</p>
      {undo}
      {more}
    </div>
  )
}
