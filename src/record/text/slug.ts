import type * as AnyAscii from 'any-ascii'
import { isAscii } from './fold.ts'

const maxSlugLength = 50

/** A taken slug's number comes behind its end, and sources bring slugs of their own. */
const maxGivenLength = 80

/** Whether a text can be a slug: what is in no address or path anything else than a name. */
export function isSlug(text: string): boolean {
  return text.length <= maxGivenLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}

/** Lowercase ASCII words joined by single hyphens, cut at a word's end; `fallback` when nothing is left. */
export function toSlug(title: string, fallback = 'video'): string {
  const words = toAsciiWords(title)
  let slug = (words[0] ?? fallback).slice(0, maxSlugLength)
  for (const word of words.slice(1)) {
    if (slug.length + 1 + word.length > maxSlugLength) break
    slug += `-${word}`
  }
  return slug
}

/** Apostrophes and invisible signs stand inside words (what's -> whats); every other sign, emoji included, stands between them. */
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
  // Loaded at the first foreign letter: most of the writer's start would go to its tables otherwise.
  const { default: anyAscii } = require('any-ascii') as typeof AnyAscii // the package's own types, as in embed-check.ts
  return anyAscii(letters)
}

/**
 * The slug itself, or with the first free number behind it: `-2`, `-3`, … `from` is a number below which none is free,
 * for callers who remember: the ten-thousandth "Lightning talks" then costs one look.
 */
export function toFreeSlug(
  slug: string,
  isTaken: (slug: string) => boolean,
  from = 2,
): { slug: string; number: number } {
  if (!isTaken(slug)) return { slug, number: 1 }
  let number = from
  while (isTaken(`${slug}-${number}`)) number++
  return { slug: `${slug}-${number}`, number }
}
