import { Refused, requireRead } from '../../../http/problem.ts'
import type { Call, Caller, TextAnswer } from '../../../http/route.ts'
import { hasRole } from '../../../record/role.ts'
import { toCounted, toNumber } from '../../../record/text/counted.ts'
import { parseVariantReason, type VariantLine, type VariantReason } from '../../../record/variants/variant.ts'
import { Pager } from '../../../site/part/list-controls.tsx'
import { openSite, type Site, type SiteDeps } from '../../../site/site.ts'
import type { Example, VariantLines } from '../../../store/name-reads.ts'
import { PostForm, renderEditPage, requireCaller, respondEditPage } from '../../edit-page.tsx'
import { toListParameters, toListText } from '../curated-name.ts'
import { readPageNumber } from '../name-list.tsx'
import { ExampleList } from '../name-talks.tsx'
import { Messages, NameTabs, type PageMessages } from '../names-layout.tsx'
import { respondDismissed } from './dismissed-variants.tsx'
import { findVariantMessages } from './variant-notice.tsx'

export type VariantKind = 'speaker' | 'tag'

const pageTitles = { speaker: 'Possible duplicates of speaker names', tag: 'Possible duplicates of tags' } as const
const lateTitle = 'Still searching'

const maxExamples = 2
/** How long the page waits for the search after a merge; a person hardly notices it. */
const patienceMs = 250

/** `/edit/variants/speaker` and `/edit/variants/tag`. */
export function showVariants(kind: VariantKind) {
  return async (call: Call, deps: SiteDeps): Promise<TextAnswer> => {
    if (call.query().has('dismissed')) return respondDismissed(call, deps, kind)
    return respondVariants(call, deps, kind, await findVariantMessages(call, deps, kind, toVariantsView(call)))
  }
}

/** The parameters of the page that its forms and links keep. */
export function toVariantsView(call: Call): { readonly reason: VariantReason | null; readonly page: number | null } {
  const page = readPageNumber(call)
  return { reason: parseVariantReason(call.query().get('reason') ?? ''), page: page === 1 ? null : page }
}

/** The page, or one that refreshes itself: a search among many names takes longer than a request may (decision 54). */
export async function respondVariants(
  call: Call,
  deps: SiteDeps,
  kind: VariantKind,
  messages: PageMessages,
): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const caller = requireCaller(call)
  const page = readPageNumber(call)
  const { reason } = toVariantsView(call)
  const query = { kind, reason, page, pageSize: groupsPerPage, patienceMs }
  const found = await deps.store.listVariants(query, call.signal)
  const frame = { site, caller, section: 'names' } as const
  if (found === 'late') {
    const body = <Late {...{ site, kind, messages }} href={site.urls.variants(kind, toVariantsView(call))} />
    return respondEditPage(call, renderEditPage(frame, lateTitle, body), { Refresh: '2' })
  }
  const groups = requireRead(found)
  // The last page may be empty after a merge.
  const last = Math.max(1, Math.ceil(groups.count / groupsPerPage))
  if (page > last + 1) throw new Refused({ code: 'no_such_page' })
  const examples = await listExamples(deps, kind, groups.lines)
  const body = <VariantsPage {...{ site, caller, kind, reason, page, last, groups, examples, messages }} />
  return respondEditPage(call, renderEditPage(frame, pageTitles[kind], body))
}

/** Empty if the search has used up the time of the request. */
async function listExamples({ store }: SiteDeps, kind: VariantKind, lines: readonly VariantLine[]) {
  const ids = lines.flatMap(({ names }) => names.slice(0, maxShownNames).map(({ id }) => id))
  const found = await store.listExamples({ kind, ids, limit: maxExamples })
  return found === 'late' ? new Map<number, readonly Example[]>() : requireRead(found)
}

interface VariantsPageProps {
  readonly site: Site
  readonly caller: Caller
  readonly kind: VariantKind
  readonly reason: VariantReason | null
  readonly page: number
  readonly last: number
  readonly groups: VariantLines
  readonly examples: ReadonlyMap<number, readonly Example[]>
  readonly messages: PageMessages
}

