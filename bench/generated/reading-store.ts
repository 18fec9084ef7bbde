import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { openForWriting } from '../../src/store/sqlite/connection.ts'
import { toVersionTag } from '../../src/store/write/version-rows.ts'
import { toGeneratedStore } from '../generate.ts'

/** The writer creates this many; the others are copies of them with their own ids. */
const written = 100_000

/**
 * A store for reads by id only: records beyond 100,000 have no versions and are in no list. A million records take two
 * minutes instead of a quarter of an hour.
 */
export async function toReadingStore(records: number, say: (progress: string) => void): Promise<string> {
  if (records <= written) return toGeneratedStore(records, say)
  const base = await toGeneratedStore(written, say)
  const path = base.replace(`${written}-`, `${records}-reading-`)
  if (existsSync(path)) return path
  const draft = `${path}.${process.pid}`
  try {
    copyFileSync(base, draft)
    extend(draft, records, say)
    renameSync(draft, path)
  } finally {
    for (const rest of ['', '-wal', '-shm']) rmSync(`${draft}${rest}`, { force: true })
  }
  return path
}

interface Row {
  readonly id: number
  readonly state: number
  readonly slug: string
  readonly updated: string
  readonly body: Uint8Array
}

function extend(path: string, records: number, say: (progress: string) => void): void {
  const db = openForWriting(path, 10_000)
  db.run('PRAGMA synchronous = OFF')
  const read = db.query<Row, [number]>('SELECT id, state, slug, updated, body FROM record WHERE id = ?')
  const insert = db.query(
    'INSERT INTO record (id, version, mark, state, slug, updated, body) VALUES (?, 1, ?, ?, ?, ?, ?)',
  )
  const addFrom = db.transaction((first: number, last: number) => {
    for (let id = first; id <= last; id++) {
      const row = read.get(((id - 1) % written) + 1)
      if (row === null) throw new Error('a record is missing')
      const slug = `${row.slug}-n${id}`
      const body = toCopy(row, id, slug)
      const mark = toVersionTag(1, new Bun.CryptoHasher('sha256').update(body).digest())
      insert.run(id, mark, row.state, slug, row.updated, body)
    }
  })
  for (let id = written + 1; id <= records; id += written) {
    addFrom(id, Math.min(id + written - 1, records))
    say(`${Math.min(id + written - 1, records)} of ${records} records`)
  }
  db.close()
}

function toCopy({ id: old, slug: oldSlug, body }: Row, id: number, slug: string): Uint8Array {
  const text = Buffer.from(body).toString('latin1')
  const copy = text.replace(`"slug":"${oldSlug}"`, `"slug":"${slug}"`).replace(`"id":${old},`, `"id":${id},`)
  return Buffer.from(copy, 'latin1')
}
