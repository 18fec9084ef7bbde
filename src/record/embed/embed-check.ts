import type * as Parse5 from 'parse5'
import { type FieldKind, ok, text, wrong } from '../field-kind.ts'
import { isHttpUrl } from '../text/address.ts'
import { toEmbed } from './embed.ts'

const maxEmbedLength = 10_000

const size = ['width', 'height']
const media = ['src', 'controls', 'preload', 'loop', 'muted', 'autoplay', 'crossorigin', 'playsinline']
/** On any element. */
const commonAttributes = ['id', 'class', 'name', 'title', 'style']
/** They stand around a player, and are none. */
const wrappers = ['p', 'div', 'br']
/** The only elements of a player, and what each may have beside the common attributes. */
const attributesByElement: { readonly [element: string]: readonly string[] } = {
  object: ['data', 'type', 'classid', 'codebase', 'align', ...size],
  param: ['value'],
  embed: [
    ...['src', 'type', 'wmode', 'quality', 'bgcolor', 'flashvars', 'pluginspage', 'scale', 'align'],
    ...['allowfullscreen', 'allowscriptaccess', ...size],
  ],
  iframe: [
    ...['src', 'allow', 'allowfullscreen', 'webkitallowfullscreen', 'mozallowfullscreen', 'frameborder'],
    ...['scrolling', 'loading', 'referrerpolicy', 'sandbox', 'marginwidth', 'marginheight', ...size],
  ],
  video: [...media, 'poster', ...size],
  audio: media,
  source: ['src', 'type', 'media'],
  a: ['href', 'rel', 'target'],
  ...Object.fromEntries(wrappers.map((element) => [element, []])),
}
const addressAttributes = ['src', 'href', 'data', 'poster', 'codebase', 'pluginspage']
const addressParams = ['movie', 'src', 'url', 'href', 'data', 'filename', 'codebase', 'base']

/** Player markup, kept byte for byte; whatever is not on the list is an error, never cleaned away. */
export function embedMarkup(): FieldKind<string> {
  return text(maxEmbedLength, (value) => {
    const problems = isBuilt(value) ? [] : findMarkupProblems(value)
    return problems.length === 0 ? ok(value) : wrong(...problems)
  })
}

/** Our own markup need not be parsed: that spares most programs' threads the load of the HTML parser. */
function isBuilt(markup: string): boolean {
  const movie = /^<object width="640" height="390"><param name="movie" value="([^"<>]+)">/.exec(markup)?.[1]
  return markup === '' || (movie !== undefined && toEmbed(toSource(movie.replaceAll('&amp;', '&'))) === markup)
}

function toSource(player: string): string {
  const vimeo = /[?&]clip_id=(\d+)/.exec(player)?.[1]
  return vimeo === undefined ? player : `https://vimeo.com/${vimeo}`
}

/**
 * Judged twice: the tree, because it follows the browser's own rules (raw text in iframes, misnested tags), and the
 * bare tags, because the tree silently drops some (`<body onload=…>`).
 */
export function findMarkupProblems(markup: string): string[] {
  // Loaded at the first foreign embed: half of a thread's start would go to it otherwise.
  const parse5 = require('parse5') as typeof Parse5 // the package's own types, which `require` cannot carry
  const problems = new Set<string>()
  walk(parse5.parseFragment(markup), problems)
  const tags = collectTags(parse5, markup, problems)
  for (const tag of tags) judgeTag(tag.tagName, tag.attrs, problems)
  if (problems.size === 0) judgeNesting(tags, problems)
  return [...problems]
}

type Attributes = readonly { readonly name: string; readonly value: string }[]
interface Tag {
  readonly tagName: string
  readonly isEnd: boolean
  readonly attrs: Attributes
}

/** Slips of old players that every browser reads alike; any other (an unclosed tag, a repeated attribute) is refused. */
const harmlessErrors = [
  'non-void-html-element-start-tag-with-trailing-solidus',
  'missing-whitespace-between-attributes',
  'missing-semicolon-after-character-reference',
  'unknown-named-character-reference',
]

function collectTags(parse5: typeof Parse5, markup: string, problems: Set<string>): Tag[] {
  const tags: Tag[] = []
  const add = (tagName: string, isEnd: boolean, attrs: Attributes) => tags.push({ tagName, isEnd, attrs })
  const ignore = () => undefined
  const handler = {
    onStartTag: (tag: Parse5.Token.TagToken) => add(tag.tagName, false, tag.attrs),
    onEndTag: (tag: Parse5.Token.TagToken) => add(tag.tagName, true, []),
    onComment: () => add('!--', false, []),
    onDoctype: () => add('!doctype', false, []),
    onCharacter: ignore,
    onNullCharacter: ignore,
    onWhitespaceCharacter: ignore,
    onEof: ignore,
    onParseError({ code }: { readonly code: string }) {
      if (!harmlessErrors.includes(code)) problems.add(`Is not well-formed HTML (${code}).`)
    },
  }
  new parse5.Tokenizer({ sourceCodeLocationInfo: false }, handler).write(markup, true)
  return tags
}

