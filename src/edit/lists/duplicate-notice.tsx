import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../http/problem.ts'
import type { Call, Caller } from '../../http/route.ts'
import { isIdText } from '../../record/query/parameter.ts'
import { fromBody } from '../../record/record.ts'
import { mayUndo } from '../../record/role.ts'
import { openSite, type Site, type SiteDeps } from '../../site/site.ts'
import type { BatchLine } from '../../store/batch-reads.ts'
import { PostForm, requireCaller } from '../edit-page.tsx'
import { isOwnSave } from '../save/notices.tsx'

/** `3,14` as numbers; empty for anything else. */
export function parseNoticeIds(text: string | null): number[] {
  const words = (text ?? '').split(',')
  return words.every(isIdText) ? words.map(Number) : []
}

/** What was done last, with its undo. The URL has numbers only; the texts come from the store. */
export async function findDuplicateNotice(call: Call, deps: SiteDeps): Promise<Child> {
  const query = call.query()
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const kept = Object.fromEntries(['reason', 'n', 'compare'].map((name) => [name, query.get(name)]))
  const form = { site, caller, action: site.urls.duplicates(kept) }
  const merged = query.get('merged') ?? ''
  if (isIdText(merged)) return findMerged(deps, form, Number(merged))
  const distinct = parseNoticeIds(query.get('distinct'))
  if (distinct.length > 1)
    return (
      <Done text="Marked as different talks.">
        <UndoForm {...form} action="show" href={form.action} hidden={{ ids: distinct.join() }} />
      </Done>
    )
  if (query.has('undone')) return <Done text="Undone. The pair is in this list again." />
  return query.has('shown') ? <Done text="The talks are in this list again." /> : null
}

interface NoticeForm {
  readonly site: Site
  readonly caller: Caller
  readonly action: string
}

async function findMerged({ store }: SiteDeps, form: NoticeForm, id: number): Promise<Child> {
  const { lines } = requireRead(await store.listBatches({ page: 1, pageSize: 1, by: null, id }))
  const [batch] = lines
  if (batch?.kind !== 'merge video' || !isOwnSave(batch, form.caller)) return null
  const target = await findTarget(store, batch)
  const mayGoBack = mayUndo(form.caller, batch.by) && batch.undone_by === null
  return (
    <Done text={target === null ? 'Merged.' : `Merged into “${target}”. The address of the other talk leads there.`}>
      {mayGoBack && <UndoForm {...form} action="undo" href={form.action} hidden={{ batch: String(id) }} />}
      <a href={form.site.urls.batch(id)}>Details</a>
    </Done>
  )
}

/** The title of the kept talk. */
async function findTarget(store: SiteDeps['store'], { others }: BatchLine): Promise<string | null> {
  const merged = others.find(({ kind }) => kind === 'video')
  const page = merged === undefined ? null : requireRead(await store.findMerged(Number(merged.id)))
  const stored = page === null ? null : await store.read(page.id)
  return stored === null ? null : fromBody(stored.body).title
}

function Done({ text, children }: { readonly text: string; readonly children?: Child }) {
  return (
    <div class="notice is-good done-line" role="status">
      <p dir="auto">{text}</p>
      {children}
    </div>
  )
}

interface UndoFormProps extends Pick<NoticeForm, 'caller'> {
  readonly action: 'undo' | 'show'
  readonly href: string
  readonly hidden: { readonly [name: string]: string }
}

function UndoForm({ caller, action, href, hidden }: UndoFormProps) {
  return (
    <PostForm caller={caller} action={href} hidden={{ key: crypto.randomUUID(), ...hidden }}>
      <button class="button quiet" type="submit" name="do" value={action} data-key="u">
        Undo
      </button>
    </PostForm>
  )
}
