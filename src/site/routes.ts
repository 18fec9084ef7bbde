import { createPath, type Path, type PathKind } from '../http/route-table.ts'
import { createArtwork, createFavicon, readAsset } from './asset/asset-routes.ts'
import { createAssetLoader } from './asset/assets.ts'
import { createReadClip } from './asset/sample-clips.ts'
import { showChangesFeed } from './machine/changes-feed.ts'
import { showChaptersJson, showChaptersVtt } from './machine/chapters.ts'
import { createDump } from './machine/dump.ts'
import { findAll, findEventSubject, findList, findNameSubject, findSearch } from './machine/feed.ts'
import { readOEmbed } from './machine/oembed.ts'
import { showAtom, showPodcast } from './machine/show-feed.ts'
import { createSitemap, showRobots } from './machine/sitemap.ts'
import { showTalkMarkdown, showTalkText } from './machine/talk-markdown.ts'
import { showAbout } from './page/about.tsx'
import { showEmbed } from './page/embed.tsx'
import { missingPattern } from './page/error.tsx'
import { goToEvent, showEvent } from './page/event.tsx'
import { showEvents } from './page/events.tsx'
import { showHome } from './page/home.tsx'
import { goToLanguage, showLanguage, showLanguages } from './page/language.tsx'
import { showList } from './page/list.tsx'
import { createGuessLimit } from './page/missing.tsx'
import { showMoments } from './page/moments.tsx'
import { goToName, showName } from './page/name.tsx'
import { showNames } from './page/names.tsx'
import { goTo, goToOldEvent, goToOldName, goToOldTalk, showNoPage } from './page/old-address.ts'
import { showSearch } from './page/search.tsx'
import { showStats } from './page/stats.tsx'
import { showTalk } from './page/talk.tsx'
import { createPageKinds, type PageKinds } from './page-kinds.ts'
import { showCompletions, showOpenSearch, showOpenSearchCompletions } from './search/completion.ts'
import { scopeParameters, searchParameters } from './search/search-query.ts'
import type { SiteDeps, SiteHttpDeps } from './site.ts'
import type { SiteSettings } from './site-settings.ts'
import { createMarkdown } from './text/markdown.ts'
import type { Urls } from './urls.ts'

const path = createPath<SiteDeps, SiteHttpDeps>()

/** Every page is public, rendered on a query thread, cached and compressed. */
const shown = { role: null, runsOn: 'query', isCached: true, parameters: [] } as const

const format = { ...shown, parameters: ['format'] } as const
const listed = { ...shown, parameters: ['ids', 'format'] } as const
const searched = { ...shown, parameters: [...searchParameters, 'format'] } as const
const [findSpeaker, findTag] = [findNameSubject('speaker'), findNameSubject('tag')]

