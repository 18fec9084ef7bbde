import { anything, isFilled, isLanguage, isNumber, isOneOf, isTime, isUrl, isUuidUrn, type Rule } from './schema.ts'
import { findAll, findText, type XmlNode } from './xml-tree.ts'

const person: Rule = { children: { name: ['one', { text: isFilled }], uri: ['optional', { text: isUrl }] } }

const link: Rule = {
  attributes: {
    rel: isOneOf('self', 'alternate', 'enclosure'),
    type: (text) => /^[a-z]+\/[a-z0-9+.-]+$/.test(text),
    href: isUrl,
    'length?': isNumber,
  },
}

/** RFC 4287, 4.1.1 and 4.1.2: no two alternates of the same type. */
function findSameAlternates(node: XmlNode): string | null {
  const types = findAll(node, 'link')
    .filter(({ attributes }) => attributes.rel === 'alternate')
    .map(({ attributes }) => attributes.type)
  return types.length > 0 && new Set(types).size === types.length ? null : 'no alternate, or two of one type'
}

/** Media RSS 1.5.1. */
const mediaGroup: Rule = {
  children: {
    'media:title': ['one', { attributes: { type: isOneOf('plain') }, text: isFilled }],
    'media:content': [
      'many',
      {
        attributes: {
          url: isUrl,
          type: isOneOf('video/mp4', 'video/webm', 'video/ogg'),
          medium: isOneOf('video'),
          'fileSize?': isNumber,
          'duration?': isNumber,
        },
      },
    ],
    'media:thumbnail': ['optional', { attributes: { url: isUrl } }],
    'media:description': ['optional', { attributes: { type: isOneOf('plain') }, text: isFilled }],
  },
}

const entry: Rule = {
  attributes: { 'xml:lang?': isLanguage },
  children: {
    id: ['one', { text: isUuidUrn }],
    title: ['one', { text: isFilled }],
    published: ['one', { text: isTime }],
    updated: ['one', { text: isTime }],
    link: ['at least one', link],
    author: ['many', person],
    category: ['many', { attributes: { term: isFilled } }],
    summary: ['optional', { text: isFilled }],
    content: ['optional', { attributes: { type: isOneOf('html') }, text: isFilled }],
    rights: ['optional', { text: isFilled }],
    'media:group': ['one', mediaGroup],
  },
  also: (node) =>
    String(findText(node, 'updated')) < String(findText(node, 'published'))
      ? 'updated before it was published'
      : findSameAlternates(node),
}

export const atomFeed: Rule = {
  attributes: {
    xmlns: isOneOf('http://www.w3.org/2005/Atom'),
    'xmlns:media': isOneOf('http://search.yahoo.com/mrss/'),
    'xml:lang': isLanguage,
  },
  children: {
    id: ['one', { text: isUuidUrn }],
    title: ['one', { text: isFilled }],
    subtitle: ['one', { text: anything }],
    updated: ['one', { text: isTime }],
    link: ['at least one', link],
    // Entries without speakers have the author of the feed.
    author: ['one', person],
    icon: ['one', { text: isUrl }],
    generator: ['one', { text: isFilled }],
    entry: ['many', entry],
  },
  also(node) {
    const ids = findAll(node, 'entry').map((each) => findText(each, 'id'))
    if (new Set([...ids, findText(node, 'id')]).size !== ids.length + 1) return 'an id occurs twice'
    const selves = findAll(node, 'link').filter(({ attributes }) => attributes.rel === 'self')
    return selves.length === 1 ? findSameAlternates(node) : 'not one self'
  },
}

const { 'xmlns:media': _media, ...atomAttributes } = atomFeed.attributes ?? {}
const { subtitle: _subtitle, ...feedParts } = atomFeed.children ?? {}

/** A feed of changes: what an Atom feed must have, and nothing about the talks but their titles. */
export const changesFeed: Rule = {
  ...atomFeed,
  attributes: atomAttributes,
  children: {
    ...feedParts,
    entry: [
      'many',
      {
        attributes: { 'xml:lang?': isLanguage },
        children: {
          id: ['one', { text: isUuidUrn }],
          title: ['one', { text: isFilled }],
          updated: ['one', { text: isTime }],
          link: ['at least one', link],
          summary: ['one', { attributes: { 'xml:lang': isOneOf('en') }, text: isOneOf('New talk', 'Changed') }],
        },
        also: findSameAlternates,
      },
    ],
  },
}
