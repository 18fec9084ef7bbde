import type * as Parse5 from 'parse5'
import { type FieldKind, ok, text, wrong } from './field-kind.ts'
import { isHttpUrl } from './text/address.ts'

/**
 * The player markup for a video at a known host, as old clients expect it: an object element with three params and a
 * nested embed, 640 × 390, ampersands escaped. `""` for any other URL.
 */
export function toEmbed(sourceUrl: string): string {
  const player = findPlayerUrl(sourceUrl)
  if (player === null) return ''
  const escaped = player.replaceAll('&', '&amp;')
  return [
    '<object width="640" height="390">',
    `<param name="movie" value="${escaped}"></param>`,
    '<param name="allowFullScreen" value="true"></param>',
    '<param name="allowscriptaccess" value="always"></param>',
    `<embed src="${escaped}" type="application/x-shockwave-flash" width="640" height="390"`,
    ' allowscriptaccess="always" allowfullscreen="true"></embed>',
    '</object>',
  ].join('')
}

/** The most common form, matched without parsing the URL. */
const commonUrl = /^https?:\/\/www\.youtube\.com\/watch\?v=([A-Za-z0-9_-]{1,64})$/

function findPlayerUrl(sourceUrl: string): string | null {
  const commonId = commonUrl.exec(sourceUrl)?.[1]
  if (commonId !== undefined) return toYouTubePlayer(commonId)
  const url = URL.parse(sourceUrl)
  if (url === null) return null
  const youtube = findYouTubeId(url)
  if (youtube !== null) return toYouTubePlayer(youtube)
  const vimeo = findVimeoId(url)
  if (vimeo !== null) return `https://vimeo.com/moogaloop.swf?clip_id=${vimeo}&server=vimeo.com`
  return null
}

const toYouTubePlayer = (id: string) => `https://www.youtube.com/v/${id}?version=3&hl=en_US`

export function findYouTubeId(url: URL): string | null {
  const host = url.hostname.replace(/^(www|m|music)\./, '')
  const [, first = '', second = ''] = url.pathname.split('/')
  let id: string | null = null
  if (host === 'youtu.be') id = first
  else if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    id = ['v', 'embed', 'shorts', 'live', 'e'].includes(first) ? second : url.searchParams.get('v')
  }
  return id !== null && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : null
}

export function findVimeoId(url: URL): string | null {
  const host = url.hostname.replace(/^(www|player)\./, '')
  if (host !== 'vimeo.com') return null
  return /^\/(?:.+\/)?(\d{1,20})(?:\/[0-9a-f]+)?\/?$/.exec(url.pathname)?.[1] ?? null
}

/** The canonical form, which most URLs have already. */
const canonicalUrl = /^https:\/\/www\.youtube\.com\/watch\?v=[A-Za-z0-9_-]{1,64}$/

/**
 * The canonical URL of a video and its start time: `https://youtu.be/X?t=90` and
 * `http://www.youtube.com/embed/X?start=90` both become `https://www.youtube.com/watch?v=X&t=90`. URLs of unknown hosts
 * are returned unchanged.
 */
export function toVideoUrl(url: string): string {
  if (url === '' || canonicalUrl.test(url)) return url
  const parsed = URL.parse(url)
  if (parsed === null) return url
  const youtube = findYouTubeId(parsed)
  if (youtube !== null) {
    const start = findStart(parsed)
    return `https://www.youtube.com/watch?v=${youtube}${start === 0 ? '' : `&t=${start}`}`
  }
  const vimeo = findVimeoId(parsed)
  if (vimeo === null) return url
  const start = findStart(parsed)
  return `https://vimeo.com/${vimeo}${start === 0 ? '' : `#t=${start}`}`
}

/** The start time in seconds, from `90`, `90s`, `1m30s` or `1h` in the query or fragment. */
function findStart(url: URL): number {
  const fragment = new URLSearchParams(url.hash.slice(1))
  for (const name of ['t', 'start', 'time_continue']) {
    const text = url.searchParams.get(name) ?? fragment.get(name)
    if (text !== null) return parseStart(text)
  }
  return 0
}

function parseStart(text: string): number {
  const parts = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s?)?$/.exec(text)
  if (parts === null) return 0
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const maxEmbedLength = 10_000

const size = ['width', 'height']
const media = ['src', 'controls', 'preload', 'loop', 'muted', 'autoplay', 'crossorigin', 'playsinline']
/** Allowed on any element. */
const commonAttributes = ['id', 'class', 'name', 'title', 'style']
/** Elements around a player. */
const wrappers = ['p', 'div', 'br']
/** The allowed elements, and the attributes of each besides the common ones. */
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
const urlAttributes = ['src', 'href', 'data', 'poster', 'codebase', 'pluginspage']
const urlParams = ['movie', 'src', 'url', 'href', 'data', 'filename', 'codebase', 'base']

/** Player markup, stored byte for byte. Markup that is not allowed is an error; nothing is removed silently. */
export function embedMarkup(): FieldKind<string> {
  return text(maxEmbedLength, (value) => {
    const problems = isBuilt(value) ? [] : findMarkupProblems(value)
    return problems.length === 0 ? ok(value) : wrong(...problems)
  })
}

/** Recognizes markup that we built, so that most threads never load the HTML parser. */
function isBuilt(markup: string): boolean {
  const movie = /^<object width="640" height="390"><param name="movie" value="([^"<>]+)">/.exec(markup)?.[1]
  return markup === '' || (movie !== undefined && toEmbed(toSource(movie.replaceAll('&amp;', '&'))) === markup)
}

