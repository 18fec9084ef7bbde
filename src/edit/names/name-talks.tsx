import { requireRead } from '../../http/problem.ts'
import type { Filters } from '../../record/query/query.ts'
import { fromBodyText } from '../../record/record.ts'
import { live } from '../../record/state.ts'
import type { Site, SiteDeps } from '../../site/site.ts'
import type { Example } from '../../store/name-reads.ts'
import { type CuratedName, toListText } from './curated-name.ts'
import { namesTexts } from './names-texts.ts'

const texts = namesTexts.name

/** The first talks of a name in the order of lists, drafts included. */
export async function listTalks({ store }: SiteDeps, name: CuratedName, pageSize: number): Promise<Example[]> {
  const list = await store.list({
    filters: { visibility: 'all', speakers: [], tags: [], has: [], ...toFilter(name) },
    ...{ match: 'all', order: null, page: 1, pageSize, facets: [], hasHighlight: false },
    fields: ['id', 'title', 'category', 'recorded', 'state'],
  })
  return (requireRead(list).records ?? []).map(fromBodyText)
}

function toFilter({ kind, key }: CuratedName): Partial<Filters> {
  if (kind === 'category') return { category: key }
  return kind === 'speaker' ? { speakerIds: [Number(key)] } : { tagIds: [Number(key)] }
}

interface TalkTableProps {
  readonly site: Site
  readonly name: CuratedName
  readonly talks: readonly Example[]
}

/** Each title leads to the editor, and from there on through the work list of the name. */
export function TalkTable({ site, name, talks }: TalkTableProps) {
  const list = toListText(name)
  const hasEvent = name.kind !== 'category'
  return (
    <div class="edit-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.talk}</th>
            {hasEvent && <th scope="col">{texts.event}</th>}
            <th scope="col">{texts.day}</th>
          </tr>
        </thead>
        <tbody>
          {talks.map((talk) => (
            <tr key={talk.id}>
              <th scope="row">
                <TalkLink site={site} talk={talk} list={list} />
              </th>
              {hasEvent && <td dir="auto">{talk.category}</td>}
              <td class="day">{talk.recorded}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface TalkLinkProps {
  readonly site: Site
  readonly talk: Example
  readonly list: string
}

export function TalkLink({ site, talk, list }: TalkLinkProps) {
  return (
    <>
      <a href={site.urls.edit(talk.id, { list })} dir="auto">
        {talk.title}
      </a>{' '}
      {talk.state !== live && <span class="badge is-draft">{texts.draft}</span>}
    </>
  )
}
