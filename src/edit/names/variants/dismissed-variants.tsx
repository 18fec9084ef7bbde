import { requireRead } from '../../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../../http/route.ts'
import { hasRole } from '../../../record/role.ts'
import { toCounted } from '../../../record/text/counted.ts'
import { Pager } from '../../../site/part/list-controls.tsx'
import { openSite, type Site, type SiteDeps } from '../../../site/site.ts'
import { toMoment } from '../../../site/text/format.ts'
import type { DismissedLine } from '../../../store/name-reads.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../../edit-page.tsx'
import { readPageNumber } from '../name-list.tsx'
import { NameTabs } from '../names-layout.tsx'
import { UndoDismissalForm } from './variant-notice.tsx'

const dismissedTitle = 'Marked as different'
const perPage = 50
const maxNames = 12

/** `/edit/variants/speaker?dismissed=1`: groups that are marked as different, each with its undo. */
export async function respondDismissed(call: Call, deps: SiteDeps, kind: 'speaker' | 'tag'): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const page = readPageNumber(call)
  const groups = requireRead(await deps.store.listDismissed({ kind, page, pageSize: perPage }, call.signal))
  const toHref = (to: number) => site.urls.variants(kind, { dismissed: 1, page: to === 1 ? null : to })
  const body = (
    <div class="edit-page variants-page">
      <NameTabs site={site} kind={kind} current="variants" />
      <div class="names-head">
        <h1>{dismissedTitle}</h1>
        <p class="muted">{toCounted(groups.count, 'group')}</p>
        <a href={site.urls.variants(kind)}>Possible duplicates of names</a>
      </div>
      <p class="muted">
        {groups.count === 0
          ? 'No group is marked as different.'
          : 'These groups are hidden from the possible duplicates.'}
      </p>
      <ul class="dismissed-list">
        {groups.lines.map((line) => (
          <DismissedGroup key={line.ids.join()} {...{ site, caller, kind, line }} />
        ))}
      </ul>
      <Pager page={page} last={Math.ceil(groups.count / perPage)} toHref={toHref} />
    </div>
  )
  return respondEditPage(call, renderEditPage({ site, caller, section: 'names' }, dismissedTitle, body))
}

interface GroupProps {
  readonly site: Site
  readonly caller: Caller
  readonly kind: 'speaker' | 'tag'
  readonly line: DismissedLine
}

/** A name without talks has no page. */
function DismissedGroup({ site, caller, kind, line: { ids, names, at, by } }: GroupProps) {
  return (
    <li data-row>
      <ul class="dismissed-names">
        {names.slice(0, maxNames).map(({ id, name, count }) => (
          <li key={id}>
            {count > 0 ? (
              <a href={site.urls.editName(kind, id)} dir="auto">
                {name}
              </a>
            ) : (
              <bdi>{name}</bdi>
            )}{' '}
            <span class="muted">{toCounted(count, 'talk')}</span>
          </li>
        ))}
      </ul>
      <span class="muted">
        <bdi>
          by {by}, {toMoment(at)}
        </bdi>
      </span>
      {hasRole(caller.role, 'publisher') && (
        <UndoDismissalForm {...{ site, caller, ids }} action={site.urls.variants(kind)} what="show" field="id" />
      )}
    </li>
  )
}
