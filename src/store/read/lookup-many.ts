import type { Database } from '../database.ts'

/** So many rows are looked up at a time. */
export const maxLookup = 128

/**
 * Looks up the rows of some keys at once, at most `maxChosen`. `toSql` gets what stands for the list of keys; where
 * there are fewer, one is named again and again, so that one statement is enough for all.
 */
export function createLookup<Row, Key extends string | number>(db: Database, toSql: (keys: string) => string) {
  const find = db.query<Row, Key[]>(toSql(`(${Array(maxLookup).fill('?').join(', ')})`))
  return (keys: readonly Key[]): Row[] => {
    const [first] = keys
    return first === undefined ? [] : find.all(...Array.from({ length: maxLookup }, (_, i) => keys[i] ?? first))
  }
}

/** Large records come in smaller chunks, so that memory stays flat. */
const maxChunkBytes = 4_000_000

/** Some at a time, so that they can be looked up at once. */
export function* toChunks<T>(all: Iterable<T>, toBytes: (each: T) => number = () => 0): Generator<T[]> {
  let chunk: T[] = []
  let bytes = 0
  for (const each of all) {
    chunk.push(each)
    bytes += toBytes(each)
    if (chunk.length < maxLookup && bytes < maxChunkBytes) continue
    yield chunk
    chunk = []
    bytes = 0
  }
  if (chunk.length > 0) yield chunk
}
