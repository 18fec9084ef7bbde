import { XMLParser, XMLValidator } from 'fast-xml-parser'

export type XmlNode = {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: readonly XmlNode[]
  /** The text of the element itself. */
  readonly text: string
}

const attributesKey = ':@'
const textKey = '#text'

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
})

/** Parses a document; throws if it is not well-formed. */
export function parseXml(text: string): XmlNode {
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) throw new Error(`not well-formed: ${JSON.stringify(verdict.err)}`)
  const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.exec(text)
  if (forbidden !== null) throw new Error(`U+${forbidden[0].codePointAt(0)?.toString(16)} at ${forbidden.index}`)
  const nodes: unknown = parser.parse(text)
  const roots = Array.isArray(nodes)
    ? nodes.map(toNode).filter((node) => node !== null && !node.name.startsWith('?xml'))
    : []
  const [root] = roots
  if (roots.length !== 1 || root === undefined || root === null) throw new Error('not one root')
  return root
}

/** The parser gives an object with the name of the element as its key. */
function toNode(raw: unknown): XmlNode | null {
  const entries = Object.entries(toObject(raw))
  const found = entries.find(([key]) => key !== attributesKey && key !== textKey)
  if (found === undefined) return null
  const [name, content] = found
  const parts = Array.isArray(content) ? content : []
  const attributes = Object.entries(toObject(toObject(raw)[attributesKey])).map(([key, value]) => [key, String(value)])
  return {
    name,
    attributes: Object.fromEntries(attributes),
    children: parts.map(toNode).filter((node) => node !== null),
    text: parts.map((part) => toObject(part)[textKey] ?? '').join(''),
  }
}

function toObject(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

export const findAll = (node: XmlNode, name: string) => node.children.filter((child) => child.name === name)
export const findText = (node: XmlNode, name: string) => findAll(node, name)[0]?.text ?? null
