import type { Auth } from '../http/auth.ts'
import type { BaseUrl } from '../http/host.ts'
import type { Logger } from '../http/logger.ts'
import type { Call } from '../http/route.ts'
import type { SessionCookies } from '../http/session.ts'
import type { ReadStore, Store } from '../store/store.ts'
import type { AssetLoader, Assets } from './asset/assets.ts'
import type { SiteSettings } from './site-settings.ts'
import type { RenderMarkdown } from './text/markdown.ts'
import { createUrls, toPrefix, type Urls } from './urls.ts'

/** What handlers of pages need. */
export interface SiteDeps {
  readonly store: ReadStore
  readonly baseUrl: BaseUrl
  readonly settings: SiteSettings
  readonly assets: AssetLoader
  /** Loads what renders texts as HTML. */
  markdown(): Promise<RenderMarkdown>
}

/** What handlers need that run on HTTP threads. */
export interface SiteHttpDeps extends SiteDeps {
  readonly store: ReadStore & Pick<Store, 'changesCounter' | 'execute'>
  readonly log: Logger
  readonly auth: Pick<Auth, 'identify' | 'refuseKey'>
  readonly cookies: SessionCookies
}

/** What the parts of a page need to know of the site. */
export interface Site {
  readonly settings: SiteSettings
  /** Beginning of absolute URLs, without a slash at the end. */
  readonly base: string
  readonly urls: Urls
  readonly assets: Assets
}

/** What makes the frame of a page, without anything from the store. */
export type FrameDeps = Pick<SiteDeps, 'settings' | 'baseUrl' | 'assets'>

export async function openSite(call: Call, { settings, baseUrl, assets }: FrameDeps): Promise<Site> {
  const base = baseUrl(call)
  return { settings, base, urls: createUrls(toPrefix(base)), assets: await assets.load() }
}

/** The absolute URL of one of our paths, which begin with the path prefix of the base URL. */
export function toAbsolute({ base }: Pick<Site, 'base'>, path: string): string {
  return `${new URL(base).origin}${path}`
}
