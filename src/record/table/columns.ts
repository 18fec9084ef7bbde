import { isFieldName, isWritableName, type WritableName } from '../fields.ts'
import type { CellRow } from './csv.ts'

/** What a column of a table is about: a field, the id of the record, or the time of the version it was made from. */
export type ColumnName = 'id' | 'updated' | WritableName

/** `ignored`: columns of the download that cannot be changed. Null: nobody knows yet what it means. */
export type Column = ColumnName | 'ignored' | null

/** Other names that people give to columns. */
const otherNames: { readonly [name: string]: WritableName } = {
  event: 'category',
  conference: 'category',
  talk: 'title',
  speaker: 'speakers',
  presenter: 'speakers',
  presenters: 'speakers',
  tag: 'tags',
  keywords: 'tags',
  topics: 'tags',
  abstract: 'summary',
  lang: 'language',
  date: 'recorded',
  day: 'recorded',
  'recorded on': 'recorded',
  length: 'duration',
  seconds: 'duration',
  address: 'source_url',
  'address of the video': 'source_url',
  link: 'source_url',
  source: 'source_url',
  url: 'source_url',
  video: 'source_url',
  'video url': 'source_url',
  youtube: 'source_url',
  licence: 'copyright_text',
  license: 'copyright_text',
  'notes for curators': 'whiteboard',
  'player markup': 'embed',
  thumbnail: 'thumbnail_url',
}

/** Columns of the download that say something about a record, besides its fields. */
const readOnlyNames = ['findings', 'by', 'edit']

/** The columns of a table by their names. Of two columns with one meaning, the second is unknown. */
export function toColumns(names: readonly string[]): Column[] {
  const columns = names.map(toColumn)
  return columns.map((column, index) => (column !== 'ignored' && columns.indexOf(column) < index ? null : column))
}

function toColumn(name: string): Column {
  const folded = name
    .trim()
    .toLowerCase()
    .replaceAll('(s)', 's')
    .replace(/[\s_]+/g, ' ')
  const field = folded.replaceAll(' ', '_')
  if (field === 'id' || field === 'updated' || isWritableName(field)) return field
  if (isFieldName(field) || readOnlyNames.includes(field)) return 'ignored'
  return Object.hasOwn(otherNames, folded) ? (otherNames[folded] ?? null) : null
}

export const isColumnName = (word: string): word is ColumnName =>
  word === 'id' || word === 'updated' || isWritableName(word)

const addressStart = /^\s{0,100}https?:\/\//i

/** Whether the first row has the names of the columns: names are no addresses. */
export function hasHeading([first]: readonly CellRow[]): boolean {
  return first !== undefined && !first.cells.some((cell) => addressStart.test(cell))
}

/** The columns of a table without names: one with addresses is that of the video. */
export function guessColumns([first]: readonly CellRow[]): Column[] {
  const cells = first?.cells ?? []
  const index = cells.findIndex((cell) => addressStart.test(cell))
  return cells.map((_, i) => (i === index ? 'source_url' : null))
}
