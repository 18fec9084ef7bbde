import type { InsertValue } from '../../write/bulk-insert.ts'

export type Row = { readonly [column: string]: InsertValue }

/** A sum over rows, which is the same for both engines when the rows are. */
export interface RowDigest {
  add(row: Row): void
  finish(): { readonly rows: number; readonly digest: string }
}

export function createRowDigest(): RowDigest {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  let columns: readonly string[] | null = null
  return {
    add(row) {
      columns ??= Object.keys(row).sort()
      for (const name of columns) addValue(hash, name, row[name] ?? null)
      rows++
    },
    finish: () => ({ rows, digest: hash.digest('hex') }),
  }
}

/** With name, kind and length, so that no two different rows read alike. */
function addValue(hash: Bun.CryptoHasher, name: string, value: InsertValue): void {
  if (value === null || typeof value === 'number') hash.update(`${name}=${value};`)
  else if (typeof value === 'string') hash.update(`${name}:${Buffer.byteLength(value)}"${value};`)
  else hash.update(`${name}:${value.length}#`).update(value).update(';')
}
