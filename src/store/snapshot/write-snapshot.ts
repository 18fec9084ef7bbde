import { toSignature } from '../../record/text/spelling.ts'
import { type Captured, copyLiving } from './capture.ts'
import { createSectionFile, type SectionWriter } from './section-file.ts'
import { createIsDue, type IsDue, runSlices } from './slices.ts'
import {
  runtime,
  type SnapshotFacts,
  segmentSections,
  slotSections,
  snapshotFormat,
  toListSection,
  toSegmentSection,
  videoSection,
  wordSections,
} from './snapshot-format.ts'

/** Writes captured indexes to a new file, in pieces (ADR 44). `check` is called between them, and may throw. */
export async function writeSnapshot(
  path: string,
  captured: Captured,
  store: Pick<SnapshotFacts, 'schema' | 'storeId'>,
  check: () => void,
): Promise<void> {
  const isDue = createIsDue()
  const file = await createSectionFile(path, snapshotFormat)
  try {
    await writeColumns(file, captured, check)
    const isLiving = new Uint8Array(captured.wordCount)
    for (const [number, segment] of captured.segments.entries()) {
      const arrays = await runSlices(copyLiving(segment, isDue), check)
      markAll(isLiving, arrays.words)
      for (const name of toNames(segmentSections)) {
        check()
        await file.add(toSegmentSection(number, name), arrays[name])
      }
    }
    const words = await runSlices(toWordArrays(captured, isLiving, isDue), check)
    for (const [name, array] of Object.entries(words)) await file.add(name, array)
    const { change, segments, columns } = captured
    await file.finish({
      ...{ runtime, ...store, change, segmentCount: segments.length },
      languageNames: columns.languageNames,
      hostNames: columns.hostNames,
      authorNames: columns.authorNames,
    } satisfies SnapshotFacts)
  } finally {
    await file.close()
  }
}

function markAll(flags: Uint8Array, numbers: Uint32Array): void {
  for (let i = 0; i < numbers.length; i++) flags[numbers[i] ?? 0] = 1
}

/** The keys of a table of sections. */
export const toNames = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

async function writeColumns(file: SectionWriter, { columns }: Captured, check: () => void): Promise<void> {
  for (const name of toNames(slotSections)) {
    check()
    await file.add(name, columns[name])
  }
  check()
  await file.add(videoSection, columns.videoHashes)
  for (const kind of ['speakers', 'tags'] as const) {
    for (const part of ['starts', 'lists'] as const) {
      check()
      await file.add(toListSection(kind, part), columns[kind][part])
    }
  }
}

const wordsPerText = 1000

/** The words that living records have; others may be those of erased records. */
function* toWordArrays(captured: Captured, isLiving: Uint8Array, isDue: IsDue) {
  const { dictionary } = captured
  const { numbers, newNumbers } = numberLiving(isLiving)
  const signatures = new Int32Array(numbers.length)
  const texts: Buffer[] = []
  for (let at = 0; at < numbers.length; at += wordsPerText) {
    const words = Array.from(numbers.subarray(at, at + wordsPerText), dictionary.toWord)
    for (const [i, word] of words.entries()) signatures[at + i] = toSignature(word)
    texts.push(Buffer.from(`${words.join('\n')}\n`))
    if (isDue()) yield
  }
  return {
    [wordSections.numbers]: numbers,
    [wordSections.signatures]: signatures,
    [wordSections.texts]: Buffer.concat(texts),
    [wordSections.order]: toNewNumbers(dictionary.sortedNumbers(), isLiving, newNumbers),
  }
}

/** The old numbers of living words in ascending order, and the new number for each old one. */
function numberLiving(isLiving: Uint8Array) {
  const numbers = new Uint32Array(isLiving.length)
  const newNumbers = new Uint32Array(isLiving.length)
  let end = 0
  for (let number = 0; number < isLiving.length; number++) {
    if (isLiving[number] === 0) continue
    newNumbers[number] = end
    numbers[end++] = number
  }
  return { numbers: numbers.slice(0, end), newNumbers }
}

/** Words that came after the snapshot was begun are not living in it. */
function toNewNumbers(order: Int32Array, isLiving: Uint8Array, newNumbers: Uint32Array): Int32Array {
  const renumbered = new Int32Array(order.length)
  let end = 0
  for (let at = 0; at < order.length; at++) {
    const number = order[at] ?? 0
    if (isLiving[number] === 1) renumbered[end++] = newNumbers[number] ?? 0
  }
  return renumbered.slice(0, end)
}
