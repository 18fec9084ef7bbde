import { toPrefix } from '../../http/host.ts'
import { requireRead } from '../../http/problem.ts'
import { redirect } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { maxPageSize } from '../../record/query/query.ts'
import type { VocabularyName } from '../../record/query/vocabulary.ts'
import { toSlugKey } from '../../record/text/slug.ts'
import type { ReadStore } from '../../store/store.ts'
import { toAddressWords, toPathParts } from '../search/address-words.ts'
import { moved, openSite, type SiteDeps } from '../site.ts'
import { createUrls, type Urls, withParameters } from '../urls.ts'
import { showMissing } from './missing.tsx'
import type { NamePageKind } from './name.tsx'

/**
 * Addresses of other sites with the same talks, and those that people guess (decision 83). Their slugs are made of the
 * same titles by other rules, so letters and digits alone are compared.
 */

/** Leads from one fixed path to another. */
export function goTo(toUrl: (urls: Urls) => string) {
  return (call: Call, { baseUrl }: Pick<SiteDeps, 'baseUrl'>): TextAnswer =>
    moved(call, toUrl(createUrls(toPrefix(baseUrl(call)))))
}

/** `/<event>/<talk>.html`. */
export async function goToOldTalk(call: Call<'event' | 'talk'>, deps: SiteDeps): Promise<TextAnswer> {
  const { event, talk } = call.params
  return (await leadToTalk(call, deps, event, talk)) ?? showMissing(call, deps)
}

/** `/events/<slug>.html`. */
export async function goToOldEvent(call: Call<'slug'>, deps: SiteDeps): Promise<TextAnswer> {
  return (await leadToEvent(call, deps, call.params.slug)) ?? showMissing(call, deps)
}

/** Any path that no page has: `/<event>` and `/<event>/<talk>` lead on as the above, everything else is 404. */
export async function showNoPage(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const [event = '', talk, ...others] = toPathParts(new URL(call.url).pathname)
  // A file is nothing that a person has shortened.
  const isFile = `${event}${talk ?? ''}`.includes('.') || event === ''
  const lead = () => (talk === undefined ? leadToEvent(call, deps, event) : leadToTalk(call, deps, event, talk))
  const target = isFile || others.length > 0 ? null : await lead()
  const answer = target ?? (await showMissing(call, deps, { code: 'no_such_path' }))
  answer.headers.delete('Allow')
  return answer
}

/** Of several talks that it may be, a search tells; null if it is none. */
async function leadToTalk(call: Call, deps: SiteDeps, event: string, talk: string): Promise<TextAnswer | null> {
  const category = await findEvent(deps.store, event)
  if (category === null) return null
  const [found, ...others] = requireRead(await deps.store.findByOldSlug({ category, slug: talk }))
  if (found === undefined) return null
  const { urls } = await openSite(call, deps)
  if (others.length === 0) return moved(call, urls.video(found))
  return redirect(call, urls.search({ q: toAddressWords(talk), category }))
}

async function leadToEvent(call: Call, deps: SiteDeps, event: string): Promise<TextAnswer | null> {
  const slug = await findEvent(deps.store, event)
  return slug === null ? null : moved(call, (await openSite(call, deps)).urls.category(slug))
}

/** The slug of the event that has this slug, or that another site may have given it. */
async function findEvent(store: ReadStore, slug: string): Promise<string | null> {
  const own = requireRead(await store.findCategory({ slug, visibility: 'live' }))
  if (own !== null) return own.row.slug
  const key = toSlugKey(slug)
  const alike = requireRead(await store.listEvents()).filter(({ title }) => toSlugKey(title) === key)
  if (alike.length > 0) return alike.length === 1 ? (alike[0]?.slug ?? null) : null
  return requireRead(await store.findImportedCategory(slug))?.slug ?? null
}

/** `/speaker/<slug>.html`, `/tag/<slug>` and the like. Former names lead nowhere (decision 72). */
export function goToOldName(kind: NamePageKind) {
  return async (call: Call<'slug'>, deps: SiteDeps): Promise<TextAnswer> => {
    const { slug } = call.params
    const own = requireRead(await deps.store.findName({ kind, slug, visibility: 'live' }))
    const [found, ...others] = own === null ? await listAlike(deps.store, kind, slug) : [own]
    if (found === undefined) return showMissing(call, deps)
    const { urls } = await openSite(call, deps)
    if (others.length === 0) return moved(call, urls[kind](found))
    const all = kind === 'speaker' ? urls.speakers : urls.tags
    return redirect(call, withParameters(all, { q: toAddressWords(slug) }))
  }
}

/** Of a slug whose words were joined, so that no name has them. */
const beginning = 4

/** Current names with the same letters and digits: of those with its longest word, or with its first letters. */
async function listAlike(store: ReadStore, kind: NamePageKind, slug: string): Promise<VocabularyName[]> {
  const key = toSlugKey(slug)
  const words = slug.toLowerCase().split(/[-_]/)
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length)
  for (const prefix of [longest, key.slice(0, beginning)]) {
    const query = { kind, visibility: 'live', prefix, page: 1, pageSize: maxPageSize } as const
    const { rows } = prefix === '' ? { rows: [] } : requireRead(await store.listVocabulary(query))
    const alike = rows.flatMap((row) => ('id' in row && toSlugKey(row.name) === key ? [row] : []))
    if (alike.length > 0) return alike
  }
  return []
}
