import { resolve } from 'node:path'
import { onByDefault, setting, type Wrong } from './parsers.ts'

/** The settings of the site; part of the table in settings.ts. */
export const siteSettingTable = {
  site: onByDefault('site', 'ROSTRUM_SITE', 'Serve pages for viewers at /. With off, serve only the API.'),
  siteName: setting({
    flag: 'site-name',
    variables: ['ROSTRUM_SITE_NAME'],
    value: 'TEXT',
    default: 'Rostrum',
    help: 'Name of the site, at most 60 characters.',
    parse: parseSiteName,
  }),
  accent: setting({
    flag: 'accent',
    variables: ['ROSTRUM_ACCENT'],
    value: 'COLOUR',
    default: '#0b5fff',
    help: 'Colour of links and buttons, as #rgb or #rrggbb.',
    parse: parseColour,
  }),
  about: setting<string | null>({
    flag: 'about',
    variables: ['ROSTRUM_ABOUT'],
    value: 'FILE',
    default: null,
    help: 'Text of the page /about: Markdown in UTF-8, at most 100 KB. It is read when the server starts.',
    parse: (text) => (text === '' ? { expected: 'the path of a file' } : resolve(text)),
  }),
  contact: setting<string | null>({
    flag: 'contact',
    variables: ['ROSTRUM_CONTACT'],
    value: 'ADDRESS',
    default: null,
    help: 'How to reach you, shown on every page: an e-mail address or an http(s) URL.',
    parse: parseContact,
  }),
  imprintUrl: setting<string | null>({
    flag: 'imprint',
    variables: ['ROSTRUM_IMPRINT'],
    value: 'URL',
    default: null,
    help: 'Imprint, linked on every page: an http(s) URL, or a path on the same host.',
    parse: parseLink,
  }),
  privacyUrl: setting<string | null>({
    flag: 'privacy',
    variables: ['ROSTRUM_PRIVACY'],
    value: 'URL',
    default: null,
    help: 'Privacy policy, linked on every page: an http(s) URL, or a path on the same host.',
    parse: parseLink,
  }),
  playerHosts: setting<readonly string[]>({
    flag: 'player-hosts',
    variables: ['ROSTRUM_PLAYER_HOSTS'],
    value: 'HOST,HOST',
    default: [],
    defaultText: 'none',
    help: 'PeerTube instances whose players the site shows, such as tube.example.org.',
    parse: parsePlayerHosts,
  }),
  hasThumbnails: onByDefault(
    'thumbnails',
    'ROSTRUM_THUMBNAILS',
    'Show thumbnails, which browsers load from the hosts of the videos. With off, nothing is loaded from other hosts before play.',
  ),
} as const

const maxNameLength = 60
const maxUrlLength = 2048
/** All of them are sent in one header of every page. */
const maxPlayerHosts = 50

function parseSiteName(text: string): string | Wrong {
  const name = text.trim()
  const isName = name !== '' && [...name].length <= maxNameLength && !/\p{Cc}|\p{Cs}/u.test(name)
  return isName ? name : { expected: `a text of 1 to ${maxNameLength} characters without line breaks` }
}

/** `#rrggbb`, also for `#rgb`. */
function parseColour(text: string): string | Wrong {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return { expected: 'a colour such as #0b5fff or #06f' }
  const digits = text.slice(1).toLowerCase()
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostPattern = new RegExp(`^((?:${label}\\.){0,20}${label})(?::(\\d{1,5}))?$`, 'i')

/** A strict check: the hosts become part of a Content-Security-Policy. */
function parsePlayerHosts(text: string): readonly string[] | Wrong {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase())
  const areHosts = hosts.length <= maxPlayerHosts && hosts.every(isHost)
  return areHosts
    ? [...new Set(hosts)]
    : { expected: `at most ${maxPlayerHosts} host names such as tube.example.org, separated by commas` }
}

function isHost(text: string): boolean {
  const [, name, port = '443'] = hostPattern.exec(text) ?? []
  if (name === undefined || name.length > 253 || Number(port) < 1 || Number(port) > 65_535) return false
  // Refuses malformed addresses such as `1.2.3.4.5` and malformed Punycode such as `xn--a`.
  return URL.canParse(`https://${name}/`)
}

/** An e-mail address or a URL. The characters are those that need no escapes in `mailto:`. */
function parseContact(text: string): string | Wrong {
  const [, host] = /^[a-z0-9._+-]{1,64}@([^\s:@]{1,253})$/i.exec(text) ?? []
  if (host !== undefined && isHost(host)) return text
  return toHttpUrl(text) ?? { expected: 'an e-mail address or an absolute http(s) URL' }
}

/** An absolute URL, or a path on the host of the site. */
function parseLink(text: string): string | Wrong {
  return toHttpUrl(text) ?? toPath(text) ?? { expected: 'an absolute http(s) URL or a path that begins with one /' }
}

/** The URL, escaped where necessary. */
function toHttpUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s/\\]/i.test(text) || text.length > maxUrlLength || /\p{Cc}|\s/u.test(text)) return null
  const url = URL.parse(text)
  return url === null || url.username !== '' || url.password !== '' ? null : url.href
}

function toPath(text: string): string | null {
  if (!text.startsWith('/') || text.length > maxUrlLength || /\p{Cc}|\s/u.test(text)) return null
  // `//host` and `/\host` name another host.
  const url = URL.parse(text, 'http://site.invalid')
  return url?.host === 'site.invalid' ? url.pathname + url.search + url.hash : null
}
