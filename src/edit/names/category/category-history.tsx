import { requireRead } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { parsePage } from '../../../record/query/query.ts'
import { Pager } from '../../../site/part/list-controls.tsx'
import type { SiteDeps } from '../../../site/site.ts'
import { toMoment } from '../../../site/text/format.ts'
import type { CategoryVersion, CategoryVersionLine } from '../../../store/change-log.ts'
import { createDiffBudget, type DiffBudget, ShortDiff } from '../../diff.tsx'
import { isOwnSave, listOtherChanges, type OtherChange } from '../../save/notices.tsx'
import type { NameFrame } from '../curated-name.ts'
import { categoryTable } from './category-form.tsx'

const perPage = 10

/** Some versions of a category, newest first. */
export interface VersionPage {
  readonly count: number
  readonly page: number
  readonly versions: readonly CategoryVersion[]
}

/** The page in the `versions` parameter, or the first. */
export async function readCategoryHistory(call: Call, { store }: SiteDeps, slug: string): Promise<VersionPage> {
  const requested = parsePage(call.query().get('versions'))
  const page = typeof requested === 'number' ? requested : 1
  const log = requireRead(await store.listCategoryHistory({ slug, page, pageSize: perPage }))
  const versions: CategoryVersion[] = []
  for (const { version } of log?.lines ?? []) {
    const found = requireRead(await store.readCategoryVersion({ slug, number: version }))
    if (found !== null) versions.push(found)
  }
  return { count: log?.count ?? 0, page, versions }
}

export function CategoryHistory({ site, name, versions }: NameFrame & { readonly versions: VersionPage }) {
  const budget = createDiffBudget()
  const toHref = (page: number) => `${site.urls.editName('category', name.key, { versions: page })}#history`
  return (
    <section class="name-history" id="history">
      <h2>History</h2>
      <p>
        <a href={site.urls.changes({ category: name.key })}>Changes to its talks</a>
      </p>
      <ol>
        {versions.versions.map((version) => (
          <Version key={version.version} {...{ version, budget }} />
        ))}
      </ol>
      <Pager page={versions.page} last={Math.ceil(versions.count / perPage)} toHref={toHref} />
    </section>
  )
}

/** Of more versions during one edit, only the last ones are listed. */
const maxVersions = 20

/** The versions after this one, the oldest first. */
export async function listVersionsSince(
  { store }: SiteDeps,
  slug: string,
  since: number,
): Promise<CategoryVersionLine[]> {
  const log = requireRead(await store.listCategoryHistory({ slug, page: 1, pageSize: maxVersions }))
  return (log?.lines ?? []).filter(({ version }) => version > since).toReversed()
}

/** What others changed since a version, up to the caller's own save; null if the caller has not just saved. */
export async function findOthersChanges(
  deps: SiteDeps,
  { caller, name }: NameFrame,
  since: number | null,
): Promise<readonly OtherChange[] | null> {
  const versions = await listVersionsSince(deps, name.key, since ?? 0)
  const own = versions.findLastIndex((version) => isOwnSave(version, caller))
  if (own < 0) return null
  return since === null ? [] : listOtherChanges(versions.slice(0, own))
}

interface VersionProps {
  readonly version: CategoryVersion
  readonly budget: DiffBudget
}

function Version({ version: { version, at, by, reason, fields, before }, budget }: VersionProps) {
  return (
    <li>
      <p>
        <strong>Version {version}</strong> <time datetime={`${at}Z`}>{toMoment(at)}</time> · <bdi>{by}</bdi>
        {reason !== null && ' · '}
        {reason !== null && <bdi>{reason}</bdi>}
      </p>
      {before === null ? (
        <p class="muted">Created.</p>
      ) : (
        <ShortDiff {...{ before, budget }} after={fields} table={categoryTable} href={null} />
      )}
    </li>
  )
}
