/** What old players set to have a size and a place in the page, and nothing that could lie over the rest of it. */
const properties = ['width', 'height', 'display', 'border', 'margin']
const keywords = ['auto', 'none', 'block', 'inline', 'inline-block', 'solid']
/** CSS has no other white space. */
const space = /[ \t\n\r\f]+/
const length = /^(?:0|(?:\d{1,6}|\d{0,6}\.\d{1,6})(?:px|%|em))$/
const hexColor = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/

/** Whether a `style` has only declarations that we know; functions, escapes, comments and `!important` fit nowhere. */
export function isHarmlessStyle(style: string): boolean {
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