function VariantsPage(props: VariantsPageProps) {
  const { site, caller, kind, reason, page, last, groups, messages } = props
  const mayChange = hasRole(caller.role, 'publisher')
  const toHref = (to: number) => site.urls.variants(kind, { reason, page: to === 1 ? null : to })
  return (
    <div class="edit-page variants-page">
      <NameTabs site={site} kind={kind} current="variants" />
      <div class="names-head">
        <h1>{pageTitles[kind]}</h1>
        <p class="muted">{toCounted(groups.count, 'group')}</p>
        <a href={site.urls.variants(kind, { dismissed: 1 })}>Marked as different</a>
      </div>
      <Messages {...messages} />
      <ReasonLinks {...props} />
      <p class="muted">
        {groups.count === 0
          ? 'No possible duplicates are left.'
          : mayChange
            ? 'Names that are probably the same. Choose the one to keep, and untick names that do not belong to it.'
            : 'Publishers can merge them, or mark them as different.'}
      </p>
      {mayChange && groups.lines.length > 0 ? (
        <PostForm class="variants-form" caller={caller} action={toHref(page)} hidden={{ key: crypto.randomUUID() }}>
          {/* First in the form, so that Enter in a field previews and merges nothing. */}
          <MergeAll count={groups.lines.length} />
          <VariantGroups {...props} mayChange />
        </PostForm>
      ) : (
        <VariantGroups {...props} mayChange={false} />
      )}
      <Pager page={page} last={last} toHref={toHref} />
    </div>
  )
}

