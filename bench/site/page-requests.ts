import type { Database } from 'bun:sqlite'
import type { Params } from '../../src/http/route.ts'
import { openForReading } from '../../src/store/sqlite/connection.ts'
import { createRandom } from '../generated/random.ts'
import { toWord } from '../generated/words.ts'
import { exchange } from '../harness/exchange.ts'
import type { Ask } from '../harness/load.ts'

/** A page of the site: the pattern of its path with the values in it. */
export interface PageRequest {
  readonly pattern: string
  readonly params: Params
  /** With a question mark if there are any. */
  readonly query: string
}

export interface PageKind {
  readonly name: string
  readonly requests: readonly PageRequest[]
}

interface TalkRow {
  readonly id: number
  readonly slug: string
  readonly event: string
  readonly speakerId: number
  readonly speakerSlug: string
  readonly tagId: number
  readonly tagSlug: string
}

/**
 * Pages as viewers request them: talks taken at random, each with its event, a speaker and a tag, so that large events
 * and frequent tags come as often as in links.
 */
export function readPageKinds(store: string, count: number): readonly PageKind[] {
  const db = openForReading(store)
  try {
    return toPageKinds(readTalks(db, count), count)
  } finally {
    db.close()
  }
}

function toPageKinds(talks: readonly TalkRow[], count: number): readonly PageKind[] {
  return [
    { name: 'talk', requests: talks.map(({ id, slug }) => toNamed('video', id, slug)) },
    { name: 'event', requests: talks.map(({ event }) => toEvent(event)) },
    {
      name: 'speaker',
      requests: talks.map(({ speakerId, speakerSlug }) => toNamed('speaker', speakerId, speakerSlug)),
    },
    { name: 'tag', requests: talks.map(({ tagId, tagSlug }) => toNamed('tag', tagId, tagSlug)) },
    { name: 'home', requests: repeat(toPlain('/'), count / 4) },
    { name: 'search', requests: Array.from({ length: count }, (_, i) => toSearch(i)) },
    { name: 'stats', requests: repeat(toPlain('/stats'), count / 10) },
  ]
}

/** The headers of a browser. */
export function asBrowser(target: string): Ask {
  return { method: 'GET', target, headers: { 'Accept-Encoding': 'gzip, deflate, br' } }
}

const patienceMs = 300_000

/** Waits until all indexes of a server are loaded: until then, pages of searches may be incomplete and are not cached. */
export async function waitForPages(port: number, kinds: readonly PageKind[]): Promise<void> {
  const search = kinds.find(({ name }) => name === 'search')?.requests[0] ?? fail('there is no search')
  const untilMs = performance.now() + patienceMs
  while (performance.now() < untilMs) {
    const isComplete = await exchange(port, asBrowser(toTarget(search))).then(
      ({ head }) => head.startsWith('HTTP/1.1 200') && !/no-store/.test(head),
      () => false,
    )
    if (isComplete) return
    await Bun.sleep(500)
  }
  fail('the indexes were not loaded in time')
}

export function toTarget({ pattern, params, query }: PageRequest): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return `${path}${query}`
}

function readTalks(db: Database, count: number): readonly TalkRow[] {
  const random = createRandom(1)
  const [{ last = 0 } = {}] = db.query<{ last: number }, []>('SELECT max(id) AS last FROM record').all()
  const read = db.query<TalkRow, [number]>(
    `SELECT record.id, record.slug, category.slug AS event, speaker.id AS "speakerId", speaker.slug AS "speakerSlug",
      tag.id AS "tagId", tag.slug AS "tagSlug"
    FROM record JOIN listing USING (id) JOIN category ON category.id = listing.category_id
      JOIN record_speaker AS s ON s.record_id = record.id JOIN speaker ON speaker.id = s.speaker_id
      JOIN record_tag AS t ON t.record_id = record.id JOIN tag ON tag.id = t.tag_id
    WHERE record.id >= ? AND record.state = 1 ORDER BY record.id LIMIT 1`,
  )
  return Array.from(
    { length: count },
    () => read.get(1 + random.below(last)) ?? fail('no talk has a speaker and a tag'),
  )
}

function fail(problem: string): never {
  throw new Error(problem)
}

const toPlain = (pattern: string): PageRequest => ({ pattern, params: {}, query: '' })
const toEvent = (slug: string): PageRequest => ({ pattern: '/category/:slug', params: { slug }, query: '' })
const toNamed = (kind: string, id: number, slug: string): PageRequest => ({
  pattern: `/${kind}/:id/:slug`,
  params: { id: String(id), slug },
  query: '',
})

/** One word or two, from common ones to rare ones. */
function toSearch(index: number): PageRequest {
  const q = index % 2 === 0 ? toWord(index * 7) : `${toWord(index)} ${toWord(3_000 + index * 11)}`
  return { ...toPlain('/search'), query: `?${new URLSearchParams({ q })}` }
}

const repeat = (request: PageRequest, count: number) => Array.from({ length: Math.ceil(count) }, () => request)
