import { Refused, requireRead } from '../../http/problem.ts'
import { json } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import { type PickKind, pickKinds } from '../../record/query/completion.ts'
import { toFolded } from '../../record/text/fold.ts'
import { listLanguageNames, parseLanguageName } from '../../record/text/language.ts'
import { toWordStartTest } from '../../record/text/words.ts'
import type { SiteDeps } from '../../site/site.ts'
import type { ReadStore } from '../../store/store.ts'

/** One entry of a picker. `alias` is the name that was typed, if it was merged into this one. */
type Picked = { readonly text: string; readonly count: number; readonly alias?: string }

const maxResults = 10
/** The length of the longest name. */
const maxTyped = 255
/** Shorter texts are too ambiguous to correct. */
const minCorrected = 3
/** There are a few hundred. */
const allLanguages = 1_000

/** `/edit/pick/<kind>?q=`: completions of a typed name, as JSON. Curators see names of drafts, too. */
export async function pickNames(call: Call<'kind'>, { store }: SiteDeps): Promise<TextAnswer> {
  const { kind } = call.params
  const typed = (call.query().get('q') ?? '').trim().slice(0, maxTyped)
  const results = kind === 'language' ? await pickLanguages(call, store, typed) : await pick(call, store, kind, typed)
  return json(call, toAsciiJson({ results: [...results] }), 'private')
}

async function pick(call: Call, store: ReadStore, kindText: string, typed: string): Promise<readonly Picked[]> {
  const kind = pickKinds.find((known) => known === kindText)
  if (kind === undefined) throw new Refused({ code: 'not_found' })
  const query = { kind, prefix: toFolded(typed), limit: maxResults }
  const found = requireRead(await store.pickNames(query, call.signal))
  const results = found.map(({ text, count, alias }) => ({ text, count, ...(alias === null ? {} : { alias }) }))
  return results.length > 0 || typed.length < minCorrected ? results : findSimilar(call, store, kind, typed)
}

/** Words in another order, or misspelled. */
async function findSimilar(call: Call, store: ReadStore, kind: PickKind, text: string): Promise<readonly Picked[]> {
  const { results } = requireRead(await store.suggest({ text, visibility: 'all' }, call.signal))
  return results.filter((result) => result.kind === kind).map(({ text, count }) => ({ text, count }))
}

/** Languages that talks have come first, then all others, for the first talk in a language. */
async function pickLanguages(call: Call, store: ReadStore, typed: string): Promise<readonly Picked[]> {
  const query = { kind: 'language', visibility: 'all', prefix: '', page: 1, pageSize: allLanguages } as const
  const { rows } = requireRead(await store.listVocabulary(query, call.signal))
  const counts = new Map(rows.map((row) => ('name' in row ? [row.name, row.count] : ['', 0])))
  const [prefix, byCode] = [toFolded(typed), parseLanguageName(typed)]
  const begins = toWordStartTest(prefix)
  const toRank = (name: string) => (name === byCode ? 0 : toFolded(name).startsWith(prefix) ? 1 : 2)
  return listLanguageNames()
    .filter((name) => name === byCode || begins(toFolded(name)))
    .map((text) => ({ text, count: counts.get(text) ?? 0 }))
    .sort((a, b) => toRank(a.text) - toRank(b.text) || b.count - a.count)
    .slice(0, maxResults)
}
