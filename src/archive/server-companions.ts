import { anyRecord } from '../record/companion/companion.ts'
import { type CompanionTrait, companionNames, type SingleName, toKind } from '../record/companion/kinds.ts'
import { linkKinds } from '../record/companion/related.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../record/json.ts'
import { toOwnId, type Unfit } from './fit.ts'
import type { IncomingTalk } from './incoming.ts'
import type { JsonAnswer, Unanswered } from './server-fetch.ts'

/** The traits by which a list finds records with a companion. */
const traits: { readonly [Name in SingleName]: readonly CompanionTrait[] } = {
  related: linkKinds,
  recordings: ['recordings'],
  chapters: ['chapters'],
}

type Ask = (url: string) => Promise<JsonAnswer | Unanswered>

/** The ids of the records of a server that have each companion; none for a companion that the server does not know. */
export type Companioned = { readonly [Name in SingleName]?: ReadonlySet<number> }

/**
 * Whether a server says which parameters it ignores. One that ignores `has` silently would list all of its records, and
 * has no companions.
 */
export const namesIgnored = ({ headers }: Pick<JsonAnswer, 'headers'>) =>
  /\bIgnored-Parameters\b/i.test(headers.get('Access-Control-Expose-Headers') ?? '')

/** `toUrl` gives the address of the next page. */
export async function findCompanioned(
  ask: Ask,
  base: string,
  toUrl: (next: string) => string,
): Promise<Companioned | Away> {
  const found: { [Name in SingleName]?: ReadonlySet<number> } = {}
  for (const name of companionNames) {
    const all = new Set<number>()
    let isKnown = true
    for (const trait of traits[name]) {
      const ids = await listIds(ask, `${base}/api/v2/video/?has=${trait}&fields=id&page_size=100&ordering=id`, toUrl)
      if (ids !== null && 'is' in ids) return ids
      isKnown &&= ids !== null
      for (const id of ids ?? []) all.add(id)
    }
    if (isKnown) found[name] = all
  }
  return found
}

/** Null if the server does not list all of them. */
async function listIds(ask: Ask, first: string, toUrl: (next: string) => string): Promise<number[] | null | Away> {
  const ids: number[] = []
  const asked = new Set<string>()
  for (let url = first; ; ) {
    asked.add(url)
    const answer = await ask(url)
    if (answer.is === 'away') return answer
    if (answer.is === 'refused' || /\bhas\b/.test(answer.headers.get('Ignored-Parameters') ?? '')) return null
    const { results, next } = isJsonObject(answer.value) ? answer.value : {}
    if (!Array.isArray(results)) return null
    ids.push(...results.map(toId))
    if (typeof next !== 'string') return ids
    url = toUrl(next)
    if (url === '' || asked.has(url) || asked.size >= maxPages) return null
  }
}

/** For a server whose pages do not end. */
const maxPages = 10_000

const toId = (entry: JsonValue) => (isJsonObject(entry) ? toOwnId(entry.id) : null) ?? 0

type Away = Extract<Unanswered, { is: 'away' }>
type Read = { readonly is: 'read'; readonly bytes: number; readonly talk: IncomingTalk }

/** Adds the companions of a record. Those that the server does not give, or that do not fit, stay as they are here. */
export async function readCompanions(
  ask: Ask,
  base: string,
  companioned: Companioned,
  talk: IncomingTalk,
): Promise<Read | Away> {
  const companions: { name: SingleName; content: JsonObject }[] = []
  const unsaid: SingleName[] = []
  const unfit: Unfit[] = [...talk.unfit]
  const values: { [name: string]: JsonValue } = {}
  let bytes = 0
  for (const name of companionNames) {
    const having = companioned[name]
    if (talk.id === null || having === undefined) unsaid.push(name)
    if (talk.id === null || having?.has(talk.id) !== true) continue
    const answer = await ask(`${base}/api/v2/video/${talk.id}/${name}`)
    if (answer.is === 'away') return answer
    if (answer.is === 'refused') {
      unsaid.push(name)
      continue
    }
    bytes += answer.bytes
    const parsed = toKind(name).parse(answer.value, anyRecord)
    if (parsed.ok) companions.push({ name, content: parsed.content })
    else {
      unsaid.push(name)
      unfit.push({ field: name, reason: [...parsed.errors.values()].flat().join(' ') })
      values[name] = answer.value
    }
  }
  const isWhole = Object.keys(values).length === 0
  const original = isWhole ? talk.original : ({ is: 'unfit', values: { ...talk.original?.values, ...values } } as const)
  return { is: 'read', bytes, talk: { ...talk, companions, unsaid, unfit, original } }
}

/** Whether chapters of the talk are records of their own. */
export const namesParts = ({ companions = [] }: IncomingTalk) =>
  companions.some(({ name, content }) => toKind(name).listRecords(content).length > 0)
