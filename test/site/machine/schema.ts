import type { XmlNode } from './xml-tree.ts'

type Check = (text: string) => boolean

/** How often an element may occur. */
type Occurs = 'one' | 'optional' | 'many' | 'at least one'

export type Rule = {
  /** Attributes by name; a name with `?` may be missing. */
  readonly attributes?: { readonly [name: string]: Check }
  readonly children?: { readonly [name: string]: readonly [Occurs, Rule] }
  /** Without it, an element has no text. */
  readonly text?: Check
  /** What else must be true; returns what is wrong. */
  readonly also?: (node: XmlNode) => string | null
}

export const anything: Check = () => true
export const isFilled: Check = (text) => text.trim() !== ''
export const isUrl: Check = (text) => URL.canParse(text) && /^https?:/.test(text)
export const isNumber: Check = (text) => /^\d+$/.test(text)
export const isUuidUrn: Check = (text) =>
  /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text)
export const isLanguage: Check = (text) => /^[a-z]{2,3}(?:-[A-Za-z0-9]+)?$/.test(text)
export const isOneOf =
  (...values: readonly string[]): Check =>
  (text) =>
    values.includes(text)
/** RFC 3339, in UTC. */
export const isTime: Check = (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** Everything that is wrong with a document: what is missing, what is unknown, and values that do not fit. */
export function findFaults(node: XmlNode, rule: Rule, path = node.name): string[] {
  const { children = {}, text, also } = rule
  const unknown = node.children
    .filter(({ name }) => children[name] === undefined)
    .map(({ name }) => `${path}: unknown ${name}`)
  const wrongText =
    text === undefined
      ? node.text.trim() === ''
        ? []
        : [`${path}: text "${node.text}"`]
      : text(node.text)
        ? []
        : [`${path}: "${node.text.slice(0, 80)}"`]
  const other = also?.(node) ?? null
  return [
    ...findAttributeFaults(node, rule, path),
    ...unknown,
    ...wrongText,
    ...Object.entries(children).flatMap(([name, [occurs, child]]) => findChildFaults(node, name, occurs, child, path)),
    ...(other === null ? [] : [`${path}: ${other}`]),
  ]
}

function findAttributeFaults({ attributes }: XmlNode, { attributes: rules = {} }: Rule, path: string): string[] {
  const known = new Map(Object.entries(rules).map(([name, check]) => [name.replace('?', ''), check]))
  const missing = Object.keys(rules).filter((name) => !name.endsWith('?') && attributes[name] === undefined)
  const wrong = Object.entries(attributes).filter(([name, value]) => known.get(name)?.(value) !== true)
  return [
    ...missing.map((name) => `${path}: no @${name}`),
    ...wrong.map(([name, value]) => `${path}: @${name}="${value.slice(0, 80)}"`),
  ]
}

function findChildFaults(node: XmlNode, name: string, occurs: Occurs, rule: Rule, path: string): string[] {
  const found = node.children.filter((child) => child.name === name)
  const [min, max] = { one: [1, 1], optional: [0, 1], many: [0, Infinity], 'at least one': [1, Infinity] }[occurs]
  const isWrong = found.length < (min ?? 0) || found.length > (max ?? 0)
  return [
    ...(isWrong ? [`${path}: ${found.length} times ${name}`] : []),
    ...found.flatMap((child) => findFaults(child, rule, `${path}/${name}`)),
  ]
}

const viewLink: Rule = { attributes: { href: isUrl }, text: isFilled }
const viewText: Rule = { text: isFilled }

/** What a feed shows in a browser: XHTML, which feed readers do not get. */
export const feedView: Rule = {
  attributes: { xmlns: isOneOf('http://www.w3.org/1999/xhtml'), lang: isLanguage },
  children: {
    meta: ['one', { attributes: { name: isOneOf('viewport'), content: isFilled } }],
    title: ['one', viewText],
    h1: ['one', viewText],
    h2: ['one', viewText],
    p: [
      'many',
      {
        attributes: { 'class?': isOneOf('site', 'address', 'hint') },
        children: { a: ['optional', viewLink], code: ['optional', { text: isUrl }] },
        text: anything,
      },
    ],
    ul: ['one', { children: { li: ['many', { children: { a: ['one', viewLink], p: ['one', viewText] } }] } }],
  },
}
