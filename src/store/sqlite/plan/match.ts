import type { Term } from '../../../record/query/search-query.ts'

/** Terms as FTS5 says them. Tokens are letters and digits only, and quoted all the same: no syntax gets through. */
export function toMatch(terms: readonly Term[], operator: 'AND' | 'OR', columns = ''): string {
  const prefix = columns === '' ? '' : `{${columns}} : `
  return terms.map((term) => `${prefix}${toPhrase(term)}`).join(` ${operator} `)
}

function toPhrase({ tokens, isPrefix }: Term): string {
  return `"${tokens.join(' ').replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`
}
