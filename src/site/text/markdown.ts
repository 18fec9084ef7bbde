import type { MarkdownIt, Token } from 'markdown-it'
import { isHttpUrl } from '../../record/text/address.ts'
import { toPlainText } from './plain-text.ts'

/** Longer texts are shown as plain text: hostile Markdown of 100,000 characters takes seconds (ADR 50). */
const maxMarkdown = 10_000
/** Nobody reads a text with more links; recognising them is the slowest part. */
const maxLinked = 5_000
/** Longer texts have no tables: short lines below a wide head fill up with empty cells, a hundred for two characters. */
const maxTabled = 2_000

export type RenderMarkdown = (text: string, options?: MarkdownOptions) => string

export interface MarkdownOptions {
  /** The level of the first heading. */
  readonly level?: number
}

/** Loads it at the first use, since most threads never render a page. */
export function createMarkdown(): () => Promise<RenderMarkdown> {
  let loading: Promise<RenderMarkdown> | null = null
  return () => {
    loading ??= loadMarkdown()
    return loading
  }
}

/**
 * Renders texts of records as HTML without any HTML of their own: no images, which other hosts would have to send, and
 * links to http(s) alone.
 */
async function loadMarkdown(): Promise<RenderMarkdown> {
  const { default: createMarkdown } = await import('markdown-it')
  const whole = configure(createMarkdown({ html: false, linkify: true }))
  const withoutTables = configure(createMarkdown({ html: false, linkify: true }).disable('table'))
  const withoutLinks = configure(createMarkdown({ html: false, linkify: false }).disable('table'))
  return (text, { level = 3 } = {}) => {
    if (text.length > maxMarkdown) return toPlainHtml(text)
    if (text.length > maxLinked) return withoutLinks.render(text, { level })
    return (text.length > maxTabled ? withoutTables : whole).render(text, { level })
  }
}

function configure(markdown: MarkdownIt): MarkdownIt {
  markdown.validateLink = isHttpUrl
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  markdown.core.ruler.push('levels', ({ tokens, env }) => closeGaps(tokens, Number(env.level)))
  markdown.core.ruler.push('breaks', ({ src, tokens }) => keepShortLines(src, tokens))
  const { rules } = markdown.renderer
  rules.link_open = (tokens, at, options, _env, renderer) => {
    tokens[at]?.attrSet('rel', 'nofollow noopener ugc')
    return renderer.renderToken(tokens, at, options)
  }
  // The alignment of cells would be an inline style, which the policy of pages refuses.
  rules.th_open = () => '<th>'
  rules.td_open = () => '<td>'
  // Wide tables scroll by keyboard, too.
  rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'
  rules.table_close = () => '</table></div>\n'
  // A link inside a link would be invalid, so an image is its text.
  rules.image = (tokens, at) => markdown.utils.escapeHtml(tokens[at]?.content ?? '')
  return markdown
}

type Tokens = readonly Token[]

/** Headings keep their order of rank, without gaps between levels: `#`, `###` with a first level of 3 -> h3, h4. */
function closeGaps(tokens: Tokens, first: number): void {
  const above: number[] = []
  let tag = ''
  for (const token of tokens) {
    if (token.type === 'heading_open') {
      const rank = Number(token.tag.slice(1))
      while ((above.at(-1) ?? 0) >= rank) above.pop()
      above.push(rank)
      tag = `h${Math.min(6, first + above.length - 1)}`
    }
    if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = tag
  }
}

/** A text that was wrapped at some column flows; in any other, its author broke the lines on purpose. */
function keepShortLines(text: string, tokens: Tokens): void {
  if (isWrapped(text)) return
  for (const { children } of tokens)
    for (const child of children ?? []) if (child.type === 'softbreak') child.type = 'hardbreak'
}

/** Whether most lines that another one follows have about the same length. */
function isWrapped(text: string): boolean {
  const lines = text.split('\n')
  const followed = lines.filter((line, i) => line.trim() !== '' && (lines[i + 1] ?? '').trim() !== '')
  const wrapped = followed.filter((line) => line.length >= 50 && line.length <= 130)
  return wrapped.length * 2 > followed.length
}

/** Paragraphs of escaped text. */
function toPlainHtml(text: string): string {
  const paragraphs = text.split('\n\n').filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.map((paragraph) => `<p class="plain">${Bun.escapeHTML(paragraph)}</p>`).join('\n')
}

/** The beginning of a text as one line without most of its markup, for descriptions and previews. */
export function toExcerpt(text: string, maxLength: number): string {
  const line = toPlainText(text.slice(0, maxLength * 4))
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= maxLength) return line
  const cut = line.slice(0, maxLength)
  const end = cut.lastIndexOf(' ')
  return `${end > maxLength / 2 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, '')}…`
}
