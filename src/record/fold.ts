/** Case and accents taken away: the form in which titles are sorted, the same on every engine. */
export function toFolded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
