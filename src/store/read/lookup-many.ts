import type { Database } from '../database.ts'

export const maxLookup = 128

/**
 * Looks up the rows of up to `maxLookup` keys in one statement. `toSql` gets the placeholders. Their number is the next
 * power of two, padded with the first key, so that eight statements serve every number of keys.
 */
export function createLookup<Row, Key extends string | number>(db: Database, toSql: (keys: string) => string) {
  const prepare = (size: number) => db.query<Row, Key[]>(toSql(`(${Array(size).fill('?').join(', ')})`))
  const statements = new Map<number, ReturnType<typeof prepare>>()
  return async (keys: readonly Key[]): Promise<Row[]> => {
    const [first] = keys
    if (first === undefined) return []
    const size = 2 ** Math.ceil(Math.log2(keys.length))
    const statement = statements.get(size) ?? prepare(size)
    statements.set(size, statement)
    return statement.all(...Array.from({ length: size }, (_, i) => keys[i] ?? first))
  }
}

/** Limits chunks of large records, so that memory stays flat. */
const maxChunkBytes = 4_000_000

/** Chunks of at most `maxLookup`. */
export async function* toChunks<T>(
  all: Iterable<T> | AsyncIterable<T>,
  toBytes: (each: T) => number = () => 0,
): AsyncGenerator<T[]> {
  let chunk: T[] = []
  let bytes = 0
  for await (const each of all) {
    chunk.push(each)
    bytes += toBytes(each)
    if (chunk.length < maxLookup && bytes < maxChunkBytes) continue
    yield chunk
    chunk = []
    bytes = 0
  }
  if (chunk.length > 0) yield chunk
}
