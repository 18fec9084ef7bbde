import { expect } from 'bun:test'
import type { Service } from '../../contract/service.ts'
import { type HeaderList, headerOf, type RawAnswer } from '../../harness/raw.ts'
import { atomFeed } from './atom-schema.ts'
import { podcast } from './podcast-schema.ts'
import { findFaults, type Rule } from './schema.ts'
import { findAll, findText, parseXml, type XmlNode } from './xml-tree.ts'

export const get = (service: Service, path: string, headers: HeaderList = {}): Promise<RawAnswer> =>
  service.call({ method: 'GET', path, headers })

/** The document at a path, after it was checked against its schema. */
export async function readXml(
  service: Service,
  path: string,
  type: string,
  rule: Rule,
  headers?: HeaderList,
): Promise<XmlNode> {
  const answer = await get(service, path, headers)
  expect([path, answer.status, headerOf(answer, 'Content-Type')]).toEqual([path, 200, `${type}; charset=utf-8`])
  const root = parseXml(answer.body)
  expect(findFaults(root, rule)).toEqual([])
  return root
}

export const readAtom = (service: Service, path: string, headers?: HeaderList) =>
  readXml(service, path, 'application/atom+xml', atomFeed, headers)

export async function readPodcast(service: Service, path: string, headers?: HeaderList): Promise<XmlNode> {
  const root = await readXml(service, path, 'application/rss+xml', podcast, headers)
  const [channel] = root.children
  if (channel === undefined) throw new Error('no channel')
  return channel
}

export const listTitles = (feed: XmlNode) =>
  [...findAll(feed, 'entry'), ...findAll(feed, 'item')].map((each) => findText(each, 'title') ?? '')

export const listIds = (feed: XmlNode) =>
  [...findAll(feed, 'entry'), ...findAll(feed, 'item')].map((each) => findText(each, 'id') ?? findText(each, 'guid'))

export const findLink = (node: XmlNode, rel: string, type: string) =>
  findAll(node, 'link').find(({ attributes }) => attributes.rel === rel && attributes.type === type)?.attributes.href
