import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { element, toXmlDocument } from '../../../src/site/machine/xml.ts'
import { atomFeed } from './atom-schema.ts'
import { openSearch, urlset } from './other-schemas.ts'
import { podcast } from './podcast-schema.ts'
import { findFaults } from './schema.ts'
import { parseXml } from './xml-tree.ts'

// Runner: long PostgreSQL

const toNode = (text: string) => parseXml(toXmlDocument(element('a', { b: text }, text)))

test.each([
  ['markup', '<script>alert(1)</script> & "quotes" \'too\''],
  ['the end of CDATA', ']]>'],
  ['an entity', '&amp;lt; &#60;'],
  ['other scripts and emoji', 'Ünïcödé 日本語 👩‍💻 \u202eright to left\u202c'],
  ['white space', 'a\tb\nc  d'],
])('%s is read as it was written', (_, text) => {
  expect(toNode(text)).toEqual({ name: 'a', attributes: { b: text }, children: [], text })
})

test.each([
  ['a noncharacter', 'a\uffffb\ufffec', 'abc'],
  ['a control character', 'a\u0000b\u0007c\u001b', 'abc'],
  ['a lone surrogate', 'a\ud800b\udc00c', 'abc'],
])('%s, which XML cannot have, is dropped', (_, text, kept) => {
  expect(toNode(text)).toMatchObject({ attributes: { b: kept }, text: kept })
})

test('any text gives a well-formed document', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toNode(text).name).toBe('a')
    }),
  )
})

test('absent values are left out, and only elements become markup', () => {
  const forged = JSON.parse('{"text":"<b/>"}')
  const node = element(
    'a',
    { x: null, y: undefined, z: 0 },
    null,
    undefined,
    false,
    [],
    [element('b')],
    7,
    [forged].flat(0).slice(1),
  )
  expect(node.text).toBe('<a z="0"><b/>7</a>')
})

test.each([
  ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><id>x</id><b/></feed>', atomFeed],
  ['RSS', '<rss version="2.0"><channel><title/><b/></channel></rss>', podcast],
  ['sitemaps', '<urlset><url><b/></url></urlset>', urlset],
  [
    'OpenSearch',
    '<OpenSearchDescription><ShortName>A name that is too long</ShortName><b/></OpenSearchDescription>',
    openSearch,
  ],
])('the schema of %s finds what is missing, wrong and unknown', (_, text, rule) => {
  const faults = findFaults(parseXml(text), rule)
  expect(faults.some((fault) => fault.endsWith('unknown b'))).toBe(true)
  expect(faults.some((fault) => fault.includes(': 0 times ') || fault.includes(': no @'))).toBe(true)
  expect(faults.length).toBeGreaterThan(2)
})

test.each(['<a>', '<a></b>', '<a b=c/>', '<a>&</a>', '<a/><b/>', '<a>\u0001</a>'])('%s is not XML', (text) => {
  expect(() => parseXml(text)).toThrow()
})
