/** Text that is XML already. Only `element` makes it, so everything else is escaped. */
class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type XmlElement = Markup
/** Null, undefined and false are left out. */
export type XmlChild = XmlElement | string | number | null | undefined | false | readonly XmlChild[]
export type XmlAttributes = { readonly [name: string]: string | number | null | undefined }

/** An element. Names are ours; values and texts may be anything. */
export function element(name: string, attributes: XmlAttributes = {}, ...children: XmlChild[]): XmlElement {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === null || value === undefined ? '' : ` ${key}="${toEscaped(String(value))}"`,
  )
  const content = children.map(toText).join('')
  return new Markup(
    content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`,
  )
}

/** A whole document in UTF-8. */
export function toXmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`
}

function toText(child: XmlChild): string {
  if (child instanceof Markup) return child.text
  if (typeof child === 'string' || typeof child === 'number') return toEscaped(String(child))
  return typeof child === 'object' && child !== null ? child.map(toText).join('') : ''
}

/** Anything but ASCII that needs no look; most texts have none of it. */
const unusual = /[^ !#-%(-;=?-~]/
/** Characters that XML 1.0 has no way to write, lone surrogates among them. */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
/** A parser would change white space in attributes, and a carriage return anywhere. */
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
