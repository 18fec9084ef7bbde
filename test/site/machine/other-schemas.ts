import { isFilled, isNumber, isOneOf, isTime, isUrl, type Rule } from './schema.ts'
import { findAll, findText, type XmlNode } from './xml-tree.ts'

const namespace = { xmlns: isOneOf('http://www.sitemaps.org/schemas/sitemap/0.9') }
const maxUrls = 50_000

const hasOnce = (name: string) => (node: XmlNode) => {
  const addresses = findAll(node, name).map((each) => findText(each, 'loc'))
  if (addresses.length > maxUrls) return 'too many'
  return new Set(addresses).size === addresses.length ? null : 'an address occurs twice'
}

/** Sitemaps 0.9. */
export const urlset: Rule = {
  attributes: namespace,
  children: {
    url: ['at least one', { children: { loc: ['one', { text: isUrl }], lastmod: ['optional', { text: isTime }] } }],
  },
  also: hasOnce('url'),
}

export const sitemapIndex: Rule = {
  attributes: namespace,
  children: { sitemap: ['at least one', { children: { loc: ['one', { text: isUrl }] } }] },
  also: hasOnce('sitemap'),
}

const isTemplate = (text: string) => isUrl(text.replace('{searchTerms}', 'words'))

/** OpenSearch 1.1, draft 6. */
export const openSearch: Rule = {
  attributes: { xmlns: isOneOf('http://a9.com/-/spec/opensearch/1.1/') },
  children: {
    ShortName: ['one', { text: (text) => isFilled(text) && Array.from(text).length <= 16 }],
    LongName: ['optional', { text: (text) => isFilled(text) && Array.from(text).length <= 48 }],
    Description: ['one', { text: (text) => isFilled(text) && text.length <= 1024 }],
    Url: [
      'at least one',
      { attributes: { type: isFilled, template: isTemplate, 'rel?': isOneOf('results', 'suggestions', 'self') } },
    ],
    Image: ['optional', { attributes: { width: isNumber, height: isNumber, type: isFilled }, text: isUrl }],
    InputEncoding: ['optional', { text: isOneOf('UTF-8') }],
  },
  also: (node) =>
    findAll(node, 'Url').some(({ attributes }) => attributes.template?.includes('{searchTerms}'))
      ? null
      : 'no template for searches',
}
