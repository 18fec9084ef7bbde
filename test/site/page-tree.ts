import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'

/** An element of a page, to look at as a reader would. */
export interface Part {
  readonly tag: string
  /** The text of all its descendants, with single spaces. */
  readonly text: string
  attribute(name: string): string | undefined
  /** Descendants by tag, `.class` or `tag.class`, in the order of the page. */
  all(selector: string): Part[]
  /** The only one; throws if there are none or several. */
  one(selector: string): Part
}

export function parsePage(html: string): Part {
  const root = parse(html).childNodes.find((node): node is Tree.Element => node.nodeName === 'html')
  if (root === undefined) throw new Error('the page has no element html')
  return toPart(root)
}

function toPart(element: Tree.Element): Part {
  const all = (selector: string) => {
    const [tag = '', name] = selector.split('.')
    return listElements(element)
      .filter((each) => (tag === '' || each.tagName === tag) && (name === undefined || hasClass(each, name)))
      .map(toPart)
  }
  return {
    tag: element.tagName,
    text: toText(element).replace(/\s+/g, ' ').trim(),
    attribute: (name) => attributeOf(element, name),
    all,
    one(selector) {
      const found = all(selector)
      const [first] = found
      if (first === undefined || found.length > 1) throw new Error(`${found.length} elements are ${selector}`)
      return first
    },
  }
}

const attributeOf = ({ attrs }: Tree.Element, name: string) => attrs.find((each) => each.name === name)?.value
const hasClass = (element: Tree.Element, name: string) =>
  (attributeOf(element, 'class') ?? '').split(' ').includes(name)

function listElements(parent: Tree.Element): Tree.Element[] {
  return parent.childNodes.flatMap((node) => ('tagName' in node ? [node, ...listElements(node)] : []))
}

function toText(node: Tree.Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(toText).join('') : ''
}
