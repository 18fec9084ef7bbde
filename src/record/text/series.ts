import { toFolded } from './fold.ts'

/** A year of this or the last century, with what may follow it: `2016`, `2019/20`, `2019-2020`, or `’14`. */
const year = /(?<![\p{L}\p{N}])(?:((?:19|20)\d\d)(?:[-–/](?:20)?\d\d)?|['’]\d\d)(?![\p{L}\p{N}])/u
/** The same where it follows letters at once, as in `PyCon2011`. */
const joinedYear = /(?<=\p{L})((?:19|20)\d\d)(?!\d)/u

/** What may be left at the ends, or doubled, where a year was. */
const edges = /^[\s,;:·|–-]{1,20}|[\s,;:·|–-]{1,20}$/g
const emptyBrackets = /\(\s{0,5}\)|\[\s{0,5}\]/g

/**
 * The series that the title of an event suggests: the title without its year (`PyCon US 2019` -> `PyCon US`). Null if it
 * has no year, or nothing else. A guess is shown, never stored.
 */
export function guessSeries(title: string): string | null {
  const found = findYear(title)
  if (found === null) return null
  const rest = `${title.slice(0, found.index)} ${title.slice(found.index + found[0].length)}`
  const series = rest.replace(emptyBrackets, ' ').replace(/\s+/g, ' ').replace(edges, '')
  return series === '' ? null : series
}

/** The year that a title names; null if it names none, or only its last two digits. */
export function findTitleYear(title: string): string | null {
  return findYear(title)?.[1] ?? null
}

const findYear = (title: string) => year.exec(title) ?? joinedYear.exec(title)

/** Editions of one series have the same key; null for an event that is none. `series` is what people have said. */
export function toSeriesKey({ series, title }: { readonly series: string; readonly title: string }): string | null {
  const name = series.trim() === '' ? guessSeries(title) : series.trim()
  return name === null ? null : toFolded(name)
}
