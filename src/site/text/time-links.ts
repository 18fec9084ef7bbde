import type { Token } from 'markdown-it'
import { parseStartTime } from '../../record/player/start-time.ts'

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
export function addTimeLinks(tokens: readonly Token[], TokenOf: TokenType, maxSeconds: number): void {
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
export function renderTime(time: string): string {
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
