import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'

/** What a person does to the controls of a form: a text by the name of the control, or whether a box is checked. */
export type Edits = ReadonlyMap<string, string | boolean>

/** The entries that a browser sends for a form, by the rules of the HTML standard, after these edits. */
export function submitForm(html: string, edits: Edits = new Map()): FormData {
  const form = new FormData()
  for (const element of listElements(parseFragment(html))) {
    const name = attributeOf(element, 'name')
    if (name === undefined || name === '' || attributeOf(element, 'disabled') !== undefined) continue
    const value = toSentValue(element, edits.get(name))
    // As multipart/form-data: every line break is sent as CRLF.
    if (value !== null) form.append(name, toCrlf(value))
  }
  return form
}

const toLf = (text: string) => text.replace(/\r\n?/g, '\n')
const toCrlf = (text: string) => toLf(text).replaceAll('\n', '\r\n')

/** Null if the control sends nothing. */
function toSentValue(element: Tree.Element, edit: string | boolean | undefined): string | null {
  const typed = typeof edit === 'string' ? edit : undefined
  switch (element.tagName) {
    case 'textarea':
      // The parser has dropped the first line break.
      return typed ?? toText(element)
    case 'select':
      return typed ?? toChosen(element)
    case 'input':
      return toInputValue(element, attributeOf(element, 'type') ?? 'text', edit)
    default:
      return null
  }
}

function toInputValue(element: Tree.Element, type: string, edit: string | boolean | undefined): string | null {
  const value = attributeOf(element, 'value') ?? ''
  const typed = typeof edit === 'string' ? edit : undefined
  switch (type) {
    case 'hidden':
      return value
    case 'checkbox':
      return (typeof edit === 'boolean' ? edit : attributeOf(element, 'checked') !== undefined) ? value : null
    case 'radio':
      return (typed === undefined ? attributeOf(element, 'checked') !== undefined : typed === value) ? value : null
    case 'url':
      return withoutBreaks(typed ?? value).replace(/^[\t\f ]+|[\t\f ]+$/g, '')
    case 'text':
    case 'search':
      return withoutBreaks(typed ?? value)
    default:
      throw new Error(`a browser was not told what it sends for an input of type ${type}`)
  }
}

/** A line has no line breaks: browsers drop them from a value, and from what is pasted. */
const withoutBreaks = (text: string) => text.replace(/[\r\n]/g, '')

function toChosen(select: Tree.Element): string {
  const options = listElements(select).filter(({ tagName }) => tagName === 'option')
  const chosen = options.findLast((option) => attributeOf(option, 'selected') !== undefined) ?? options[0]
  if (chosen === undefined) throw new Error('a select without options')
  return attributeOf(chosen, 'value') ?? toText(chosen)
}

const attributeOf = ({ attrs }: Tree.Element, name: string) => attrs.find((each) => each.name === name)?.value

function listElements(parent: Tree.ParentNode): Tree.Element[] {
  return parent.childNodes.flatMap((node) => ('tagName' in node ? [node, ...listElements(node)] : []))
}

function toText(node: Tree.Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(toText).join('') : ''
}
