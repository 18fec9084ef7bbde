import { resolve } from 'node:path'
import { onByDefault, setting } from './setting-parsers.ts'
import { parseColour, parseContact, parseLink, parsePlayerHosts, parseSiteName } from './site-setting-parsers.ts'

/** The settings of the site; part of the table in settings.ts. */
export const siteSettingTable = {
  site: onByDefault('site', 'ROSTRUM_SITE', 'Serve pages for viewers at /. With off there is only the API.'),
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
    help: 'Text of the page /about: Markdown in UTF-8, at most 100 KB. Read at the start.',
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
