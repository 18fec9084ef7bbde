import type { Child } from '#jsx/jsx-runtime'
import { render } from '#jsx/render'
import { type Site, toAbsolute } from '../site.ts'
import { withParameters } from '../urls.ts'
import { type Subscription, SubscriptionLinks } from './menus.tsx'

/** The metadata of a page, and what its header shows. */
export interface PageHead {
  readonly title: string
  /** The number of the page in a list. */
  readonly page?: number
  /** One or two sentences for search engines and previews. */
  readonly description?: string
  /** The path of the page, without parameters that do not affect it; null for error pages. */
  readonly canonical: string | null
  readonly isIndexed?: boolean
  /** The same data as JSON. */
  readonly json?: string
  readonly feed?: Subscription
  /** Further elements, such as Open Graph and JSON-LD. */
  readonly more?: Child
  /** The text in the search box. */
  readonly q?: string
  /** The filters that the search box keeps. */
  readonly chips?: readonly ScopeChip[]
  /** The entry of the main menu that the page belongs to. */
  readonly section?: 'events' | 'speakers' | 'tags' | 'stats'
  /** Where curators change what the page shows. */
  readonly edit?: string
  /** What the page is for, if much stands before it: a second link to skip to. */
  readonly skipTo?: { readonly id: string; readonly text: string }
  /** The home page has its own search box. */
  readonly hasSearchBox?: boolean
}

interface LayoutProps {
  readonly site: Site
  readonly head: PageHead
  readonly children: Child
  /** Replaces the header that viewers see. */
  readonly header?: Child
}

/** A complete HTML page. */
export function renderPage(site: Site, head: PageHead, body: Child, header?: Child): string {
  return `<!doctype html>${render(
    <Layout site={site} head={head} header={header}>
      {body}
    </Layout>,
  )}`
}

export function Brand({ site: { urls, settings, assets } }: Pick<LayoutProps, 'site'>) {
  return (
    <a class="brand" href={urls.home}>
      <img src={urls.asset(assets.icon)} alt="" width="28" height="28" />
      <span>{settings.name}</span>
    </a>
  )
}

/** A filter of a list. */
export interface Chip {
  /** Before the text, such as `in` or `by`. */
  readonly preposition?: string
  readonly text: string
  /** The list without this filter. */
  readonly href: string
}

/** A filter that the search box keeps, as a parameter of the search. */
export interface ScopeChip extends Chip {
  readonly name: string
  readonly value: string
}

/** Filters, each with a link that removes it. */
export function Chips({ chips, clearHref }: { readonly chips: readonly Chip[]; readonly clearHref?: string }) {
  if (chips.length === 0) return null
  return (
    <ul class="chips">
      {chips.map(({ preposition, text, href }) => (
        <li key={href}>
          <a class="chip" href={href} rel="nofollow">
            <span class="hidden-text">Remove filter </span>
            <span class="value">
              {preposition !== undefined && `${preposition} `}
              <bdi>{text}</bdi>
            </span>
            <span aria-hidden="true"> ×</span>
          </a>
        </li>
      ))}
      {chips.length > 1 && clearHref !== undefined && (
        <li>
          <a class="clear" href={clearHref} rel="nofollow">
            Clear filters
          </a>
        </li>
      )}
    </ul>
  )
}

/** Longer searches are refused. */
export const maxQueryLength = 200

interface SearchBoxProps {
  readonly site: Site
  readonly q: string
  readonly chips?: readonly ScopeChip[]
  readonly isLarge?: boolean
}

