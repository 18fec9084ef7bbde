import { requireRead } from '../../http/problem.ts'
import type { Filters } from '../../record/query/query.ts'
import { fromBodyText } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import type { Site, SiteDeps } from '../../site/site.ts'
import { toShortDay } from '../../site/text/format.ts'
import type { Example } from '../../store/name-reads.ts'
import { type CuratedName, toListText } from './curated-name.ts'

/** The first talks of a name in the order of lists, drafts included. */
export async function listTalks({ store }: SiteDeps, name: CuratedName, pageSize: number): Promise<Example[]> {
  const list = await store.list({
    filters: { visibility: 'all', speakers: [], tags: [], has: [], ...toFilter(name) },
    ...{ match: 'all', order: null, page: 1, pageSize, facets: [], hasHighlight: false },
    fields: ['id', 'title', 'category', 'recorded', 'state'],
  })
  return (requireRead(list).records ?? []).map(fromBodyText)
}

interface TalkTableProps {
  readonly site: Site
  readonly name: CuratedName
  readonly talks: readonly Example[]
}

/** Each title links to the editor, which continues through the work list of the name. */
export function TalkTable({ site, name, talks }: TalkTableProps) {
  const list = toListText(name)
  const hasEvent = name.kind !== 'category'
  return (
    <div class="edit-table">
      <table>
        <thead>
          <tr>
            <th scope="col">Title</th>
            {hasEvent && <th scope="col">Event</th>}
            <th scope="col">Day</th>
          </tr>
        </thead>
        <tbody>
          {talks.map((talk) => (
            <tr key={talk.id}>
              <th scope="row">
                <ExampleLink site={site} talk={talk} list={list} />
              </th>
              {hasEvent && <td dir="auto">{talk.category}</td>}
              <td class="day">{talk.recorded === null ? '' : toShortDay(talk.recorded)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ExampleListProps {
  readonly site: Site
  readonly examples: readonly Example[]
  /** The work list that the talks belong to. */
  readonly list: string
  /** Left out where all talks have the same event. */
  readonly hasEvent?: boolean
}

/** A few talks: title, event and year. */
export function ExampleList({ site, examples, list, hasEvent = true }: ExampleListProps) {
  return (
    <ul class="name-examples">
      {examples.map((talk) => (
        <li key={talk.id}>
          <ExampleLink site={site} talk={talk} list={list} />{' '}
          {hasEvent && (
            <span class="muted">
              <bdi>{talk.category}</bdi>
              {toYear(talk)}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function toFilter({ kind, key }: CuratedName): Partial<Filters> {
  if (kind === 'category') return { category: key }
  return kind === 'speaker' ? { speakerIds: [Number(key)] } : { tagIds: [Number(key)] }
}

interface ExampleLinkProps {
  readonly site: Site
  readonly talk: Example
  readonly list: string
}

function ExampleLink({ site, talk, list }: ExampleLinkProps) {
  return (
    <>
      <a href={site.urls.edit(talk.id, { list })} dir="auto">
        {talk.title}
      </a>{' '}
      {talk.state !== live && <span class="badge is-draft">draft</span>}
    </>
  )
}

/** Most events have the year in their title. */
function toYear({ recorded, category }: Example): string {
  const year = recorded?.slice(0, 4) ?? ''
  return year === '' || category.includes(year) ? '' : `, ${year}`
}
