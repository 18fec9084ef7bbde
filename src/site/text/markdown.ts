import type { MarkdownIt, Token } from 'markdown-it'
import { parseStartTime } from '../../record/player/start-time.ts'
import { isHttpUrl } from '../../record/text/address.ts'
import { stripMarkup } from './plain-text.ts'

/** Longer texts are shown as plain text: hostile Markdown of 100,000 characters takes seconds (decision 50). */
const maxMarkdown = 10_000
/** In longer texts, plain URLs do not become links: recognising them is the slowest part. */
const maxLinked = 5_000
/** A text with room for more cells has no tables: short rows are padded with empty ones, a hundred for two characters. */
const maxCells = 1_000
/** Levels of lists, quotes and emphasis. The parser drops deeper ones, so a text that has them is shown as plain text. */
const maxNesting = 30
/** The HTML may be at most this many times as long as its text; a thousand links of three characters can share one long URL. */
const maxGrowth = 10
/** Short texts may become this long. */
const minHtml = 2_000

export type RenderMarkdown = (text: string, options?: MarkdownOptions) => string

interface MarkdownOptions {
  /** The level of the first heading. */
  readonly level?: number
  /** The length of the talk in seconds: times in the text become links to `?t=`. */
  readonly length?: number
}

/** Loads the renderer at its first use: most threads never need it. `checkTime` throws if the request is out of time. */
export function createMarkdown(checkTime: () => void = () => undefined): () => Promise<RenderMarkdown> {
  let loading: Promise<RenderMarkdown> | null = null
  return () => {
    loading ??= loadMarkdown(checkTime)
    return loading
  }
}

