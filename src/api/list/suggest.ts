import { Refused } from '../../http/problem/problem.ts'
import { requireRead, toParameterProblem } from '../../http/problem/read-problems.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import { type Completion, type Completions, maxCompletionLength } from '../../record/query/names.ts'
import { nameIgnored, type ReadDeps, toListAnswer, toVisibility } from './envelope.ts'

const tooLong = new Map([['q', [`q can have at most ${maxCompletionLength} characters.`]]])
const none: Completions = { results: [], isPartial: false }

export interface SuggestionDeps extends ReadDeps {
  /** The path of a page below the base URL; null without the site. */
  readonly toPagePath: ((suggestion: Completion) => string) | null
}

/** What a caller may be looking for, while typing. Suggestions lead to pages; without the site, to the API. */
export async function listSuggestions(call: Call, deps: SuggestionDeps): Promise<TextAnswer> {
  const { store, baseUrl, toPagePath } = deps
  const visibility = toVisibility(call)
  const parameters = call.query()
  const text = (parameters.get('q') ?? '').trim()
  if ([...text].length > maxCompletionLength) throw new Refused(toParameterProblem(tooLong))
  const found = text === '' ? none : requireRead(await store.suggest({ text, visibility }, call.signal))
  const toPath = toPagePath ?? toApiPath
  const results = found.results.map((each) => {
    return { kind: each.kind, text: each.text, url: `${baseUrl(call)}${toPath(each)}`, count: each.count }
  })
  const answer = toListAnswer(call, [toAsciiJson({ results })], visibility, found.isPartial)
  return nameIgnored(answer, parameters.listIgnored())
}

function toApiPath(suggestion: Completion): string {
  const { kind, slug } = suggestion
  return `/api/v2/${kind}/${kind === 'category' ? slug : suggestion.id}`
}
