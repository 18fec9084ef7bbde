import type { DefaultTreeAdapterTypes as Tree } from 'parse5'

const addressNames = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'srcset', 'data-pick', 'data-frame']

/** Elements and attributes that a page of ours has for no reason. */
export function listActing(node: Tree.Node): readonly string[] {
  const inner = 'childNodes' in node ? node.childNodes.flatMap(listActing) : []
  if (!('tagName' in node)) return inner
  const { tagName, attrs } = node
  const toValue = (name: string) => attrs.find((each) => each.name === name)?.value
  const isOurs = tagName !== 'script' || toValue('src')?.startsWith('/assets/') === true
  const isForeign = ['iframe', 'object', 'embed', 'base', 'style', 'frame', 'math'].includes(tagName)
  const isRefresh = tagName === 'meta' && toValue('http-equiv') !== undefined
  const bad = attrs.filter(
    ({ name, value }) =>
      /^on|^style$|^srcdoc$/.test(name) ||
      (addressNames.includes(name) && !/^(?:\/(?!\/)|#|\?|https?:\/\/|mailto:)/.test(value)),
  )
  const own = [
    ...(isOurs && !isForeign && !isRefresh ? [] : [tagName]),
    ...bad.map(({ name, value }) => `${name}=${value}`),
  ]
  return [...own, ...inner]
}
