import type { JsonObject, JsonValue } from '../record/json/json-value.ts'
import { parseJson } from '../record/json/strict-json.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import { toOwnId } from './fit.ts'

/** Lists talks that must not be published, in the root of an archive: an array of the ids in its files. */
export const takedownFile = 'NO_PUBLISH.json'

export type Takedowns = { readonly ids: ReadonlySet<number> } | { readonly reason: string }

/** No ids if there is no list. If the list cannot be read, nothing is imported. */
export function readTakedowns(inside: ConfinedFolder): Takedowns {
  const bytes = inside.read(takedownFile)
  if (bytes === null) return { ids: new Set() }
  if ('reason' in bytes) return toReason(bytes.reason)
  const parsed = parseJson(bytes)
  if (!parsed.ok) return toReason(`Not JSON: ${parsed.problem}`)
  const ids = Array.isArray(parsed.value) ? parsed.value.map(toOwnId) : [null]
  const known = ids.filter((id) => id !== null)
  return known.length === ids.length ? { ids: new Set(known) } : toReason('Not an array of ids.')
}

const toReason = (reason: string) => ({
  reason: `${reason} It lists talks that must not be published, so nothing was imported.`,
})

/** The id by which a file is listed: its own, or the one in its former URL. Null if it is not listed. */
export function findListedId(ids: ReadonlySet<number>, file: JsonObject): number | null {
  if (ids.size === 0) return null
  return [toOwnId(file.id), toAliasId(file.alias)].find((id) => id !== null && ids.has(id)) ?? null
}

/** `video/2845/the-slug` -> 2845 */
function toAliasId(alias: JsonValue | undefined): number | null {
  return typeof alias === 'string' ? toOwnId(/^\/?video\/(\d{1,16})(?:\/|$)/.exec(alias)?.[1]) : null
}
