import { createRateLimit, createRateLimitBuffer } from '../../http/limits.ts'
import { type Problem, Refused, requireRead, toStatus } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import type { VideoRecord } from '../../record/record.ts'
import { parseSearch } from '../../record/text/search-text.ts'
import type { ReadStore } from '../../store/store.ts'
import { TalkGrid } from '../part/cards.tsx'
import { Section } from '../part/counts.tsx'
import { renderPage } from '../part/layout.tsx'
import { toAddressWords } from '../search/address-words.ts'
import { toPageQuery } from '../search/search-query.ts'
import { findMissingEdition, NoEdition } from '../search/understood.tsx'
import { openSite, respondText, type SiteDeps } from '../site.ts'
import { findTalks, type Talk } from '../talk/talk.ts'
import { ErrorPage, explainProblem, isForPrograms } from './error.tsx'

const maxFound = 8
/** Of talks that have only some of the words. */
const maxVague = 4
/** Of each query thread. Nobody follows more dead links than this, but crawlers make them up (decision 83). */
const guessesPerMinute = 300

/** Whether the page of an address that leads nowhere may search now. */
export function createGuessLimit(): () => boolean {
  const limit = createRateLimit(createRateLimitBuffer(), guessesPerMinute)
  return () => limit.take('guess', performance.now()) === 0
}

/** 404 with the results of a search for the words of the address. */
export function showMissing(call: Call, deps: SiteDeps, problem: Problem = { code: 'not_found' }): Promise<TextAnswer> {
  return showResults(call, deps, problem, null)
}

/** 410 with the talk that has taken the place of a withdrawn one, or with the same results. */
export async function showGone(
  call: Call,
  deps: SiteDeps,
  problem: Problem,
  withdrawn: VideoRecord | null,
): Promise<TextAnswer> {
  const successor = withdrawn && (await findSuccessor(deps.store, withdrawn))
  return showResults(call, deps, problem, successor)
}

async function showResults(call: Call, deps: SiteDeps, problem: Problem, successor: Talk | null): Promise<TextAnswer> {
  if (isForPrograms(problem, call)) throw new Refused(problem)
  const site = await openSite(call, deps)
  const words = toAddressWords(new URL(call.url).pathname)
  const isGuess = successor === null && deps.mayGuess()
  const missing = isGuess ? await findMissingEdition(deps.store, words) : null
  // Talks that only mention the edition are no guess beside those before and after it.
  const found = isGuess && missing === null ? await search(deps.store, words, call.signal) : nothing
  const guesses = await findTalks(deps.store, found.records)
  const head = { title: explainProblem(problem).title, canonical: null, isIndexed: false, hasSearchBox: false }
  const body = (
    <>
      <ErrorPage site={site} problem={problem} q={words} />
      <NoEdition site={site} missing={missing} />
      {successor !== null && (
        <Section title="This talk is now here">
          <TalkGrid site={site} talks={[successor]} />
        </Section>
      )}
      {guesses.length > 0 && (
        <Section title={found.hasAll ? 'Did you mean one of these?' : 'Talks with some of these words'}>
          <TalkGrid site={site} talks={guesses} />
        </Section>
      )}
    </>
  )
  const status = toStatus(problem)
  return respondText(call, { text: renderPage(site, head, body), type: contentTypes.html, status })
}

/** Records as JSON, and whether they have all words of the address. */
interface Found {
  readonly records: readonly string[]
  readonly hasAll: boolean
}

const nothing: Found = { records: [], hasAll: false }

async function search(store: ReadStore, words: string, signal: AbortSignal): Promise<Found> {
  const parsed = parseSearch(words)
  if (words === '' || !parsed.ok) return nothing
  const query = toPageQuery({ filters: { search: parsed.search }, pageSize: maxFound })
  const { records, matchIs, unknown } = requireRead(await store.list(query, signal))
  const hasAll = matchIs === undefined && unknown === undefined
  return { records: (records ?? []).slice(0, hasAll ? maxFound : maxVague), hasAll }
}

/** Another live record with the same video, or with the same title in the same event. */
async function findSuccessor(store: ReadStore, { source_url: sourceUrl, title, category }: VideoRecord) {
  const bySource = sourceUrl === '' ? [] : await list(store, { sourceUrl })
  const slug = requireRead(await store.findCategorySlugs([category])).get(category)
  const [titled] =
    bySource.length > 0 || slug === undefined ? [] : requireRead(await store.findTitled({ category: slug, title }))
  const records = titled === undefined ? bySource : await list(store, { ids: [titled.id] })
  return (await findTalks(store, records))[0] ?? null
}

async function list(store: ReadStore, filters: { sourceUrl?: string; ids?: readonly number[] }) {
  return requireRead(await store.list(toPageQuery({ filters, pageSize: 1 }))).records ?? []
}
