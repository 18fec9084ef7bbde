import type { Child } from '#jsx/jsx-runtime'
import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toCounted, toNumber } from '../../record/text/counted.ts'
import type { Statistics, Summary } from '../../store/site-reads.ts'
import { Tiles } from '../part/counts.tsx'
import { renderPage } from '../part/layout.tsx'
import { type Subscription, Subscriptions, toSubscription } from '../part/menus.tsx'
import { openSite, respondText, type Site, type SiteDeps } from '../site.ts'

interface HoldingsProps {
  readonly site: Site
  readonly summary: Summary
}

/** The totals of the archive, as links. */
function Holdings({ site: { urls }, summary: { talks, speakers, categories, seconds } }: HoldingsProps) {
  const totals = [
    [talks, 'talk', urls.search()],
    [speakers, 'speaker', urls.speakers],
    [categories, 'event', urls.categories],
    [Math.round(seconds / 3600), 'hour', urls.stats],
  ] as const
  const known = totals.filter(([total]) => total > 0)
  return (
    <Tiles
      tiles={known.map(([total, noun, href]) => {
        return { text: toNumber(total), detail: total === 1 ? noun : `${noun}s`, href }
      })}
    />
  )
}

const maxLanguages = 6

/** Where the operator says nothing: what the archive is, and where to begin. `years` is empty if no day is known. */
function Introduction({ site, summary, years }: HoldingsProps & { readonly years: string }) {
  const { urls, settings } = site
  const { talks, languages } = summary
  if (talks === 0) return <p>{`${settings.name} is an archive of recorded talks. It has no talks yet.`}</p>
  return (
    <>
      <p>
        {`${settings.name} is an archive of recorded talks${years === '' ? '' : ` ${years}`}.`}
        {languages.length > 1 && (
          <>
            {' They are in '}
            <a href={urls.languages}>{toCounted(languages.length, 'language')}</a>
            {`, mostly ${toList(languages.slice(0, maxLanguages).map(({ name }) => name))}.`}
          </>
        )}
      </p>
      <p>
        {'Search for a topic, browse the '}
        <a href={urls.tags}>tags</a>
        {', or follow a speaker or an event. You don’t need an account, and this site sets no cookies.'}
      </p>
      <p>New talks are added over time, so an event may not have all of its years or talks here yet.</p>
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
      <Introduction site={site} summary={summary} years={await findYears(deps)} />
    ) : (
      <div dangerouslySetInnerHTML={{ __html: html }} />
    )
  const body = <About site={site} summary={summary} text={text} feed={feed} />
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html })
}

const findYears = async ({ store }: SiteDeps) =>
  toYears(requireRead(await store.readStatistics({ visibility: 'live' })))

interface AboutProps extends HoldingsProps {
  readonly text: Child
  readonly feed: Subscription
}

function About({ site, summary, text: own, feed }: AboutProps) {
  const { urls, settings } = site
  const ways = [
    {
      name: 'API',
      text: 'every record as JSON, with search and facets. You can try it in the browser.',
      href: urls.path('/api/docs'),
    },
    {
      name: 'Full download',
      text: 'all public records in one file, one JSON object per line.',
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
      <Holdings site={site} summary={summary} />
      <div class="columns-of-text">
        <div class="prose">
          {own}
          <h2>Use the data</h2>
          <p>
            Everything here can be read by programs, too. If the licence of a recording is known, the page of the talk
            states it.
          </p>
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
            New talks of the whole archive. Each event, speaker, tag, language and search has its own feeds in its{' '}
            <b>Subscribe</b> menu.
          </p>
          <Subscriptions site={site} feed={feed} />
        </section>
      </div>
    </article>
  )
}
