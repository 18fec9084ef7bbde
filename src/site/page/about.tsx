import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { Statistics, Summary } from '../../store/site-reads.ts'
import { renderPage } from '../part/layout.tsx'
import { type Subscription, Subscriptions, toSubscription } from '../part/subscribe.tsx'
import { toPageQuery } from '../search/search-query.ts'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'

/** Where the operator says nothing, what the archive holds. */
function toStandardAbout(
  { settings }: Site,
  { talks, speakers, categories, seconds, languages }: Summary,
  years: string,
) {
  if (talks === 0) return 'An archive of recorded talks. It has no talks yet.'
  const hours = Math.round(seconds / 3600)
  const first = languages.slice(0, 4).map(({ name }) => name)
  const spoken = languages.length <= 1 ? first : [...first, ...(languages.length > 4 ? ['other languages'] : [])]
  return [
    `${settings.name} is an archive of recorded talks: ${toCounted(talks, 'talk')} by ${toCounted(speakers, 'speaker')}`,
    ` at ${toCounted(categories, 'event')}${years === '' ? '' : `, recorded ${years}`}.`,
    hours === 0 ? '' : ` That is more than ${toCounted(hours, 'hour')} to watch.`,
    spoken.length === 0 ? '' : ` They are in ${listFormat(spoken)}.`,
    '\n\nSearch for a topic, browse the events, or follow a speaker. You need no account, and this site sets no cookies.',
  ].join('')
}

const listFormat = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** `from 2008 to 2026`; empty if no day is known. */
function toYears({ years }: Statistics): string {
  const known = years.flatMap(({ year }) => (year === null ? [] : [year]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined) return ''
  return first === last ? `in ${first}` : `from ${first} to ${last}`
}

/** `/about`: the operator's text, and how to get all data. */
export async function showAbout(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const site = await openSite(call, deps)
  const { fileKinds: kinds } = requireRead(await deps.store.list(toPageQuery({ pageSize: 1, hasFileKinds: true })))
  const feed = toSubscription({ title: 'New talks', stem: site.urls.path('/feed'), kinds })
  const head = { title: `About ${site.settings.name}`, canonical: site.urls.about, feed }
  const render = await deps.markdown()
  const about = render(site.settings.about ?? (await describe(deps, site)), { level: 2 })
  const body = <About site={site} about={about} feed={feed} />
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

async function describe({ store }: SiteDeps, site: Site): Promise<string> {
  const summary = requireRead(await store.summarise({ visibility: 'live' }))
  const statistics = requireRead(await store.readStatistics({ visibility: 'live' }))
  return toStandardAbout(site, summary, toYears(statistics))
}

interface AboutProps {
  readonly site: Site
  /** HTML. */
  readonly about: string
  readonly feed: Subscription
}

function About({ site, about, feed }: AboutProps) {
  const { urls, settings } = site
  const ways = [
    {
      name: 'API',
      text: 'every record as JSON, with search and facets; its documentation lets you try it in the browser.',
      href: urls.path('/api/docs'),
    },
    {
      name: 'Full download',
      text: 'all public records in one file, one JSON object per line, always up to date.',
      href: urls.path('/dump/videos.ndjson.gz'),
    },
    {
      name: 'Change feed',
      text: 'every change in order, to keep a copy up to date.',
      href: urls.path('/api/v2/changes?since=0'),
    },
  ]
  return (
    <article class="about prose">
      <h1>{`About ${settings.name}`}</h1>
      <div class="prose" dangerouslySetInnerHTML={{ __html: about }} />
      <h2>Subscribe</h2>
      <p>
        These addresses are for the whole archive. <b>Subscribe</b> on the page of an event, a speaker, a tag, a
        language or a search has those for its talks.
      </p>
      <Subscriptions site={site} feed={feed} />
      <h2>Use the data</h2>
      <p>The page of a talk names the licence of its recording. Programs can read everything that this site shows:</p>
      <ul>
        {ways.map(({ name, text, href }) => (
          <li key={href}>
            <a href={href}>{name}</a>: {text}
          </li>
        ))}
      </ul>
    </article>
  )
}
