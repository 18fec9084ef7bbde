const maxWords = 12
const maxLength = 100

/**
 * The words of an address that leads nowhere, to search for: those of its last part, and those of the part before if that
 * is a slug and the last is a single word. None for files, hidden ones included, which only scanners ask for here.
 */
export function toAddressWords(path: string): string {
  const parts = toPathParts(path)
  const last = (parts.at(-1) ?? '').replace(/\.html?$/i, '')
  if (/\.[a-z][a-z0-9]{0,4}$/i.test(last) || parts.some((part) => part.startsWith('.'))) return ''
  const before = parts.at(-2) ?? ''
  const words = toWords(last)
  const all = words.length === 1 && before.includes('-') ? [...toWords(before), ...words] : words
  return /\p{L}/u.test(last) ? all.slice(0, maxWords).join(' ').slice(0, maxLength) : ''
}

/** The parts of a path, decoded. */
export const toPathParts = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map(decode)

/** `modern-python_dictionaries` -> `modern`, `python`, `dictionaries` */
const toWords = (text: string) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '')

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