/** The beginning of a text as one line without most of its markup, for descriptions and previews. */
export function toExcerpt(text: string, maxLength: number): string {
  const line = stripMarkup(text.slice(0, maxLength * 4))
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= maxLength) return line
  const cut = line.slice(0, maxLength)
  const end = cut.lastIndexOf(' ')
  return `${end > maxLength / 2 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * Renders texts as HTML. HTML in a text is escaped, links lead to http(s) only, and images become text, since other
 * hosts would have to send them. Checks the time before each text.
 */
async function loadMarkdown(checkTime: () => void): Promise<RenderMarkdown> {
  const { default: createMarkdown } = await import('markdown-it')
  const markdown = configure(createMarkdown({ html: false, maxNesting }))
  return (text, { level = 3, length = -1 } = {}) => {
    checkTime()
    if (text.length > maxMarkdown) return toPlainHtml(text)
    markdown.set({ linkify: text.length <= maxLinked })
    markdown[mayHaveCells(text) > maxCells ? 'disable' : 'enable']('table')
    return renderBounded(markdown, text, { level, length }) ?? toPlainHtml(text)
  }
}

/** An upper bound: the columns of the widest line times the lines. */
function mayHaveCells(text: string): number {
  const lines = text.split(/\r\n?|\n/)
  return lines.length * Math.max(...lines.map((line) => line.split('|').length))
}

/** Null if the text is nested too deeply, or becomes too long. */
function renderBounded(markdown: MarkdownIt, text: string, env: Required<MarkdownOptions>): string | null {
  const maxHtml = maxGrowth * text.length + minHtml
  const tokens = markdown.parse(text, env)
  if (isTooDeep(tokens) || countCharacters(tokens) > maxHtml) return null
  const html = markdown.renderer.render(tokens, markdown.options, env)
  return html.length > maxHtml ? null : html
}

const isTooDeep = (tokens: Tokens): boolean =>
  tokens.some(({ level, children }) => level >= maxNesting - 1 || isTooDeep(children ?? []))

/** Counts texts and attributes before they are escaped. */
function countCharacters(tokens: Tokens): number {
  const count = ({ content, attrs, children }: Token): number =>
    children === null ? content.length + (attrs ?? []).flat().join('').length : countCharacters(children)
  return tokens.reduce((sum, token) => sum + count(token), 0)
}

function configure(markdown: MarkdownIt): MarkdownIt {
  markdown.validateLink = isHttpUrl
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  markdown.core.ruler.push('levels', ({ tokens, env }) => closeGaps(tokens, Number(env.level)))
  markdown.core.ruler.push('breaks', ({ src, tokens }) => keepShortLines(src, tokens))
  markdown.core.ruler.push('times', ({ tokens, env, Token }) => addTimeLinks(tokens, Token, Number(env.length)))
  const { rules } = markdown.renderer
  rules.link_open = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet('rel', 'nofollow noopener ugc')
    return renderer.renderToken(tokens, index, options)
  }
  // The alignment of cells would be an inline style, which the policy of pages refuses.
  rules.th_open = () => '<th>'
  rules.td_open = () => '<td>'
  // Wide tables scroll by keyboard, too.
  rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'
  rules.table_close = () => '</table></div>\n'
  rules.time = (tokens, index) => renderTime(tokens[index]?.content ?? '')
  // A link inside a link would be invalid, so an image is its text.
  rules.image = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? '')
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

/** Text that was wrapped at a column flows; in any other text, the author broke the lines on purpose. */
function keepShortLines(text: string, tokens: Tokens): void {
  if (isWrapped(text)) return
  for (const { children } of tokens)
    for (const child of children ?? []) if (child.type === 'softbreak') child.type = 'hardbreak'
}

/** Whether most lines, apart from the last of each paragraph, have about the same length. */
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

/** The class of tokens, which the parser hands to its rules. */
type TokenType = new (type: string, tag: string, nesting: 0) => Token

/** Minutes and seconds, or hours too; not a part of a longer number, an address or a date. */
const clock = /(?<![\w:.,/-])(?:(?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d)(?![\w:/]|[.,]\d| ?[ap]\.?m\b)/gi
/** What may not stand before the first time of a line or after the last one: anything but brackets and dashes. */
const word = /[^\s()[\]|•\x2a–—-]/

/**
 * Makes links of the times in a text, `?t=1158` for `19:18`, in lines that begin or end with one: a time inside a
 * sentence is mostly a time of day. `maxSeconds` is the length of the talk. Code and links stay as they are.
 */
function addTimeLinks(tokens: readonly Token[], TokenOf: TokenType, maxSeconds: number): void {
  for (const token of tokens) {
    if (token.type === 'inline') token.children = toLines(token.children ?? []).flatMap(toLinked)
  }

  function toLinked(line: Token[]): Token[] {
    return isIndex(line) ? line.flatMap((token) => (isText(token) ? split(token) : [token])) : line
  }

  function split(token: Token): Token[] {
    const parts: Token[] = []
    let end = 0
    for (const { 0: time, index } of token.content.matchAll(clock)) {
      if (toSeconds(time) > maxSeconds) continue
      parts.push(toToken('text', token.content.slice(end, index), token), toToken('time', time, token))
      end = index + time.length
    }
    return [...parts, toToken('text', token.content.slice(end), token)]
  }

  function toToken(type: string, content: string, { level }: Token): Token {
    return Object.assign(new TokenOf(type, '', 0), { content, level })
  }
}

/** The markup of a token of type `time`. */
function renderTime(time: string): string {
  return `<a href="?t=${toSeconds(time)}">${time}</a>`
}

const toSeconds = (time: string) => parseStartTime(time) ?? Number.POSITIVE_INFINITY
const isText = ({ type, meta }: Token) => type === 'text' && meta?.isInLink !== true

/** The lines of a paragraph; texts inside links are marked. */
function toLines(children: readonly Token[]): Token[][] {
  const lines: Token[][] = [[]]
  let depth = 0
  for (const child of children) {
    depth += child.type === 'link_open' ? 1 : child.type === 'link_close' ? -1 : 0
    if (depth > 0 && child.type === 'text') child.meta = { isInLink: true }
    lines.at(-1)?.push(child)
    if (child.type === 'softbreak' || child.type === 'hardbreak') lines.push([])
  }
  return lines
}

/** Whether a line begins or ends with a time. */
function isIndex(line: readonly Token[]): boolean {
  const text = line.map((token) => (isText(token) ? token.content : token.content === '' ? '' : '·')).join('')
  const found = [...text.matchAll(clock)]
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined) return false
  return !word.test(text.slice(0, first.index)) || !word.test(text.slice(last.index + last[0].length))
}
