import { findBadText } from '../field-kind.ts'
import type { JsonValue } from '../json.ts'
import { someAddress } from '../text/address.ts'
import { BadEntry, type CompanionRecord } from './companion.ts'

const address = someAddress()

/** An address of a companion: as `source_url`, never empty, and without user info. */
export function requireAddress(value: JsonValue | undefined): string {
  if (value === undefined) throw new BadEntry('It has no "url".')
  const parsed = address.parse(typeof value === 'string' ? value.trim() : value)
  if (!parsed.ok) throw new BadEntry(parsed.problems.join(' '))
  if (hasUser(parsed.value)) throw new BadEntry('The address may not have a user name or password.')
  return parsed.value
}

const hasUser = (url: string) => {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/** The address of an entry of a source; null if it is none of ours. */
export function findAddress(value: JsonValue | undefined): string | null {
  try {
    return requireAddress(value)
  } catch (error) {
    if (error instanceof BadEntry) return null
    throw error
  }
}

/** A text of one line. */
export function requireLine(name: string, value: JsonValue | undefined, max: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new BadEntry(`"${name}" must be a string.`)
  const line = value.replace(/\s+/g, ' ').trim()
  const problem = findBadText(value, Number.POSITIVE_INFINITY) ?? findBadText(line, max)
  if (problem !== null) throw new BadEntry(`"${name}": ${problem}`)
  return line
}

export function requireOneOf<Word extends string>(
  name: string,
  value: JsonValue | undefined,
  words: readonly Word[],
): Word | null {
  if (value === undefined || value === null) return null
  const word = words.find((each) => each === value)
  if (word === undefined) throw new BadEntry(`"${name}" must be one of ${words.join(', ')}.`)
  return word
}

/** The addresses at which the record itself says that its talk can be watched, its page first. */
export function listOwn(record: CompanionRecord): readonly { readonly url: string; readonly kind: 'page' | 'file' }[] {
  const { source_url: page, video_mp4_url, video_webm_url, video_ogv_url, video_flv_url } = record
  const files = [video_mp4_url, video_webm_url, video_ogv_url, video_flv_url].flatMap((url) =>
    url === null || url === '' ? [] : [{ url, kind: 'file' as const }],
  )
  const isFile = files.some(({ url }) => url === page)
  return page === '' || isFile ? files : [{ url: page, kind: 'page' }, ...files]
}
