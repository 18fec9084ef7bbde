import type { VersionTag } from '../record/command.ts'
import { parseVersionTag } from './conditional.ts'

/** `name`, or `name = value`, with the value quoted or not. */
const partPattern = /^([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?$/

/**
 * `Prefer: merge; base="<etag>"`: the version that a change was made for, as its mark; undefined where nobody prefers
 * that. The tag may come with its own quotes, escaped, or without. Who asks for a merge without saying with what gets a
 * mark that no version has: a guess could overwrite somebody.
 */
export function parseMergeBase(prefer: string | undefined): VersionTag | undefined {
  for (const preference of split(prefer ?? '', ',')) {
    const [name, ...parameters] = split(preference, ';').map((part) => partPattern.exec(part.trim()))
    if (name?.[1]?.toLowerCase() !== 'merge') continue
    const base = parameters.find((parameter) => parameter?.[1]?.toLowerCase() === 'base')
    const tag = base?.[2]?.replaceAll(/\\(.)/g, '$1') ?? base?.[3] ?? ''
    return parseVersionTag(tag.startsWith('"') ? tag : `"${tag}"`) ?? ''
  }
  return undefined
}

/** At this mark, but not within quotes. */
function split(text: string, mark: ',' | ';'): string[] {
  const pattern = mark === ',' ? /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g
  return text.match(pattern) ?? []
}
