import type { Changes, VideoRecord } from '../../record/record.ts'
import type { FieldHistory } from '../../record/three-way-merge.ts'
import type { ImportedTalk } from './imported-talk.ts'
import type { Origin } from './origin-rows.ts'

/** What sources have said of a record: where it first came from, what this source said last time, and the others. */
export function sortOrigins(known: readonly Origin[], source: string, path: string) {
  const own = known.filter((origin) => origin.source === source)
  // A file may have been moved within its source.
  const [newest = null] = own.toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0))
  return {
    first: known.find(({ isFirst }) => isFirst) ?? null,
    own: own.find((origin) => origin.path === path) ?? newest,
    others: known.filter((origin) => origin.source !== source),
  }
}

export const pick = (changes: Changes, names: readonly string[]): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => names.includes(name)))

/** The talk without what only a new record takes. */
export function withoutUnfit(talk: ImportedTalk): ImportedTalk {
  const { changes, unfitNames } = talk
  if (unfitNames.length === 0) return talk
  return {
    ...talk,
    changes: pick(
      changes,
      Object.keys(changes).filter((name) => !unfitNames.some((each) => each === name)),
    ),
  }
}

/** Whether a record is a draft, and its source wanted one. */
export const isDraftOf = (origin: Origin | null, { state }: VideoRecord) => state === 2 && origin?.imported.state === 2

/** Only a person, or the source that wanted a draft, makes it live again. */
export async function isDraftOfOther(
  others: readonly Origin[],
  record: VideoRecord,
  history: FieldHistory,
): Promise<boolean> {
  return others.some((other) => isDraftOf(other, record)) && (await history.lastImported('state')) !== 2
}
