/** Formulas of spreadsheets begin with these; so does a value that somebody has typed to run one. */
const formulaStarts = ['=', '+', '-', '@', '\t', '\r']

export const csvByteOrderMark = '\ufeff'

/** One record of RFC 4180. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/**
 * An apostrophe before what a spreadsheet would take for a formula. Quotes around every cell: in many languages a
 * spreadsheet splits lines at `;`, and what follows one inside a cell would be a cell of its own.
 */
function toCell(value: string | number | null): string {
  const text = String(value ?? '')
  const inert = typeof value === 'string' && formulaStarts.includes(text.charAt(0)) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}
