import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { NameRow } from '../../record/query/vocabulary.ts'
import type { ReadStore } from '../../store/store.ts'
import { withParameters } from '../addresses.ts'
import { renderPage } from '../part/layout.tsx'
import { moved, respondText } from '../respond-page.ts'
import { openSite, type Site, type SiteDeps } from '../site.ts'
import { texts } from '../texts.ts'
import { showMissing } from './missing.tsx'
import { CollectionBody, CollectionHead, readCollection } from './talk-collection.tsx'

export type NamePageKind = 'speaker' | 'tag'

/** `/speaker/<id>/<slug>` and `/tag/<id>/<slug>`. */
export function showName(kind: NamePageKind) {
  return async (call: Call<'id' | 'slug'>, deps: SiteDeps): Promise<TextAnswer> => {
    const { id, slug } = call.params
    const found = await findName(deps.store, kind, Number(id), slug)
    if (found === null) return showMissing(call, deps, slug)
    const site = await openSite(call, deps)
    if (String(found.id) !== id || found.slug !== slug) return moved(call, site.at[kind](found))
    return showFound(call, deps, site, kind, found)
  }
}

/** An address without a slug. */
export function goToName(kind: NamePageKind) {
  return async (call: Call<'id'>, deps: SiteDeps): Promise<TextAnswer> => {
    const found = await findName(deps.store, kind, Number(call.params.id), '')
    if (found === null) return showMissing(call, deps, '')
    return moved(call, (await openSite(call, deps)).at[kind](found))
  }
}

/**
 * Ids of another archive are not ours: where id and slug disagree, the slug decides if it names an entry. A former name
 * does not: whoever knows it would learn the current one. The id leads on from an old address (decision 72).
 */
export async function findName(
  store: ReadStore,
  kind: NamePageKind,
  id: number,
  slug: string,
): Promise<NameRow | null> {
  const byId = requireRead(await store.findName({ kind, id, visibility: 'live' }))
  if (slug === '' || byId?.slug === slug) return byId
  return requireRead(await store.findName({ kind, slug, visibility: 'live' })) ?? byId
}

async function showFound(
  call: Call,
  deps: SiteDeps,
  site: Site,
  kind: NamePageKind,
  name: NameRow,
): Promise<TextAnswer> {
  const { at } = site
  const own = at[kind](name)
  const words = texts[kind]
  const filters = kind === 'speaker' ? { speakerIds: [name.id] } : { tagIds: [name.id] }
  const collection = await readCollection(call, deps, filters, ['category', 'speaker', 'tag', 'language'])
  const { page } = collection
  const feed = { title: texts.feeds[kind](name.name), href: `${own}/feed.atom` }
  const json = at.api('video', { [`${kind}_id`]: name.id })
  const toHref = (to: number) => withParameters(own, { page: to === 1 ? null : to })
  const head = {
    title: name.name,
    page,
    description: words.description(name.name, name.count),
    canonical: toHref(page),
    section: words.section,
    ...{ feed, json },
  }
  const rows = [
    { facet: 'category', title: texts.list.events },
    { facet: 'speaker', title: kind === 'speaker' ? texts.speaker.with : texts.list.speakers },
    { facet: 'tag', title: kind === 'tag' ? texts.tag.with : texts.list.tags },
    { facet: 'language', title: texts.list.languages },
  ] as const
  const body = (
    <>
      <CollectionHead
        kind={words.kind}
        kindHref={kind === 'speaker' ? at.speakers : at.tags}
        title={name.name}
        count={name.count}
        feedHref={feed.href}
        jsonHref={json}
      />
      <CollectionBody site={site} collection={collection} toHref={toHref} rows={rows} own={name.name} />
    </>
  )
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}