/** Works as a plain form; the script adds suggestions while typing. The link to a scoped search ends in `#q`. */
export function SearchBox({ site: { urls }, q, chips = [], isLarge = false }: SearchBoxProps) {
  const label = chips.length === 0 ? 'Search talks, speakers, events' : 'Search in these talks'
  return (
    <search class={isLarge ? 'search-box large' : 'search-box'}>
      <form
        class={chips.length === 0 ? undefined : 'scoped'}
        action={urls.search()}
        method="get"
        data-suggest={withParameters(urls.completions, toParameters(chips))}
      >
        <Chips chips={chips} />
        <input
          id="q"
          type="search"
          name="q"
          value={q}
          dir="auto"
          maxlength={maxQueryLength}
          aria-label={label}
          placeholder={`${label} …`}
          autocomplete="off"
          spellcheck="false"
        />
        {chips.map(({ name, value }) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" aria-label="Search">
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path
              d="M8.500 3a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM12.700 12.700 17 17"
              fill="none"
              stroke="currentColor"
              stroke-width="1.800"
              stroke-linecap="round"
            />
          </svg>
        </button>
      </form>
    </search>
  )
}

function toParameters(chips: readonly ScopeChip[]): { readonly [name: string]: readonly string[] } {
  const byName = Map.groupBy(chips, ({ name }) => name)
  return Object.fromEntries([...byName].map(([name, some]) => [name, some.map(({ value }) => value)]))
}

function Layout({ site, head, children, header }: LayoutProps) {
  return (
    <html lang="en">
      <Head site={site} head={head} />
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        {head.skipTo !== undefined && (
          <a class="skip" href={`#${head.skipTo.id}`}>
            {head.skipTo.text}
          </a>
        )}
        {header ?? <Header site={site} head={head} />}
        {head.canonical !== null && <PrintedAddress site={site} path={head.canonical} />}
        <main id="content" tabindex="-1">
          {children}
        </main>
        <Footer site={site} head={head} />
      </body>
    </html>
  )
}

function Head({ site, head }: Pick<LayoutProps, 'site' | 'head'>) {
  const { settings, urls, assets } = site
  const titles = [head.title, ...((head.page ?? 1) === 1 ? [] : [`Page ${String(head.page)}`]), settings.name]
  return (
    <head>
      <meta charset="utf-8" />
      <title>{[...new Set(titles)].join(' · ')}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {head.description !== undefined && <meta name="description" content={head.description} />}
      {head.isIndexed === false && <meta name="robots" content="noindex" />}
      {head.canonical !== null && <link rel="canonical" href={toAbsolute(site, head.canonical)} />}
      <link rel="stylesheet" href={urls.asset(assets.css)} />
      <link rel="icon" href={urls.asset(assets.icon)} type="image/svg+xml" />
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        href={urls.path('/opensearch.xml')}
        title={settings.name}
      />
      {head.feed !== undefined && <SubscriptionLinks feed={head.feed} />}
      {head.json !== undefined && <link rel="alternate" type="application/json" href={head.json} />}
      {head.more}
      <script type="module" src={urls.asset(assets.script)} />
    </head>
  )
}

function Header({ site, head }: Pick<LayoutProps, 'site' | 'head'>) {
  const { urls } = site
  const entries = [
    ['events', 'Events', urls.categories],
    ['speakers', 'Speakers', urls.speakers],
    ['tags', 'Tags', urls.tags],
    ['stats', 'Statistics', urls.stats],
  ] as const
  return (
    <header class="top">
      <Brand site={site} />
      {head.hasSearchBox !== false && <SearchBox site={site} q={head.q ?? ''} chips={head.chips ?? []} />}
      <nav class="menu" aria-label="Main">
        <ul>
          <OwnList site={site} />
          {entries.map(([name, title, href]) => (
            <li key={name}>
              <a href={href} aria-current={head.section === name ? 'true' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  )
}

/** On paper, in place of the header. */
function PrintedAddress({ site, path }: { readonly site: Site; readonly path: string }) {
  return (
    <p class="printed">
      {site.settings.name} · {toAbsolute(site, path)}
    </p>
  )
}

/** The list of the visitor. The script shows it if there is one, with its length, at the end where nothing moves. */
function OwnList({ site: { urls } }: Pick<LayoutProps, 'site'>) {
  return (
    <li class="own-list" data-own-link hidden>
      <a href={urls.list()}>
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <path
            d="M5 3h10v14l-5-4-5 4z"
            fill="none"
            stroke="currentColor"
            stroke-width="1.800"
            stroke-linejoin="round"
          />
        </svg>
        <span class="hidden-text">Watch later, talks:</span> <span data-count />
      </a>
    </li>
  )
}

function Footer({ site: { urls, settings }, head }: Pick<LayoutProps, 'site' | 'head'>) {
  const { contact, imprintUrl, privacyUrl } = settings
  const links: readonly (readonly [string, string | null])[] = [
    ['About', urls.about],
    ['API', urls.path('/api/docs')],
    ['Watch later', urls.list()],
    ['Feed', urls.path('/feed.atom')],
    ['Contact', contact?.includes('://') === false ? `mailto:${contact}` : contact],
    ['Legal notice', imprintUrl],
    ['Privacy', privacyUrl],
  ]
  return (
    <footer class="bottom">
      <nav aria-label="About this site">
        <ul>
          {links.map(([text, href]) =>
            href === null ? null : (
              <li key={text}>
                <a href={href}>{text}</a>
              </li>
            ),
          )}
          {head.edit !== undefined && (
            <li>
              <a href={head.edit} rel="nofollow" data-edit>
                Edit
              </a>
            </li>
          )}
        </ul>
      </nav>
      <p>Powered by Rostrum</p>
    </footer>
  )
}
