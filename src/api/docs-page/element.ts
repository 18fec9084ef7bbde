type Child = Node | string | null

interface Attributes {
  readonly [name: string]: string | boolean | ((event: Event) => void) | undefined
}

/** Creates an element. Strings become text, never markup; a function becomes a listener for the event of that name. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'string') element.setAttribute(name, value)
    else if (value === true) element.setAttribute(name, '')
  }
  for (const child of children) if (child !== null) element.append(child)
  return element
}

/** Text between backticks becomes code. */
export function toProse(text: string): HTMLElement[] {
  return text.split(/\n\s*\n/).map((paragraph) => el('p', {}, ...toInline(paragraph)))
}

export function toInline(text: string): (Node | string)[] {
  return text.split('`').map((piece, i) => (i % 2 === 1 ? el('code', {}, piece) : piece))
}