/** Every page of the site. `parameters` are those that a page depends on; all others are ignored. */
export function createSiteTable(deps: SiteDeps): readonly Path<SiteDeps, SiteHttpDeps>[] {
  const kinds = createPageKinds(deps)
  const { home, page, embed, machine, asset } = kinds
  return [
    ...createMachineTable(kinds),
    path('/', home, { GET: { ...shown, handler: showHome } }),
    path('/moments', page, { GET: { ...shown, handler: showMoments, parameters: searchParameters } }),
    path('/search', page, { GET: { ...shown, handler: showSearch, parameters: searchParameters } }),
    path('/category', page, { GET: { ...shown, handler: showEvents, parameters: ['q', 'year', 'page'] } }),
    path('/category/:slug', page, { GET: { ...shown, handler: showEvent, parameters: ['day', 'page'] } }),
    path('/category/:id/:slug', page, { GET: { ...shown, handler: goToEvent } }),
    path('/speaker', page, { GET: { ...shown, handler: showNames('speaker'), parameters: ['q', 'letter', 'page'] } }),
    path('/speaker/:id', page, { GET: { ...shown, handler: goToName('speaker') } }),
    path('/speaker/:id/:slug', page, { GET: { ...shown, handler: showName('speaker'), parameters: ['page'] } }),
    path('/tag', page, { GET: { ...shown, handler: showNames('tag'), parameters: ['q', 'letter', 'page'] } }),
    path('/tag/:id', page, { GET: { ...shown, handler: goToName('tag') } }),
    path('/tag/:id/:slug', page, { GET: { ...shown, handler: showName('tag'), parameters: ['page'] } }),
    path('/language', page, { GET: { ...shown, handler: showLanguages } }),
    path('/language/:code', page, { GET: { ...shown, handler: showLanguage, parameters: ['page'] } }),
    path('/list', page, { GET: { ...shown, handler: showList, parameters: ['ids'] } }),
    path('/stats', page, { GET: { ...shown, handler: showStats } }),
    path('/about', page, { GET: { ...shown, handler: showAbout } }),
    path('/assets/sample/:file', asset, { GET: { handler: createReadClip(), role: null, runsOn: 'http' } }),
    path('/video/:id', page, { GET: { ...shown, handler: showTalk, parameters: ['t', 'say', 'transcript'] } }),
    path('/video/:id/:slug', page, { GET: { ...shown, handler: showTalk, parameters: ['t', 'say', 'transcript'] } }),
    path('/embed/:id', embed, { GET: { ...shown, handler: showEmbed, parameters: ['t'] } }),
    path('/oembed', machine, {
      // Not cached: its parameter names our host, which pages of unusual hosts do not know (decision 69).
      GET: { handler: readOEmbed, role: null, runsOn: 'query' },
    }),
    path('/assets/:file', asset, { GET: { handler: readAsset, role: null, runsOn: 'http' } }),
    ...createOldTable(page),
  ]
}

/** The page of every other path: it leads to an event or a talk, or searches for the words of the address. */
export function createMissingPath(deps: SiteDeps): Path<SiteDeps, SiteHttpDeps> {
  const { page } = createPageKinds(deps)
  return path(missingPattern, page, { GET: { role: null, runsOn: 'query', handler: showNoPage, parameters: [] } })
}

/** Dependencies that need no store; they load at their first use. `checkTime` throws if a request has run out of time. */
export function createSiteParts(
  settings: SiteSettings,
  checkTime?: () => void,
): Pick<SiteDeps, 'settings' | 'assets' | 'markdown' | 'mayGuess'> {
  const markdown = createMarkdown(checkTime)
  return { settings, assets: createAssetLoader(settings), markdown, mayGuess: createGuessLimit() }
}

/** Addresses of other sites with the same talks, and those that people guess. */
function createOldTable(kind: PathKind): readonly Path<SiteDeps, SiteHttpDeps>[] {
  const old = { role: null, runsOn: 'query', parameters: [] } as const
  const fixed = fixedTargets.flatMap(([paths, toUrl]) =>
    paths.map((each) => path(each, kind, { GET: { handler: goTo(toUrl), role: null, runsOn: 'http' } })),
  )
  return [
    ...fixed,
    path('/events/:slug.html', kind, { GET: { ...old, handler: goToOldEvent } }),
    path('/events/:slug', kind, { GET: { ...old, handler: goToOldEvent } }),
    path('/event/:slug', kind, { GET: { ...old, handler: goToOldEvent } }),
    path('/languages/:code', kind, { GET: { ...old, handler: goToLanguage } }),
    path('/speaker/:slug.html', kind, { GET: { ...old, handler: goToOldName('speaker') } }),
    path('/speaker/:slug', kind, { GET: { ...old, handler: goToOldName('speaker') } }),
    path('/tag/:slug.html', kind, { GET: { ...old, handler: goToOldName('tag') } }),
    path('/speakers/:slug', kind, { GET: { ...old, handler: goToOldName('speaker') } }),
    path('/tags/:slug', kind, { GET: { ...old, handler: goToOldName('tag') } }),
    path('/tag/:slug', kind, { GET: { ...old, handler: goToOldName('tag') } }),
    path('/:event/:talk.html', kind, { GET: { ...old, handler: goToOldTalk } }),
  ]
}

