import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { FoundName, NameQuery } from '../../record/query/vocabulary.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { ReadStore } from '../../store/store.ts'
import { renderPage } from '../part/layout.tsx'
import { toSubscription } from '../part/menus.tsx'
import { moved, openSite, respondText, type Site, type SiteDeps } from '../site.ts'
import { withParameters } from '../urls.ts'
import { showMissing } from './missing.tsx'
import { CollectionBody, CollectionHead, readCollection } from './talk-collection.tsx'

export type NamePageKind = 'speaker' | 'tag'

export const toFeedTitle = (kind: NamePageKind, name: string) => `Talks ${kind === 'speaker' ? 'by' : 'tagged'} ${name}`

/** `/speaker/<id>/<slug>` and `/tag/<id>/<slug>`. */
export function showName(kind: NamePageKind) {
  return async (call: Call<'id' | 'slug'>, deps: SiteDeps): Promise<TextAnswer> => {
    const { id, slug } = call.params
    const found = await findNameByPath(deps.store, kind, Number(id), slug, { hasSpellings: true })
    if (found === null) return showMissing(call, deps)
    const site = await openSite(call, deps)
    if (String(found.id) !== id || found.slug !== slug) return moved(call, site.urls[kind](found))
    return showFound(call, deps, site, kind, found)
  }
}

/** Redirects a URL without a slug. */
export function goToName(kind: NamePageKind) {
  return async (call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> => {
    const found = await findNameByPath(deps.store, kind, Number(call.params.id), '')
    if (found === null) return showMissing(call, deps)
    return moved(call, (await openSite(call, deps)).urls[kind](found))
  }
}

/**
 * Another archive has other ids: where id and slug disagree, the slug wins if it names an entry. A former name does not
 * count, since it would reveal the current one. The id still resolves an old URL (decision 72).
 */
export async function findNameByPath(
  store: ReadStore,
  kind: NamePageKind,
  id: number,
  slug: string,
  options: Pick<NameQuery, 'hasSpellings'> = {},
): Promise<FoundName | null> {
  const query = { kind, visibility: 'live', ...options } as const
  const byId = requireRead(await store.findName({ ...query, id }))
  if (slug === '' || byId?.slug === slug) return byId
  return requireRead(await store.findName({ ...query, slug })) ?? byId
}

async function showFound(
  call: Call,
  deps: SiteDeps,
  site: Site,
  kind: NamePageKind,
  name: FoundName,
): Promise<TextAnswer> {
  const { urls } = site
  const own = urls[kind](name)
  const text = name.profile?.fields.note.trim() ?? ''
  const note = text === '' ? '' : (await deps.markdown())(text)
  const filters = kind === 'speaker' ? { speakerIds: [name.id] } : { tagIds: [name.id] }
  const collection = await readCollection(call, deps, filters, ['category', 'speaker', 'tag', 'language', 'year'])
  const { page } = collection
  const feed = toSubscription({
    title: toFeedTitle(kind, name.name),
    stem: `${own}/feed`,
    kinds: collection.list.fileKinds,
  })
  const json = urls.api('video', { [`${kind}_id`]: name.id })
  const toHref = (to: number) => withParameters(own, { page: to === 1 ? null : to })
  const head = {
    title: name.name,
    page,
    description: `${toCounted(name.count, 'talk')} ${kind === 'speaker' ? 'by' : 'tagged'} ${name.name}.`,
    canonical: toHref(page),
    section: `${kind}s`,
    ...{ feed, json },
  } as const
  const isSpeaker = kind === 'speaker'
  const rows = [
    { facet: 'tag', title: isSpeaker ? 'Topics' : 'Often with' },
    { facet: 'category', title: 'Events' },
    { facet: 'speaker', title: isSpeaker ? 'Spoke with' : 'Speakers' },
    { facet: 'language', title: 'Languages' },
  ] as const
  const body = (
    <>
      <CollectionHead
        site={site}
        kind={isSpeaker ? 'Speakers' : 'Tags'}
        kindHref={isSpeaker ? urls.speakers : urls.tags}
        title={name.name}
        list={collection.list}
        searchHref={urls.searchIn({ [kind]: name.id })}
        feed={feed}
        jsonHref={json}
        rows={rows}
        own={name.name}
      >
        <Spellings site={site} kind={kind} name={name} />
        {name.profile !== null && <Profile {...name.profile.fields} note={note} />}
      </CollectionHead>
      <CollectionBody
        site={site}
        collection={collection}
        toHref={toHref}
        ownSpeaker={isSpeaker ? name.name : undefined}
      />
    </>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

interface SpellingsProps {
  readonly site: Site
  readonly kind: NamePageKind
  readonly name: FoundName
}

/** Lists of names have one spelling of each; the talks of the others are reached from here. */
function Spellings({ site: { urls }, kind, name: { spellings = [] } }: SpellingsProps) {
  if (spellings.length === 0) return null
  return (
    <p class="spellings">
      {'Also written '}
      {spellings.map((each, i) => (
        <span key={each.id}>
          {i > 0 && ', '}
          <a href={urls[kind](each)}>
            <bdi>{each.name}</bdi>
          </a>{' '}
          <span class="count">{`(${toCounted(each.count, 'talk')})`}</span>
        </span>
      ))}
    </p>
  )
}

interface ProfileProps {
  /** HTML. */
  readonly note: string
  readonly links: readonly string[]
}

/** What publishers say of a speaker. */
function Profile({ note, links }: ProfileProps) {
  if (note === '' && links.length === 0) return null
  return (
    <section class="profile" aria-label="About the speaker">
      {note !== '' && <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: note }} />}
      {links.length > 0 && (
        <ul class="facts">
          {links.map((link) => (
            <li key={link}>
              <a href={link} rel="me nofollow noopener ugc">
                {toShownAddress(link)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** `https://www.example.org/ada/` -> `example.org/ada`. */
function toShownAddress(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  return `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}`
}