function toSource(player: string): string {
  const vimeo = /[?&]clip_id=(\d+)/.exec(player)?.[1]
  return vimeo === undefined ? player : `https://vimeo.com/${vimeo}`
}

/**
 * Checks the parsed tree, which follows the rules of browsers (raw text in iframes, misnested tags), and the raw tags,
 * because the tree silently drops some (`<body onload=…>`).
 */
export function findMarkupProblems(markup: string): string[] {
  // Loaded at the first embed that we did not build: it would take half of a thread's startup time.
  const parse5 = require('parse5') as typeof Parse5 // `require` has no types; these are the package's own
  const problems = new Set<string>()
  walk(parse5.parseFragment(markup), problems)
  const tags = collectTags(parse5, markup, problems)
  for (const tag of tags) checkTag(tag.tagName, tag.attrs, problems)
  if (problems.size === 0) checkNesting(tags, problems)
  return [...problems]
}

type Attributes = readonly { readonly name: string; readonly value: string }[]
interface Tag {
  readonly tagName: string
  readonly isEnd: boolean
  readonly attrs: Attributes
}

/** Errors common in old markup that all browsers handle alike. Any other, such as a duplicate attribute, is refused. */
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
      if (!harmlessErrors.includes(code)) problems.add(`Not well-formed HTML (${code}).`)
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
      checkTag(child.tagName, child.attrs, problems)
      walk(child, problems)
    }
  }
}

function checkTag(element: string, attributes: Attributes, problems: Set<string>): void {
  const allowed = Object.hasOwn(attributesByElement, element) ? attributesByElement[element] : undefined
  if (allowed === undefined) {
    problems.add(
      `<${element.slice(0, 40)}> is not allowed; allowed elements are ${Object.keys(attributesByElement).join(', ')}.`,
    )
    return
  }
  for (const { name, value } of attributes) {
    if (name === 'style') {
      if (!isAllowedStyle(value)) problems.add(styleProblem)
    } else if (!allowed.includes(name) && !commonAttributes.includes(name)) {
      problems.add(`The attribute ${name.slice(0, 40)} is not allowed on <${element}>.`)
    } else if (isUrlAttribute(element, name, attributes) ? !isHttpUrl(value) : name !== 'title' && hasScheme(value)) {
      problems.add(`The attribute ${name} of <${element}> must be an absolute http(s) URL.`)
    }
  }
}

const styleProblem =
  'A style can only set width, height, display, border and margin, to sizes in px, % or em, to colours, or to keywords ' +
  'such as auto, none, block and solid.'

/** Old markup closes these too. */
const voidElements = ['param', 'embed', 'source', 'br']

/** An unclosed element would swallow the rest of the page that shows it. */
function checkNesting(tags: readonly Tag[], problems: Set<string>): void {
  const open: string[] = []
  for (const { tagName, isEnd } of tags) {
    if (voidElements.includes(tagName)) continue
    if (!isEnd) open.push(tagName)
    else if (open.pop() !== tagName) problems.add(`</${tagName}> does not close an open <${tagName}>.`)
  }
  for (const element of open) problems.add(`<${element}> is not closed.`)
  if (tags.every(({ tagName }) => wrappers.includes(tagName))) problems.add('Contains no player.')
}

function isUrlAttribute(element: string, attribute: string, attributes: Attributes): boolean {
  if (element !== 'param') return urlAttributes.includes(attribute)
  const param =
    attributes
      .find((each) => each.name === 'name')
      ?.value.trim()
      .toLowerCase() ?? ''
  return attribute === 'value' && urlParams.includes(param)
}

/** Browsers ignore white space and control characters inside a scheme. */
function hasScheme(value: string): boolean {
  return /(?<![a-z])(javascript|vbscript|data):/i.test(value.replace(/[\s\u0000-\u001f]/g, ''))
}

/** Size and layout, as old markup sets them; nothing that could cover the rest of the page. */
const styleProperties = ['width', 'height', 'display', 'border', 'margin']
const styleKeywords = ['auto', 'none', 'block', 'inline', 'inline-block', 'solid']
/** All white space that CSS has. */
const cssSpace = /[ \t\n\r\f]+/
const cssLength = /^(?:0|(?:\d{1,6}|\d{0,6}\.\d{1,6})(?:px|%|em))$/
const hexColor = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/

/** Whether a `style` has only allowed declarations: no functions, escapes, comments or `!important`. */
function isAllowedStyle(style: string): boolean {
  return style
    .toLowerCase()
    .split(';')
    .map((declaration) => declaration.split(cssSpace).join(' ').trim())
    .every((declaration) => declaration === '' || isAllowedDeclaration(declaration))
}

function isAllowedDeclaration(declaration: string): boolean {
  const [, property = '', value = ''] = /^([a-z]+) ?: ?([^:]+)$/.exec(declaration) ?? []
  return styleProperties.includes(property) && value.split(' ').every(isAllowedStyleValue)
}

function isAllowedStyleValue(value: string): boolean {
  return cssLength.test(value) || styleKeywords.includes(value) || hexColor.test(value) || isColorName(value)
}

/** Bun knows the CSS colour names. */
function isColorName(value: string): boolean {
  return /^[a-z]{3,20}$/.test(value) && Bun.color(value, 'hex') !== null
}