const fixedTargets: readonly (readonly [paths: readonly string[], toUrl: (urls: Urls) => string])[] = [
  [['/events', '/events.html'], ({ categories }) => categories],
  [['/speakers', '/speakers.html'], ({ speakers }) => speakers],
  [['/tags', '/tags.html'], ({ tags }) => tags],
  [['/languages'], ({ languages }) => languages],
  [['/statistics'], ({ stats }) => stats],
  [['/pages/about.html'], ({ about }) => about],
  [['/talks', '/video', '/videos'], (urls) => urls.search()],
  [['/watch-later'], (urls) => urls.path('/list')],
  [
    ['/feed', '/rss', '/feed.xml', '/rss.xml', '/atom.xml', '/feeds/all.atom.xml', '/feeds/all.rss.xml'],
    (urls) => urls.path('/feed.atom'),
  ],
  [['/podcast'], (urls) => urls.path('/feed.rss')],
]

/** Formats for programs. These URLs never change. */
function createMachineTable({ machine, document, feed }: PageKinds): readonly Path<SiteDeps, SiteHttpDeps>[] {
  return [
    path('/feed.atom', feed, { GET: { ...shown, handler: showAtom(findAll) } }),
    path('/feed.rss', feed, { GET: { ...format, handler: showPodcast(findAll) } }),
    path('/search.atom', feed, { GET: { ...searched, handler: showAtom(findSearch) } }),
    path('/search.rss', feed, { GET: { ...searched, handler: showPodcast(findSearch) } }),
    path('/list.atom', feed, { GET: { ...listed, handler: showAtom(findList) } }),
    path('/list.rss', feed, { GET: { ...listed, handler: showPodcast(findList) } }),
    path('/category/:slug/feed.atom', feed, { GET: { ...shown, handler: showAtom(findEventSubject) } }),
    path('/category/:slug/changes.atom', feed, { GET: { ...shown, handler: showChangesFeed } }),
    path('/category/:slug/feed.rss', feed, { GET: { ...format, handler: showPodcast(findEventSubject) } }),
    path('/speaker/:id/:slug/feed.atom', feed, { GET: { ...shown, handler: showAtom(findSpeaker) } }),
    path('/speaker/:id/:slug/feed.rss', feed, { GET: { ...format, handler: showPodcast(findSpeaker) } }),
    path('/tag/:id/:slug/feed.atom', feed, { GET: { ...shown, handler: showAtom(findTag) } }),
    path('/tag/:id/:slug/feed.rss', feed, { GET: { ...format, handler: showPodcast(findTag) } }),
    path('/video/:id.md', document, { GET: { ...shown, handler: showTalkMarkdown, parameters: ['transcript'] } }),
    path('/video/:id.txt', document, { GET: { ...shown, handler: showTalkText, parameters: ['transcript'] } }),
    path('/video/:id/chapters.vtt', document, { GET: { ...shown, handler: showChaptersVtt } }),
    path('/video/:id/chapters.json', machine, { GET: { ...shown, handler: showChaptersJson } }),
    path('/sitemap.xml', document, { GET: { ...shown, handler: createSitemap(), parameters: ['part'] } }),
    path('/robots.txt', document, { GET: { ...shown, handler: showRobots } }),
    path('/opensearch.xml', document, { GET: { ...shown, handler: showOpenSearch } }),
    path('/search/suggest', machine, { GET: { ...shown, handler: showCompletions, parameters: scopeParameters } }),
    path('/suggestions.json', machine, { GET: { ...shown, handler: showOpenSearchCompletions, parameters: ['q'] } }),
    path('/favicon.ico', machine, { GET: { ...shown, handler: createFavicon() } }),
    path('/podcast.png', machine, { GET: { ...shown, handler: createArtwork() } }),
    path('/dump/videos.ndjson.gz', machine, { GET: { handler: createDump(), role: null, runsOn: 'http' } }),
  ]
}
