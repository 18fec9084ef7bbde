import type { WritableName } from '../../../record/fields.ts'
import type { ReadStore } from '../../../store/store.ts'

/** A field that somebody changed, and who changed it last. */
export interface OtherChange {
  readonly name: WritableName
  readonly by: string
}

interface Between {
  readonly id: number
  readonly after: number
  readonly before: number
}

/** Versions are read one by one; of more than this many during one edit, the last count. */
const maxVersions = 20

/** What was changed in the versions between two others. */
export async function listOthersChanges(
  store: Pick<ReadStore, 'readVersion'>,
  { id, after, before }: Between,
): Promise<OtherChange[]> {
  const authors = new Map<WritableName, string>()
  for (let number = Math.max(after + 1, before - maxVersions); number < before; number++) {
    const made = await store.readVersion(id, number)
    for (const name of made?.changed ?? []) authors.set(name, made?.by ?? '')
  }
  return [...authors].map(([name, by]) => ({ name, by }))
}
