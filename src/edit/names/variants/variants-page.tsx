import { Refused, requireRead } from '../../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../../http/route.ts'
import { hasRole } from '../../../record/command.ts'
import type { VariantLine } from '../../../record/variants/variant.ts'
import { Pager } from '../../../site/part/pager.tsx'
import { openSite, type Site, type SiteDeps } from '../../../site/site.ts'
import type { LogPage } from '../../../store/change-log.ts'
import type { Example } from '../../../store/name-reads.ts'
import { renderEditPage, requireCaller, respondEditPage } from '../../edit-page.tsx'
import { Messages, type PageMessages } from '../name-parts.tsx'
import { NameTabs } from '../name-tabs.tsx'
import { readPageNumber } from '../names-view.ts'
import { respondDismissed } from './dismissed-page.tsx'
import { groupsPerPage, maxShownNames, VariantGroup } from './variant-group.tsx'
import { findVariantMessages } from './variant-notice.tsx'
import { variantTexts as texts } from './variant-texts.ts'

export type VariantKind = 'speaker' | 'tag'

const maxExamples = 2
/** A pause after each merge that a person hardly notices. */
const patienceMs = 250

/** `/edit/variants/speaker` and `/edit/variants/tag`. */
export function showVariants(kind: VariantKind) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> => {
    if (call.query().has('dismissed')) return respondDismissed(call, deps, kind)
    return respondVariants(call, deps, kind, await findVariantMessages(call, deps, kind))
  }
}

/** The page, or one that asks again: a search among many names takes longer than a request may (decision 54). */
export async function respondVariants(
  call: Call,
  deps: SiteDeps,
  kind: VariantKind,
  messages: PageMessages,
): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const page = readPageNumber(call)
  const found = await deps.store.listVariants({ kind, page, pageSize: groupsPerPage, patienceMs }, call.signal)
  const frame = { site, caller, section: 'names' } as const
  if (found === 'late') {
    const body = (
      <Late {...{ site, kind, messages }} href={site.urls.variants(kind, { page: page === 1 ? null : page })} />
    )
    return respondEditPage(call, renderEditPage(frame, texts.late.title, body), { Refresh: '2' })
  }
  const groups = requireRead(found)
  // The last page may be empty after a merge.
  const last = Math.max(1, Math.ceil(groups.count / groupsPerPage))
  if (page > last + 1) throw new Refused({ code: 'no_such_page' })
  const examples = await listExamples(deps, kind, groups.lines)
  const body = <VariantsPage {...{ site, caller, kind, page, last, groups, examples, messages }} />
  return respondEditPage(call, renderEditPage(frame, texts.title[kind], body))
}

/** None if the search has taken all the time that a request has. */
async function listExamples({ store }: SiteDeps, kind: VariantKind, lines: readonly VariantLine[]) {
  const ids = lines.flatMap(({ names }) => names.slice(0, maxShownNames).map(({ id }) => id))
  const found = await store.listExamples({ kind, ids, limit: maxExamples })
  return found === 'late' ? new Map<number, readonly Example[]>() : requireRead(found)
}

interface VariantsPageProps {
  readonly site: Site
  readonly caller: Caller
  readonly kind: VariantKind
  readonly page: number
  readonly last: number
  readonly groups: LogPage<VariantLine>
  readonly examples: ReadonlyMap<number, readonly Example[]>
  readonly messages: PageMessages
}

function VariantsPage({ site, caller, kind, page, last, groups, examples, messages }: VariantsPageProps) {
  const mayChange = hasRole(caller.role, 'publisher')
  return (
    <div class="edit-page variants-page">
      <NameTabs site={site} kind={kind} current="variants" />
      <div class="names-head">
        <h1>{texts.title[kind]}</h1>
        <p class="muted">{texts.count(groups.count)}</p>
        <a href={site.urls.variants(kind, { dismissed: 1 })}>{texts.dismissed}</a>
      </div>
      <Messages {...messages} />
      <p class="muted">{groups.count === 0 ? texts.none : mayChange ? texts.text : texts.readOnly}</p>
      {groups.lines.map((line, i) => (
        <VariantGroup
          key={line.names.map(({ id }) => id).join()}
          {...{ site, caller, kind, page, line, examples, mayChange }}
          number={i + 1}
        />
      ))}
      <Pager page={page} last={last} toHref={(to) => site.urls.variants(kind, { page: to === 1 ? null : to })} />
    </div>
  )
}

interface LateProps extends Pick<VariantsPageProps, 'site' | 'kind' | 'messages'> {
  readonly href: string
}

function Late({ site, kind, messages, href }: LateProps) {
  return (
    <div class="edit-page variants-page">
      <NameTabs site={site} kind={kind} current="variants" />
      <h1>{texts.late.title}</h1>
      <Messages {...messages} />
      <p>{texts.late.text}</p>
      <p>
        <a href={href}>{texts.late.again}</a>
      </p>
    </div>
  )
}
