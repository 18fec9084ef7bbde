import { createPath, type Path, type PathKind } from '../http/route-table.ts'
import { createArtwork, createFavicon } from './asset/asset-routes.ts'
import { showChangesFeed } from './feed/changes-feed.ts'
import { createDump } from './feed/dump.ts'
import { findAll, findEvent, findNamed, findSearch } from './feed/feed.ts'
import { showOpenSearch, showRobots } from './feed/for-robots.ts'
import { showAtom, showPodcast } from './feed/show-feed.ts'
import { createSitemap } from './feed/sitemap.ts'
import { showCompletions, showOpenSearchCompletions } from './search/completion.ts'
import { searchParameters } from './search/search-query.ts'
import type { SiteDeps, SiteHttpDeps } from './site.ts'

const path = createPath<SiteDeps, SiteHttpDeps>()

const shown = { role: null, runsOn: 'query', isCached: true, isCompressed: true, parameters: [] } as const
const format = { ...shown, parameters: ['format'] } as const
const searched = { ...shown, parameters: [...searchParameters, 'format'] } as const
const [findSpeaker, findTag] = [findNamed('speaker'), findNamed('tag')]

/** What programs read. These addresses never change. They come first: `:slug` of a page would match `feed.atom`. */
export function createMachineTable(kind: PathKind): readonly Path<SiteDeps, SiteHttpDeps>[] {
  return [
    path('/feed.atom', kind, { GET: { ...shown, handler: showAtom(findAll) } }),
    path('/feed.rss', kind, { GET: { ...format, handler: showPodcast(findAll) } }),
    path('/search.atom', kind, { GET: { ...searched, handler: showAtom(findSearch) } }),
    path('/search.rss', kind, { GET: { ...searched, handler: showPodcast(findSearch) } }),
    path('/category/:slug/feed.atom', kind, { GET: { ...shown, handler: showAtom(findEvent) } }),
    path('/category/:slug/changes.atom', kind, { GET: { ...shown, handler: showChangesFeed } }),
    path('/category/:slug/feed.rss', kind, { GET: { ...format, handler: showPodcast(findEvent) } }),
    path('/speaker/:id/:slug/feed.atom', kind, { GET: { ...shown, handler: showAtom(findSpeaker) } }),
    path('/speaker/:id/:slug/feed.rss', kind, { GET: { ...format, handler: showPodcast(findSpeaker) } }),
    path('/tag/:id/:slug/feed.atom', kind, { GET: { ...shown, handler: showAtom(findTag) } }),
    path('/tag/:id/:slug/feed.rss', kind, { GET: { ...format, handler: showPodcast(findTag) } }),
    path('/sitemap.xml', kind, { GET: { ...shown, handler: createSitemap(), parameters: ['part'] } }),
    path('/robots.txt', kind, { GET: { ...shown, handler: showRobots } }),
    path('/opensearch.xml', kind, { GET: { ...shown, handler: showOpenSearch } }),
    path('/search/suggest', kind, { GET: { ...shown, handler: showCompletions, parameters: ['q'] } }),
    path('/suggestions.json', kind, { GET: { ...shown, handler: showOpenSearchCompletions, parameters: ['q'] } }),
    path('/favicon.ico', kind, { GET: { ...shown, handler: createFavicon() } }),
    path('/podcast.png', kind, { GET: { ...shown, handler: createArtwork() } }),
    path('/dump/videos.ndjson.gz', kind, { GET: { handler: createDump(), role: null, runsOn: 'http' } }),
  ]
}
