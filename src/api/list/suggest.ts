import { Refused } from '../../http/problem.ts'
import { requireRead, toParameterProblem } from '../../http/read-problems.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import { maxSuggestLength, type Suggestion, type Suggestions } from '../../record/query/suggest.ts'
import { nameIgnored, type ReadNeeds, toListAnswer, toVisibility } from './envelope.ts'

const tooLong = new Map([['q', [`q can have at most ${maxSuggestLength} characters.`]]])
const none: Suggestions = { results: [], isPartial: false }

/** What a caller may be looking for, while typing. */
export async function listSuggestions(call: Call, { store, baseUrl }: ReadNeeds): Promise<TextAnswer> {
  const visibility = toVisibility(call)
  const parameters = call.query()
  const text = (parameters.get('q') ?? '').trim()
  if ([...text].length > maxSuggestLength) throw new Refused(toParameterProblem(tooLong))
  const found = text === '' ? none : requireRead(await store.suggest({ text, visibility }, call.signal))
  const at = `${baseUrl(call)}/api/v2`
  const results = found.results.map((each) => {
    return { kind: each.kind, text: each.text, url: `${at}/${toTarget(each)}`, count: each.count }
  })
  const answer = toListAnswer(call, [toAsciiJson({ results })], visibility, found.isPartial)
  return nameIgnored(answer, parameters.listIgnored())
}

/** Where it is below /api/v2. */
function toTarget(suggestion: Suggestion): string {
  const { kind, slug } = suggestion
  return kind === 'category' ? `category/${slug}` : `${kind}/${suggestion.id}`
}
