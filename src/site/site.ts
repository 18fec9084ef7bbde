import type { Auth } from '../http/auth/auth.ts'
import type { SessionCookies } from '../http/auth/session.ts'
import { toBinaryText, toCodedAnswer } from '../http/compression.ts'
import type { BaseUrl } from '../http/host.ts'
import { toPrefix } from '../http/host.ts'
import type { Logger } from '../http/logger.ts'
import { type Caching, redirect, toHeaders } from '../http/respond.ts'
import type { Call, TextAnswer } from '../http/route.ts'
import type { ReadStore, Store } from '../store/store.ts'
import type { AssetLoader, Assets } from './asset/assets.ts'
import type { SiteSettings } from './site-settings.ts'
import type { RenderMarkdown } from './text/markdown.ts'
import { createUrls, type Urls } from './urls.ts'

/** Dependencies of page handlers. */
export interface SiteDeps {
  readonly store: ReadStore
  readonly baseUrl: BaseUrl
  readonly settings: SiteSettings
  readonly assets: AssetLoader
  /** Loads the Markdown renderer. */
  markdown(): Promise<RenderMarkdown>
  /** Whether the page of an address that leads nowhere may search now. */
  mayGuess(): boolean
}

/** Dependencies of handlers that run on HTTP threads. */
export interface SiteHttpDeps extends SiteDeps {
  readonly store: ReadStore & Pick<Store, 'changesCounter' | 'execute'>
  readonly log: Logger
  readonly auth: Pick<Auth, 'identify' | 'refuseKey'>
  readonly cookies: SessionCookies
}

/** The site as the parts of a page see it. */
export interface Site {
  readonly settings: SiteSettings
  /** Prefix of absolute URLs, without a trailing slash. */
  readonly base: string
  readonly urls: Urls
  readonly assets: Assets
}

/** Dependencies of the frame of a page, which needs no store. */
export type FrameDeps = Pick<SiteDeps, 'settings' | 'baseUrl' | 'assets'>

export async function openSite(call: Call, { settings, baseUrl, assets }: FrameDeps): Promise<Site> {
  const base = baseUrl(call)
  return { settings, base, urls: createUrls(toPrefix(base)), assets: await assets.load() }
}

/** The absolute URL of one of our paths, which begin with the path prefix of the base URL. */
export function toAbsolute({ base }: Pick<Site, 'base'>, path: string): string {
  return `${new URL(base).origin}${path}`
}

interface PageText {
  readonly text: string | Uint8Array
  readonly type: string
  readonly status?: number
  readonly caching?: Caching
  readonly headers?: { readonly [name: string]: string }
}

/** A text response, compressed with a coding that the client accepts. Its ETag depends on the coding. */
export function respondText(call: Call, page: PageText): TextAnswer {
  const { text, type, status = 200, caching = status === 200 ? 'revalidate' : 'never' } = page
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const headers = toHeaders(call.route.headers, type, caching)
  for (const [name, value] of Object.entries(page.headers ?? {})) headers.set(name, value)
  if (status === 200) headers.set('ETag', `"${Bun.hash(bytes).toString(16)}"`)
  return toCodedAnswer(call, { status, headers, pieces: [toBinaryText(bytes)], isBinary: true })
}

/** A permanent redirect to another page. */
export function moved(call: Call, location: string): TextAnswer {
  return redirect(call, location, { status: 301, caching: 'revalidate' })
}
