import { requireRead } from '../../http/problem.ts'
import { contentTypes } from '../../http/respond.ts'
import type { Call, TextAnswer } from '../../http/route.ts'
import { toAsciiJson } from '../../record/json.ts'
import { type Completion, type Completions, maxCompletionLength } from '../../record/query/completion.ts'
import type { ReadStore } from '../../store/store.ts'
import { openSite, respondText, type SiteDeps } from '../site.ts'
import { createUrls } from '../urls.ts'

/** `/suggestions.json`: suggestions for the address bar of a browser, in the format of OpenSearch: `["pyt", ["Python"]]`. */
export async function showOpenSearchCompletions(call: Call, { store }: SiteDeps): Promise<TextAnswer> {
  const typed = call.query().get('q') ?? ''
  const { results, isPartial } = await findCompletions(typed, store)
  const texts = [...new Set(results.map(({ text }) => text))]
  return respondJson(call, toAsciiJson([typed, texts]), 'application/x-suggestions+json', isPartial)
}

/** `/search/suggest`: suggestions for search boxes, in the format of the API, but without drafts for any caller. */
export async function showCompletions(call: Call, deps: SiteDeps): Promise<TextAnswer> {
  const { urls } = await openSite(call, deps)
  const { results, isPartial } = await findCompletions(call.query().get('q') ?? '', deps.store)
  const found = results.map((completion) => {
    const { kind, text, count } = completion
    return { kind, text, url: urls.path(toCompletionPath(completion)), count }
  })
  return respondJson(call, toAsciiJson({ results: found }), contentTypes.json, isPartial)
}

const paths = createUrls('')

/** The path of the page of a suggestion, below the base URL. */
export function toCompletionPath(suggestion: Completion): string {
  return suggestion.kind === 'category' ? paths.category(suggestion.slug) : paths[suggestion.kind](suggestion)
}

async function findCompletions(typed: string, store: ReadStore): Promise<Completions> {
  const text = typed.trim()
  if (text === '' || [...text].length > maxCompletionLength) return { results: [], isPartial: false }
  return requireRead(await store.suggest({ text, visibility: 'live' }))
}

function respondJson(call: Call, text: string, type: string, isPartial: boolean): TextAnswer {
  return respondText(call, { text, type, caching: isPartial ? 'never' : 'revalidate' })
}
