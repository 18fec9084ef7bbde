import { isJsonObject, type JsonValue } from '../record/json-value.ts'
import { parseJson } from '../record/strict-json.ts'
import type { Incoming, Source } from './incoming.ts'
import { readRecord } from './records.ts'

const pageSize = 100
const timeoutMs = 30_000
const maxTries = 4

/** A server that speaks the same API: its list, page by page, until there is no next one. */
export function openServer(baseUrl: string): Source {
  const base = baseUrl.replace(/\/+$/, '').replace(/\/api\/v2$/, '')
  return {
    name: base,
    total: null,
    has: () => true,
    async *read() {
      let url: string | null = `${base}/api/v2/video/?page_size=${pageSize}&ordering=id`
      const asked = new Set<string>()
      for (let page = 1; url !== null; page++) {
        asked.add(url)
        const answer: Answer = await fetchPage(url)
        if (!answer.ok) return yield { is: 'problem', path: `page ${page}`, field: null, reason: answer.reason }
        for (const [i, value] of answer.results.entries()) yield* readRecord(value, `page ${page} entry ${i + 1}`)
        url = answer.next === null ? null : toSameServer(answer.next, base)
        const isLost = url === '' || (url !== null && asked.has(url))
        if (isLost) return yield { is: 'problem', path: `page ${page}`, field: 'next', reason: lostReason }
      }
    },
  } satisfies Source & { read(): AsyncIterable<Incoming> }
}

const lostReason = 'Its next page is no address, or one that was read before; nothing after this was read.'

type Answer =
  | { readonly ok: true; readonly results: readonly JsonValue[]; readonly next: string | null }
  | { readonly ok: false; readonly reason: string }

async function fetchPage(url: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetchOnce(url)
    if (answer !== 'again') return answer
    if (attempt >= maxTries) return { ok: false, reason: `${url} does not answer; nothing after this was read.` }
    await Bun.sleep(500 * 2 ** attempt)
  }
}

async function fetchOnce(url: string): Promise<Answer | 'again'> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status >= 500 || response.status === 429) return 'again'
    const moved = response.headers.get('Location')
    if (moved !== null) return { ok: false, reason: `${url} redirects to ${moved}; name that address instead.` }
    if (response.status !== 200) return { ok: false, reason: `${url} answered ${response.status}.` }
    return toPage(parseJson(await response.bytes()), url)
  } catch {
    return 'again'
  }
}

function toPage(parsed: ReturnType<typeof parseJson>, url: string): Answer {
  const page = parsed.ok ? parsed.value : null
  if (!isJsonObject(page) || !Array.isArray(page.results))
    return { ok: false, reason: `${url} has no list of records.` }
  return { ok: true, results: page.results, next: typeof page.next === 'string' ? page.next : null }
}

/** A server behind a proxy may name itself otherwise in `next`; what is asked for is the same. `""` for no address. */
function toSameServer(next: string, base: string): string {
  if (!URL.canParse(next, base)) return ''
  const { pathname, search } = new URL(next, base)
  return `${new URL(base).origin}${pathname}${search}`
}
