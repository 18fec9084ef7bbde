/** Text that is XML already. Only `element` creates it, so everything else is escaped. */
class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type XmlElement = Markup
/** Null, undefined and false are left out. */
type XmlChild = XmlElement | string | number | null | undefined | false | readonly XmlChild[]
type XmlAttributes = { readonly [name: string]: string | number | null | undefined }

/** Creates an element. Names are constants of ours; values and texts are escaped. */
export function element(name: string, attributes: XmlAttributes = {}, ...children: XmlChild[]): XmlElement {
  // Loops: a sitemap has a hundred thousand elements, and lists of their parts take five times as long.
  let start = name
  for (const key in attributes) {
    const value = attributes[key]
    if (value !== null && value !== undefined) start += ` ${key}="${toEscaped(String(value))}"`
  }
  let content = ''
  for (const child of children) content += toText(child)
  return new Markup(content === '' ? `<${start}/>` : `<${start}>${content}</${name}>`)
}

/** A complete document in UTF-8, with the path of a style sheet for browsers. */
export function toXmlDocument(root: XmlElement, style: string | null = null): string {
  const sheet = style === null ? '' : `<?xml-stylesheet type="text/css" href="${toEscaped(style)}"?>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${sheet}${root.text}\n`
}

function toText(child: XmlChild): string {
  if (child instanceof Markup) return child.text
  if (typeof child === 'string' || typeof child === 'number') return toEscaped(String(child))
  return typeof child === 'object' && child !== null ? child.map(toText).join('') : ''
}

/** Characters that may need escaping; most texts have none. */
const unusual = /[^ !#-%(-;=?-~]/
/** Characters that XML 1.0 cannot represent, such as lone surrogates. */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
/** Parsers change white space in attributes, and carriage returns anywhere. */
const special = /[&<>"'\t\n\r]/g
const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function toEscaped(text: string): string {
  if (!unusual.test(text)) return text
  const toEntity = (character: string) => entities[character] ?? `&#${character.charCodeAt(0)};`
  return text.replace(forbidden, '').replace(special, toEntity)
}
