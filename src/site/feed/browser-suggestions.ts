import { requireRead } from '../../http/read-problems.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json/body-bytes.ts'
import { maxSuggestLength } from '../../record/query/suggest.ts'
import { respondText } from '../respond-page.ts'
import type { SiteNeeds } from '../site.ts'

/** `/suggestions.json`: what the address bar of a browser suggests, as OpenSearch has it: `["pyt", ["Python"]]`. */
export async function showSuggestions(call: Call, { store }: SiteNeeds): Promise<TextAnswer> {
  const typed = call.query().get('q') ?? ''
  const text = typed.trim()
  const isAsked = text !== '' && [...text].length <= maxSuggestLength
  const found = isAsked ? requireRead(await store.suggest({ text, visibility: 'live' })) : null
  const texts = found?.results.map((each) => each.text) ?? []
  return respondText(call, {
    text: toAsciiJson([typed, [...new Set(texts)]]),
    type: 'application/x-suggestions+json',
    caching: found?.isPartial === true ? 'never' : 'revalidate',
  })
}
