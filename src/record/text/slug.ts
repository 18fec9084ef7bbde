import type * as AnyAscii from 'any-ascii'
import { isAscii } from './fold.ts'

const maxSlugLength = 50

/** Longer than `maxSlugLength`: a number may follow, and sources bring their own slugs. */
const maxGivenLength = 80

/** Whether a text is a valid slug, safe in any URL or path. */
export function isSlug(text: string): boolean {
  return text.length <= maxGivenLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}

/** Lowercase ASCII words joined by hyphens, cut at the end of a word; `fallback` if no word is left. */
export function toSlug(title: string, fallback = 'video'): string {
  const words = toAsciiWords(title)
  let slug = (words[0] ?? fallback).slice(0, maxSlugLength)
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > maxSlugLength) break
    slug += `-${word}`
  }
  return slug
}

/** Letters and digits in lowercase ASCII: the same for all slugs of a title that differ in their hyphens. */
export const toSlugKey = (text: string) => toAsciiWords(text).join('')

/** Apostrophes and invisible characters are dropped (what's -> whats); any other symbol, emoji included, separates words. */
function toAsciiWords(title: string): string[] {
  if (isAscii(title)) return toWords(title)
  const letters = title
    .normalize('NFC')
    .replace(/['’ʼ`´]|\p{Cf}/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
  return toWords(toAscii(letters))
}

function toWords(ascii: string): string[] {
  const bare = ascii.toLowerCase().replace(/['`]/g, '')
  return bare.split(/[^a-z0-9]+/).filter((word) => word !== '')
}

function toAscii(letters: string): string {
  if (isAscii(letters)) return letters
  // Loaded at the first non-ASCII letter: its tables would take most of the writer's startup time.
  const { default: anyAscii } = require('any-ascii') as typeof AnyAscii // `require` has no types; these are the package's own
  return anyAscii(letters)
}

/**
 * Candidates for a slug: the slug itself, then `-2`, `-3`, … without end. Numbers below `from` are known to be taken, so the
 * ten-thousandth "Lightning talks" needs one lookup.
 */
export function* listSlugs(slug: string, from = 2): Generator<{ readonly slug: string; readonly number: number }> {
  yield { slug, number: 1 }
  for (let number = from; ; number++) yield { slug: `${slug}-${number}`, number }
}
