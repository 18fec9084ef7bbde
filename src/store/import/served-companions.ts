import { type SingleName, toKind } from '../../record/companion/kinds.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../record/json.ts'
import type { Extras, ImportedTalk } from './imported-talk.ts'

/** The keys under which extras keep what a source said of a companion. */
const toKeys = (name: SingleName) => Object.keys(toKind(name).toSource(toKind(name).empty, null, {}))

/** The talk with the companions of before where the server said nothing about them now. */
export function withUnsaid(talk: ImportedTalk, before: Extras | null): ImportedTalk {
  const keys = (talk.unsaid ?? []).flatMap(toKeys)
  const values = pick(before?.values, keys)
  if (before === null || Object.keys(values).length === 0) return talk
  const said = pick(before.basis.said, keys)
  return {
    ...talk,
    toExtras(slug) {
      const now = talk.toExtras(slug) ?? { values: {}, basis: before.basis }
      const saidNow = isJsonObject(now.basis.said) ? now.basis.said : {}
      // First, so that their order stays; again, since a value that does not fit may have their key.
      return { values: { ...values, ...now.values, ...values }, basis: { ...now.basis, said: { ...said, ...saidNow } } }
    },
  }
}

function pick(from: JsonValue | undefined, keys: readonly string[]): JsonObject {
  return isJsonObject(from) ? Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key))) : {}
}

/**
 * The talk with the ids of this store in its chapters, for a talk from a server. A chapter loses the id of a record that
 * is not here, which `lost` has.
 */
export async function withPartsHere(
  talk: ImportedTalk,
  findHere: (id: number) => Promise<number | null>,
): Promise<{ readonly talk: ImportedTalk; readonly lost: readonly number[] }> {
  const ids = talk.unsaid === undefined ? [] : listParts(talk.toExtras('')?.values.chapters)
  if (ids.length === 0) return { talk, lost: [] }
  const here = new Map<JsonValue, number | null>()
  for (const id of ids) here.set(id, await findHere(id))
  const toHere = (chapter: JsonValue) => {
    if (!isJsonObject(chapter) || chapter.video === undefined) return chapter
    const { video, ...others } = chapter
    const id = here.get(video) ?? null
    return id === null ? others : { ...others, video: id }
  }
  const toExtras: ImportedTalk['toExtras'] = (slug) => {
    const extras = talk.toExtras(slug)
    if (extras === null || !Array.isArray(extras.values.chapters)) return extras
    return { ...extras, values: { ...extras.values, chapters: extras.values.chapters.map(toHere) } }
  }
  return { talk: { ...talk, toExtras }, lost: ids.filter((id) => here.get(id) === null) }
}

function listParts(chapters: JsonValue | undefined): number[] {
  const all = Array.isArray(chapters) ? chapters.filter(isJsonObject) : []
  return [...new Set(all.flatMap(({ video }) => (typeof video === 'number' ? [video] : [])))]
}
