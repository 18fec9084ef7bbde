import { requireRead } from '../../http/problem.ts'
import type { JsonValue } from '../../record/json.ts'
import { linksKey, type RelatedLink, toLinks } from '../../record/links.ts'
import type { ReadStore } from '../../store/store.ts'
import type { RenderMarkdown } from '../text/markdown.ts'
import type { NamedLink, Talk } from './talk.ts'

/** What only the page of a talk shows. */
export interface TalkDetails {
  readonly tags: readonly NamedLink[]
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
    links: toNamed(extras[linksKey]),
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
const maxShown = 50

const toNamed = (value: JsonValue | undefined): RelatedLink[] =>
  toLinks(value)
    .slice(0, maxShown)
    .map(({ url, label }) => ({ url, label: label === '' ? toShortAddress(url) : label }))

/** `https://www.example.org/talks/` -> `example.org/talks` */
function toShortAddress(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '')
}