function walk(node: Parse5.DefaultTreeAdapterTypes.ParentNode, problems: Set<string>): void {
  for (const child of node.childNodes) {
    if (child.nodeName === '#text') {
      const isBlank = 'value' in child && child.value.trim() === ''
      if (node.nodeName === 'iframe' && !isBlank) problems.add('An <iframe> must be empty.')
    } else if ('tagName' in child) {
      judgeTag(child.tagName, child.attrs, problems)
      walk(child, problems)
    }
  }
}

function judgeTag(element: string, attributes: Attributes, problems: Set<string>): void {
  const allowed = Object.hasOwn(attributesByElement, element) ? attributesByElement[element] : undefined
  if (allowed === undefined) {
    problems.add(
      `<${element.slice(0, 40)}> is not allowed; a player is made of ${Object.keys(attributesByElement).join(', ')}.`,
    )
    return
  }
  for (const { name, value } of attributes) {
    if (name === 'style') {
      if (!isHarmlessStyle(value)) problems.add(styleProblem)
    } else if (!allowed.includes(name) && !commonAttributes.includes(name)) {
      problems.add(`The attribute ${name.slice(0, 40)} is not allowed on <${element}>.`)
    } else if (isAddress(element, name, attributes) ? !isHttpUrl(value) : name !== 'title' && hasScheme(value)) {
      problems.add(`The ${name} of <${element}> must be an absolute http(s) address.`)
    }
  }
}

const styleProblem =
  'A style may set width, height, display, border and margin alone: to sizes in px, % or em, colours, and plain words ' +
  'such as auto, none, block and solid.'

/** Old players close them all the same. */
const voidElements = ['param', 'embed', 'source', 'br']

/** An element left open would swallow the rest of the page that shows it. */
function judgeNesting(tags: readonly Tag[], problems: Set<string>): void {
  const open: string[] = []
  for (const { tagName, isEnd } of tags) {
    if (voidElements.includes(tagName)) continue
    if (!isEnd) open.push(tagName)
    else if (open.pop() !== tagName) problems.add(`</${tagName}> stands where nothing of its name is open.`)
  }
  for (const element of open) problems.add(`<${element}> is not closed.`)
  if (tags.every(({ tagName }) => wrappers.includes(tagName))) problems.add('There is no player in it.')
}

function isAddress(element: string, attribute: string, attributes: Attributes): boolean {
  if (element !== 'param') return addressAttributes.includes(attribute)
  const param =
    attributes
      .find((each) => each.name === 'name')
      ?.value.trim()
      .toLowerCase() ?? ''
  return attribute === 'value' && addressParams.includes(param)
}

/** Browsers skip white space and controls inside a scheme. */
function hasScheme(value: string): boolean {
  return /(?<![a-z])(javascript|vbscript|data):/i.test(value.replace(/[\s\u0000-\u001f]/g, ''))
}

/** What old players set to have a size and a place in the page, and nothing that could lie over the rest of it. */
const properties = ['width', 'height', 'display', 'border', 'margin']
const keywords = ['auto', 'none', 'block', 'inline', 'inline-block', 'solid']
/** CSS has no other white space. */
const space = /[ \t\n\r\f]+/
const length = /^(?:0|(?:\d{1,6}|\d{0,6}\.\d{1,6})(?:px|%|em))$/
const hexColor = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/

/** Whether a `style` has only declarations that we know; functions, escapes, comments and `!important` fit nowhere. */
function isHarmlessStyle(style: string): boolean {
  return style
    .toLowerCase()
    .split(';')
    .map((declaration) => declaration.split(space).join(' ').trim())
    .every((declaration) => declaration === '' || isHarmless(declaration))
}

function isHarmless(declaration: string): boolean {
  const [, property = '', value = ''] = /^([a-z]+) ?: ?([^:]+)$/.exec(declaration) ?? []
  return properties.includes(property) && value.split(' ').every(isHarmlessValue)
}

function isHarmlessValue(value: string): boolean {
  return length.test(value) || keywords.includes(value) || hexColor.test(value) || isColorName(value)
}

/** Bun knows the names of CSS. */
function isColorName(value: string): boolean {
  return /^[a-z]{3,20}$/.test(value) && Bun.color(value, 'hex') !== null
}
