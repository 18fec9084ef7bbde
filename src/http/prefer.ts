import type { Mark } from '../record/command.ts'
import { toMark } from './conditional.ts'

const mergePattern = /(?:^|,)\s*merge\s*;\s*base\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+))/i

/**
 * `Prefer: merge; base="<etag>"`: the version that a change was made for, as its mark; undefined where nobody prefers
 * that. The tag may come with its own quotes, escaped, or without; one that is no tag of ours is no version's mark.
 */
export function parseMergeBase(prefer: string | undefined): Mark | undefined {
  const [, quoted, bare] = mergePattern.exec(prefer ?? '') ?? []
  const base = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
  if (base === undefined) return undefined
  return toMark(base.startsWith('"') ? base : `"${base}"`) ?? ''
}
