import type { Call } from '../../http/route.ts'
import { toPlainTitle } from '../part/cards.tsx'
import { type Site, toAbsolute } from '../site.ts'
import type { Talk } from '../talk/talk.ts'
import { toLongDay } from '../text/format.ts'
import { element, type XmlElement } from './xml.ts'

/** Whether a request comes from a browser: feed readers get the feed without the view. */
export const isViewed = (call: Call) => call.representation === 'html'

interface FeedView {
  readonly title: string
  /** What kind of program reads it. */
  readonly reader: 'feed reader' | 'podcast app'
  /** The paths of the feed itself and of the page with the same talks. */
  readonly self: string
  readonly page: string
  readonly items: readonly ViewItem[]
}

interface ViewItem {
  readonly title: string
  readonly page: string
  readonly about: string
}

/** Where the style sheet of feeds is. It shows the view alone. */
export const toFeedStyle = ({ urls, assets }: Site) => urls.asset(assets.feedCss)

/**
 * The feed for a person who opens it in a browser: XHTML with the headings and links that XML lacks. Browsers are removing
 * XSLT, which others use for this.
 */
export function toFeedView(site: Site, { title, reader, self, page, items }: FeedView): XmlElement {
  const to = (path: string) => toAbsolute(site, path)
  const heading = title === site.settings.name ? 'New talks' : title
  const kind = reader === 'podcast app' ? 'podcast' : 'feed'
  return element(
    'div',
    { xmlns: 'http://www.w3.org/1999/xhtml', lang: 'en' },
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, `${heading} · ${site.settings.name}`),
    element('p', { class: 'site' }, element('a', { href: to(site.urls.home) }, site.settings.name)),
    element('h1', {}, heading),
    element('p', {}, `This is a ${kind}. Copy its URL into your ${reader} to get new talks there.`),
    element('p', { class: 'address' }, element('code', {}, to(self))),
    element('p', { class: 'hint' }, 'Click to select the URL.'),
    element('p', {}, element('a', { href: to(page) }, 'View these talks on the site')),
    element('h2', {}, items.length === 0 ? 'No talks yet' : 'Talks'),
    element(
      'ul',
      {},
      items.map((item) =>
        element('li', {}, element('a', { href: to(item.page) }, item.title), element('p', {}, item.about)),
      ),
    ),
  )
}

/** Speakers, event and day of recording. */
export function toViewItem({ urls }: Site, { record }: Talk): ViewItem {
  const { speakers, category, recorded } = record
  const day = recorded === null ? '' : toLongDay(recorded).replaceAll(' ', '\u00a0')
  const parts = [speakers.join(', '), category, day]
  return {
    title: toPlainTitle(record.title),
    page: urls.video(record),
    about: parts.filter((part) => part !== '').join(' · '),
  }
}
