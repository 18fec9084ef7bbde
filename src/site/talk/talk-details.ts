import { requireRead } from '../../http/problem/read-problems.ts'
import { isJsonObject, type JsonValue } from '../../record/json/json-value.ts'
import { isHttpUrl } from '../../record/text/address.ts'
import type { ReadStore } from '../../store/store.ts'
import type { RenderMarkdown } from '../text/markdown.ts'
import type { NamedLink, Talk } from './talk.ts'

export interface RelatedLink {
  readonly url: string
  readonly label: string
}

/** What only the page of a talk shows. */
export interface TalkDetails {
  readonly tags: readonly NamedLink[]
  /** Of imported talks. */
  readonly links: readonly RelatedLink[]
  /** Texts as HTML; `""` for none. */
  readonly summary: string
  readonly description: string
  readonly qualityNotes: string
}

export async function findTalkDetails(
  store: ReadStore,
  { record }: Talk,
  render: RenderMarkdown,
): Promise<TalkDetails> {
  const { id, tags: names, summary, description, quality_notes: notes } = record
  const toHtml = (text: string) => (text.trim() === '' ? '' : render(text, { level: 2 }))
  const tags = requireRead(await store.findNameIds({ kind: 'tag', names }))
  const { extras } = await store.readExtras(id)
  return {
    tags: names.map((name) => ({ name, page: tags.get(name) ?? null })),
    links: toLinks(extras.related_urls),
    summary: isPart(summary, description) ? '' : toHtml(summary),
    description: toHtml(description),
    qualityNotes: toHtml(notes),
  }
}

/** Many archives repeat the summary at the beginning of the description. */
function isPart(summary: string, description: string): boolean {
  return description.trimStart().startsWith(summary.trim())
}

/** A page lists no more. */
const maxLinks = 50

/** Sources have addresses, or objects with an address and a label. */
function toLinks(value: JsonValue | undefined): RelatedLink[] {
  if (!Array.isArray(value)) return []
  const links = value.slice(0, maxLinks).map((each: JsonValue) => {
    const { url, label } = isJsonObject(each) ? each : { url: each, label: null }
    if (typeof url !== 'string' || !isHttpUrl(url)) return null
    return { url, label: typeof label === 'string' && label.trim() !== '' ? label : toShortAddress(url) }
  })
  return links.filter((link) => link !== null)
}

/** `https://www.example.org/talks/` -> `example.org/talks` */
function toShortAddress(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
}
