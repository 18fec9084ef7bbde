import { toEmbed } from './embed.ts'
import { fields, type WritableName, writableNames } from './fields.ts'
import { isSameJson, type JsonValue } from './json-value.ts'
import type { Changes, VideoRecord } from './record.ts'

export interface Merged {
  /** What comes in. */
  readonly changes: Changes
  /** Fields in which something else came in, and which stay as people here have made them. */
  readonly kept: readonly WritableName[]
}

/**
 * Compares a record with what an import brings. `toBase` tells what the last import gave a field: one that still has that
 * takes what comes in, another was changed by people and stays. Undefined where nobody knows: then only an empty field
 * takes it.
 */
export function mergeThreeWays(
  record: VideoRecord,
  theirs: Changes,
  toBase: (name: WritableName) => JsonValue | undefined,
): Merged {
  const differing = writableNames.filter((name) => {
    return theirs[name] !== undefined && !isSameJson(record[name], theirs[name])
  })
  const isOpen = (name: WritableName) => {
    const base = toBase(name)
    return base === undefined ? isEmpty(name, record) : isSameJson(record[name], base)
  }
  const open = differing.filter(isOpen)
  // A player of another recording would be wrong, whoever made it.
  const isOtherVideo = differing.includes('source_url') && !open.includes('source_url')
  const taken = isOtherVideo ? open.filter((name) => name !== 'embed') : open
  return {
    // The same names, each with its own value.
    changes: Object.fromEntries(taken.map((name) => [name, theirs[name]])) as Changes,
    kept: differing.filter((name) => !taken.includes(name)),
  }
}

/** A player that was built from the address is as good as none. */
function isEmpty(name: WritableName, record: VideoRecord): boolean {
  const value = record[name]
  if (name === 'embed') return value === '' || value === toEmbed(record.source_url)
  const { absent } = fields[name]
  return absent.is === 'value' && (isSameJson(value, absent.value) || value === '')
}
