import { el } from './element.ts'

/** Headers to show, in this order. The developer tools of the browser show the rest. */
const shownHeaders = [
  ...['Content-Type', 'ETag', 'Last-Modified', 'Cache-Control', 'Allow', 'Accept-Patch', 'Content-Location'],
  ...['Retry-After', 'WWW-Authenticate', 'Vary'],
]

/** Status, headers, and the body as text, never as markup. */
export function showAnswer(response: Response, body: string, ms: number): HTMLElement[] {
  const headers = shownHeaders.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [el('dt', {}, name), el('dd', {}, value)]
  })
  const kind = response.ok ? 'passed' : 'failed'
  const bytes = new TextEncoder().encode(body).length.toLocaleString('en')
  return [
    el(
      'p',
      {},
      el('strong', { class: kind }, `${response.status} ${response.statusText}`),
      el('span', { class: 'hint' }, ` ${Math.round(ms)} ms, ${bytes} bytes`),
    ),
    el('dl', { class: 'headers' }, ...headers),
    ...(body === '' ? [] : [el('pre', { tabindex: '0' }, ...toColoured(toIndented(body)))]),
  ]
}

function toIndented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const maxColouredLength = 200_000
const tokenPattern = /("(?:[^"\\]|\\.)*"?)(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Highlights JSON. Text that is very long or not JSON stays plain. */
function toColoured(text: string): (Node | string)[] {
  if (text.length > maxColouredLength || !/^\s*[[{]/.test(text)) return [text]
  const parts: (Node | string)[] = []
  let at = 0
  for (const match of text.matchAll(tokenPattern)) {
    const [whole, string, colon] = match
    parts.push(text.slice(at, match.index))
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'name'
    parts.push(el('span', { class: kind }, string ?? whole), colon ?? '')
    at = match.index + whole.length
  }
  return [...parts, text.slice(at)]
}
