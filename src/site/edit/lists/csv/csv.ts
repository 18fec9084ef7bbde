/** Formulas of spreadsheets begin with these; so does a value that somebody has typed to run one. */
const formulaStarts = ['=', '+', '-', '@', '\t', '\r']

export const csvByteOrderMark = '\ufeff'

/** One record of RFC 4180. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/** An apostrophe before what a spreadsheet would take for a formula; quotes around what needs them. */
function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const inert = formulaStarts.includes(value.charAt(0)) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
