import type { DiffPart } from '../../record/text/word-diff.ts'

/** A part of a diff, or a number of characters (code points) that are unchanged and left out. */
export type ExcerptPart = DiffPart | { readonly is: 'skipped'; readonly characters: number }

/** So many characters around a change are enough to see where it is. */
const context = 160
/** Shorter texts are not worth leaving out. */
const minSkipped = 120

/** The changes of a long text with a little of what is around them. */
export function toExcerpt(parts: readonly DiffPart[]): ExcerptPart[] {
  return parts.flatMap((part, i): ExcerptPart[] => {
    if (part.is !== 'same' || parts.length === 1) return [part]
    const isFirst = i === 0
    const isLast = i === parts.length - 1
    return cutOut(part.text, isFirst ? 0 : context, isLast ? 0 : context)
  })
}

function cutOut(text: string, before: number, after: number): ExcerptPart[] {
  if (text.length < before + after + minSkipped) return [{ is: 'same', text }]
  const start = before === 0 ? 0 : findCut(text, before, 1)
  const end = after === 0 ? text.length : findCut(text, text.length - after, -1)
  const characters = [...text.slice(start, end)].length
  const kept = (each: string): ExcerptPart[] => (each === '' ? [] : [{ is: 'same', text: each }])
  return [...kept(text.slice(0, start)), { is: 'skipped', characters }, ...kept(text.slice(end))]
}

/** No word is longer. */
const maxWord = 40

/** The next space in this direction, or a position that splits no surrogate pair. */
function findCut(text: string, from: number, step: 1 | -1): number {
  for (let i = 0; i < maxWord; i++) {
    if (/\s/.test(text.charAt(from + i * step))) return from + i * step
  }
  return isLowSurrogate(text.charCodeAt(from)) ? from - 1 : from
}

const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff
