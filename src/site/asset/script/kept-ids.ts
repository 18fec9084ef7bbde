/** Ids of talks that a visitor keeps in the browser, the latest first. */
export type KeptIds = readonly number[]

/** The number of talks in a list: more do not fit into its URL. */
export const maxListed = 100

/** Ignores entries that another program or release may have stored. */
export function parseKeptIds(text: string | null): KeptIds {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? [...new Set(value.filter(isId))] : []
  } catch {
    return []
  }
}

/** Adds ids in front, in their order; those that are there already stay where they are. */
export function withIds(kept: KeptIds, ids: KeptIds): KeptIds {
  return [...ids.filter((id) => !kept.includes(id)), ...kept]
}

/** The id in the path of a talk: `/talks/video/12/a-talk` -> 12. */
export function parseTalkPath(path: string): number | null {
  const [, id] = /\/video\/([1-9]\d{0,15})\/[^/]{0,300}$/.exec(path) ?? []
  return id === undefined ? null : Number(id)
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
