import { isFilled, isLanguage, isNumber, isOneOf, isUrl, isUuidUrn, type Rule } from './schema.ts'
import { findAll, findText } from './xml-tree.ts'

/** RFC 822 with a year of four digits, as RSS 2.0 has it. */
const isDate = (text: string) =>
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/.test(
    text,
  )

const explicit: Rule = { text: isOneOf('true', 'false') }

const item: Rule = {
  children: {
    title: ['one', { text: isFilled }],
    link: ['one', { text: isUrl }],
    guid: ['one', { attributes: { isPermaLink: isOneOf('false') }, text: isUuidUrn }],
    pubDate: ['one', { text: isDate }],
    description: ['one', { text: isFilled }],
    enclosure: [
      'one',
      { attributes: { url: isUrl, length: isNumber, type: isOneOf('video/mp4', 'video/webm', 'video/ogg') } },
    ],
    category: ['many', { text: isFilled }],
    'itunes:author': ['optional', { text: isFilled }],
    'itunes:duration': ['optional', { text: isNumber }],
    'itunes:episodeType': ['one', { text: isOneOf('full', 'trailer', 'bonus') }],
    'itunes:explicit': ['one', explicit],
    'itunes:image': ['optional', { attributes: { href: isUrl } }],
    'podcast:chapters': ['optional', { attributes: { url: isUrl, type: isOneOf('application/json+chapters') } }],
    'podcast:transcript': [
      'many',
      {
        attributes: {
          ...{ url: isUrl, type: isOneOf('text/vtt', 'application/json'), language: isLanguage },
          'rel?': isOneOf('captions'),
        },
      },
    ],
    'podcast:person': ['many', { attributes: { role: isFilled }, text: isFilled }],
  },
}

/** RSS 2.0 with what podcast directories require. */
export const podcast: Rule = {
  attributes: {
    version: isOneOf('2.0'),
    'xmlns:atom': isOneOf('http://www.w3.org/2005/Atom'),
    'xmlns:itunes': isOneOf('http://www.itunes.com/dtds/podcast-1.0.dtd'),
    'xmlns:podcast': isOneOf('https://podcastindex.org/namespace/1.0'),
  },
  children: {
    channel: [
      'one',
      {
        children: {
          title: ['one', { text: isFilled }],
          link: ['one', { text: isUrl }],
          description: ['one', { text: isFilled }],
          language: ['one', { text: isLanguage }],
          lastBuildDate: ['one', { text: isDate }],
          generator: ['one', { text: isFilled }],
          image: [
            'one',
            {
              children: {
                url: ['one', { text: isUrl }],
                title: ['one', { text: isFilled }],
                link: ['one', { text: isUrl }],
              },
            },
          ],
          'atom:link': [
            'one',
            { attributes: { rel: isOneOf('self'), type: isOneOf('application/rss+xml'), href: isUrl } },
          ],
          'itunes:author': ['one', { text: isFilled }],
          'itunes:category': ['one', { attributes: { text: isFilled } }],
          'itunes:explicit': ['one', explicit],
          'itunes:image': ['one', { attributes: { href: isUrl } }],
          'itunes:type': ['one', { text: isOneOf('episodic', 'serial') }],
          'podcast:guid': ['one', { text: (text) => isUuidUrn(`urn:uuid:${text}`) }],
          'podcast:medium': ['one', { text: isOneOf('video') }],
          item: ['many', item],
        },
        also(node) {
          const guids = findAll(node, 'item').map((each) => findText(each, 'guid'))
          return new Set(guids).size === guids.length ? null : 'a guid occurs twice'
        },
      },
    ],
  },
}
