import type { Change } from '../columns/change-follower.ts'
import { type ColumnsCopy, restoreColumns } from '../columns/columns-copy.ts'
import type { RecordData } from '../columns/record-data.ts'
import { type SlotArrays, slotArrayNames, slotArrayTypes } from '../columns/slot-arrays.ts'
import type { WordsIndex } from '../search/words-index.ts'
import { restoreWords } from './restore-words.ts'
import { BadSections, openSectionFile, type SectionArray, type SectionReader } from './section-file.ts'
import { createIsDue, type IsDue } from './slices.ts'
import {
  runtime,
  type SnapshotFacts,
  slotSections,
  snapshotFormat,
  toListSection,
  videoSection,
} from './snapshot-format.ts'

export interface RestoreNeeds {
  readonly path: string
  readonly schema: number
  readonly index: WordsIndex
  readStoreId(): Promise<string>
  /** Called once if the file cannot be used because it is damaged, or cannot be read. */
  onBad(error: unknown): void
}

/**
 * Fills empty indexes from a snapshot, in steps (ADR 44). Null if it is missing, of another store or version, or
 * damaged: the caller then clears the indexes and loads everything. The last change is for the caller to compare.
 */
export async function* restoreSnapshot(needs: RestoreNeeds, data: RecordData): AsyncGenerator<void, Change | null> {
  let file: SectionReader | null = null
  try {
    file = await openSectionFile(needs.path, snapshotFormat)
    if (file === null) return null
    const facts = parseFacts(file.facts)
    if (facts.runtime !== runtime || facts.schema !== needs.schema) return null
    if (facts.storeId !== (await needs.readStoreId())) return null
    yield* restoreAll(needs.index, data, file, facts)
    return facts.change
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) needs.onBad(error)
    return null
  } finally {
    await file?.close()
  }
}

async function* restoreAll(
  index: WordsIndex,
  data: RecordData,
  file: SectionReader,
  facts: SnapshotFacts,
): AsyncGenerator<void, void> {
  const isDue = createIsDue()
  const columns = yield* readColumns(file, facts, isDue)
  for (const slices = restoreColumns(data, columns); ; yield) {
    const { done, value } = slices.next()
    if (done !== true) continue
    if (!value) throw new BadSections('its columns are inconsistent')
    break
  }
  yield* restoreWords(index, file, facts.segmentCount, columns.ids.length, isDue)
  if (!haveSameRecords(index, columns)) throw new BadSections('a record has no words, or words have no record')
}

function haveSameRecords({ hasWords }: WordsIndex, { states }: ColumnsCopy): boolean {
  for (let slot = 1; slot < states.length; slot++) if (hasWords(slot) !== (states[slot] !== 0)) return false
  return true
}

async function* readColumns(
  file: SectionReader,
  { languageNames, hostNames, authorNames }: SnapshotFacts,
  isDue: IsDue,
): AsyncGenerator<void, ColumnsCopy> {
  const read = (name: string) => file.read(name, Uint32Array, isDue)
  const arrays: { [name: string]: SectionArray } = {}
  for (const name of slotArrayNames) arrays[name] = yield* file.read<SectionArray>(name, slotArrayTypes[name], isDue)
  return {
    // Each name was read as an array of its own type, which TypeScript cannot follow through a loop.
    ...(arrays as unknown as SlotArrays),
    ids: yield* file.read('ids', slotSections.ids, isDue),
    videoHashes: yield* file.read(videoSection, Float64Array, isDue),
    speakers: {
      starts: yield* read(toListSection('speakers', 'starts')),
      lists: yield* read(toListSection('speakers', 'lists')),
    },
    tags: {
      starts: yield* read(toListSection('tags', 'starts')),
      lists: yield* read(toListSection('tags', 'lists')),
    },
    ...{ languageNames, hostNames, authorNames },
  }
}

const isTexts = (texts: unknown) => Array.isArray(texts) && texts.every((text) => typeof text === 'string')

function parseFacts(facts: unknown): SnapshotFacts {
  // Written by `writeSnapshot`, as the checksum proves; what it is used for is checked below.
  const given = facts as SnapshotFacts
  const { change, languageNames, hostNames, authorNames, segmentCount } = given
  const isGood =
    Number.isSafeInteger(change?.seq) &&
    Number.isSafeInteger(change.id) &&
    typeof change.at === 'string' &&
    [languageNames, hostNames, authorNames].every(isTexts) &&
    Number.isSafeInteger(segmentCount)
  if (!isGood) throw new BadSections('its facts are incomplete')
  return given
}