/** All groups, or those of one reason. */
function ReasonLinks({ site, kind, reason, groups: { reasons } }: VariantsPageProps) {
  if (reasons.length < 2 && reason === null) return null
  const all = reasons.reduce((sum, { count }) => sum + count, 0)
  const links = [{ reason: null, count: all }, ...reasons]
  return (
    <nav class="reason-links" aria-label="By difference">
      <ul>
        {links.map((link) => (
          <li key={link.reason ?? 'all'}>
            <a
              href={site.urls.variants(kind, { reason: link.reason })}
              aria-current={link.reason === reason ? 'true' : undefined}
            >
              {link.reason === null ? 'All' : reasonTitles[link.reason]}{' '}
              <span class="count">{toNumber(link.count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function MergeAll({ count }: { readonly count: number }) {
  return (
    <p class="merge-all">
      <button class="button quiet" type="submit" name="do" value="preview">
        {count === 1 ? 'Merge this group …' : `Merge all ${toNumber(count)} groups on this page …`}
      </button>{' '}
      <span class="muted">A preview comes first.</span>
    </p>
  )
}

function VariantGroups(props: VariantsPageProps & Pick<VariantGroupProps, 'mayChange'>) {
  return (
    <>
      {props.groups.lines.map((line, i) => (
        <VariantGroup key={line.names.map(({ id }) => id).join()} {...props} line={line} number={i + 1} />
      ))}
    </>
  )
}

interface LateProps extends Pick<VariantsPageProps, 'site' | 'kind' | 'messages'> {
  readonly href: string
}

function Late({ site, kind, messages, href }: LateProps) {
  return (
    <div class="edit-page variants-page">
      <NameTabs site={site} kind={kind} current="variants" />
      <h1>{lateTitle}</h1>
      <Messages {...messages} />
      <p>Comparing many names takes a while. This page refreshes in two seconds.</p>
      <p>
        <a href={href}>Try again now</a>
      </p>
    </div>
  )
}

/** Few enough to see progress. */
const groupsPerPage = 20

/** The rest of a group is shown when these are merged. */
const maxShownNames = 12

/** How the names of a group differ. Each reason but the first may come with those before it. */
const reasonTexts = {
  alias: 'A merged name is in use again',
  case: 'Differ only in capitals',
  space: 'Differ in spaces',
  accent: 'Differ in accents',
  punctuation: 'Differ in punctuation',
  order: 'Differ in the order of words',
  plural: 'Plural and singular',
  initials: 'Differ in initials',
  letter: 'Differ in one letter',
} as const satisfies { readonly [reason in VariantReason]: string }

const reasonTitles = {
  alias: 'Merged before',
  case: 'Capitals',
  space: 'Spaces',
  accent: 'Accents',
  punctuation: 'Punctuation',
  order: 'Order of words',
  plural: 'Plural',
  initials: 'Initials',
  letter: 'One letter',
} as const satisfies { readonly [reason in VariantReason]: string }

interface VariantGroupProps extends Omit<VariantTableProps, 'shown' | 'keep'> {
  readonly page: number
  readonly line: VariantLine
}

/** Names below each other. The suggested name stays unless another is chosen, so most groups take one click. */
function VariantGroup(props: VariantGroupProps) {
  const { page, number, line, mayChange } = props
  const shown = line.names.slice(0, maxShownNames)
  const rest = line.names.length - shown.length
  const id = `group-${number}`
  return (
    <section class="variant-group" id={id} aria-labelledby={`${id}-title`} data-row>
      <div class="group-head">
        <h2 id={`${id}-title`}>Group {toNumber((page - 1) * groupsPerPage + number)}</h2>
        <p class="muted">{reasonTexts[line.reason]}</p>
        {mayChange && <GroupButtons shown={shown} number={number} />}
      </div>
      <VariantTable {...props} shown={shown} keep={line.keep} />
      {rest > 0 && <p class="muted">and {toNumber(rest)} more names, shown after these are merged</p>}
    </section>
  )
}

function GroupButtons({ number, shown }: Pick<VariantTableProps, 'shown' | 'number'>) {
  return (
    <div class="buttons">
      <input type="hidden" name={`group.${number}`} value={shown.map(({ id }) => id).join()} />
      <button class="button" type="submit" name="do" value={`merge ${number}`} data-key="m">
        Merge
      </button>
      <button class="button quiet" type="submit" name="do" value={`dismiss ${number}`} data-key="d">
        Not the same
      </button>
    </div>
  )
}

interface VariantTableProps extends Pick<VariantsPageProps, 'site' | 'kind' | 'examples'> {
  /** Of the group in its form. */
  readonly number: number
  readonly shown: VariantLine['names']
  readonly keep: number
  readonly mayChange: boolean
}

/** Names that may be the same, with the one to keep. */
export function VariantTable(props: VariantTableProps) {
  const { shown, mayChange } = props
  return (
    <table class="variant-table">
      <thead>
        <tr>
          {mayChange && <th scope="col">Keep</th>}
          {mayChange && <th scope="col">Merge</th>}
          <th scope="col">Name</th>
          <th scope="col" class="number">
            Talks
          </th>
          <th scope="col">Examples</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((name, i) => (
          <NameLine key={name.id} {...props} name={name} place={i + 1} />
        ))}
      </tbody>
    </table>
  )
}

interface NameLineProps extends VariantTableProps {
  readonly name: VariantLine['names'][number]
  /** In the group, from 1: the key that chooses it. */
  readonly place: number
}

/** Shortcuts are digits. */
const maxPlace = 9

function NameLine({ site, kind, number, keep, examples, mayChange, name: { id, name, count }, place }: NameLineProps) {
  const own = { kind, key: String(id) }
  return (
    <tr>
      {mayChange && (
        <td class="tick">
          <label>
            <input type="radio" name={`keep.${number}`} value={id} checked={id === keep} aria-label={`Keep ${name}`} />
            {place <= maxPlace && (
              <span class="key" aria-hidden="true">
                {place}
              </span>
            )}
            <span class="narrow-label">Keep</span>
          </label>
        </td>
      )}
      {mayChange && (
        <td class="tick">
          <label>
            <input type="checkbox" name={`merge.${number}`} value={id} checked aria-label={`Merge ${name}`} />
            <span class="narrow-label">Merge</span>
          </label>
          {/* The server refuses to merge a name that is no longer as it was shown. */}
          <input type="hidden" name={`name.${id}`} value={name} />
        </td>
      )}
      <th scope="row">
        <a href={site.urls.editName(kind, id)} dir="auto">
          {name}
        </a>
      </th>
      <td class="number">
        <a href={site.urls.workList(toListParameters(own))}>{toNumber(count)}</a>
      </td>
      <td class="examples">
        <ExampleList site={site} examples={examples.get(id) ?? []} list={toListText(own)} />
      </td>
    </tr>
  )
}
