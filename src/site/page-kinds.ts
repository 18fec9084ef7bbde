import type { PathKind } from '../http/route-table.ts'
import { toEmbedErrorAnswer } from './page/embed.tsx'
import { toErrorAnswer, toTextErrorAnswer } from './page/error.tsx'
import type { FrameDeps } from './site.ts'
import type { SiteSettings } from './site-settings.ts'

const noSniff = { 'X-Content-Type-Options': 'nosniff' }
/** YouTube plays nothing without a Referer. */
const referrer = { 'Referrer-Policy': 'strict-origin-when-cross-origin' }

/** Hosts of players that we know, besides those that the operator names. */
const playerHosts = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://archive.org',
  'https://media.ccc.de',
]

/** The kinds of paths of the site. Their responses do not depend on the caller. */
export function createPageKinds(deps: FrameDeps) {
  const bare = { negotiates: false, describe: null, identifies: 'nobody' } as const
  const toKind = (ancestors: "'none'" | '*'): PathKind => ({
    ...bare,
    headers: { 'Content-Security-Policy': toPolicy(deps.settings, ancestors), ...noSniff, ...referrer },
    toErrorAnswer: toErrorAnswer(deps),
  })
  /** An old address has the shape of another page. */
  const page = { ...toKind("'none'"), fallsThrough: true } as const
  const toMachine = (policy: string, more: PathKind['headers'] = {}): PathKind => ({
    ...bare,
    headers: { ...noSniff, 'Content-Security-Policy': policy, 'Access-Control-Allow-Origin': '*', ...more },
  })
  return {
    page,
    /** Clients that prefer JSON are sent to the API. */
    home: { ...page, headers: { ...page.headers, Vary: 'Accept' }, negotiates: 'lenient' },
    embed: { ...toKind('*'), toErrorAnswer: toEmbedErrorAnswer(deps) },
    /** Feeds, oEmbed and the dump may be read from any origin. Programs get errors as problem+json. */
    machine: toMachine("default-src 'none'; sandbox"),
    /** For crawlers and the like. */
    document: { ...toMachine("default-src 'none'; sandbox"), toErrorAnswer: toTextErrorAnswer },
    /** In a browser, a style sheet of ours makes them readable. */
    feed: {
      ...toMachine("default-src 'none'; style-src 'self'; sandbox", { Vary: 'Accept' }),
      negotiates: 'browser',
      toErrorAnswer: toTextErrorAnswer,
    },
    asset: { ...page, headers: noSniff },
  } as const satisfies { readonly [kind: string]: PathKind }
}

export type PageKinds = ReturnType<typeof createPageKinds>

/** No page runs or loads anything inline. Framing is for `/embed` alone. */
function toPolicy({ playerHosts: operatorHosts, hasThumbnails }: SiteSettings, ancestors: "'none'" | '*'): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self'${hasThumbnails ? ' https: http:' : ''}`,
    "media-src 'self' https: http:",
    `frame-src ${[...playerHosts, ...operatorHosts.map((host) => `https://${host}`)].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')
}
