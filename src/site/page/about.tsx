import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toCounted } from '../../record/text/counted.ts'
import type { Statistics, Summary } from '../../store/site-reads.ts'
import { renderPage } from '../part/layout.tsx'
import { type Subscription, Subscriptions, toSubscription } from '../part/subscribe.tsx'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'

interface HoldingsProps {
  readonly site: Site
  readonly summary: Summary
  /** In words; empty if no day is known. */
  readonly years: string
}

const maxLanguages = 6

/** Where the operator says nothing: what the archive holds, and where to begin. */
function Holdings({ site: { urls, settings }, summary, years }: HoldingsProps) {
  const { talks, speakers, categories, seconds, languages } = summary
  if (talks === 0) return <p>An archive of recorded talks. It has no talks yet.</p>
  const hours = Math.round(seconds / 3600)
  return (
    <>
      <p>
        {`${settings.name} is an archive of recorded talks: `}
        <a href={urls.search()}>{toCounted(talks, 'talk')}</a>
        {' by '}
        <a href={urls.speakers}>{toCounted(speakers, 'speaker')}</a>
        {' at '}
        <a href={urls.categories}>{toCounted(categories, 'event')}</a>
        {years === '' ? '.' : `, recorded ${years}.`}
        {hours > 0 && ` That's about ${toCounted(hours, 'hour')} of video.`}
      </p>
      {languages.length > 1 && (
        <p>
          {'They are in '}
          <a href={urls.languages}>{toCounted(languages.length, 'language')}</a>
          {`, mostly ${toList(languages.slice(0, maxLanguages).map(({ name }) => name))}.`}
        </p>
      )}
      <p>
        {'The archive grows as talks are added, so some editions of an event, and some of its talks, may be missing.'}
      </p>
      <p>
        {'Search for a topic, browse the '}
        <a href={urls.tags}>tags</a>
        {' or follow a speaker or an event. You need no account, and this site sets no cookies. '}
        <a href={urls.stats}>Statistics</a>
        {' has more numbers.'}
      </p>
    </>
  )
}

const toList = (words: readonly string[]) =>
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
  const summary = requireRead(await deps.store.summarise({ visibility: 'live' }))
  const feed = toSubscription({ title: 'New talks', stem: site.urls.path('/feed'), kinds: summary.fileKinds })
  const head = { title: `About ${site.settings.name}`, canonical: site.urls.about, feed }
  const { about } = site.settings
  const html = about === null ? null : (await deps.markdown())(about, { level: 2 })
  const text =
    html === null ? (
      <Holdings site={site} summary={summary} years={await findYears(deps)} />
    ) : (
      <div dangerouslySetInnerHTML={{ __html: html }} />
    )
  const body = <About site={site} text={text} feed={feed} />
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

const findYears = async ({ store }: SiteDeps) =>
  toYears(requireRead(await store.readStatistics({ visibility: 'live' })))

interface AboutProps {
  readonly site: Site
  readonly text: Child
  readonly feed: Subscription
}

function About({ site, text: own, feed }: AboutProps) {
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
    <article class="about-page">
      <h1>{`About ${settings.name}`}</h1>
      <div>
        <div class="prose">
          {own}
          <h2>Use the data</h2>
          <p>Where the licence of a recording is known, the page of the talk names it. Programs can read everything:</p>
          <ul>
            {ways.map(({ name, text, href }) => (
              <li key={href}>
                <a href={href}>{name}</a>: {text}
              </li>
            ))}
          </ul>
        </div>
        <section>
          <h2>Subscribe</h2>
          <p>
            These are the URLs for all talks. Each event, speaker, tag, language and search has its own in its{' '}
            <b>Subscribe</b> menu.
          </p>
          <Subscriptions site={site} feed={feed} />
        </section>
      </div>
    </article>
  )
}
